"""Mending the text of an order file, line by line, where the meaning cannot change.

`mend` makes the soft repairs: blanks, tabs, invisible signs, bullets, quotes round whole values,
a missing space after the colon of a known key. They touch the structure of the file only, never
the text of press, note or key. `repaired_text` puts what was meant in the place of what was read.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Literal, NamedTuple

from pbem.problem import LONGEST_READ, Problem
from pbem.yamltext import FORBIDDEN, read_yaml

TEXT_KEYS = ("press", "note", "key")
TOP_KEYS = ("game", "player", "turn", "action", "actions", "answers", "standing", *TEXT_KEYS)
_ITEM_KEYS = (
    "tile", "leader", "withdraw", "catastrophe", "swap", "pass", "at", "from", "support", "wars",
    "monument", "square", "leave", "building", "centre", "point", "question",
)  # fmt: skip
_COLOURS = ("red", "blue", "green", "black")

_SPACES = "[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"
_UNSEEN = "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
_QUOTES = "\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb\u2039\u203a\u2033\uff02"
_DASHES = "\u2010-\u2015\u2212"

_TEXT_ROW = re.compile(rf"(?P<key>(?:{'|'.join(TEXT_KEYS)})\s*:)(?P<gap>\s*)(?P<text>.*)", re.I)
_TOP_ROW = re.compile(rf"(?:{'|'.join(TOP_KEYS)})\s*:", re.I)
_INDENT = re.compile(r"[ \t]*(?:-[ \t]+)*")
_BULLET = rf"(?P<indent>\s*)[{_DASHES}](?P<rest>\s+\S.*)"
_QUOTED = (
    rf"(?P<before>\s*(?:-\s+)*(?:\w+\s*:\s+)?)[{_QUOTES}](?P<value>[^{_QUOTES}]+)[{_QUOTES}]"
    r"(?P<after>\s*(?:#.*)?)"
)
_COLON = re.compile(
    rf"\s*(?:-\s+)*(?:{'|'.join((*TOP_KEYS, *_ITEM_KEYS))})\s*:(?=[^\s:/])",
    re.I,
)
_FLOW_COLON = re.compile(rf"(?P<key>[{{,]\s*(?:{'|'.join(_COLOURS)})):(?=[A-Za-z0-9])", re.I)
_BARE = r"[A-Za-z0-9](?:[A-Za-z0-9 ,./+_-]*[A-Za-z0-9])?"


class Repair(NamedTuple):
    """One soft repair: where, and what was done. `space` concerns blanks only, `sign` others.

    `comment` is no repair but a warning: the end of a line was taken for a comment.
    """

    line: int
    what: str
    kind: Literal["space", "sign", "comment"]


class Mended(NamedTuple):
    """A text after the soft repairs, and what could not be settled."""

    text: str
    repairs: tuple[Repair, ...]
    problems: tuple[Problem, ...]


def text_rows(rows: list[str]) -> dict[int, int]:
    """The rows of the texts of press, note and key, each with the row its key stands in."""
    inside: dict[int, int] = {}
    first: int | None = None
    for index, row in enumerate(rows):
        if _TEXT_ROW.match(row):
            first = index
        elif _TOP_ROW.match(row):
            first = None
        if first is not None:
            inside[index] = first
    return inside


def mend(text: str) -> Mended:
    """The text with all soft repairs made."""
    rows = text.split("\n")
    inside = text_rows(rows)
    repairs: list[Repair] = []
    for index, row in enumerate(rows):
        if inside.get(index) == index:
            rows[index] = _mend_key_of_text(row, index + 1, repairs)
        elif index in inside:
            rows[index] = _mend_indent(row)
        elif not row.isascii() or ":" in row:
            rows[index] = _mend_row(row, index + 1, repairs)
    problems: tuple[Problem, ...] = ()
    if "\t" in text:
        rows, problems = _settle_tabs(rows, inside, repairs)
    repairs.sort()
    return Mended("\n".join(rows), tuple(repairs), problems)


def _mend_key_of_text(row: str, line: int, repairs: list[Repair]) -> str:
    found = _TEXT_ROW.match(row)
    assert found is not None
    key, gap, text = found["key"], found["gap"], found["text"]
    if text and not gap:
        repairs.append(Repair(line, "a missing space after the colon", "space"))
    if text and (not gap or not gap.isascii()):
        gap = " "
    if re.search(r"\s#", text) and text[0] not in "\"'|>#":
        what = "what follows # was taken for a comment; put the text in quotes to keep it"
        repairs.append(Repair(line, what, "comment"))
    return key + gap + text


def _mend_indent(row: str) -> str:
    if row[:1] in ("", " ") or not row[0].isspace():
        return row
    text = row.lstrip()
    return re.sub(_SPACES, " ", row[: len(row) - len(text)]) + text


def _mend_row(row: str, line: int, repairs: list[Repair]) -> str:
    if row.lstrip(" ").startswith("#"):
        return row
    bare = row.lstrip() if row.isascii() else re.sub(_UNSEEN, "", row).lstrip()
    if bare.startswith("#"):
        return bare
    if not row.isascii():
        row = _mend_signs(row, line, repairs)
    if found := _COLON.match(row):
        repairs.append(Repair(line, "a missing space after the colon", "space"))
        row = row[: found.end()] + " " + row[found.end() :]
    if _FLOW_COLON.search(row):
        repairs.append(Repair(line, "a missing space after the colon", "space"))
        row = _FLOW_COLON.sub(r"\g<key>: ", row)
    return row


def _mend_signs(row: str, line: int, repairs: list[Repair]) -> str:
    if found := re.search(_UNSEEN, row):
        name = f"U+{ord(found[0]):04X} {unicodedata.name(found[0], '')}".strip()
        repairs.append(Repair(line, f"an invisible character ({name})", "space"))
        row = re.sub(_UNSEEN, "", row)
    if found := re.search(_SPACES, row):
        name = "a no-break space" if found[0] in "\u00a0\u202f" else "an unusual space"
        repairs.append(Repair(line, f"{name} (U+{ord(found[0]):04X})", "space"))
        row = re.sub(_SPACES, " ", row)
    if bullet := re.fullmatch(_BULLET, row):
        repairs.append(Repair(line, "a dash in the place of the hyphen", "sign"))
        row = f"{bullet['indent']}-{bullet['rest']}"
    if quoted := re.fullmatch(_QUOTED, row):
        repairs.append(Repair(line, "typographic quotes round a value", "sign"))
        value = quoted["value"].strip()
        row = quoted["before"] + (value if re.fullmatch(_BARE, value) else in_quotes(value))
        row += quoted["after"]
    return row


def in_quotes(text: str) -> str:
    """The text as a quoted value."""
    return "'" + text.replace("'", "''") + "'"


def _settle_tabs(
    rows: list[str], inside: dict[int, int], repairs: list[Repair]
) -> tuple[list[str], tuple[Problem, ...]]:
    """Replaces tabs, if the file means the same with tabs of every width."""
    indented = [i for i in range(len(rows)) if "\t" in _head(rows[i], i in inside)]
    for index, row in enumerate(rows):
        if "\t" in _head(row, index in inside) or ("\t" in row and index not in inside):
            repairs.append(Repair(index + 1, "a tab", "space"))
    by_width = {w: _expand(rows, inside, w) for w in ((2, 4, 8) if indented else (8,))}
    readings = {w: read_yaml("\n".join(some)) for w, some in by_width.items()}
    best = min(readings, key=lambda width: len(readings[width].problems))
    if all(reading == readings[best] for reading in readings.values()):
        return by_width[best], ()
    lines = ", ".join(str(i + 1) for i in indented)
    message = f"tabs in the indentation (line {lines}) have no certain width; use spaces"
    problem = Problem(indented[0] + 1, "a tab", message)
    return by_width[best] if not readings[best].problems else rows, (problem,)


def _head(row: str, is_text: bool) -> str:
    """The part of a row that says how deep it stands."""
    if is_text:
        return row[: len(row) - len(row.lstrip(" \t"))] if row.startswith("\t") else ""
    found = _INDENT.match(row)
    return found[0] if found else ""


def _expand(rows: list[str], inside: dict[int, int], width: int) -> list[str]:
    expanded = []
    for index, row in enumerate(rows):
        head = _head(row, index in inside)
        rest = row[len(head) :]
        expanded.append(head.expandtabs(width) + (rest if index in inside else _untabbed(rest)))
    return expanded


def _untabbed(text: str) -> str:
    return text.replace("\t", " ").rstrip() if "\t" in text else text


def corrected(text: str, problems: Iterable[Problem]) -> tuple[str, list[Problem]]:
    """The text with what is certain put right, and the problems that remain."""
    rows = text.split("\n")
    rest: list[Problem] = []
    for problem in problems:
        index = (problem.line or 0) - 1
        row = _replaced(rows[index], problem) if 0 <= index < len(rows) else None
        if row is None:
            rest.append(problem)
        else:
            rows[index] = row
    return "\n".join(rows), rest


def repaired_text(text: str, problems: Iterable[Problem]) -> str:
    """The whole file again: what is certain is put right, the rest gets a comment above it."""
    better, rest = corrected(text, problems)
    rows = better.split("\n")
    inside = text_rows(rows)
    notes: dict[int, list[str]] = {}
    for problem in rest:
        index = min(problem.line or 1, len(rows)) - 1
        notes.setdefault(inside.get(index, index), []).append(problem.message)
    out: list[str] = []
    for index, row in enumerate(rows):
        indent = row[: len(row) - len(row.lstrip())]
        out += [f"{indent}# ?? {' '.join(note.split())}" for note in notes.get(index, ())]
        out.append(row)
    return FORBIDDEN.sub("", "\n".join(out))


def _replaced(row: str, problem: Problem) -> str | None:
    if problem.meant is None or not problem.read.strip():
        return None
    if len(problem.read) > LONGEST_READ:
        found_at = row.find(problem.read)
        end = found_at + len(problem.read)
        return row[:found_at] + problem.meant + row[end:] if found_at >= 0 else None
    words = r"\s+".join(re.escape(word) for word in problem.read.split())
    words = re.sub(r"(?<=.):(?=$|\\s)", r"\\s*:", words)
    found = re.search(rf"(?<!\w){words}(?!\w)", row)
    return row[: found.start()] + problem.meant + row[found.end() :] if found else None
