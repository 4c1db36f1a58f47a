"""What the box holds: colours, dynasties, leaders, tiles, monuments (rules, section 1)."""

from typing import Literal, NamedTuple, Self, TypeAlias, cast, get_args

from engine.squares import Square

Colour: TypeAlias = Literal["red", "blue", "green", "black"]
Dynasty: TypeAlias = Literal["archer", "bull", "lion", "pot"]

COLOURS: tuple[Colour, ...] = get_args(Colour)
DYNASTIES: tuple[Dynasty, ...] = get_args(Dynasty)

TILE: dict[Colour, str] = {
    "red": "temple", "blue": "farm", "green": "market", "black": "settlement",
}  # fmt: skip
LEADER: dict[Colour, str] = {
    "red": "priest", "blue": "farmer", "green": "trader", "black": "king",
}  # fmt: skip

LETTER: dict[Colour, str] = {"red": "r", "blue": "b", "green": "g", "black": "k"}
COLOUR_OF: dict[str, Colour] = {letter: colour for colour, letter in LETTER.items()}


class ByColour(NamedTuple):
    """One number for each colour: tiles in a hand, points, or masks of a board."""

    red: int = 0
    blue: int = 0
    green: int = 0
    black: int = 0

    def of(self, colour: Colour) -> int:
        """The number for one colour."""
        return cast(int, getattr(self, colour))

    def with_(self, colour: Colour, number: int) -> Self:
        """The same with another number for one colour."""
        return self._replace(**{colour: number})

    def plus(self, colour: Colour, number: int) -> Self:
        """The same with `number` more (or fewer) of one colour."""
        return self._replace(**{colour: getattr(self, colour) + number})

    def add(self, other: "ByColour") -> "ByColour":
        """Colour by colour, the sum."""
        return ByColour(*(a + b for a, b in zip(self, other, strict=True)))

    def less(self, other: "ByColour") -> "ByColour":
        """Colour by colour, the difference."""
        return ByColour(*(a - b for a, b in zip(self, other, strict=True)))

    @property
    def total(self) -> int:
        """All colours together."""
        return sum(self)


NONE = ByColour()
TILES_IN_BOX = ByColour(red=57, blue=36, green=30, black=30)
HAND_SIZE = 6
CATASTROPHES_EACH = 2


class Leader(NamedTuple):
    """One of the sixteen leaders, known by its owner and its colour."""

    dynasty: Dynasty
    colour: Colour


LEADERS: tuple[Leader, ...] = tuple(Leader(d, c) for d in DYNASTIES for c in COLOURS)
LEADER_INDEX: dict[Leader, int] = {leader: index for index, leader in enumerate(LEADERS)}

Pair: TypeAlias = tuple[Colour, Colour]
PAIRS: tuple[Pair, ...] = tuple(
    (first, second) for i, first in enumerate(COLOURS) for second in COLOURS[i + 1 :]
)


class Monument(NamedTuple):
    """A monument that was built: its colours, its top left square, the tiles it lies on.

    `at` is None for a monument that is taken but stands nowhere, which only a test can set up.
    """

    pair: Pair
    at: Square | None
    tiles: Colour


def count(tiles: str) -> ByColour:
    """The tiles of a string of letters such as `rrbk`, counted."""
    return ByColour(*(tiles.count(LETTER[colour]) for colour in COLOURS))
