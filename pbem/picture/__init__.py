"""Pictures: the board and the points over time, as PNG and as SVG, drawn without any font.

Pillow is imported only when a PNG is painted.
"""

from collections.abc import Collection, Sequence

from engine.squares import Square
from engine.view import View
from pbem.picture import svg
from pbem.picture.chart import ChartWords, Standing, chart_scene, last_totals
from pbem.picture.scene import board_scene, facts, spoken

__all__ = ["ChartWords", "Standing", "board_png", "board_svg", "chart_png", "chart_svg"]

_WORDS = ChartWords()
_TITLE = "Tigris & Euphrates"


def board_png(view: View, changed: Collection[Square] = frozenset()) -> bytes:
    """The board as a PNG file 1280 pixels wide: the same bytes whoever looks on.

    `changed` are the squares to be marked as new.
    """
    from pbem.picture import png

    return png.paint(board_scene(facts(view), changed))


def board_svg(
    view: View,
    changed: Collection[Square] = frozenset(),
    *,
    title: str = _TITLE,
    description: str | None = None,
) -> str:
    """The board as an SVG document; title and description are for those who do not see it.

    Without a description it is what lies where in map notation, kingdom by kingdom.
    """
    known = facts(view)
    words = spoken(known) if description is None else description
    return svg.paint(board_scene(known, changed), title, words)


def chart_png(points: Sequence[Standing], words: ChartWords = _WORDS) -> bytes:
    """The points over time as a PNG file 1280 pixels wide."""
    from pbem.picture import png

    return png.paint(chart_scene(points, words))


def chart_svg(
    points: Sequence[Standing],
    words: ChartWords = _WORDS,
    *,
    title: str = _TITLE,
    description: str | None = None,
) -> str:
    """The points over time as an SVG document, described by the last totals if by nothing else."""
    description = last_totals(points) if description is None else description
    return svg.paint(chart_scene(points, words), title, description)
