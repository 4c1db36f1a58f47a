"""Two rows of bars as a scene: turns by day above, how long answers took below."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from pbem.picture import colours as c
from pbem.picture.ground import ground, step_of, text
from pbem.picture.letters import width, write
from pbem.picture.shapes import Area, Line, Placed, Scene, Shape, Symbol, box

Bars: TypeAlias = Sequence[tuple[str, int]]
"""What each bar is called, and how high it is."""

WIDTH, HEIGHT = 640, 448
_LEFT, _RIGHT = 52, 620
_BETWEEN = 0.25  # of the room of a bar stays free


class Row(NamedTuple):
    """One diagram: its title, its bars, and what stands below it."""

    title: str
    bars: Bars
    below: str


class _Place(NamedTuple):
    top: float
    bottom: float
    colour: str


def bars_scene(days: Row, answers: Row) -> Scene:
    """The whole picture."""
    upper = _Place(36, 190, c.PLAYERS["bull"])
    lower = _Place(258, 398, c.PLAYERS["pot"])
    return Scene(WIDTH, HEIGHT, c.PAPER, (*_diagram(days, upper), *_diagram(answers, lower)))


def _diagram(row: Row, place: _Place) -> list[Placed]:
    highest = max((number for _, number in row.bars), default=0)
    step = step_of(max(1, highest))
    most = -(-max(1, highest) // step) * step
    scale = (place.bottom - place.top - 8) / most
    heights = [(n, place.bottom - n * scale) for n in range(0, most + 1, step)]
    edges = (_LEFT, place.top, _RIGHT, place.bottom)
    shapes: list[Shape] = [*ground(row.title, edges, heights)]
    room = (_RIGHT - _LEFT) / max(1, len(row.bars))
    for index, (_, number) in enumerate(row.bars):
        if number:
            wide, high = room * (1 - _BETWEEN), number * scale
            x = _LEFT + room * (index + _BETWEEN / 2)
            shapes.append(Area(box(x, place.bottom - high, wide, high), place.colour))
    shapes += _names([name for name, _ in row.bars], room, place.bottom)
    below = text(row.below, (_LEFT + _RIGHT) / 2, place.bottom + 34, 9)
    return [Placed(Symbol("", tuple(shapes))), *([below] if row.below else [])]


def _names(names: Sequence[str], room: float, bottom: float) -> list[Shape]:
    """The names of as many bars as have room, the last one always."""
    found: list[Shape] = []
    busy, last = 0.0, len(names) - 1
    limit = _RIGHT - room / 2 - width(names[-1], 8) / 2 - 8 if names else 0.0
    for index, name in enumerate(names):
        x, half = _LEFT + room * (index + 0.5), width(name, 8) / 2
        if index != last and (x - half < busy + 8 or x + half > limit):
            continue
        busy = x + half
        found.append(Line(((x, bottom), (x, bottom + 4)), c.INK, 1))
        found += write(name, x, bottom + 13, 8, c.INK, 1.2)
    return found
