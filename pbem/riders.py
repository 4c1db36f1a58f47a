"""Answers to questions, given with an action ahead of time or to a question that was asked.

They are wishes: what number `win` stands for, and which war or monument can be had, is settled
when the question comes.
"""

import re
from collections.abc import Collection
from typing import Literal, NamedTuple

from engine.pieces import Colour, Pair
from engine.squares import Square
from pbem.entries import Entries, Entry, entries_of, many_texts, one_text
from pbem.notation import write_pair
from pbem.problem import Findings, Problem
from pbem.suggest import fold, surely
from pbem.words import COLOUR_WORDS, fault, read_pair, read_square, read_word
from pbem.yamltext import Mapping, Scalar

RIDER_KEYS = ("support", "wars", "monument", "square", "leave")
VARIANT_KEYS = ("building", "centre", "center", "point")

_WISH = re.compile(r"(?P<number>[0-9]{1,3})|(?P<word>all|none|win)|win ?\+ ?(?P<more>[0-9]{1,2})")
_NUMBERS = {"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_OTHER_WORDS = {
    "max": "all",
    "everything": "all",
    "nothing": "none",
    "no": "none",
    "winning": "win",
}


class SupportWish(NamedTuple):
    """How much support to send: a number, `all`, `none`, or `win` with `number` tiles more."""

    kind: Literal["number", "all", "none", "win"]
    number: int = 0

    @property
    def text(self) -> str:
        """The wish as it is written in an order file."""
        if self.kind == "number":
            return str(self.number)
        return f"win+{self.number}" if self.kind == "win" and self.number else self.kind


class MonumentWish(NamedTuple):
    """The monument to build and the top left square of its block; no pair: build none."""

    pair: Pair | None
    at: Square | None = None

    @property
    def text(self) -> str:
        """The monument as it is written in an order file."""
        return write_pair(self.pair) if self.pair else "none"


class Riders(NamedTuple):
    """All that one action or answer says ahead; what it does not say is empty.

    `support` serves the revolt or the first war, `support_in` a war by its colour.
    """

    support: SupportWish | None = None
    support_in: tuple[tuple[Colour, SupportWish], ...] = ()
    wars: tuple[Colour, ...] = ()
    monument: MonumentWish | None = None
    leave: tuple[Square, ...] = ()

    def wish_in(self, colour: Colour) -> SupportWish | None:
        """The wish said for the war of this colour."""
        return dict(self.support_in).get(colour)


NO_RIDERS = Riders()


def read_riders(found: Entries, allowed: Collection[str], findings: Findings) -> Riders:
    """The riders among these keys; those not in `allowed` are left to the caller to refuse."""
    plain, by_war = _support(found, allowed, findings)
    return Riders(
        support=plain,
        support_in=by_war,
        wars=_colours(found["wars"], findings) if "wars" in found and "wars" in allowed else (),
        monument=_monument(found, findings) if "monument" in allowed else None,
        leave=_squares(found["leave"], findings) if "leave" in found and "leave" in allowed else (),
    )


def read_wish(text: str) -> SupportWish | Problem:
    """A number, `all`, `none`, `win` or `win+2`."""
    folded = fold(text)
    found = _WISH.fullmatch(folded)
    if found is None:
        return fault(text, "support is a number of tiles, all, none, win or win+2", _meant(folded))
    if found["number"]:
        return SupportWish("number", int(found["number"]))
    match found["word"]:
        case "all":
            return SupportWish("all")
        case "none":
            return SupportWish("none")
        case _:
            return SupportWish("win", int(found["more"] or 0))


def _meant(text: str) -> str | None:
    word = text.partition(" ")[0]
    if word in _NUMBERS:
        return str(_NUMBERS[word])
    if word.isascii() and word.isdigit() and len(word) < 3 and "+" not in text:
        return str(int(word))
    return _OTHER_WORDS.get(text) or surely(text, ("all", "none", "win"))


def _support(
    found: Entries, allowed: Collection[str], findings: Findings
) -> tuple[SupportWish | None, tuple[tuple[Colour, SupportWish], ...]]:
    entry = found.get("support")
    if entry is None or "support" not in allowed:
        return None, ()
    if isinstance(entry.value, Mapping):
        if "wars" in allowed:
            return None, _support_by_war(entry.value, findings)
        message = "a leader starts no war: give one value for the revolt, support: 2"
        findings.add(entry.key.line, f"{entry.key.text}:", message)
        return None, ()
    return _wish(entry, findings), ()


def _wish(entry: Entry, findings: Findings) -> SupportWish | None:
    scalar = one_text(entry, findings)
    if scalar is None:
        return None
    if not scalar.text.strip():
        findings.missing(entry.key.line, f"{entry.key.text} is empty: write a number, all or win")
        return None
    wish = read_wish(scalar.text)
    if isinstance(wish, Problem):
        findings.put(wish, scalar.line)
        return None
    return wish


def _support_by_war(mapping: Mapping, findings: Findings) -> tuple[tuple[Colour, SupportWish], ...]:
    wishes: dict[Colour, SupportWish] = {}
    for entry in entries_of(mapping).values():
        colour = read_word(entry.key.text, COLOUR_WORDS, "the colour of a war")
        if isinstance(colour, Problem):
            meant = colour.meant and f"{colour.meant}:"
            findings.put(colour._replace(meant=meant), entry.key.line, f"{entry.key.text}:")
            continue
        if colour in wishes:
            findings.add(entry.key.line, entry.key.text, f"the {colour} war is named twice")
        elif wish := _wish(entry, findings):
            wishes[colour] = wish
    return tuple(wishes.items())


def _colours(entry: Entry, findings: Findings) -> tuple[Colour, ...]:
    colours: list[Colour] = []
    for scalar in many_texts(entry, findings):
        colour = read_word(scalar.text, COLOUR_WORDS, "the colour of a war")
        if isinstance(colour, Problem):
            findings.put(colour, scalar.line)
        elif colour in colours:
            findings.add(scalar.line, scalar.text, f"the {colour} war is named twice")
        else:
            colours.append(colour)
    return tuple(colours)


def _squares(entry: Entry, findings: Findings) -> tuple[Square, ...]:
    squares: list[Square] = []
    for scalar in many_texts(entry, findings):
        square = read_square(scalar.text)
        if isinstance(square, Problem):
            findings.put(square, scalar.line)
        elif square not in squares:
            squares.append(square)
    return tuple(squares)


def _monument(found: Entries, findings: Findings) -> MonumentWish | None:
    where = read_at(found["square"], findings) if "square" in found else None
    if "monument" not in found:
        if "square" in found:
            key = found["square"].key
            message = "square is the top left square of a monument: add monument: temple/farm"
            findings.missing(key.line, message)
        return None
    scalar = one_text(found["monument"], findings)
    if scalar is None:
        return None
    if fold(scalar.text) == "none":
        if "square" in found:
            key = found["square"].key
            findings.add(key.line, f"{key.text}:", "monument: none takes no square; leave one out")
        return MonumentWish(None)
    return _pair_at(scalar, where, "square" in found, findings)


def _pair_at(
    scalar: Scalar, where: Square | None, has_square: bool, findings: Findings
) -> MonumentWish | None:
    text = " ".join(scalar.text.split())
    if not has_square:
        text = re.sub(r"\s*,?\s+square:?\s+(?=\S+$)", " ", text, flags=re.IGNORECASE)
    colours, _, last = text.rpartition(" ")
    inside = read_square(last)
    if not has_square and colours and not isinstance(inside, Problem):
        text, where = colours, inside
    else:
        text = scalar.text.strip()
    pair = read_pair(text)
    if isinstance(pair, Problem):
        findings.put(pair, scalar.line)
        return None
    return MonumentWish(pair, where)


def read_at(entry: Entry, findings: Findings) -> Square | None:
    """The square that stands as the value of a key."""
    scalar = one_text(entry, findings)
    if scalar is None:
        return None
    if not scalar.text.strip():
        findings.missing(entry.key.line, f"{entry.key.text} is empty: write a square, such as F4")
        return None
    square = read_square(scalar.text)
    if isinstance(square, Problem):
        findings.put(square, scalar.line)
        return None
    return square
