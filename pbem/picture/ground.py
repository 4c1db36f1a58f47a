"""The ground of a diagram: its area, the lines across it with their numbers, its title."""

from collections.abc import Sequence

from pbem.picture import colours as c
from pbem.picture.letters import Anchor, write
from pbem.picture.shapes import Area, Line, Placed, Shape, Symbol, box

_TICKS = 5
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10**4, 10**5, 10**6)


def step_of(highest: int) -> int:
    """How far the lines across a diagram are apart, so that there are five at most."""
    return next(step for step in _STEPS if highest <= _TICKS * step)


def ground(
    title: str, place: tuple[float, float, float, float], heights: Sequence[tuple[int, float]]
) -> list[Shape]:
    """The ground of a diagram. `place`: left, top, right, bottom; `heights`: each number that has
    a line, and where; zero is drawn darker."""
    left, top, right, bottom = place
    found: list[Shape] = [Area(box(left, top, right - left, bottom - top), c.CHART)]
    for number, y in heights:
        found.append(Line(((left, y), (right, y)), c.LAND_LINE if number else c.INK, 1))
        found += write(str(number), left - 7, y, 9, c.INK, 1.3, "end")
    return [*found, *words(title, left, top - 14, 10, "start")]


def text(said: str, x: float, y: float, height: float, anchor: Anchor = "middle") -> Placed:
    """Words on a picture, as a part of a scene."""
    return Placed(Symbol("", tuple(words(said, x, y, height, anchor))))


def words(said: str, x: float, y: float, height: float, anchor: Anchor) -> list[Line]:
    """Words on a picture, as lines."""
    return list(write(said, x, y, height, c.INK, 0.14 * height, anchor))
