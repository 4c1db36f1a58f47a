"""What the game waits for, and what it still has to do by itself: the agenda of a state.

The agenda is a stack. On top lies a question to one player; below it what follows once it is
answered. All of it is plain data, so a question can wait for days in a file (rules 3.14).
Named tuples are compared as tuples; `kind` keeps steps with the same fields apart.
"""

from typing import Literal, NamedTuple, TypeAlias

from engine.pieces import Colour, Dynasty
from engine.squares import Mask, Square


class Conflict(NamedTuple):
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


class AskAction(NamedTuple):
    """The active player takes an action: his first or his second (R10)."""

    player: Dynasty
    number: int
    kind: Literal["action"] = "action"


class AskAttack(NamedTuple):
    """The attacker sends support (R32, R55)."""

    player: Dynasty
    conflict: Conflict
    kind: Literal["attack"] = "attack"


class AskDefence(NamedTuple):
    """The defender sends support and knows what the attacker sent (R32, R55)."""

    player: Dynasty
    conflict: Conflict
    sent: int
    kind: Literal["defence"] = "defence"


class AskWar(NamedTuple):
    """The active player picks the colour to fight next (R53)."""

    player: Dynasty
    union: Square
    origin: tuple[Mask, ...] = ()
    kind: Literal["war"] = "war"


class AskMonument(NamedTuple):
    """The active player may build where his tile completed a block (R61)."""

    player: Dynasty
    placed: Square
    kind: Literal["monument"] = "monument"


class AskTreasure(NamedTuple):
    """A trader's owner says which treasure of his trader's kingdom stays (R81)."""

    player: Dynasty
    kind: Literal["treasure"] = "treasure"


class FightWars(NamedTuple):
    """Fight what is to be fought round the uniting tile, then take the marker away (R52, R60)."""

    union: Square
    origin: tuple[Mask, ...] = ()
    kind: Literal["wars"] = "wars"


class OfferMonument(NamedTuple):
    """See whether the tile placed here completed a block (R61)."""

    placed: Square
    kind: Literal["offer"] = "offer"


class CollectTreasures(NamedTuple):
    """Treasure distribution (R80)."""

    kind: Literal["treasures"] = "treasures"


class EndAction(NamedTuple):
    """The action with this number is over: the next one, or the end of the turn (R12)."""

    number: int
    kind: Literal["end of action"] = "end of action"


class EndTurn(NamedTuple):
    """Monument points and refill (R90, R92)."""

    kind: Literal["end of turn"] = "end of turn"


class NextTurn(NamedTuple):
    """The end of the game, or the next player (R93, R94)."""

    kind: Literal["next turn"] = "next turn"


Question: TypeAlias = AskAction | AskAttack | AskDefence | AskWar | AskMonument | AskTreasure
Step: TypeAlias = (
    Question | FightWars | OfferMonument | CollectTreasures | EndAction | EndTurn | NextTurn
)
QUESTIONS = (AskAction, AskAttack, AskDefence, AskWar, AskMonument, AskTreasure)
