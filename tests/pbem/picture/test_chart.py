"""The chart of points over time."""

import io
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from types import MappingProxyType

import pytest
from PIL import Image

from engine.pieces import DYNASTIES, ByColour, Dynasty
from pbem.picture import ChartWords, chart_png, chart_svg
from pbem.picture.chart import Standing, _apart, chart_scene
from pbem.picture.shapes import bounds_of

SVG = "{http://www.w3.org/2000/svg}"


def game(turns: int, players: tuple[Dynasty, ...] = DYNASTIES, pace: int = 1) -> list[Standing]:
    """Points that rise with the turns, each player's in his own way."""
    return [
        (
            str(turn),
            {
                who: ByColour(pace * turn // (i + 1), turn // 2, turn // 3, turn // (5 - i))
                for i, who in enumerate(players)
            },
        )
        for turn in range(1, turns + 1)
    ]


CASES = [
    game(1), game(2), game(11, ("bull", "pot")), game(68), game(160, pace=3),
    [("7b", dict.fromkeys(DYNASTIES, ByColour()))],
]  # fmt: skip


@pytest.mark.parametrize("points", CASES)
def test_both_formats(points: list[Standing]) -> None:
    image = Image.open(io.BytesIO(chart_png(points)))
    assert (image.format, image.mode, image.size) == ("PNG", "P", (1280, 1024))
    assert len(chart_png(points)) < 70_000
    root = ET.fromstring(chart_svg(points, title="<i>"))
    assert root.findtext(f"{SVG}title") == "<i>"
    assert (root.findtext(f"{SVG}desc") or "").startswith(points[-1][0])
    assert len(chart_svg(points)) < 250_000


@pytest.mark.parametrize("points", CASES)
def test_nothing_hangs_over_the_edge(points: list[Standing]) -> None:
    scene = chart_scene(points, ChartWords())
    for part in scene.parts:
        left, top, right, bottom = bounds_of(part)
        assert min(left, top) >= 0
        assert right <= scene.width
        assert bottom <= scene.height


@pytest.mark.parametrize("points", CASES)
def test_the_ends_of_lines_are_kept_apart(points: list[Standing]) -> None:
    """The emblems at the right edge do not hide each other."""
    parts = chart_scene(points, ChartWords()).parts
    ends = [bounds_of(part) for part in parts if part.symbol.name and part.x > 570]
    assert len(ends) == 2 * len(points[0][1])
    assert not [pair for pair in combinations(ends, 2) if pair[0].meets(pair[1])]


def test_places_keep_their_order_and_their_distance() -> None:
    places = _apart([50, 51, 52, 300], 40, 110)
    assert places == sorted(places)
    assert min(b - a for a, b in pairwise(places)) > 23
    assert places[0] >= 40
    assert places[-1] <= 110


def test_the_same_bytes_again() -> None:
    assert chart_png(game(30)) == chart_png(game(30))
    assert chart_svg(game(30)) == chart_svg(game(30))


def test_words_of_another_language() -> None:
    """They are drawn if the pen can, else the English ones stand."""
    finnish = ChartWords("Yhteensä", "Heikoin väri", "Vuoro", MappingProxyType({"lion": "leijona"}))
    chinese = ChartWords("总分", "最低颜色", "回合", MappingProxyType({"lion": "狮"}))
    points = game(5)
    assert chart_svg(points, finnish) != chart_svg(points)
    assert chart_svg(points, chinese) == chart_svg(points)


def test_a_name_as_long_as_they_get_stays_in_its_place() -> None:
    names = MappingProxyType(dict.fromkeys(DYNASTIES, "W" * 24))
    scene = chart_scene(game(5), ChartWords(names=names))
    texts = [bounds_of(part) for part in scene.parts if bounds_of(part).bottom < 40]
    assert max(text.right for text in texts) <= scene.width
