"""A strict reader for the program's own files: every key expected, every value checked.

Nothing is raised. What is wrong is collected in `Faults`, each with its path (`$.hands.archer`)
and line, and a harmless value stands in, so that one reading finds everything.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from typing import TypeVar, cast

from pbem.clock import read_time
from pbem.problem import Problem
from pbem.yamltext import Listing, Mapping, Node, Scalar, read_yaml

Choice = TypeVar("Choice", bound=str)
LARGEST = 10**9

_NUMBER = re.compile(r"[0-9]{1,10}")
FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
"""What `read_yaml` lets into no text; it is replaced when a text is written."""

_PLAIN = re.compile(r"[A-Za-z0-9/](?:[A-Za-z0-9 ,./+=_@-]|:(?=[A-Za-z0-9]))*(?<! )")
_ESCAPED = re.compile(r"[\xa0\ufeff]")
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


class Faults:
    """What is wrong in one file."""

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self.problems: list[Problem] = list(problems)

    def add(self, line: int | None, path: str, message: str, read: str = "") -> None:
        """Note one problem."""
        self.problems.append(Problem(line, read, f"{path}: {message}"))


class Fields:
    """One mapping that is being read. Take what is known by key, then say `end`."""

    def __init__(self, node: Node, path: str, faults: Faults) -> None:
        self.line = node.line
        self.path = path
        self.faults = faults
        self._nodes: dict[str, Node] = {}
        self._lines: dict[str, int] = {}
        if isinstance(node, Mapping):
            for key, value in node.items:
                self._nodes[key.text] = value
                self._lines[key.text] = key.line
        elif not (isinstance(node, Scalar) and not node.text):
            self.wrong(None, f"should be keys with values, not {_kind(node)}")

    def __contains__(self, key: str) -> bool:
        return key in self._nodes

    def wrong(self, key: str | None, message: str, line: int | None = None) -> None:
        """Note a problem with the value of `key`, or with the whole."""
        path = self.path if key is None else f"{self.path}.{key}"
        self.faults.add(line or self._lines.get(key or "", self.line), path, message)

    def names(self) -> list[str]:
        """The keys not yet taken, in the order of the file."""
        return list(self._nodes)

    def line_of(self, key: str) -> int:
        """The line of a key that is not yet taken; the line of the whole if it is not there."""
        return self._lines.get(key, self.line)

    def node(self, key: str) -> Node | None:
        """Take the value as it is; None, and a problem, if it is missing."""
        node = self._nodes.pop(key, None)
        if node is None:
            self.wrong(None, f"`{key}` is missing")
        return node

    def text(self, key: str, default: str | None = None) -> str:
        """Take a text. Without a default it must be there."""
        if key not in self._nodes and default is not None:
            return default
        node = self.node(key)
        if node is None or isinstance(node, Scalar):
            return node.text if node else ""
        self.wrong(key, f"should be a text, not {_kind(node)}")
        return ""

    def number(
        self, key: str, default: int | None = None, low: int = 0, high: int = LARGEST
    ) -> int:
        """Take a whole number from `low` to `high`."""
        if key not in self._nodes and default is not None:
            return default
        if key not in self._nodes or not isinstance(self._nodes[key], Scalar):
            self.text(key)
            return low
        text = self.text(key)
        if not _NUMBER.fullmatch(text) or not low <= int(text) <= high:
            limits = f"from {low} to {high}" if high < LARGEST else f"from {low} on"
            self.wrong(key, f"`{text}` should be a whole number {limits}")
            return low
        return int(text)

    def choice(
        self, key: str, allowed: Collection[Choice], default: Choice | None = None
    ) -> Choice:
        """Take one of the words that are allowed."""
        if key not in self._nodes and default is not None:
            return default
        present = key in self._nodes
        text = self.text(key)
        if text in allowed:
            return cast(Choice, text)
        if present:
            self.wrong(key, f"`{text}` should be one of {', '.join(allowed)}")
        return next(iter(allowed))

    def time(self, key: str) -> datetime:
        """Take a time in UTC."""
        present = key in self._nodes
        text = self.text(key)
        try:
            return read_time(text)
        except ValueError:
            if present:
                self.wrong(key, f"`{text}` should be a time such as 2026-03-01T12:30:00Z")
        return _NEVER

    def child(self, key: str) -> "Fields":
        """Take a mapping; an absent one is empty."""
        line = self.line_of(key)
        node = self._nodes.pop(key, None)
        empty = Mapping((), line)
        return Fields(empty if node is None else node, f"{self.path}.{key}", self.faults)

    def listing(self, key: str) -> Iterator[tuple[str, Node]]:
        """Take a list, each entry with its path; an absent one is empty."""
        node = self._nodes.pop(key, None)
        if isinstance(node, Listing):
            for index, entry in enumerate(node.items):
                yield f"{self.path}.{key}[{index}]", entry
        elif node is not None and not (isinstance(node, Scalar) and not node.text):
            self.wrong(key, f"should be a list, not {_kind(node)}")

    def children(self, key: str) -> Iterator["Fields"]:
        """Take a list of mappings."""
        for path, node in self.listing(key):
            yield Fields(node, path, self.faults)

    def some(self, key: str) -> Iterator["Fields"]:
        """Take a list of mappings; one that is no list stands for a list of one."""
        if isinstance(self._nodes.get(key), Mapping):
            yield self.child(key)
        else:
            yield from self.children(key)

    def texts(self, key: str) -> tuple[str, ...]:
        """Take a list of texts."""
        found: list[str] = []
        for path, node in self.listing(key):
            if isinstance(node, Scalar):
                found.append(node.text)
            else:
                self.faults.add(node.line, path, f"should be a text, not {_kind(node)}")
        return tuple(found)

    def end(self, known: str = "") -> None:
        """Whatever was not taken is unknown."""
        for key in self._nodes:
            hint = f"; known are {known}" if known else ""
            self.wrong(key, f"unknown key{hint}")
        self._nodes = {}


def read_fields(data: bytes | str) -> tuple[Fields | None, Faults]:
    """The mapping that a file holds, None if its YAML cannot be read."""
    reading = read_yaml(data)
    faults = Faults(reading.problems)
    fields = None if faults.problems else Fields(reading.document or Mapping((), 1), "$", faults)
    return (None if faults.problems else fields), faults


def scalar(text: str) -> str:
    """The text as YAML writes it, in quotes if it needs any; `read_yaml` gives it back."""
    if _PLAIN.fullmatch(text):
        return text
    text = FORBIDDEN.sub("\ufffd", text)
    return _ESCAPED.sub(_escape, json.dumps(text, ensure_ascii=False))


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _kind(node: Node) -> str:
    if isinstance(node, Scalar):
        return f"`{node.text[:40]}`"
    return "a list" if isinstance(node, Listing) else "keys with values"
