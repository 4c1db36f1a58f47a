"""Colours: contrasts of text and of signs (WCAG 2.2 AA), for five kinds of sight."""

import pytest

from pbem.picture import colours as c
from tests.pbem.picture.eyes import SIGHTS, contrast

TILES, PLAYERS = tuple(c.TILES.values()), tuple(c.PLAYERS.values())
SIGNS = [
    *((tile, ground) for tile in TILES for ground in (c.LAND, c.RIVER, c.STONE, c.PAPER)),
    *((mark, ground) for mark in (c.BACK, c.SCORCHED, c.INK) for ground in (c.LAND, c.RIVER)),
    *((c.REALM, ground) for ground in (c.LAND, c.RIVER, c.PAPER)),
    *((c.BANK, ground) for ground in (c.LAND, c.RIVER)),
    *((line, ground) for line in PLAYERS for ground in (c.CHART, c.PAPER)),
    (c.FRAME, c.LAND),
    (c.EMBER, c.SCORCHED),
    (c.GOLD, c.INK),
    (c.FRESH, c.INK),
]
TEXTS = [
    *((tile, c.PAPER) for tile in TILES),
    (c.INK, c.PAPER),
    (c.INK, c.CHART),
    (c.REALM, c.PAPER),
]


def test_the_yardstick() -> None:
    """Values known from WCAG: black on white, and the darkest grey that passes on white."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert contrast("#ff0000", "#00ff00", "no colours") > 2
    assert contrast("#808080", "#808080", "protanopia") == pytest.approx(1)


@pytest.mark.parametrize("sight", SIGHTS)
def test_signs_stand_out(sight: str) -> None:
    """WCAG 1.4.11: at least 3 to 1."""
    weak = {pair: contrast(*pair, sight) for pair in SIGNS if contrast(*pair, sight) < 3}
    assert not weak


@pytest.mark.parametrize("sight", SIGHTS)
def test_letters_can_be_read(sight: str) -> None:
    """WCAG 1.4.3: at least 4.5 to 1."""
    weak = {pair: contrast(*pair, sight) for pair in TEXTS if contrast(*pair, sight) < 4.5}
    assert not weak


def test_a_png_has_room_for_the_colours() -> None:
    palette = c.palette()
    assert len(set(palette)) == len(palette) <= 256
    assert {value for value in vars(c).values() if str(value).startswith("#")} <= set(palette)
