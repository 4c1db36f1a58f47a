"""The orders of a mail, read: from every text that may hold some, each with its place."""

import re
from typing import NamedTuple

from pbem.lines import one_line
from pbem.mail.blocks import Block, Found, Ignored, find, hidden
from pbem.mail.parts import Contents, Text
from pbem.mail.quoting import Mark
from pbem.mail.world import Why, why
from pbem.normalform import normal_data
from pbem.orderfile import OrderFile, read_order_file
from pbem.repair import text_rows

MAX_ROWS = 20_000
_ROW = 160
_TORN = re.compile(r"(?:actions|answers|standing)[ \t]*:", re.IGNORECASE)
_FORWARDS = re.compile(r"(?:fwd?|wg|tr|rv|i|vs|doorst)\s*:", re.IGNORECASE)
_GAME = re.compile(r"(?:^|\s)game\s*:\s*[\"'\u201c\u2018]?(?P<value>[\w.-]+)", re.IGNORECASE | re.M)
_PLAYER = re.compile(r"(?:^|\s)player\s*:\s*[\"'\u201c\u2018]?(?P<value>\w+)", re.I | re.M)
_KEY = re.compile(r"^[ \t]*key\s*:[ \t]*(?P<value>\S.*?)[ \t]*$", re.IGNORECASE | re.M)
_NO_QUOTES = "\"'\u201c\u201d\u2018\u2019"


class Candidate(NamedTuple):
    """One order file found in a mail. Its lines count from the first line of its part."""

    place: str
    line: int
    file: OrderFile
    data: bytes

    @property
    def game(self) -> str:
        """The game that it names, as far as that can be made out."""
        return self.file.game or self._named(_GAME)

    @property
    def player(self) -> str:
        """The player that it names, as far as that can be made out."""
        return self.file.player or self._named(_PLAYER).lower()

    @property
    def key(self) -> str | None:
        """The order key that it gives."""
        found = _KEY.search(self.file.text)
        given = self.file.key or (found["value"] if found else None)
        return given.strip().strip(_NO_QUOTES) if given else None

    def _named(self, what: re.Pattern[str]) -> str:
        found = what.search(self.file.text)
        return found["value"] if found else ""


class Passed(NamedTuple):
    """What was not read: in which part, which lines, and why."""

    place: str
    first: int
    last: int
    kind: Mark | str
    text: str


class Reading(NamedTuple):
    """What was read of a mail. `faults` refuse it; `prose` are the writer's other lines."""

    candidates: tuple[Candidate, ...] = ()
    passed: tuple[Passed, ...] = ()
    prose: tuple[str, ...] = ()
    warnings: tuple[Why, ...] = ()
    faults: tuple[Why, ...] = ()


class _Try(NamedTuple):
    """One way of reading a text."""

    found: Found
    candidates: tuple[Candidate, ...]

    @property
    def good(self) -> bool:
        """Whether there are orders, and all of them can be read."""
        return bool(self.candidates) and not any(each.file.problems for each in self.candidates)

    def same_as(self, other: "_Try") -> bool:
        """Whether both say the same."""
        mine, theirs = (
            [normal_data(each.file) for each in one.candidates] for one in (self, other)
        )
        return mine == theirs


def forwards(subject: str) -> bool:
    """Whether the subject says that the mail forwards another."""
    return bool(_FORWARDS.match(subject))


def read(contents: Contents, subject: str) -> Reading:
    """Read all texts of a mail."""
    whole = Reading()
    for text in contents.texts:
        part = _read_text(text, forwards=forwards(subject))
        whole = Reading(
            whole.candidates + part.candidates,
            whole.passed + part.passed,
            whole.prose + part.prose,
            whole.warnings + part.warnings,
            whole.faults + part.faults,
        )
    return whole._replace(candidates=_without_twins(whole.candidates))


def _read_text(text: Text, *, forwards: bool) -> Reading:
    if text.variants[0].count("\n") > MAX_ROWS:
        return Reading(faults=(why("too_long", place=text.place, rows=MAX_ROWS),))
    best = _try(text.variants[0], text.place, forwards=forwards)
    faults: list[Why] = []
    for variant in text.variants[1:]:
        other = _try(variant, text.place, forwards=forwards)
        if best.good and other.good and not best.same_as(other):
            faults.append(why("unclear_lines", place=text.place))
        elif other.good and not best.good:
            best = other
    warnings: list[Why] = []
    if text.is_html and best.candidates:
        warnings.append(why("html"))
    if text.damaged:
        warnings.append(why("damaged", place=text.place))
    if not best.candidates and not text.is_body:
        passed: tuple[Passed, ...] = (Passed(text.place, 0, 0, "attachment", ""),)
        return Reading((), passed, (), tuple(warnings))
    faults += _torn(best, text.place)
    return Reading(
        best.candidates,
        tuple(_passed(each, text.place) for each in best.found.ignored),
        best.found.prose,
        tuple(warnings),
        tuple(faults),
    )


def _try(text: str, place: str, *, forwards: bool) -> _Try:
    found = find(text, forwards=forwards)
    return _Try(found, tuple(_candidate(block, place) for block in found.blocks))


def _candidate(block: Block, place: str) -> Candidate:
    data = block.text.encode("utf-8", errors="replace")
    return Candidate(place, block.line, read_order_file(data), data)


def _torn(best: _Try, place: str) -> list[Why]:
    """A list of orders that stands apart from its file: part of the file would be lost."""
    if not best.candidates:
        return []
    rows = [each for each in best.found.ignored if not each.kind and _TORN.match(each.text)]
    return [why("torn", place=place, line=row.first, read=one_line(row.text, 40)) for row in rows]


def _passed(row: Ignored, place: str) -> Passed:
    return Passed(place, row.first, row.last, row.kind, one_line(row.text, _ROW))


def _without_twins(candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The same orders twice (in the body and as an attachment) count once."""
    kept: list[Candidate] = []
    for each in candidates:
        data = normal_data(each.file)
        twin = not each.file.problems and any(
            not other.file.problems and normal_data(other.file) == data for other in kept
        )
        if not twin:
            kept.append(each)
    return tuple(kept)


def hidden_orders(contents: Contents, subject: str, kind: Mark) -> list[str]:
    """The orders that stand in quotes (or a signature, or a forwarded mail), ready to be sent."""
    found = []
    for text in contents.texts:
        if text.variants[0].count("\n") <= MAX_ROWS:
            for block in hidden(text.variants[0], kind, forwards=forwards(subject)):
                found.append(block.text.strip("\n"))
    return found


def forwarded(contents: Contents, subject: str) -> tuple[Candidate, ...]:
    """The orders that stand in a forwarded mail, each once."""
    texts = [block.text for text in contents.inner for block in find(text).blocks]
    texts += hidden_orders(contents, subject, "forward")
    rows = (f"{text.strip(chr(10))}\n".encode("utf-8", errors="replace") for text in texts)
    found = (Candidate("the forwarded mail", 1, read_order_file(data), data) for data in rows)
    return _without_twins(tuple(found))


def without_key(text: str) -> str:
    """An order file to be shown: no empty lines on top, and no order key."""
    rows = [row for row in text.split("\n") if row.strip()]
    inside = text_rows(rows)
    kept = []
    for index, row in enumerate(rows):
        first = inside.get(index)
        if first is None or not rows[first].lstrip().lower().startswith("key"):
            kept.append(row)
        elif first == index:
            kept.append("# key: (order key)")
    return "\n".join(kept)
