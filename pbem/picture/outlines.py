"""The edges of a set of squares as closed lines: banks of the river, borders of kingdoms."""

from collections.abc import Iterable
from typing import TypeAlias

from engine.squares import COLUMNS, Square
from pbem.picture.shapes import Point, Points

Cell: TypeAlias = tuple[int, int]
_Edges: TypeAlias = dict[Cell, list[Cell]]


def cell_of(square: Square) -> Cell:
    """Column and row of a square, from 0."""
    return COLUMNS.index(square[0]), int(square[1:]) - 1


def borders(squares: Iterable[Square]) -> tuple[tuple[Cell, ...], ...]:
    """The corners of every border line, with the squares on its right hand.

    Squares that touch by a corner only are kept apart (R01).
    """
    edges = _edges({cell_of(square) for square in squares})
    found = []
    while edges:
        start = min(edges)
        corners = [start]
        here, towards = start, (0, 0)
        while True:
            after = _next(edges, here, towards)
            towards = after[0] - here[0], after[1] - here[1]
            if after == start and not _ahead(edges, start, towards):
                break
            corners.append(after)
            here = after
        found.append(_bends(corners))
    return tuple(found)


def _edges(cells: set[Cell]) -> _Edges:
    """Where each border line goes on from each corner."""
    edges: _Edges = {}
    for x, y in sorted(cells):
        ring = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        beyond = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
        for start, end, other in zip(ring, (*ring[1:], ring[0]), beyond, strict=True):
            if other not in cells:
                edges.setdefault(start, []).append(end)
    return edges


def _next(edges: _Edges, here: Cell, towards: Cell) -> Cell:
    """Takes the edge from a corner; where two meet, the one that bends to the right."""
    ways = edges[here]
    bend = here[0] - towards[1], here[1] + towards[0]
    after = bend if bend in ways else ways[0]
    ways.remove(after)
    if not ways:
        del edges[here]
    return after


def _ahead(edges: _Edges, start: Cell, towards: Cell) -> bool:
    """Whether a line that came back to its start has to pass it once more."""
    bend = start[0] - towards[1], start[1] + towards[0]
    return bend in edges.get(start, [])


def _bends(corners: list[Cell]) -> tuple[Cell, ...]:
    """Without the corners on straight lines."""
    around = zip((corners[-1], *corners), corners, (*corners[1:], corners[0]), strict=False)
    return tuple(b for a, b, c in around if not (a[0] == b[0] == c[0] or a[1] == b[1] == c[1]))


def drawn(corners: tuple[Cell, ...], origin: Point, size: float, inset: float) -> Points:
    """A border line in units, moved to the inside by `inset`."""
    found = []
    for a, b, c in zip((corners[-1], *corners), corners, (*corners[1:], corners[0]), strict=False):
        into = _right(a, b), _right(b, c)
        found.append(
            (
                origin[0] + size * b[0] + inset * (into[0][0] + into[1][0]),
                origin[1] + size * b[1] + inset * (into[0][1] + into[1][1]),
            )
        )
    return tuple(found)


def _right(start: Cell, end: Cell) -> Cell:
    """One step to the right of the way from corner to corner."""
    x, y = end[0] - start[0], end[1] - start[1]
    return (y < 0) - (y > 0), (x > 0) - (x < 0)
