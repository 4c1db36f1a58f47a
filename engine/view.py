"""What one onlooker may know of a game: an allow-list, built field by field (rules 3.13).

What is not copied here does not exist for reports. Everything in a `View` but `me`, `secrets`
and the private events in `news` is public.
"""

from typing import Literal, NamedTuple, TypeAlias

from engine.events import Event
from engine.options import Options
from engine.pieces import ByColour, Colour, Dynasty, Leader, Monument, Pair
from engine.squares import Square

Viewer: TypeAlias = Dynasty | Literal["public", "moderator"]


class Side(NamedTuple):
    """One side of a conflict: its leader, where it stands, what it has and what it would lose."""

    leader: Leader
    at: Square
    strength: int
    would_lose: tuple[Square, ...]


class ConflictView(NamedTuple):
    """A revolt (`union` None) or a war, with the strengths on the board as they are now."""

    colour: Colour
    support_colour: Colour
    union: Square | None
    attack: Side
    defence: Side


class ActionAsked(NamedTuple):
    """The player takes his first or his second action."""

    player: Dynasty
    number: int


class SupportAsked(NamedTuple):
    """The player sends support. `sent`: the attacker's number, known to the defender only then.

    `later`: the wars that may still come at the same uniting tile, as the board is now.
    """

    player: Dynasty
    side: Literal["attack", "defence"]
    conflict: ConflictView
    sent: int | None
    later: tuple[ConflictView, ...]


class WarAsked(NamedTuple):
    """The player picks the colour to fight next; `wars` are those that can be fought."""

    player: Dynasty
    union: Square
    wars: tuple[ConflictView, ...]


class BlockView(NamedTuple):
    """A block of four tiles that may be built on: top left square, colour, monuments that fit."""

    at: Square
    colour: Colour
    pairs: tuple[Pair, ...]


class MonumentAsked(NamedTuple):
    """The player may build where his tile completed a block."""

    player: Dynasty
    placed: Square
    blocks: tuple[BlockView, ...]


class TreasureAsked(NamedTuple):
    """The player says which treasure of his trader's kingdom stays.

    `may_stay` are the squares to choose from, `taken` those that are taken in any case,
    `priority` those of both that are framed (R81).
    """

    player: Dynasty
    trader: Square
    may_stay: tuple[Square, ...]
    taken: tuple[Square, ...]
    priority: tuple[Square, ...]


Asked: TypeAlias = ActionAsked | SupportAsked | WarAsked | MonumentAsked | TreasureAsked


class LeaderView(NamedTuple):
    """A leader on the board: where, beside how many temples, and the tiles of its colour there."""

    leader: Leader
    at: Square
    temples: int
    supporters: int


class KingdomView(NamedTuple):
    """A kingdom (R04): its leaders, tiles by colour, squares, treasures and monuments."""

    leaders: tuple[LeaderView, ...]
    tiles: ByColour
    squares: tuple[Square, ...]
    treasures: tuple[Square, ...]
    monuments: tuple[Monument, ...]


class SeatView(NamedTuple):
    """What all may know of a player; points and treasures only if they are open."""

    dynasty: Dynasty
    hand_size: int
    leaders_off: tuple[Colour, ...]
    catastrophes: int
    points: ByColour | None
    treasures: int | None


class Holdings(NamedTuple):
    """What a player alone may know of himself."""

    dynasty: Dynasty
    hand: ByColour
    points: ByColour
    treasures: int


class Secrets(NamedTuple):
    """What only the moderator's report shows: every hand and total, and the bag in its order."""

    holdings: tuple[Holdings, ...]
    bag: str
    out: ByColour


class View(NamedTuple):
    """A game as one onlooker may see it.

    `cells` are 11 rows of 16 two-letter signs in map notation (rules, part 6).
    `news` are the events this viewer may know, oldest first.
    """

    viewer: Viewer
    options: Options
    players: tuple[Dynasty, ...]
    turn: int
    active: Dynasty
    over: bool
    asked: Asked | None
    cells: tuple[tuple[str, ...], ...]
    kingdoms: tuple[KingdomView, ...]
    seats: tuple[SeatView, ...]
    monuments: tuple[Monument, ...]
    free_monuments: tuple[Pair, ...]
    treasures: tuple[Square, ...]
    bag_size: int
    news: tuple[Event, ...]
    me: Holdings | None
    secrets: Secrets | None
