"""YAML as text: every scalar stays what was written, and every node knows its line.

All files of the program are read here. Tags, anchors, aliases, duplicate keys and deep nesting
are refused on the event stream, before anything could grow. Nothing raises: what is wrong comes
back as a list of problems.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias, Union

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from pbem.problem import Problem, by_line
from pbem.yamlfault import explain

_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MAX_DEPTH = 8
MAX_PROBLEMS = 50

# C0 and C1 controls, the line ends that only YAML knows (U+0085, U+2028, U+2029), lone surrogates.
FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_END = re.compile(rb"^end[ \t]*:?[ \t]*(#.*)?$", re.IGNORECASE | re.MULTILINE)


class Scalar(NamedTuple):
    """A value as it was written; an empty value is the empty text."""

    text: str
    line: int


class Mapping(NamedTuple):
    """Keys with their values, in the order of the file."""

    items: "tuple[tuple[Scalar, Node], ...]"
    line: int

    def get(self, name: str) -> "Node | None":
        """The value of a key, without regard to case; None if it is not there."""
        for key, value in self.items:
            if fold_key(key.text) == name:
                return value
        return None


class Listing(NamedTuple):
    """A list of values."""

    items: "tuple[Node, ...]"
    line: int


Node: TypeAlias = Union[Scalar, Mapping, Listing]  # noqa: UP007 - the tuples above name it early


class Reading(NamedTuple):
    """What a text holds: its documents, good as far as there are no problems.

    `broken_at` is the line at which reading had to be given up, None if all was read.
    """

    documents: tuple[Node, ...]
    problems: tuple[Problem, ...]
    broken_at: int | None = None

    @property
    def document(self) -> Node | None:
        """The first document; None if the text is empty."""
        return self.documents[0] if self.documents else None


def fold_key(text: str) -> str:
    """A key without regard to case and extra spaces."""
    return " ".join(text.split()).lower()


def decode(data: bytes, *, stop_at_end: bool = False) -> tuple[str, tuple[Problem, ...]]:
    """The text of a file, with line ends as LF and without a byte order mark.

    What is not UTF-8 is a problem; the text is then the best guess, to be shown and mended.
    With `stop_at_end` the text stops before a line `end`.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", errors="replace")
        message = "this file is UTF-16 text; save it as UTF-8"
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text, (Problem(1, "UTF-16 text", message),)
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if stop_at_end and (end := _END.search(data)):
        data = data[: end.start()]
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        read = f"byte {data[fault.start]:02x}"
        message = "this file is not UTF-8 text; save it with the encoding UTF-8"
        return data.decode("cp1252", errors="replace"), (Problem(line, read, message),)


def read_yaml(data: bytes | str, *, several: bool = False, stop_at_end: bool = False) -> Reading:
    """Read a text; `several` allows more than one document in it."""
    raw = data.encode("utf-8", errors="surrogatepass") if isinstance(data, str) else data
    text, problems = decode(raw, stop_at_end=stop_at_end)
    faults = list(problems)
    if FORBIDDEN.search(text):
        faults += _forbidden(text)
        text = FORBIDDEN.sub("\ufffd", text)
    builder = _Builder(text, faults)
    documents = builder.build()
    if len(documents) > 1 and not several:
        second = documents[1].line
        message = "a second document begins here; this file may hold only one"
        faults.append(Problem(second, "---", message))
    faults.sort(key=by_line)
    return Reading(tuple(documents), tuple(faults[:MAX_PROBLEMS]), builder.broken_at)


def _forbidden(text: str) -> Iterator[Problem]:
    for number, line in enumerate(text.split("\n"), start=1):
        if found := FORBIDDEN.search(line):
            yield _strange(number, found[0])


def _strange(line: int, character: str) -> Problem:
    name = f"U+{ord(character):04X}"
    return Problem(line, name, f"the character {name} may not stand in this file; take it out")


class _Builder:
    """Grows the tree from the events of the parser; `open` holds the unfinished collections."""

    def __init__(self, text: str, faults: list[Problem]) -> None:
        self.text = text
        self.faults = faults
        self.documents: list[Node] = []
        self.open: list[tuple[list[Node], int]] = []
        self.broken_at: int | None = None

    def build(self) -> list[Node]:
        """All documents, up to the first place that cannot be read."""
        try:
            parser = _PARSER(self.text)
            self._run(parser.get_event)
        except yaml.YAMLError as fault:
            self._break_off(explain(fault, self.text))
        return self.documents

    def _break_off(self, problem: Problem) -> None:
        if not any(fault.line == problem.line for fault in self.faults):
            self.faults.append(problem)
        self.broken_at = problem.line

    def _run(self, next_event: Any) -> None:
        items: list[Node] = self.documents
        opened = self.open
        while True:
            event = next_event()
            kind = event.__class__
            if kind is ScalarEvent:
                line = event.start_mark.line + 1
                text = event.value
                if event.anchor is not None or event.tag is not None or not text.isprintable():
                    self._refuse_marks(event, line, text)
                items.append(Scalar(text, line))
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                line = event.start_mark.line + 1
                self._refuse_marks(event, line)
                if len(opened) == MAX_DEPTH:
                    self._break_off(too_deep(line))
                    return
                opened.append((items, line))
                items = []
            elif kind is MappingEndEvent:
                outer, line = opened.pop()
                outer.append(Mapping(self._pairs(items), line))
                items = outer
            elif kind is SequenceEndEvent:
                outer, line = opened.pop()
                outer.append(Listing(tuple(items), line))
                items = outer
            elif kind is StreamEndEvent:
                return
            else:
                self._refuse_rest(event, items)

    def _refuse_marks(self, event: Any, line: int, text: str = "") -> None:
        if text and (found := FORBIDDEN.search(text)):
            self.faults.append(_strange(line, found[0]))
        if event.anchor is not None:
            message = "anchors (&) and aliases (*) are not allowed; write the text out"
            self._once(Problem(line, f"&{event.anchor}", message))
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            message = "tags (! and !!) are not allowed; if it is text, put it in quotes"
            self._once(Problem(line, tag, message))

    def _refuse_rest(self, event: Any, items: list[Node]) -> None:
        line = event.start_mark.line + 1
        if isinstance(event, AliasEvent):
            message = "anchors (&) and aliases (*) are not allowed; write the text out"
            self._once(Problem(line, f"*{event.anchor}", message))
            items.append(Scalar("", line))
        elif isinstance(event, DocumentStartEvent) and event.tags:
            self._once(Problem(line, "%TAG", "tags are not allowed; take this line out"))

    def _once(self, problem: Problem) -> None:
        if not any(p.line == problem.line and p.message == problem.message for p in self.faults):
            self.faults.append(problem)

    def _pairs(self, items: list[Node]) -> tuple[tuple[Scalar, Node], ...]:
        pairs: list[tuple[Scalar, Node]] = []
        seen: dict[str, int] = {}
        for key, value in zip(items[::2], items[1::2], strict=True):
            if not isinstance(key, Scalar):
                message = "a key must be a plain word, not a list or a group of keys"
                self.faults.append(Problem(key.line, "?", message))
                continue
            folded = fold_key(key.text)
            first = seen.setdefault(folded, key.line)
            if len(seen) == len(pairs):
                message = f"the key {folded} stands here and on line {first}; keep one of them"
                self.faults.append(Problem(key.line, key.text, message))
                continue
            pairs.append((key, value))
        return tuple(pairs)


def too_deep(line: int) -> Problem:
    """The refusal of brackets or indentation beyond `MAX_DEPTH`."""
    message = f"brackets or indentation go deeper than {MAX_DEPTH} levels; write it flatter"
    return Problem(line, "", message)
