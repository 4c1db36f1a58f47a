"""The values that hints are made of: what a player's pieces could do on the board as it is."""

from typing import Literal, NamedTuple, TypeAlias

from engine.pieces import Colour, Dynasty, Leader
from engine.squares import Square

Effect: TypeAlias = Literal["mine", "theirs", "war", "union", "nothing"]


class Clash(NamedTuple):
    """A conflict that a placement would start, with the strengths on the board at its start.

    A tie is the defender's; what is sent from the hands is added.
    """

    colour: Colour
    attacker: Dynasty
    defender: Dynasty
    attack: int
    defence: int


class TileHint(NamedTuple):
    """Squares where a tile does the same.

    `effect`: a point for the player (`mine`) or for another (`theirs`); `war`; `union`: two
    kingdoms become one without a war; `nothing`. `scorer` gets the point, in the tile's colour.
    `wars` are all that could be fought before the first of them changes the board.
    """

    squares: tuple[Square, ...]
    effect: Effect
    scorer: Dynasty | None
    wars: tuple[Clash, ...]


class TileHints(NamedTuple):
    """One colour in the player's hand: every legal square, in groups.

    `monuments`: the squares among them where he would be asked for a monument at once; where
    wars come first, that is not known.
    """

    colour: Colour
    places: tuple[TileHint, ...]
    monuments: tuple[Square, ...]


class LeaderHint(NamedTuple):
    """Squares where a leader starts the same revolt, or none."""

    squares: tuple[Square, ...]
    revolt: Clash | None


class LeaderHints(NamedTuple):
    """One of the player's leaders: where it stands (None: in his hand), where it may go."""

    colour: Colour
    origin: Square | None
    places: tuple[LeaderHint, ...]


class CatastropheHint(NamedTuple):
    """Squares where a catastrophe sends the same leaders home, or cuts a kingdom in several."""

    squares: tuple[Square, ...]
    homeless: tuple[Leader, ...]
    splits: bool


class Hints(NamedTuple):
    """What the pieces of one player could do now; catastrophes that do neither are left out."""

    player: Dynasty
    tiles: tuple[TileHints, ...]
    leaders: tuple[LeaderHints, ...]
    catastrophes: tuple[CatastropheHint, ...]
