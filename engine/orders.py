"""What a player can tell the game to do: the actions of a turn, and answers to questions."""

from dataclasses import dataclass
from typing import TypeAlias

from engine.pieces import ByColour, Colour, Pair
from engine.squares import Square


@dataclass(frozen=True, slots=True)
class PlaceTile:
    """R40: put a tile from the hand on the board."""

    colour: Colour
    at: Square


@dataclass(frozen=True, slots=True)
class PlaceLeader:
    """R20: put the own leader of this colour on a square, from the hand or from the board."""

    colour: Colour
    at: Square


@dataclass(frozen=True, slots=True)
class WithdrawLeader:
    """R25: take the own leader of this colour off the board."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class PlaceCatastrophe:
    """R70: destroy a square for the rest of the game."""

    at: Square


@dataclass(frozen=True, slots=True)
class Exchange:
    """R85: put tiles out of the game and draw as many."""

    tiles: ByColour


@dataclass(frozen=True, slots=True)
class Pass:
    """R10: let one action go."""


@dataclass(frozen=True, slots=True)
class Support:
    """R32, R55: send this many tiles of the colour in question from the hand."""

    number: int


@dataclass(frozen=True, slots=True)
class ChooseWar:
    """R53: the colour to fight next."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class BuildMonument:
    """R61: flip the block whose top left square is `at` and build on it."""

    pair: Pair
    at: Square


@dataclass(frozen=True, slots=True)
class DeclineMonument:
    """R62: build nothing."""


@dataclass(frozen=True, slots=True)
class LeaveTreasure:
    """R81: the treasure that stays; all others of the kingdom are taken."""

    at: Square


Action: TypeAlias = PlaceTile | PlaceLeader | WithdrawLeader | PlaceCatastrophe | Exchange | Pass
Answer: TypeAlias = Support | ChooseWar | BuildMonument | DeclineMonument | LeaveTreasure
Order: TypeAlias = Action | Answer
