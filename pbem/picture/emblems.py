"""The four dynasties as shapes, and their leaders."""

from functools import lru_cache

from engine.pieces import LETTER, Dynasty, Leader
from pbem.picture import colours as c
from pbem.picture.letters import write
from pbem.picture.shapes import (
    Area,
    Disc,
    Ring,
    Shape,
    Symbol,
    all_moved,
    area,
    lines,
    star,
)

_MIDDLE = 19  # of a square


def emblem(dynasty: Dynasty, ink: str, ground: str) -> tuple[Shape, ...]:
    """The sign of a dynasty around the middle of a square; a letter fits into it."""
    return {"archer": _archer, "bull": _bull, "lion": _lion, "pot": _pot}[dynasty](ink, ground)


def _archer(ink: str, _ground: str) -> tuple[Shape, ...]:
    """A drawn bow with its arrow; inside it is the ground."""
    curve = (
        "M15 5.6 C17.4 6.6 18.4 7 20.4 8.6 C31 15.5 31 22.5 20.4 29.4 C18.4 31 17.4 31.4 15 32.4"
    )
    bow: tuple[Shape, ...] = (
        *lines(curve, ink, 3.2),
        *lines("M15.6 6.4 L8.6 19 L15.6 31.6", ink, 1.3),
        *lines("M28 19 L31 19 M5.6 19 L8.6 19", ink, 2),
        area("M35.2 19 L29.6 14.8 L29.6 23.2", ink),
        area("M9 19 L6.4 16.2 L3.4 16.2 L5.6 19 L3.4 21.8 L6.4 21.8", ink),
    )
    return all_moved(bow, 1.2, 1.14, 0.94)


def _bull(ink: str, _ground: str) -> tuple[Shape, ...]:
    """A bull's head with its horns."""
    return (
        area("M9 10.6 C4.2 8.6 4.4 4 8 3.6 C7 6.4 8.8 8 12.4 8 L25.6 8 C29.2 8 31 6.4 30 3.6 "
             "C33.6 4 33.8 8.6 29 10.6", ink),
        area("M9.4 9.4 L28.6 9.4 C29.2 17 27.4 22.6 24.6 27 C24.8 34.6 13.2 34.6 13.4 27 "
             "C10.6 22.6 8.8 17 9.4 9.4", ink),
        area("M9.6 12 C7 11.4 4.4 12.4 3.4 14.6 C5.6 16.8 8.4 16.6 10 14.8", ink),
        area("M28.4 12 C31 11.4 33.6 12.4 34.6 14.6 C32.4 16.8 29.6 16.6 28 14.8", ink),
    )  # fmt: skip


def _lion(ink: str, ground: str) -> tuple[Shape, ...]:
    """A lion's mane around its face."""
    return (
        Area(star(_MIDDLE, _MIDDLE, (15.4, 11.4) * 12), ink),
        Ring(_MIDDLE, _MIDDLE, 9.7, ground, 1.1),
    )


def _pot(ink: str, _ground: str) -> tuple[Shape, ...]:
    """A jar with two handles."""
    jar = (
        "M12.4 4 L25.6 4 L24.2 7.2 C24.2 9.4 30 12.4 30 19.4 C30 26 25.6 29.4 23.4 31.2 L24.6 34 "
        "L13.4 34 L14.6 31.2 C12.4 29.4 8 26 8 19.4 C8 12.4 13.8 9.4 13.8 7.2"
    )
    return (
        area(jar, ink),
        *lines("M14.4 7.4 C6.4 5.4 4.2 11.6 9.2 15.4", ink, 2),
        *lines("M23.6 7.4 C31.6 5.4 33.8 11.6 28.8 15.4", ink, 2),
    )  # fmt: skip


# Where the letter stands in each emblem.
_LETTER_AT: dict[Dynasty, tuple[float, float]] = {
    "archer": (18.4, 19), "bull": (19, 18), "lion": (19, 19), "pot": (19, 20.4),
}  # fmt: skip
# Small letters fill different parts of their line; this brings each to the middle.
_RISE = {"r": -2.4, "b": 0.0, "g": -3.2, "k": 0.0}


@lru_cache
def leader(who: Leader) -> Symbol:
    """A leader: the emblem of its dynasty in its colour, with the letter of the colour."""
    colour = c.TILES[who.colour]
    shapes = (*_token(colour), *emblem(who.dynasty, colour, c.PAPER), *_letter(who, colour))
    return Symbol(f"leader-{who.dynasty}-{who.colour}", shapes)


def _token(ring: str) -> tuple[Shape, ...]:
    return (
        Disc(_MIDDLE, _MIDDLE, 18.4, c.PAPER),
        Disc(_MIDDLE, _MIDDLE, 17.8, ring),
        Disc(_MIDDLE, _MIDDLE, 16, c.PAPER),
    )


def _letter(who: Leader, colour: str) -> tuple[Shape, ...]:
    letter = LETTER[who.colour]
    x, y = _LETTER_AT[who.dynasty]
    ink = colour if who.dynasty == "archer" else c.PAPER
    return write(letter, x, y + _RISE[letter], 11, ink, 1.9)


@lru_cache
def badge(dynasty: Dynasty, ink: str) -> Symbol:
    """The emblem alone on a token, for legends."""
    shapes = (*_token(ink), *emblem(dynasty, ink, c.PAPER))
    return Symbol(f"dynasty-{dynasty}-{ink[1:]}", shapes)
