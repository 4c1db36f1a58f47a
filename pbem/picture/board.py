"""The printed board: land, river, the names of the squares."""

from collections.abc import Iterator
from functools import lru_cache

from engine.maps import MAPS, BoardName
from engine.squares import COLUMNS, ROWS, Square, squares_of
from pbem.picture import colours as c
from pbem.picture.letters import write
from pbem.picture.outlines import borders, cell_of, drawn
from pbem.picture.shapes import Area, Line, Placed, Point, Shape, Symbol, box, lines, rounded
from pbem.picture.tiles import CELL

MARGIN = 16
WIDTH = 2 * MARGIN + CELL * len(COLUMNS)
FOOT = 2 * MARGIN + CELL * len(ROWS)  # where the board ends and the legend begins
_RIGHT = WIDTH - MARGIN
_BOTTOM = FOOT - MARGIN


def corner(square: Square) -> Point:
    """The top left corner of a square."""
    x, y = cell_of(square)
    return MARGIN + CELL * x, MARGIN + CELL * y


def printed(name: BoardName) -> list[Placed]:
    """Everything that is printed on a board, but for the frames, which pieces must not hide."""
    river = tuple(squares_of(MAPS[name].river))
    water = [Placed(_water(), *corner(square)) for square in river]
    return [Placed(_ground(name)), *water, Placed(_edge()), *_names()]


@lru_cache
def _ground(name: BoardName) -> Symbol:
    """Land with its lines, and the river in its banks."""
    wet = tuple(squares_of(MAPS[name].river))
    river = [rounded(drawn(line, (MARGIN, MARGIN), CELL, 0.6), 9) for line in borders(wet)]
    shapes = (
        Area(box(MARGIN, MARGIN, _RIGHT - MARGIN, _BOTTOM - MARGIN), c.LAND),
        *_grid(c.LAND_LINE),
        *(Area(points, c.RIVER) for points in river),
        *_river_grid(wet, c.RIVER_LINE),
        *(Line(points, c.BANK, 1.6) for points in river),
    )
    return Symbol(f"board-{name}", shapes)


def _grid(colour: str) -> tuple[Shape, ...]:
    across = [MARGIN + CELL * x for x in range(1, len(COLUMNS))]
    down = [MARGIN + CELL * y for y in range(1, len(ROWS))]
    return (
        *(Line(((x, MARGIN), (x, _BOTTOM)), colour, 1) for x in across),
        *(Line(((MARGIN, y), (_RIGHT, y)), colour, 1) for y in down),
    )


def _river_grid(wet: tuple[Square, ...], colour: str) -> Iterator[Shape]:
    """The lines between squares of the river."""
    corners = {corner(square) for square in wet}
    for x, y in map(corner, wet):
        if (x + CELL, y) in corners:
            yield Line(((x + CELL, y), (x + CELL, y + CELL)), colour, 1)
        if (x, y + CELL) in corners:
            yield Line(((x, y + CELL), (x + CELL, y + CELL)), colour, 1)


@lru_cache
def _water() -> Symbol:
    """Two waves."""
    wave = "M{0} {1} C{2} {3} {4} {3} {5} {1} C{6} {7} {8} {7} {9} {1}"
    high = wave.format(7, 14, 9.5, 10, 12.5, 15, 17.5, 18, 20.5, 23)
    low = wave.format(15, 26, 17.5, 22, 20.5, 23, 25.5, 30, 28.5, 31)
    return Symbol("water", (*lines(high, c.WAVE, 1.6), *lines(low, c.WAVE, 1.6)))


@lru_cache
def _edge() -> Symbol:
    """The edge of the board."""
    rim = box(MARGIN, MARGIN, _RIGHT - MARGIN, _BOTTOM - MARGIN)
    return Symbol("edge", (Line(rim, c.INK, 1.5),))


def _names() -> list[Placed]:
    """The letters of the columns and the numbers of the rows, on all four sides."""
    found = []
    for i, column in enumerate(COLUMNS):
        x = MARGIN + CELL * (i + 0.5)
        found += [Placed(_name(column), x, y) for y in (MARGIN / 2, _BOTTOM + MARGIN / 2)]
    for i, row in enumerate(ROWS):
        y = MARGIN + CELL * (i + 0.5)
        found += [Placed(_name(str(row)), x, y) for x in (MARGIN / 2, _RIGHT + MARGIN / 2)]
    return found


@lru_cache(maxsize=32)
def _name(text: str) -> Symbol:
    return Symbol(f"name-{text}", write(text, 0, 0, 9.5, c.INK, 1.4))
