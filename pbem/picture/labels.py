"""Small labels on the board: numbers of kingdoms, strengths in a conflict."""

from functools import lru_cache
from typing import Literal

from pbem.picture import colours as c
from pbem.picture.board import FOOT, MARGIN, WIDTH
from pbem.picture.letters import width, write
from pbem.picture.shapes import (
    Area,
    Bounds,
    Disc,
    Placed,
    Point,
    Points,
    Shape,
    Symbol,
    bounds,
    bounds_of,
    outline,
)
from pbem.picture.tiles import CELL

Part = Literal["attack", "defence"]


@lru_cache(maxsize=32)
def number(text: str) -> Symbol:
    """The number of a kingdom."""
    height = 8.5 if len(text) == 1 else 7.5
    ground = (Disc(0, 0, 7.6, c.PAPER), Disc(0, 0, 6.8, c.REALM))
    return Symbol(f"kingdom-{text}", (*ground, *write(text, 0, 0, height, c.PAPER, 1.5)))


@lru_cache(maxsize=128)
def strength(part: Part, text: str) -> Symbol:
    """A strength: on a pennant for the attacker, on a shield for the defender."""
    half = max(9.5, width(text, 10) / 2 + 4.5)
    sign = _pennant if part == "attack" else _shield
    fill, ink = (c.INK, c.PAPER) if part == "attack" else (c.PAPER, c.INK)
    shapes: tuple[Shape, ...] = (
        Area(sign(half, -1.2), c.PAPER),
        Area(sign(half, 0), c.INK),
        Area(sign(half, 1.8), fill),
        *write(text, 0, 0 if part == "attack" else -0.8, 10, ink, 1.7),
    )
    return Symbol(f"{part}-{text.replace('+', 'and')}", shapes)


def _pennant(half: float, inset: float) -> Points:
    """Points ahead."""
    left, right, tip, high = inset - half, half - inset, half + 8 - 1.5 * inset, 9.5 - inset
    return ((left, -high), (right, -high), (tip, 0), (right, high), (left, high))


def _shield(half: float, inset: float) -> Points:
    """Hangs down."""
    wide, high, tip = half - inset, 9.5 - inset, 12.5 - 1.3 * inset
    side = f"C{wide} 7 {wide / 2} {tip - 1} 0 {tip} C{-wide / 2} {tip - 1} {-wide} 7 {-wide} 2"
    return outline(f"M{-wide} {-high} L{wide} {-high} L{wide} 2 {side}")


def settle(symbol: Symbol, cell: Point, labels: list[Bounds], others: list[Bounds]) -> Placed:
    """The symbol at the corner of a square where it hides least; labels count most."""
    mine = bounds(symbol.shapes)
    right, left = cell[0] + 27 - mine.left, cell[0] + 11 - mine.right
    low, high = cell[1] + CELL - 1, cell[1] + 1
    places = [
        Placed(
            symbol,
            _within(x, mine.left, mine.right, WIDTH),
            _within(y, mine.top, mine.bottom, FOOT),
        )
        for x, y in ((right, low), (left, low), (right, high), (left, high))
    ]

    def hidden(placed: Placed) -> tuple[int, int]:
        here = bounds_of(placed)
        return sum(map(here.meets, labels)), sum(map(here.meets, others))

    return min(places, key=hidden)


def _within(place: float, before: float, after: float, size: int) -> float:
    """The place nearest to this one with which something stays on the board."""
    return max(MARGIN - before, min(place, size - MARGIN - after))
