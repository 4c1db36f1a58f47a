"""Points over time as a scene: two panels, the total above and the lowest colour below."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from engine.pieces import DYNASTIES, ByColour, Dynasty
from pbem.picture import colours as c
from pbem.picture.emblems import badge
from pbem.picture.ground import ground, step_of, text
from pbem.picture.letters import can_write, width, write
from pbem.picture.shapes import Line, Placed, Points, Scene, Shape, Symbol
from pbem.picture.tiles import CELL

Standing: TypeAlias = tuple[str, Mapping[Dynasty, ByColour]]
"""What a turn is called, and the points of every player after it."""

_Lines: TypeAlias = Mapping[Dynasty, tuple[int, ...]]

WIDTH, HEIGHT = 640, 512
_LEFT, _RIGHT = 44, 566
_MARKS_APART = 60  # units between the small signs on a line
_SMALL, _LARGE = 0.34, 0.62  # emblems on a line, at its end and in the legend
_END_APART = 25
_BESIDE = 2.4  # lines of equal players run side by side
_FOOT = 10  # from the line of no points to the bottom of a diagram
_DASHES: dict[Dynasty, tuple[float, ...]] = {
    "archer": (), "bull": (10, 5), "lion": (0.1, 5), "pot": (12, 5, 0.1, 5),
}  # fmt: skip


class ChartWords(NamedTuple):
    """The words on a chart; English where the pen lacks a letter."""

    total: str = "Total"
    lowest: str = "Lowest colour"
    turn: str = "Turn"
    names: Mapping[Dynasty, str] = MappingProxyType({})


class _Panel(NamedTuple):
    """One of the two diagrams: its place, its scale, and its lines."""

    title: str
    top: float
    bottom: float
    most: int
    step: int
    lines: _Lines

    def y(self, points: float) -> float:
        """Where this number of points lies."""
        return self.bottom - _FOOT - (self.bottom - _FOOT - self.top) * points / self.most

    def track(self, who: Dynasty) -> Points:
        """A player's line."""
        values = self.lines[who]
        beside = _BESIDE * (list(self.lines).index(who) - (len(self.lines) - 1) / 2)
        return tuple((_x(i, len(values)), self.y(v) + beside) for i, v in enumerate(values))


def _or(text: str, other: str) -> str:
    """The text, if the pen knows all its letters, else the other."""
    return text if can_write(text) else other


def chart_scene(points: Sequence[Standing], words: ChartWords) -> Scene:
    """The whole chart; `points` has at least one turn, and the same players in each."""
    players = tuple(dynasty for dynasty in DYNASTIES if dynasty in points[0][1])
    totals = {who: tuple(each[who].total for _, each in points) for who in players}
    lowest = {who: tuple(min(each[who]) for _, each in points) for who in players}
    panels = (
        _panel(_or(words.total, "Total"), 62, 286, totals),
        _panel(_or(words.lowest, "Lowest colour"), 336, 470, lowest),
    )
    labels = [label for label, _ in points]
    parts = [*_legend(players, words)]
    for panel in panels:
        parts += [Placed(Symbol("", (*_grid(panel), *_turns(panel, labels))))]
        parts += [_line(panel, who) for who in players]
        parts += [mark for who in players for mark in _marks(who, panel.track(who))]
        parts += _ends(panel)
    parts.append(text(_or(words.turn, "Turn"), (_LEFT + _RIGHT) / 2, HEIGHT - 11, 9))
    return Scene(WIDTH, HEIGHT, c.PAPER, tuple(part for part in parts if part.symbol.shapes))


def last_totals(points: Sequence[Standing]) -> str:
    """The totals after the last turn, for those who do not see the chart."""
    label, last = points[-1]
    return f"{label}: " + ", ".join(f"{who} {last[who].total}" for who in DYNASTIES if who in last)


def _panel(title: str, top: float, bottom: float, lines: _Lines) -> _Panel:
    """A diagram whose scale ends above its highest point."""
    highest = max(1, *(max(line) for line in lines.values()))
    step = step_of(highest)
    return _Panel(title, top, bottom, -(-highest // step) * step, step, lines)


def _grid(panel: _Panel) -> list[Shape]:
    """The ground of a diagram, its lines with their numbers, its title."""
    heights = [(points, panel.y(points)) for points in range(0, panel.most + 1, panel.step)]
    return ground(panel.title, (_LEFT, panel.top, _RIGHT, panel.bottom), heights)


def _turns(panel: _Panel, labels: Sequence[str]) -> list[Shape]:
    """The names of as many turns as have room, below the diagram; the last one always."""
    found: list[Shape] = []
    last = len(labels) - 1
    busy, limit = 0.0, _x(last, len(labels)) - width(labels[-1], 8) / 2 - 9
    for index, label in enumerate(labels):
        x, half = _x(index, len(labels)), width(label, 8) / 2
        if index != last and (x - half < busy + 9 or x + half > limit):
            continue
        busy = x + half
        found.append(Line(((x, panel.bottom), (x, panel.bottom + 4)), c.INK, 1))
        found += write(label, x, panel.bottom + 12, 8, c.INK, 1.2)
    return found


def _x(index: int, number: int) -> float:
    """Where a turn lies; the only one lies in the middle."""
    room = _RIGHT - _LEFT - 24
    return _LEFT + 12 + room * (index / (number - 1) if number > 1 else 0.5)


def _line(panel: _Panel, who: Dynasty) -> Placed:
    return Placed(Symbol("", (Line(panel.track(who), c.PLAYERS[who], 2.2, _DASHES[who]),)))


def _marks(who: Dynasty, points: Points) -> list[Placed]:
    """Small emblems on a line, shifted from player to player so that they rarely meet."""
    found = []
    ahead = _LEFT + _MARKS_APART * (0.4 + DYNASTIES.index(who) / len(DYNASTIES))
    for x, y in points[:-1]:
        if x >= ahead:
            found.append(_emblem(who, x, y, _SMALL))
            ahead = x + _MARKS_APART
    return found


def _ends(panel: _Panel) -> list[Placed]:
    """The emblem and the number at the end of each line, moved apart where they are close."""
    ends = sorted((panel.track(who)[-1][1], who) for who in panel.lines)
    places = _apart([y for y, _ in ends], panel.top + 4, panel.bottom - 4)
    found = []
    for (y, who), place in zip(ends, places, strict=True):
        start, end = _x(1, 2) + 2, _RIGHT + 10
        found.append(Placed(Symbol("", (Line(((start, y), (end, place)), c.PLAYERS[who], 1.2),))))
        found.append(_emblem(who, end + 11, place, _LARGE))
        value = str(panel.lines[who][-1])
        found.append(Placed(Symbol("", write(value, end + 27, place, 10, c.INK, 1.6, "start"))))
    return found


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Places as near to the wanted ones as may be that keep their distance; order is kept."""
    gap = min(_END_APART, (bottom - top) / max(1, len(wanted) - 1))
    places: list[float] = []
    for y in wanted:
        places.append(max(y, places[-1] + gap) if places else max(y, top))
    for index in reversed(range(len(places))):
        limit = bottom if index == len(places) - 1 else places[index + 1] - gap
        places[index] = min(places[index], limit)
    return places


def _legend(players: Sequence[Dynasty], words: ChartWords) -> list[Placed]:
    """Whose line is whose, above the diagrams."""
    found = []
    x, room = float(_LEFT), (WIDTH - 2 * _LEFT) / len(players)
    for who in players:
        sample = Line(((x, 22), (x + 34, 22)), c.PLAYERS[who], 2.4, _DASHES[who])
        found.append(Placed(Symbol("", (sample,))))
        found.append(_emblem(who, x + 48, 22, _LARGE))
        name = _or(words.names.get(who, who), who)
        size = min(10, 10 * (room - 74) / max(1, width(name, 10)))
        found.append(text(name, x + 65, 22, size, "start"))
        x += room
    return found


def _emblem(who: Dynasty, x: float, y: float, scale: float) -> Placed:
    """The token of a dynasty around a point."""
    half = scale * CELL / 2
    return Placed(badge(who, c.PLAYERS[who]), x - half, y - half, scale)
