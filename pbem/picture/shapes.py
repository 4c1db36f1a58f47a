"""What pictures are made of: plain areas, lines and discs with coordinates, and a way to say them.

Both painters (PNG and SVG) know these four shapes and nothing else; all colours are opaque.
One unit is a pixel of a mail 640 pixels wide; y grows downwards.
"""

import math
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

Point: TypeAlias = tuple[float, float]
Points: TypeAlias = tuple[Point, ...]

_TOKEN = re.compile(r"[MLQCZ]|-?[\d.]+")
_POINTS_NEEDED = {"M": 1, "L": 1, "Q": 2, "C": 3}
_PIECES = 9  # a curve becomes this many straight pieces
_PIECES_OF_CORNER = 5


class Area(NamedTuple):
    """A filled outline."""

    points: Points
    fill: str


class Line(NamedTuple):
    """A line with round ends; `dash` are lengths drawn and left out in turn."""

    points: Points
    colour: str
    width: float
    dash: tuple[float, ...] = ()


class Disc(NamedTuple):
    """A filled circle."""

    x: float
    y: float
    r: float
    fill: str


class Ring(NamedTuple):
    """A circle drawn as a line; `r` reaches to the middle of the line."""

    x: float
    y: float
    r: float
    colour: str
    width: float


Shape: TypeAlias = Area | Line | Disc | Ring


class Symbol(NamedTuple):
    """Shapes that belong together; a name says that it may occur again, without one it is new.

    The same name always stands for the same shapes.
    """

    name: str
    shapes: tuple[Shape, ...]


class Placed(NamedTuple):
    """A symbol on a scene: where its origin lies, and how large it is."""

    symbol: Symbol
    x: float = 0
    y: float = 0
    scale: float = 1


class Scene(NamedTuple):
    """A whole picture: its size, the colour of its ground, and what lies on it, back to front."""

    width: int
    height: int
    ground: str
    parts: tuple[Placed, ...]


@lru_cache(maxsize=1024)
def strokes(spec: str) -> tuple[Points, ...]:
    """Lines said with the letters of SVG paths (M L Q C Z, absolute), curves made straight."""
    found: list[list[Point]] = []
    for command, points in _commands(spec):
        if command == "M":
            found.append([*points])
        elif command == "Z":
            found[-1].append(found[-1][0])
        elif command == "L":
            found[-1] += points
        else:
            found[-1] += _curve((found[-1][-1], *points))
    return tuple(tuple(line) for line in found)


def _commands(spec: str) -> Iterator[tuple[str, list[Point]]]:
    """The commands of a path with their points; a command may be followed by several sets."""
    command, numbers = "", list[float]()
    for token in _TOKEN.findall(spec):
        if token == "Z":
            yield token, []
        elif token in _POINTS_NEEDED:
            command = token
        else:
            numbers.append(float(token))
            if len(numbers) == 2 * _POINTS_NEEDED[command]:
                yield command, list(zip(numbers[::2], numbers[1::2], strict=True))
                numbers.clear()


def _curve(control: Points, pieces: int = _PIECES) -> Iterator[Point]:
    """Points on a Bezier curve of any degree, without its first."""
    for step in range(1, pieces + 1):
        t = step / pieces
        points = list(control)
        while len(points) > 1:
            points = [
                ((1 - t) * x + t * u, (1 - t) * y + t * v) for (x, y), (u, v) in pairwise(points)
            ]
        yield points[0]


def outline(spec: str) -> Points:
    """The first line of a path."""
    return strokes(spec)[0]


def area(spec: str, fill: str) -> Area:
    """The area inside a path."""
    return Area(outline(spec), fill)


def lines(spec: str, colour: str, width: float) -> tuple[Line, ...]:
    """The lines of a path."""
    return tuple(Line(points, colour, width) for points in strokes(spec))


def box(x: float, y: float, width: float, height: float, round_: float = 0) -> Points:
    """A rectangle with round corners, closed."""
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return rounded(corners, round_)


def rounded(corners: Points, by: float) -> Points:
    """A closed outline through these corners, each cut off round at the distance `by`."""
    if not by:
        return (*corners, corners[0])
    found: list[Point] = []
    for before, corner, after in zip(
        (corners[-1], *corners), corners, (*corners[1:], corners[0]), strict=False
    ):
        start = _towards(corner, before, by)
        end = _towards(corner, after, by)
        found += [start, *_curve((start, corner, end), _PIECES_OF_CORNER)]
    return (*found, found[0])


def _towards(start: Point, end: Point, by: float) -> Point:
    """The point at a distance from `start`, at most half way to `end`."""
    length = math.dist(start, end)
    return _between(start, end, min(by, length / 2) / length if length else 0)


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def star(x: float, y: float, radii: Iterable[float], turn: float = -90) -> Points:
    """A closed outline around a centre: equal angles, the radii in turn."""
    distances = tuple(radii)
    angles = (math.radians(turn + 360 * i / len(distances)) for i in range(len(distances)))
    found = [
        (x + r * math.cos(a), y + r * math.sin(a)) for r, a in zip(distances, angles, strict=True)
    ]
    return (*found, found[0])


def moved(shape: Shape, dx: float, dy: float, scale: float = 1) -> Shape:
    """The same shape elsewhere, and larger or smaller."""
    match shape:
        case Area(points, fill):
            return Area(_moved(points, dx, dy, scale), fill)
        case Line(points, colour, width, dash):
            longer = tuple(scale * each for each in dash)
            return Line(_moved(points, dx, dy, scale), colour, scale * width, longer)
        case Disc(x, y, r, fill):
            return Disc(dx + scale * x, dy + scale * y, scale * r, fill)
        case Ring(x, y, r, colour, width):
            return Ring(dx + scale * x, dy + scale * y, scale * r, colour, scale * width)


def colour_of(shape: Shape) -> str:
    """The one colour of a shape."""
    return shape.colour if isinstance(shape, Line | Ring) else shape.fill


def _moved(points: Points, dx: float, dy: float, scale: float) -> Points:
    return tuple((dx + scale * x, dy + scale * y) for x, y in points)


def all_moved(shapes: Iterable[Shape], dx: float, dy: float, scale: float = 1) -> tuple[Shape, ...]:
    """Several shapes moved together."""
    return tuple(moved(shape, dx, dy, scale) for shape in shapes)


def dashes(points: Points, dash: tuple[float, ...]) -> tuple[Points, ...]:
    """The pieces of a line that are drawn: the even ones of `dash`, over and over."""
    found: list[Points] = []
    piece: list[Point] = [points[0]]
    index, left = 0, dash[0]
    for start, end in pairwise(points):
        here = start
        while (rest := math.dist(here, end)) > left:
            here = _between(here, end, left / rest)
            if index % 2 == 0:
                found.append((*piece, here))
            piece = [here]
            index += 1
            left = dash[index % len(dash)]
        left -= rest
        piece.append(end)
    if index % 2 == 0:
        found.append(tuple(piece))
    return tuple(found)


class Bounds(NamedTuple):
    """The smallest rectangle around something."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Bounds") -> bool:
        """Whether the two have an area in common."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def bounds(shapes: Iterable[Shape]) -> Bounds:
    """The smallest rectangle around these shapes."""
    boxes = [_bounds(shape) for shape in shapes]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Bounds(min(lefts), min(tops), max(rights), max(bottoms))


def _bounds(shape: Shape) -> Bounds:
    match shape:
        case Disc(x, y, r):
            return Bounds(x - r, y - r, x + r, y + r)
        case Ring(x, y, r, _, width):
            return _bounds(Disc(x, y, r + width / 2, ""))
        case Area(points):
            return _around(points, 0)
        case Line(points, _, width):
            return _around(points, width / 2)


def _around(points: Points, reach: float) -> Bounds:
    xs, ys = zip(*points, strict=True)
    return Bounds(min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach)


def bounds_of(placed: Placed) -> Bounds:
    """The rectangle that a placed symbol covers on its scene."""
    left, top, right, bottom = bounds(placed.symbol.shapes)
    x, y, scale = placed.x, placed.y, placed.scale
    return Bounds(x + scale * left, y + scale * top, x + scale * right, y + scale * bottom)
