"""Text in lines: what people wrote made harmless, and every line folded to the page."""

import re
import unicodedata
from collections.abc import Iterator

WIDTH = 78

_LEAD = re.compile(r" {0,20}(?:[-#|] )?")
_MARKS_IN_A_ROW = 3
_HARMFUL = ("Cc", "Cf", "Cs")
_JOINERS = "\u200c\u200d"


def clean(text: str) -> str:
    """The text without what could upset a page: control, direction and format characters.

    Line breaks of all kinds become plain ones, tabs become spaces, and accents piled on one
    letter are cut down. Everything else stays as it was written, joiners inside words too.
    """
    if text.isascii() and text.replace("\n", "").isprintable():
        return text.removesuffix("\n")
    kept: list[str] = []
    marks = 0
    for char in "\n".join(text.replace("\t", "    ").splitlines()):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        harmless = kind not in _HARMFUL or char == "\n" or char in _JOINERS
        if harmless and marks <= _MARKS_IN_A_ROW:
            kept.append(char)
    return "".join(kept)


def one_line(text: str, limit: int) -> str:
    """The text cleaned, in one line of at most `limit` columns; `..` shows that it was cut."""
    line = " ".join(clean(text[: 20 * limit]).split())
    if columns(line) <= limit:
        return line
    return _cut(line, limit - 2)[0].rstrip() + ".."


def quoted(text: str) -> str:
    """Each line behind a bar, so that nobody's words can pass for the report's own."""
    return "\n".join(f"| {line}".rstrip() for line in clean(text).strip("\n").split("\n"))


def columns(text: str) -> int:
    """How wide a line is: wide letters and emoji take two columns, nothing takes none."""
    if text.isascii():
        return len(text)
    return len(text) + sum(unicodedata.east_asian_width(char) in "WF" for char in text)


def _cut(word: str, room: int) -> list[str]:
    """A word in pieces that fit."""
    if columns(word) <= room:
        return [word]
    pieces, piece, width = [], "", 0
    for char in word:
        size = columns(char)
        if piece and width + size > room:
            pieces.append(piece)
            piece, width = "", 0
        piece, width = piece + char, width + size
    return [*pieces, piece]


def fold(line: str, limit: int = WIDTH) -> Iterator[str]:
    """The line in lines of at most `limit` columns; a list item hangs, a quotation repeats."""
    line = line.rstrip()
    lead = _LEAD.match(line)
    if columns(line) <= limit or lead is None:
        yield line
        return
    so_far = lead.group()
    room = limit - len(so_far)
    text, width = "", -1
    for word in line[len(so_far) :].split(" "):
        for part in _cut(word, room):
            size = columns(part)
            if width >= 0 and width + 1 + size > room:
                yield (so_far + text).rstrip()
                so_far, text, width = so_far.replace("-", " "), part, size
            else:
                text, width = (part if width < 0 else f"{text} {part}"), width + 1 + size
    yield (so_far + text).rstrip()


def fold_all(text: str) -> str:
    """A whole page folded, without trailing spaces and without more than one empty line."""
    lines: list[str] = []
    for line in text.split("\n"):
        for folded in fold(line):
            if folded or (lines and lines[-1]):
                lines.append(folded)
    return "\n".join(lines).rstrip("\n") + "\n"
