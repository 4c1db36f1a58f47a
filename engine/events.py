"""What happened, in the past tense, and who may know it (rules 3.13).

Whoever adds an event puts it into one of two unions: `PublicEvent`, seen by all, or
`PrivateEvent`, seen by its `player` alone. Colours of hidden tiles occur in the latter only.
"""

from typing import Literal, NamedTuple, TypeAlias

from engine.pieces import ByColour, Colour, Dynasty, Pair
from engine.squares import Square


class Strength(NamedTuple):
    """What one side of a conflict has: on the board, and sent from the hand."""

    board: int
    hand: int

    @property
    def total(self) -> int:
        """Board and hand together."""
        return self.board + self.hand


class FinalRow(NamedTuple):
    """One player's end of the game (R95, R96); ranks are shared when equal."""

    player: Dynasty
    rank: int
    before: ByColour
    treasures: int
    after: ByColour


class TilePlaced(NamedTuple):
    """R40. `uniting`: it joined two kingdoms and scores for nobody (R44)."""

    player: Dynasty
    colour: Colour
    at: Square
    uniting: bool


class LeaderPlaced(NamedTuple):
    """R20. `origin` is the square it came from, None from the hand."""

    player: Dynasty
    colour: Colour
    at: Square
    origin: Square | None


class LeaderReturned(NamedTuple):
    """A leader left the board for its owner's hand (R25, R26, R34, R57)."""

    player: Dynasty
    colour: Colour
    origin: Square
    why: Literal["withdrawn", "revolt", "war", "no temple"]


class CatastrophePlaced(NamedTuple):
    """R70. `tile` is the colour of the tile that was destroyed, if any."""

    player: Dynasty
    at: Square
    tile: Colour | None


class TilesExchanged(NamedTuple):
    """R85: how many tiles were put away."""

    player: Dynasty
    number: int


class ActionPassed(NamedTuple):
    """R10."""

    player: Dynasty


class RevoltBegan(NamedTuple):
    """R30: the attacker's leader at `at` challenges the defender's leader at `against`."""

    colour: Colour
    attacker: Dynasty
    defender: Dynasty
    at: Square
    against: Square


class WarBegan(NamedTuple):
    """R53, R54: two leaders of this colour fight across the uniting tile at `union`."""

    colour: Colour
    attacker: Dynasty
    defender: Dynasty
    union: Square


class WarChosen(NamedTuple):
    """R53: the active player picked the colour to fight next."""

    player: Dynasty
    colour: Colour


class SupportSent(NamedTuple):
    """R32, R55: tiles of this colour sent from the hand; they leave the game (R34, R58)."""

    player: Dynasty
    colour: Colour
    number: int
    side: Literal["attack", "defence"]


class ConflictEnded(NamedTuple):
    """R33, R56: both strengths, and who won. `union` is None for a revolt."""

    colour: Colour
    attacker: Dynasty
    defender: Dynasty
    attack: Strength
    defence: Strength
    winner: Dynasty
    union: Square | None


class TilesRemoved(NamedTuple):
    """R57: tiles of the loser's side that left the game."""

    player: Dynasty
    colour: Colour
    squares: tuple[Square, ...]


class PointsScored(NamedTuple):
    """R34, R43, R58, R90: points of one colour, and for what."""

    player: Dynasty
    colour: Colour
    points: int
    why: Literal["tile", "revolt", "war", "monument"]
    at: Square | None


class MonumentBuilt(NamedTuple):
    """R64: the four tiles of colour `tiles` from top left `at` are face down now."""

    player: Dynasty
    pair: Pair
    at: Square
    tiles: Colour


class MonumentDeclined(NamedTuple):
    """R62."""

    player: Dynasty


class TreasuresTaken(NamedTuple):
    """R80: the treasures of these squares went to the trader's owner; one stayed at `left`."""

    player: Dynasty
    squares: tuple[Square, ...]
    left: Square


class TilesDrawn(NamedTuple):
    """R85, R92: how many tiles were drawn, and how many the bag was short of."""

    player: Dynasty
    number: int
    missing: int


class TurnEnded(NamedTuple):
    """R90 to R94: the turn with this number is over."""

    player: Dynasty
    turn: int


class TurnBegan(NamedTuple):
    """R94."""

    player: Dynasty
    turn: int


class GameEnded(NamedTuple):
    """R93: few treasures, an empty bag, or both."""

    why: tuple[Literal["treasures", "bag"], ...]


class FinalScores(NamedTuple):
    """R95, R96: all players, best first."""

    rows: tuple[FinalRow, ...]


class TilesGiven(NamedTuple):
    """R85: which tiles the player put away in an exchange."""

    player: Dynasty
    tiles: ByColour


class TilesReceived(NamedTuple):
    """R85, R92: which tiles the player drew, letters in the order of drawing."""

    player: Dynasty
    tiles: str


PublicEvent: TypeAlias = (
    TilePlaced | LeaderPlaced | LeaderReturned | CatastrophePlaced | TilesExchanged | ActionPassed
    | RevoltBegan | WarBegan | WarChosen | SupportSent | ConflictEnded | TilesRemoved
    | PointsScored | MonumentBuilt | MonumentDeclined | TreasuresTaken | TilesDrawn
    | TurnEnded | TurnBegan | GameEnded | FinalScores
)  # fmt: skip
PrivateEvent: TypeAlias = TilesGiven | TilesReceived
Event: TypeAlias = PublicEvent | PrivateEvent
