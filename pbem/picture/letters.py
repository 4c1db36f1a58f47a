"""Letters and digits as lines of a pen, drawn for this program: pictures need no font.

A capital is 10 units high and stands on y = 10; small letters are 6.6 high.
"""

import unicodedata
from functools import lru_cache
from typing import Literal, TypeAlias

from pbem.picture.shapes import Line, Points, strokes

Anchor: TypeAlias = Literal["start", "middle", "end"]

HEIGHT = 10
_GAP = 2.3
_BLANK = 3.4
_O = "M3.75 0 C8.75 0 8.75 10 3.75 10 C-1.25 10 -1.25 0 3.75 0"
_P = "M0 10 L0 0 L3.2 0 C7.1 0 7.1 5.5 3.2 5.5 L0 5.5"
_BOWL_RIGHT = "M0 5.6 C.8 2.6 5.4 2.6 5.4 6.7 C5.4 10.8 .8 10.8 0 7.8"
_BOWL_LEFT = "M5.4 5.6 C4.6 2.6 0 2.6 0 6.7 C0 10.8 4.6 10.8 5.4 7.8"
_ARCH = "M0 6 C.6 2.5 5 2.3 5 5.8 L5 10"

_GLYPHS: dict[str, str] = {
    "A": "M0 10 L3.5 0 L7 10 M1.2 6.7 L5.8 6.7",
    "B": "M0 4.7 L0 0 L3 0 C6.3 0 6.3 4.7 3 4.7 L0 4.7 L0 10 L3.3 10 C7.2 10 7.2 4.7 3 4.7",
    "C": "M6.5 1.7 C4.5 -.9 0 -.6 0 5 C0 10.6 4.5 10.9 6.5 8.3",
    "D": "M0 0 L0 10 L2.5 10 C8.2 10 8.2 0 2.5 0 L0 0",
    "E": "M5.4 0 L0 0 L0 10 L5.4 10 M0 4.8 L4.6 4.8",
    "F": "M5.4 0 L0 0 L0 10 M0 5 L4.6 5",
    "G": "M6.4 1.6 C4.4 -.9 0 -.6 0 5 C0 10.6 5 10.9 6.8 8.6 L6.8 5.4 L4 5.4",
    "H": "M0 0 L0 10 M6.5 0 L6.5 10 M0 4.9 L6.5 4.9",
    "I": "M0 0 L0 10",
    "J": "M4.5 0 L4.5 7.2 C4.5 10.8 .6 10.8 0 8",
    "K": "M0 0 L0 10 M6 0 L0 6 M2.2 3.9 L6.2 10",
    "L": "M0 0 L0 10 L5 10",
    "M": "M0 10 L0 0 L4 6.5 L8 0 L8 10",
    "N": "M0 10 L0 0 L6.5 10 L6.5 0",
    "O": _O,
    "P": _P,
    "Q": f"{_O} M4.6 7.4 L7.4 10.4",
    "R": f"{_P} M3 5.5 L6.3 10",
    "S": "M5.5 1.5 C4 -.6 .3 -.4 .3 2.4 C.3 5.6 5.8 4.2 5.8 7.4 C5.8 10.6 1.6 10.7 0 8.4",
    "T": "M0 0 L6.4 0 M3.2 0 L3.2 10",
    "U": "M0 0 L0 6.4 C0 11.2 6.5 11.2 6.5 6.4 L6.5 0",
    "V": "M0 0 L3.4 10 L6.8 0",
    "W": "M0 0 L2.4 10 L4.75 2 L7.1 10 L9.5 0",
    "X": "M0 0 L6 10 M6 0 L0 10",
    "Y": "M0 0 L3.2 5 L6.4 0 M3.2 5 L3.2 10",
    "Z": "M0 0 L6 0 L0 10 L6 10",
    "a": "M.5 4.3 C1.8 2.9 4.9 2.8 4.9 5.6 L4.9 10 M4.9 6.7 C2 6.2 0 6.8 0 8.3 "
    "C0 10.6 3.8 10.6 4.9 8.4",
    "b": f"M0 0 L0 10 {_BOWL_RIGHT}",
    "c": "M4.6 4.5 C3.2 2.7 0 3 0 6.7 C0 10.4 3.2 10.7 4.6 8.9",
    "d": f"M5.4 0 L5.4 10 {_BOWL_LEFT}",
    "e": "M.1 6.6 L5.2 6.6 C5.2 2.2 0 2.2 0 6.7 C0 10.8 3.8 10.7 4.9 8.8",
    "f": "M3.4 .3 C1.6 -.3 1.2 .8 1.2 2.2 L1.2 10 M0 3.6 L3.2 3.6",
    "g": f"M5.4 3.4 L5.4 10.4 C5.4 13.9 1.4 13.6 .3 12.2 {_BOWL_LEFT}",
    "h": f"M0 0 L0 10 {_ARCH}",
    "i": "M0 3.5 L0 10 M0 .8 L0 .81",
    "j": "M1.6 3.5 L1.6 11 C1.6 12.8 .8 13 0 12.8 M1.6 .8 L1.6 .81",
    "k": "M0 0 L0 10 M4.6 3.5 L0 7.4 M1.7 6 L4.8 10",
    "l": "M0 0 L0 10",
    "m": "M0 3.4 L0 10 M0 5.8 C.4 2.5 4 2.5 4 5.6 L4 10 M4 5.8 C4.4 2.5 8 2.5 8 5.6 L8 10",
    "n": f"M0 3.4 L0 10 {_ARCH}",
    "o": "M2.8 3.3 C6.5 3.3 6.5 10.1 2.8 10.1 C-.9 10.1 -.9 3.3 2.8 3.3",
    "p": f"M0 3.4 L0 13.2 {_BOWL_RIGHT}",
    "q": f"M5.4 3.4 L5.4 13.2 {_BOWL_LEFT}",
    "r": "M0 3.4 L0 10 M0 6.2 C.4 4 1.6 3.1 3.4 3.6",
    "s": "M4 4.4 C2.8 3 .3 3.1 .3 5 C.3 7.2 4.2 6.2 4.2 8.4 C4.2 10.5 1.2 10.6 0 9.1",
    "t": "M1.2 1 L1.2 8.4 C1.2 10.2 2.4 10.2 3.2 9.8 M0 3.6 L3.2 3.6",
    "u": "M0 3.4 L0 7.6 C0 11.1 4.4 10.9 5 7.4 M5 3.4 L5 10",
    "v": "M0 3.4 L2.6 10 L5.2 3.4",
    "w": "M0 3.4 L1.9 10 L3.8 4.6 L5.7 10 L7.6 3.4",
    "x": "M0 3.4 L4.8 10 M4.8 3.4 L0 10",
    "y": "M0 3.4 L2.6 9.8 M5.2 3.4 L2.6 9.8 C1.9 12 1.2 13.2 0 13",
    "z": "M0 3.4 L4.6 3.4 L0 10 L4.6 10",
    "0": "M3 0 C7 0 7 10 3 10 C-1 10 -1 0 3 0",
    "1": "M0 2.4 L2.8 0 L2.8 10",
    "2": "M.2 2.4 C.6 -.9 5.6 -.8 5.4 2.6 C5.3 4.9 2.4 6.6 0 10 L5.8 10",
    "3": "M.2 1.6 C1.6 -.7 5.3 -.4 5.2 2.4 C5.1 4.4 3.6 4.8 2.2 4.8 "
    "C4 4.8 5.6 5.6 5.6 7.4 C5.6 10.6 1.4 10.8 0 8.4",
    "4": "M4.6 10 L4.6 0 L0 7.2 L6.2 7.2",
    "5": "M5.2 0 L.8 0 L.4 4.5 C2 3.4 5.6 3.6 5.6 6.8 C5.6 10.6 1.4 10.8 0 8.5",
    "6": "M5.2 1.2 C3.6 -.8 0 0 0 6.2 C0 11.3 5.8 11.2 5.8 6.8 C5.8 2.8 1 2.8 .1 6",
    "7": "M0 0 L5.6 0 L2 10",
    "8": "M2.9 4.6 C-.4 4.6 -.4 0 2.9 0 C6.2 0 6.2 4.6 2.9 4.6 "
    "C-1 4.6 -1 10 2.9 10 C6.8 10 6.8 4.6 2.9 4.6",
    "9": "M.6 8.8 C2.2 10.8 5.8 10 5.8 3.8 C5.8 -1.3 0 -1.2 0 3.2 C0 7.2 4.8 7.2 5.7 4",
    "+": "M2.5 2.6 L2.5 7.6 M0 5.1 L5 5.1",
    "-": "M0 5.6 L3.6 5.6",
    "/": "M0 11 L4 -.6",
    ".": "M0 10 L0 9.99",
    ",": "M.6 9.8 L0 11.8",
    ":": "M0 10 L0 9.99 M0 4.4 L0 4.41",
    "'": "M0 0 L0 2.4",
    "(": "M2 -1 C-.6 2.4 -.6 8.4 2 11.8",
    ")": "M0 -1 C2.6 2.4 2.6 8.4 0 11.8",
}
# Accents, drawn around x = 0, for a small letter.
_ACCENTS: dict[str, str] = {
    "\N{COMBINING ACUTE ACCENT}": "M-.4 1.6 L1 -.2",
    "\N{COMBINING GRAVE ACCENT}": "M.4 1.6 L-1 -.2",
    "\N{COMBINING CIRCUMFLEX ACCENT}": "M-1.5 1.5 L0 0 L1.5 1.5",
    "\N{COMBINING TILDE}": "M-1.8 1.3 C-1 -.4 .8 2.2 1.8 .4",
    "\N{COMBINING DIAERESIS}": "M-1.4 1 L-1.4 .99 M1.4 1 L1.4 .99",
    "\N{COMBINING RING ABOVE}": "M0 -.9 C1.6 -.9 1.6 1.4 0 1.4 C-1.6 1.4 -1.6 -.9 0 -.9",
    "\N{COMBINING CEDILLA}": "M0 10 L-.2 11 C1.6 11.2 1.2 13 -.8 12.8",
}
_ABOVE_CAPITALS = -3
_CEDILLA = "\N{COMBINING CEDILLA}"


def can_write(text: str) -> bool:
    """Whether there is a sign for every letter."""
    known = _GLYPHS.keys() | _ACCENTS.keys() | {" "}
    return known.issuperset(unicodedata.normalize("NFD", text))


def width(text: str, height: float) -> float:
    """How wide a text is if its capitals are `height` high."""
    return _pen(text)[1] * height / HEIGHT


def write(
    text: str, x: float, y: float, height: float, colour: str, weight: float,
    anchor: Anchor = "middle",
) -> tuple[Line, ...]:  # fmt: skip
    """A text; its capitals reach from `y - height / 2` to `y + height / 2`."""
    paths, wide = _pen(text)
    scale = height / HEIGHT
    left = x - scale * wide * {"start": 0, "middle": 0.5, "end": 1}[anchor]
    top = y - height / 2
    return tuple(
        Line(tuple((left + scale * u, top + scale * v) for u, v in points), colour, weight)
        for points in paths
    )


@lru_cache(maxsize=512)
def _pen(text: str) -> tuple[tuple[Points, ...], float]:
    """The lines of a text that starts at 0, and its width; signs not known are left out."""
    found: list[Points] = []
    left = right = 0.0  # of the last letter
    next_ = 0.0
    capital = False
    for sign in unicodedata.normalize("NFD", text):
        if sign == " ":
            next_ += _BLANK
        elif sign in _ACCENTS:
            rise = _ABOVE_CAPITALS if capital and sign != _CEDILLA else 0
            found += _at(_ACCENTS[sign], (left + right) / 2, rise)
        elif sign in _GLYPHS:
            letter = _at(_GLYPHS[sign], next_, 0)
            found += letter
            left, right = next_, max(x for points in letter for x, _ in points)
            next_ = right + _GAP
            capital = sign.isupper()
    return tuple(found), right


def _at(spec: str, dx: float, dy: float) -> list[Points]:
    return [tuple((dx + x, dy + y) for x, y in points) for points in strokes(spec)]
