"""The figures as a picture: turns by day, or by week or month where there are many days, and how
many answers took how long."""

from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from itertools import pairwise

from pbem.clock.short import about
from pbem.overview.figures import Figures
from pbem.picture.bars import Bars, Row, bars_scene

_MOST_BARS = 92
_HOURS = (
    ("1 h", 1), ("3 h", 3), ("6 h", 6), ("12 h", 12), ("1 d", 24), ("2 d", 48), ("3 d", 72),
    ("5 d", 120), ("7 d", 168),
)  # fmt: skip
_LONGER = "longer"


def stats_png(figures: Figures) -> bytes:
    """The picture as a PNG file 1280 pixels wide."""
    from pbem.picture import png

    return png.paint(bars_scene(*_rows(figures)))


def stats_svg(figures: Figures) -> str:
    """The picture as an SVG document, described in words for those who do not see it."""
    from pbem.picture import svg

    days, answers = _rows(figures)
    described = [f"{row.title}: {', '.join(f'{n} {v}' for n, v in row.bars)}. {row.below}"
                 for row in (days, answers)]  # fmt: skip
    return svg.paint(bars_scene(days, answers), "Turns and answers", "\n".join(described))


def _rows(figures: Figures) -> tuple[Row, Row]:
    title, bars = _days(figures)
    days = Row(title, bars, f"{figures.turns_a_day:.1f} turns a day")
    below = ""
    if figures.half is not None and figures.most is not None:
        below = f"half within {about(figures.half)}, nine of ten within {about(figures.most)}"
    return days, Row("Answers by the time they took", _answers(figures), below)


def _days(figures: Figures) -> tuple[str, Bars]:
    """The turns, in so many bars that each can be seen."""
    ways: tuple[tuple[str, Callable[[date], str]], ...] = (
        ("Turns by day", lambda day: f"{day:%m-%d}"),
        ("Turns by week, from Monday on", lambda day: str(day - timedelta(days=day.weekday()))),
        ("Turns by month", lambda day: f"{day:%Y-%m}"),
        ("Turns by year", lambda day: f"{day:%Y}"),
    )
    for title, name in ways:
        spans = Counter[str]()
        for day, (turns, _) in figures.days.items():
            spans[name(day)] += turns
        if len(spans) <= _MOST_BARS and (name is not ways[0][1] or len(figures.days) <= _MOST_BARS):
            return title, list(spans.items())
    return "Turns", []


def _answers(figures: Figures) -> Bars:
    """How many answers took up to how long."""
    edges = [0.0, *(hours for _, hours in _HOURS), float("inf")]
    hours = [each.total_seconds() / 3600 for each in figures.answers]
    counts = [sum(low < each <= high or (low == 0 == each) for each in hours)
              for low, high in pairwise(edges)]  # fmt: skip
    return list(zip([*(name for name, _ in _HOURS), _LONGER], counts, strict=True))
