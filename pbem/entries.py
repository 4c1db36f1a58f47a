"""Keys and values of order files: found without regard to case, with help for unknown ones."""

import re
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from pbem.problem import Findings
from pbem.suggest import choice, surely
from pbem.yamltext import Listing, Mapping, Node, Scalar, fold_key

_ALIASES = {
    "on": "at", "to": "at", "in": "at", "where": "at", "square": "at", "position": "at",
    "orders": "actions", "order": "actions", "moves": "actions", "move": "actions",
    "dynasty": "player", "seat": "player", "answer": "answers", "message": "press",
    "comment": "note", "password": "key", "war": "wars", "treasure": "leave", "keep": "leave",
    "exchange": "swap", "build": "monument", "tiles": "support",
}  # fmt: skip


class Entry(NamedTuple):
    """One key with its value."""

    key: Scalar
    value: Node


Entries: TypeAlias = dict[str, Entry]


def entries_of(mapping: Mapping) -> Entries:
    """The keys of a mapping in lower case, in the order of the file."""
    return {fold_key(key.text): Entry(key, value) for key, value in mapping.items}


def one_text(entry: Entry, findings: Findings) -> Scalar | None:
    """The single value of a key; a list or group in its place is a problem."""
    if isinstance(entry.value, Scalar):
        return entry.value
    message = f"{entry.key.text} needs a single value, not a list or further keys"
    findings.add(entry.key.line, f"{entry.key.text}:", message)
    return None


def many_texts(entry: Entry, findings: Findings) -> list[Scalar]:
    """The values of a key: a list, or one line with commas or blanks between them."""
    value = entry.value
    parts = value.items if isinstance(value, Listing) else (value,)
    found: list[Scalar] = []
    for part in parts:
        if isinstance(part, Scalar):
            words = re.split(r"[\s,]+", part.text.strip(" \t\n,"))
            found += [Scalar(word, part.line) for word in words if word]
        else:
            message = f"{entry.key.text} needs plain values: one, or several with commas"
            findings.add(part.line, f"{entry.key.text}:", message)
            return []
    if not found:
        findings.missing(entry.key.line, f"{entry.key.text} is empty: give a value or leave it out")
    return found


def unknown_key(
    name: str, found: Entries, known: Iterable[str], findings: Findings, hint: str = ""
) -> None:
    """Reports a key that has no meaning here.

    If it is clear which key was meant, `found` holds the value under that one from then on, so
    that the value is looked at as well.
    """
    key = found[name].key
    free = [other for other in known if other not in found]
    alias = _ALIASES.get(name)
    meant = alias if alias in free else surely(name, free)
    if meant is not None:
        message = f"there is no key {key.text} here; did you mean {meant}?"
        findings.add(key.line, f"{key.text}:", message, f"{meant}:")
        found[meant] = found[name]
    else:
        message = f"there is no key {key.text} here; {hint or f'keys are {choice(known)}'}"
        findings.add(key.line, f"{key.text}:", message)


def lines_of(found: Entries) -> tuple[tuple[str, int], ...]:
    """Where each key stands."""
    return tuple((name, entry.key.line) for name, entry in found.items())
