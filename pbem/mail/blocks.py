"""Finding the orders in a text: from `game:` at the margin to where a line no longer belongs."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from pbem.mail.quoting import Mark, marks, without_quote
from pbem.repair import TEXT_KEYS, TOP_KEYS
from pbem.suggest import surely

_UNSEEN = "[\u200b-\u200f\u2060\ufeff\u00ad]*"
_START = re.compile(rf"{_UNSEEN}game[ \t\u00a0]*[:\uff1a]", re.IGNORECASE)
_KEY = re.compile(rf"{_UNSEEN}(?P<key>[^\W\d_]+)[ \t\u00a0]*:", re.IGNORECASE)
_ITEM = re.compile(r"\s*[-\u2010-\u2015\u2212](?:\s|[^\W\d_])")
_INNER_KEY = re.compile(r"\s+[^\W\d_]+\s*:(?:\s|$)")
_END = re.compile(r"end[ \t]*:?[ \t]*(?:#.*)?", re.IGNORECASE)
_MORE = re.compile(
    rf"(?:^|\s){_UNSEEN}(?:player|turn|actions|answers|press|note|standing)\s*:", re.I | re.M
)


class Block(NamedTuple):
    """The rows of one order file. `text` has as many rows above it as the part it stands in,
    so that lines are counted from the first line of that part."""

    start: int
    end: int
    text: str

    @property
    def line(self) -> int:
        """The line that it begins in."""
        return self.start + 1


class Ignored(NamedTuple):
    """Rows that were not read, and what they were taken for ("" prose)."""

    first: int
    last: int
    kind: Mark
    text: str


class Found(NamedTuple):
    """The orders in a text, and what else stands in it."""

    blocks: tuple[Block, ...]
    ignored: tuple[Ignored, ...]
    prose: tuple[str, ...]


def find(text: str, *, forwards: bool = False) -> Found:
    """The orders in a text that are its writer's own."""
    rows = text.split("\n")
    kinds = marks(rows, forwards=forwards)
    blocks = _blocks(rows, kinds)
    inside = {i for block in blocks for i in range(block.start, block.end)}
    outside = [i for i in range(len(rows)) if i not in inside and rows[i].strip()]
    prose = tuple(rows[i] for i in outside if kinds[i] == "")
    return Found(tuple(blocks), _ignored(rows, kinds, outside), prose)


def hidden(text: str, kind: Mark, *, forwards: bool = False) -> tuple[Block, ...]:
    """The orders that stand in a quote, a signature or a forwarded mail."""
    rows = text.split("\n")
    kinds = marks(rows, forwards=forwards)
    bare = [without_quote(row) for row in rows]
    own: list[Mark] = ["" if each == kind else "ruler" for each in kinds]
    return tuple(_blocks(bare, own))


def _blocks(rows: list[str], kinds: Sequence[Mark]) -> list[Block]:
    found: list[Block] = []
    index = 0
    while index < len(rows):
        if kinds[index] == "" and _START.match(rows[index]):
            floor = found[-1].end if found else 0
            start = _begin(rows, kinds, index, floor)
            end = _last(rows, kinds, index) + 1
            text = "\n" * start + "\n".join(rows[start:end]) + "\n"
            if _MORE.search(text):
                found.append(Block(start, end, text))
            index = end
        else:
            index += 1
    return found


def _begin(rows: list[str], kinds: Sequence[Mark], index: int, floor: int) -> int:
    """Keys may stand above `game:`, if no empty line is between."""
    start = index
    for above in range(index - 1, floor - 1, -1):
        row = rows[above]
        if kinds[above] or not row.strip() or not (_is_key(row) or row[:1].isspace()):
            break
        if _is_key(row):
            start = above
    return start


def _is_key(row: str) -> bool:
    """A known key at the margin, or a slip of one."""
    found = _KEY.match(row)
    if found is None:
        return False
    word = found["key"].lower()
    return word in TOP_KEYS or (len(word) > 3 and surely(word, TOP_KEYS) is not None)


def _last(rows: list[str], kinds: Sequence[Mark], start: int) -> int:
    """The last row that belongs to the orders beginning at `start`."""
    last = start
    in_text = False
    for index in range(start + 1, len(rows)):
        row = rows[index]
        if kinds[index] or _END.fullmatch(row) or _START.match(row):
            break
        if not row.strip():
            continue
        if index > last + 1 and not _belongs(row, in_text=in_text):
            break
        last = index
        if not row[:1].isspace():
            found = _KEY.match(row)
            in_text = found is not None and found["key"].lower() in TEXT_KEYS
    return last


def _belongs(row: str, *, in_text: bool) -> bool:
    """Whether a row after an empty line goes on with the orders."""
    if row[:1].isspace():
        return in_text or bool(_ITEM.match(row) or _INNER_KEY.match(row))
    return bool(_is_key(row) or _ITEM.match(row)) or row.startswith("#")


def _ignored(rows: list[str], kinds: Sequence[Mark], outside: list[int]) -> tuple[Ignored, ...]:
    """Rows one by one if they are prose; quotes and signatures as a whole; rulers not at all."""
    found: list[Ignored] = []
    for index in outside:
        kind = kinds[index]
        if kind == "ruler" or _END.fullmatch(rows[index]):
            continue
        if kind and found and found[-1].kind == kind:
            found[-1] = found[-1]._replace(last=index + 1)
        else:
            found.append(Ignored(index + 1, index + 1, kind, rows[index]))
    return tuple(found)
