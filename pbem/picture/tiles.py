"""How tiles, treasures, catastrophes and monuments look. A square is `CELL` units wide."""

from functools import lru_cache

from engine.pieces import Colour, Pair
from pbem.picture import colours as c
from pbem.picture.shapes import (
    Area,
    Disc,
    Line,
    Ring,
    Shape,
    Symbol,
    all_moved,
    area,
    box,
    lines,
    outline,
    rounded,
    star,
)

CELL = 38
INSET = 3  # between the edge of a square and the tile on it


def glyph(colour: Colour, ink: str, ground: str) -> tuple[Shape, ...]:
    """The sign of a tile, in a square of 24 units."""
    return {"red": _temple, "blue": _farm, "green": _market, "black": _settlement}[colour](
        ink, ground
    )


def _temple(ink: str, ground: str) -> tuple[Shape, ...]:
    """A step pyramid with a shrine and a door."""
    steps = (
        "M0 23 L0 16.5 L4 16.5 L4 10 L8 10 L8 3.5 L16 3.5 L16 10 L20 10 L20 16.5 L24 16.5 L24 23"
    )
    return (
        area(steps, ink),
        area("M8.8 1.2 L15.2 1.2 L15.2 3.6 L8.8 3.6", ink),
        area("M9.4 23 L9.4 15.5 C9.4 11.6 14.6 11.6 14.6 15.5 L14.6 23", ground),
    )


def _farm(ink: str, _ground: str) -> tuple[Shape, ...]:
    """An ear of grain."""
    right = "M12.9 {0} C13.4 {1} 16.6 {2} 20.2 {2} C20 {1} 17 {0} 12.9 {0}"
    left = "M11.1 {0} C10.6 {1} 7.4 {2} 3.8 {2} C4 {1} 7 {0} 11.1 {0}"
    rows = [(11.2, 7.6, 4.6), (16.4, 12.8, 9.8), (21.6, 18, 15)]
    grains = [area(side.format(*row), ink) for row in rows for side in (left, right)]
    top = area("M12 -.6 C15 2.4 14.6 5.4 12 7.4 C9.4 5.4 9 2.4 12 -.6", ink)
    return (top, *lines("M12 7 L12 24.4", ink, 1.7), *grains)


def _market(ink: str, _ground: str) -> tuple[Shape, ...]:
    """A pair of scales."""
    pan = "M{0} 14.6 L{1} 14.6 C{1} 20.2 {0} 20.2 {0} 14.6"
    return (
        *lines("M12 2 L12 22 M3.4 5.4 L20.6 5.4", ink, 2.4),
        *lines("M4.2 5.6 L.6 14.6 M4.2 5.6 L7.8 14.6", ink, 1.2),
        *lines("M19.8 5.6 L16.2 14.6 M19.8 5.6 L23.4 14.6", ink, 1.2),
        area(pan.format(-0.6, 9), ink),
        area(pan.format(15, 24.6), ink),
        area("M6.4 23.4 L8.6 20.8 L15.4 20.8 L17.6 23.4", ink),
        Disc(12, 2, 1.9, ink),
    )


def _settlement(ink: str, ground: str) -> tuple[Shape, ...]:
    """A town gate between two towers with battlements."""
    wall = (
        "M0 23 L0 3 L2.7 3 L2.7 6 L5.4 6 L5.4 3 L8.1 3 L8.1 10 L10.3 10 L10.3 7.6 L13.7 7.6 "
        "L13.7 10 L15.9 10 L15.9 3 L18.6 3 L18.6 6 L21.3 6 L21.3 3 L24 3 L24 23"
    )
    gate = "M8.6 23 L8.6 17.6 C8.6 12.8 15.4 12.8 15.4 17.6 L15.4 23"
    slit = "M{0} 10 L{1} 10 L{1} 14 L{0} 14"
    return (
        area(wall, ink),
        area(gate, ground),
        area(slit.format(3.2, 4.9), ground),
        area(slit.format(19.1, 20.8), ground),
    )


@lru_cache
def tile(colour: Colour) -> Symbol:
    """A face-up tile."""
    size = CELL - 2 * INSET
    fill = c.TILES[colour]
    shapes: tuple[Shape, ...] = (
        Area(box(INSET, INSET, size, size, 5), c.SHADES[colour]),
        Area(box(INSET, INSET, size, size - 1.6, 5), fill),
        *all_moved(glyph(colour, c.PAPER, fill), 7.6, 6.6, 0.95),
    )
    return Symbol(f"tile-{colour}", shapes)


@lru_cache
def back() -> Symbol:
    """A face-down tile."""
    size = CELL - 2 * INSET
    weave = "M9 19 L19 9 M9 29 L29 9 M19 29 L29 19"
    shapes: tuple[Shape, ...] = (
        Area(box(INSET, INSET, size, size, 5), c.BACK),
        *lines(weave, c.BACK_LINE, 1.6),
    )
    return Symbol("tile-back", shapes)


@lru_cache
def catastrophe() -> Symbol:
    """A square torn open for ever."""
    radii = (17, 12.5, 16.5, 11.5, 17.5, 12, 16, 12.5, 17.5, 11.5, 16.5, 12.5, 17, 12, 16.5, 11.5)
    crack = (
        "M19 3.5 L15.5 12 L21.5 17 L15 23.5 L20.5 28 L18 34.5 M21.5 17 L29.5 13.5 M15 23.5 L7.5 22"
    )
    shapes: tuple[Shape, ...] = (
        Area(star(19, 19, radii, -80), c.SCORCHED),
        *lines(crack, c.EMBER, 2.4),
    )
    return Symbol("catastrophe", shapes)


@lru_cache
def treasure() -> Symbol:
    """A cut stone in the top right corner of a square."""
    rim = "M25.4 4 L32.6 4 L36 8.4 L29 16.4 L22 8.4 Z"
    shapes: tuple[Shape, ...] = (
        Area(rounded(outline("M24.6 2.2 L33.4 2.2 L38 8.2 L29 18.6 L20 8.2"), 1), c.INK),
        area(rim, c.GOLD),
        *lines("M22 8.4 L36 8.4 M26.4 8.4 L29 15.6 L31.6 8.4 L29 4.4 L26.4 8.4", c.GOLD_LINE, 0.9),
    )
    return Symbol("treasure", shapes)


@lru_cache
def monument(pair: Pair) -> Symbol:
    """A building in two colours over the four squares right and below its origin."""
    left, right = (c.TILES[colour] for colour in pair)
    size = 2 * CELL - 2 * INSET
    shapes: tuple[Shape, ...] = (
        Area(box(INSET, INSET, size, size, 6), c.INK),
        Area(box(INSET + 1.6, INSET + 1.6, size - 3.2, size - 3.2, 4.6), c.STONE),
        *_steps(left, right),
        *_stairs(),
        *all_moved(glyph(pair[0], c.PAPER, left), 9.6, 42.4, 0.9),
        *all_moved(glyph(pair[1], c.PAPER, right), 44.8, 42.4, 0.9),
    )
    return Symbol(f"monument-{'-'.join(pair)}", shapes)


def _steps(left: str, right: str) -> tuple[Shape, ...]:
    """Three storeys, parted in the middle between the two colours."""
    found: list[Shape] = []
    for inset, top, bottom in ((6.6, 39.4, 68), (13, 24.6, 38), (20, 11, 23.2)):
        half = CELL - inset
        found += [
            Area(box(inset, top, half, bottom - top), left),
            Area(box(CELL, top, half, bottom - top), right),
        ]
    return tuple(found)


def _stairs() -> tuple[Shape, ...]:
    """A flight of stairs up the middle, and the door at its end."""
    flight = area("M34.6 23.2 L41.4 23.2 L43.6 68 L32.4 68", c.STONE)
    rungs = tuple(
        Line(((34.4 - i * 0.24, 28 + i * 4.4), (41.6 + i * 0.24, 28 + i * 4.4)), c.INK, 1)
        for i in range(9)
    )
    door = area("M34.6 23.2 L34.6 17.6 C34.6 13.6 41.4 13.6 41.4 17.6 L41.4 23.2", c.STONE)
    return (flight, *rungs, door)


@lru_cache
def frame() -> Symbol:
    """The printed frame of a square whose treasure has priority (R81)."""
    return Symbol(
        "frame",
        (
            Line(box(2.6, 2.6, CELL - 5.2, CELL - 5.2, 1), c.FRAME, 2.2),
            *(Area(star(x, y, (3.4,) * 4), c.FRAME) for x in (3, CELL - 3) for y in (3, CELL - 3)),
        ),
    )


@lru_cache
def fresh() -> Symbol:
    """The mark of a square that changed: a turned-down corner, bottom left."""
    return Symbol(
        "changed",
        (
            Area(rounded(outline("M.6 21 L17 37.4 L.6 37.4"), 1.2), c.INK),
            Area(rounded(outline("M2.2 25 L13 35.8 L2.2 35.8"), 0.8), c.FRESH),
        ),
    )


@lru_cache
def union() -> Symbol:
    """The mark on a uniting tile: a ring, and crossed swords in the top right corner."""
    blade = "M25.2 13.4 L33.4 4.6 M32.8 13.4 L24.6 4.6"
    hilt = "M25 10.4 L28 13.4 M33 10.4 L30 13.4"
    return Symbol(
        "union",
        (
            Ring(19, 19, 16.4, c.INK, 4.6),
            Ring(19, 19, 16.4, c.PAPER, 2.6),
            Disc(29, 9, 8.6, c.INK),
            Disc(29, 9, 7.4, c.PAPER),
            *lines(blade, c.INK, 1.7),
            *lines(hilt, c.INK, 1.5),
        ),
    )
