"""What a player can tell the game to do: the actions of a turn, and answers to questions.

Named tuples are compared as tuples; `kind` is there so that a tile on F4 is not equal to a
leader on F4.
"""

from typing import Literal, NamedTuple, TypeAlias

from engine.pieces import ByColour, Colour, Pair
from engine.squares import Square


class PlaceTile(NamedTuple):
    """R40: put a tile from the hand on the board."""

    colour: Colour
    at: Square
    kind: Literal["tile"] = "tile"


class PlaceLeader(NamedTuple):
    """R20: put the own leader of this colour on a square, from the hand or from the board."""

    colour: Colour
    at: Square
    kind: Literal["leader"] = "leader"


class WithdrawLeader(NamedTuple):
    """R25: take the own leader of this colour off the board."""

    colour: Colour
    kind: Literal["withdraw"] = "withdraw"


class PlaceCatastrophe(NamedTuple):
    """R70: destroy a square for the rest of the game."""

    at: Square
    kind: Literal["catastrophe"] = "catastrophe"


class Exchange(NamedTuple):
    """R85: put tiles out of the game and draw as many."""

    tiles: ByColour
    kind: Literal["exchange"] = "exchange"


class Pass(NamedTuple):
    """R10: let one action go."""

    kind: Literal["pass"] = "pass"


class Support(NamedTuple):
    """R32, R55: send this many tiles of the colour in question from the hand."""

    number: int
    kind: Literal["support"] = "support"


class ChooseWar(NamedTuple):
    """R53: the colour to fight next."""

    colour: Colour
    kind: Literal["war"] = "war"


class BuildMonument(NamedTuple):
    """R61: flip the block whose top left square is `at` and build on it."""

    pair: Pair
    at: Square
    kind: Literal["monument"] = "monument"


class DeclineMonument(NamedTuple):
    """R62: build nothing."""

    kind: Literal["no monument"] = "no monument"


class LeaveTreasure(NamedTuple):
    """R81: the treasure that stays; all others of the kingdom are taken."""

    at: Square
    kind: Literal["treasure"] = "treasure"


Action: TypeAlias = PlaceTile | PlaceLeader | WithdrawLeader | PlaceCatastrophe | Exchange | Pass
Answer: TypeAlias = Support | ChooseWar | BuildMonument | DeclineMonument | LeaveTreasure
Order: TypeAlias = Action | Answer
