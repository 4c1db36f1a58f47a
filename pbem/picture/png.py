"""Painting a scene as PNG with Pillow: smooth edges, a small palette, no font.

Everything is drawn twice as large and made smaller. Symbols with a name are kept, so that
the pictures of many games in one run draw each of them once.
"""

import io
import math
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageColor, ImageDraw

from pbem.picture.colours import palette
from pbem.picture.shapes import (
    Area,
    Disc,
    Line,
    Placed,
    Points,
    Ring,
    Scene,
    Shape,
    bounds_of,
    colour_of,
    dashes,
    moved,
)

SHARP = 2  # pixels a unit: twice the width of a mail
_FINE = 2  # everything is drawn so much larger, then made smaller
_FULL = 255


class _Sprite(NamedTuple):
    """A drawn symbol: where it is drawn, with what, and its corner from the symbol's origin."""

    mask: Image.Image
    paint: Image.Image | str
    x: int
    y: int


def paint(scene: Scene) -> bytes:
    """The scene as the bytes of a PNG file; equal scenes give equal bytes."""
    size = (scene.width * SHARP, scene.height * SHARP)
    image = Image.new("RGB", size, scene.ground)
    for placed in scene.parts:
        sprite = _sprite(placed) if placed.symbol.name else _draw(placed)
        x, y = round(placed.x * SHARP) + sprite.x, round(placed.y * SHARP) + sprite.y
        width, height = sprite.mask.size
        image.paste(sprite.paint, (x, y, x + width, y + height), sprite.mask)
    small = image.quantize(palette=_palette(), dither=Image.Dither.NONE)
    file = io.BytesIO()
    small.save(file, "PNG", compress_level=7)
    return file.getvalue()


_kept: dict[tuple[str, float], _Sprite] = {}


def _sprite(placed: Placed) -> _Sprite:
    """A symbol with a name, drawn once."""
    key = placed.symbol.name, placed.scale
    if key not in _kept:
        _kept[key] = _draw(placed)
    return _kept[key]


@lru_cache
def _palette() -> Image.Image:
    """An image that holds the colours of all pictures."""
    image = Image.new("P", (1, 1))
    image.putpalette([value for colour in palette() for value in ImageColor.getrgb(colour)])
    return image


def _draw(placed: Placed) -> _Sprite:
    """A symbol as an image with transparent ground, or as a mask if it has one colour only."""
    left, top, right, bottom = bounds_of(placed._replace(x=0, y=0))
    x, y = math.floor(left * SHARP) - 1, math.floor(top * SHARP) - 1
    width, height = math.ceil(right * SHARP) + 1 - x, math.ceil(bottom * SHARP) + 1 - y
    hues = {colour_of(shape) for shape in placed.symbol.shapes}
    image = Image.new("L" if len(hues) == 1 else "RGBA", (width * _FINE, height * _FINE))
    draw = ImageDraw.Draw(image)
    for shape in placed.symbol.shapes:
        larger = moved(shape, -x * _FINE, -y * _FINE, placed.scale * SHARP * _FINE)
        _shape(draw, larger, _FULL if len(hues) == 1 else colour_of(shape))
    small = image.reduce(_FINE)
    return _Sprite(small, hues.pop() if len(hues) == 1 else small, x, y)


def _shape(draw: ImageDraw.ImageDraw, shape: Shape, ink: str | int) -> None:
    match shape:
        case Area(points):
            draw.polygon(points, ink)
        case Disc(x, y, r):
            draw.ellipse((x - r, y - r, x + r, y + r), ink)
        case Ring(x, y, r, _, width):
            r += width / 2
            draw.ellipse((x - r, y - r, x + r, y + r), outline=ink, width=round(width))
        case Line(points, _, width, dash):
            for piece in dashes(points, dash) if dash else (points,):
                _line(draw, piece, ink, width)


def _line(draw: ImageDraw.ImageDraw, points: Points, ink: str | int, width: float) -> None:
    """A line with round joints and ends."""
    draw.line(points, ink, round(width))
    r = width / 2
    for x, y in points:
        draw.ellipse((x - r, y - r, x + r, y + r), ink)
