"""Mails out of one stream of bytes: a single mail, or an mbox with several."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import BinaryIO, NamedTuple

# Sender, then a date as `asctime` writes it, perhaps with a zone: prose that begins with
# "From " has none.
_FROM = re.compile(
    rb"From .{0,200}?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) "
    rb"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}(\d{1,2}) "
    rb"(\d\d):(\d\d)(?::(\d\d))?(?: \S+)? (\d{4})"
)
_ESCAPED = re.compile(rb">+From ")
_MONTHS = b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_MARK = b"From "
_LONGEST_LINE = 1 << 16


class Piece(NamedTuple):
    """One mail of a stream; `several`: whether the stream is an mbox.

    `data` has one byte more than the limit at most, `size` is the length in truth.
    """

    data: bytes
    size: int
    arrived: datetime | None
    several: bool


class _Pile:
    """The bytes of one mail, as they come in."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._kept = 0
        self.size = 0

    def add(self, part: bytes) -> None:
        self.size += len(part)
        room = self._limit + 1 - self._kept
        if room > 0:
            self._parts.append(part[:room])
            self._kept += len(self._parts[-1])

    def piece(self, arrived: datetime | None, *, several: bool) -> Piece:
        return Piece(b"".join(self._parts), self.size, arrived, several)


def pieces(stream: BinaryIO, limit: int) -> Iterator[Piece]:
    """The mails of a stream; none if it is empty. One that begins with `From ` is an mbox."""
    first = stream.readline(_LONGEST_LINE)
    if not first:
        return
    if first.startswith(_MARK):
        yield from _mbox(stream, first, limit)
        return
    pile = _Pile(limit)
    part = first
    while part:
        pile.add(part)
        part = stream.read(_LONGEST_LINE)
    yield pile.piece(None, several=False)


def _mbox(stream: BinaryIO, line: bytes, limit: int) -> Iterator[Piece]:
    """Cut where a `From ` line follows an empty one; the empty line belongs to the mbox."""
    arrived = _time(line)
    pile = _Pile(limit)
    blank = b""
    at_start = line.endswith(b"\n")
    while line := stream.readline(_LONGEST_LINE):
        if blank and line.startswith(_MARK) and _FROM.match(line):
            yield pile.piece(arrived, several=True)
            arrived, pile, blank = _time(line), _Pile(limit), b""
            at_start = line.endswith(b"\n")
            continue
        pile.add(blank)
        blank = b""
        if at_start and line in (b"\n", b"\r\n"):
            blank = line
        else:
            pile.add(line[1:] if at_start and _ESCAPED.match(line) else line)
        at_start = line.endswith(b"\n")
    yield pile.piece(arrived, several=True)


def _time(line: bytes) -> datetime | None:
    """When the mail was laid into the mbox, in UTC; None if the line does not say."""
    found = _FROM.match(line)
    if not found:
        return None
    month, day, hour, minute, second, year = found.groups(b"0")
    try:
        return datetime(
            int(year), 1 + _MONTHS.index(month), int(day), int(hour), int(minute), int(second),
            tzinfo=UTC,
        )  # fmt: skip
    except ValueError:
        return None
