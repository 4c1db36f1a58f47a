"""The board as rows of cells: what a template needs to draw it as a table, without any words.

Made from public facts alone, the same as the picture's.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

from engine.maps import MAPS
from engine.pieces import COLOUR_OF, DYNASTIES, Colour, Dynasty, Monument
from engine.squares import BLOCKS, COLUMNS, SQUARES, Square, squares_of
from pbem.picture.scene import Facts, Fight

Kind: TypeAlias = Literal["land", "river", "tile", "leader", "monument", "catastrophe"]
_DYNASTY_OF: dict[str, Dynasty] = {dynasty[0].upper(): dynasty for dynasty in DYNASTIES}
_INDEX = {square: index for index, square in enumerate(SQUARES)}
_EDGES = (("t", -len(COLUMNS)), ("r", 1), ("b", len(COLUMNS)), ("l", -1))


class Cell(NamedTuple):
    """A square. `colour`: of the tile, the leader, or this half of the monument `pair`.

    `letters`: the sign of the map notation, empty squares none. `framed`: a treasure here has
    priority (R81). `realm`: the number of the kingdom, 0 for none; `first`: the square that
    shows this number; `edges`: the sides (`t`, `r`, `b`, `l`) where the kingdom ends; `sides`:
    those where the monument ends. `union`: the tile that joins kingdoms at war. `fight`: the
    strength of a leader that fights.
    """

    at: Square
    kind: Kind
    letters: str = ""
    colour: Colour | None = None
    dynasty: Dynasty | None = None
    pair: tuple[Colour, Colour] | None = None
    treasure: bool = False
    framed: bool = False
    realm: int = 0
    first: bool = False
    edges: str = ""
    sides: str = ""
    changed: bool = False
    union: bool = False
    fight: Fight | None = None

    @property
    def plain(self) -> bool:
        """Whether there is nothing to be said about the square."""
        return not (self.letters or self.changed)


Rows: TypeAlias = tuple[tuple[Cell, ...], ...]


def board_rows(known: Facts, changed: Collection[Square]) -> Rows:
    """The eleven rows of the board."""
    cells = tuple(_cells(known, changed))
    width = len(COLUMNS)
    return tuple(cells[i : i + width] for i in range(0, len(cells), width))


def _cells(known: Facts, changed: Collection[Square]) -> Iterator[Cell]:
    river, framed = (
        frozenset(squares_of(mask))
        for mask in (MAPS[known.board].river, MAPS[known.board].priority)
    )
    realms = {at: i for i, squares in enumerate(known.kingdoms, start=1) for at in squares}
    firsts = {squares[0] for squares in known.kingdoms}
    fights = {fight.at: fight for fight in known.fights}
    halves = _halves(known.monuments)
    marks = _edges(realms)
    signs = (sign for row in known.cells for sign in row)
    for at, sign in zip(SQUARES, signs, strict=True):
        cell = _EMPTY_RIVER if at in river else _EMPTY_LAND
        if sign not in ("..", "~~"):
            cell = _piece(sign, halves.get(at))
            cell = cell._replace(
                treasure=sign[1] == "*",
                framed=sign[1] == "*" and at in framed,
                realm=realms.get(at, 0),
                first=at in firsts,
                edges=marks.get(at, ""),
                union=at == known.union,
                fight=fights.get(at),
            )
        yield cell._replace(at=at, changed=at in changed)


_EMPTY_LAND = Cell("", "land")
_EMPTY_RIVER = Cell("", "river")


def _piece(sign: str, half: Cell | None) -> Cell:
    """The piece that a sign of the map notation stands for."""
    first, second = sign[0], sign[1]
    if first in _DYNASTY_OF:
        return Cell("", "leader", sign, COLOUR_OF[second], _DYNASTY_OF[first])
    if first in COLOUR_OF:
        return Cell("", "tile", first, COLOUR_OF[first])
    if first == "x":
        return half or Cell("", "monument", "x")
    return Cell("", "catastrophe", sign)


def _halves(monuments: Iterable[Monument]) -> dict[Square, Cell]:
    """The four quarters of each monument, one of its colours on the left, the other right."""
    found: dict[Square, Cell] = {}
    for pair, at, _ in monuments:
        squares = tuple(squares_of(BLOCKS[at])) if at else ()
        for square, sides in zip(squares, ("tl", "tr", "bl", "br"), strict=False):
            colour = pair["r" in sides]
            found[square] = Cell("", "monument", "x", colour, pair=pair, sides=sides)
    return found


def _edges(realms: Mapping[Square, int]) -> dict[Square, str]:
    """The sides of each square of a kingdom beyond which the kingdom does not go on."""
    found = {}
    for at, realm in realms.items():
        index = _INDEX[at]
        found[at] = "".join(
            name for name, step in _EDGES if realms.get(_beside(index, step)) != realm
        )
    return found


def _beside(index: int, step: int) -> Square:
    """The square one step on; no square beyond the edges of the board."""
    column, other = index % len(COLUMNS), index + step
    if not 0 <= other < len(SQUARES) or (abs(step) == 1 and not 0 <= column + step < len(COLUMNS)):
        return ""
    return SQUARES[other]
