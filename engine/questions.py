"""What the game waits for, and what it still has to do by itself: the agenda of a state.

The agenda is a stack. On top lies a question to one player; below it what follows once it is
answered. All of it is plain data, so a question can wait for days in a file (rules 3.14).
"""

from dataclasses import dataclass
from typing import TypeAlias

from engine.pieces import Colour, Dynasty
from engine.squares import Mask, Square


@dataclass(frozen=True, slots=True)
class Conflict:
    """A revolt or a war, R30 and R54. Strengths are read off the board when needed.

    `union` is the square of the uniting tile in a war, None in a revolt.
    `origin` holds the groups that touched the uniting tile when it was placed, only with the
    option `split_side=original` (D06); otherwise it is empty.
    """

    colour: Colour
    attacker: Dynasty
    defender: Dynasty
    union: Square | None = None
    origin: tuple[Mask, ...] = ()

    @property
    def support_colour(self) -> Colour:
        """The colour of the tiles that help: temples in a revolt (R32), else the war's (R55)."""
        return "red" if self.union is None else self.colour


@dataclass(frozen=True, slots=True)
class AskAction:
    """The active player takes an action: his first or his second (R10)."""

    player: Dynasty
    number: int


@dataclass(frozen=True, slots=True)
class AskAttack:
    """The attacker sends support (R32, R55)."""

    player: Dynasty
    conflict: Conflict


@dataclass(frozen=True, slots=True)
class AskDefence:
    """The defender sends support and knows what the attacker sent (R32, R55)."""

    player: Dynasty
    conflict: Conflict
    sent: int


@dataclass(frozen=True, slots=True)
class AskWar:
    """The active player picks the colour to fight next (R53)."""

    player: Dynasty
    union: Square
    origin: tuple[Mask, ...] = ()


@dataclass(frozen=True, slots=True)
class AskMonument:
    """The active player may build where his tile completed a block (R61)."""

    player: Dynasty
    placed: Square


@dataclass(frozen=True, slots=True)
class AskTreasure:
    """A trader's owner says which treasure of his trader's kingdom stays (R81)."""

    player: Dynasty


@dataclass(frozen=True, slots=True)
class FightWars:
    """Fight what is to be fought round the uniting tile, then take the marker away (R52, R60)."""

    union: Square
    origin: tuple[Mask, ...] = ()


@dataclass(frozen=True, slots=True)
class OfferMonument:
    """See whether the tile placed here completed a block (R61)."""

    placed: Square


@dataclass(frozen=True, slots=True)
class CollectTreasures:
    """Treasure distribution (R80)."""


@dataclass(frozen=True, slots=True)
class EndAction:
    """The action with this number is over: the next one, or the end of the turn (R12)."""

    number: int


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Monument points and refill (R90, R92)."""


@dataclass(frozen=True, slots=True)
class NextTurn:
    """The end of the game, or the next player (R93, R94)."""


Question: TypeAlias = AskAction | AskAttack | AskDefence | AskWar | AskMonument | AskTreasure
Step: TypeAlias = (
    Question | FightWars | OfferMonument | CollectTreasures | EndAction | EndTurn | NextTurn
)
QUESTIONS = (AskAction, AskAttack, AskDefence, AskWar, AskMonument, AskTreasure)
