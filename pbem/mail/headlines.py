"""The head of a letter of ours: lines that are folded, encoded, and hold no line break.

Written by hand: the folding of the standard library encodes long identities, and those make
the thread.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from pbem.lines import clean
from pbem.names import address_fault

WIDTH = 76
LONGEST_TEXT = 200
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = (
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
)  # fmt: skip
_MANY_REFERENCES = 20
_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,240}>")
_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+( [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")


def one(name: str, value: str) -> str:
    """A header whose value is ours: ASCII, in one line. ValueError if it could break out."""
    if not value.isascii() or not value.isprintable():
        raise ValueError(f"{name}: a header may not hold {value!a}")
    return f"{name}: {value}\r\n"


def text(name: str, value: str) -> str:
    """A header with words of people in it, encoded where they are not plain."""
    value = " ".join(clean(value).split())[:LONGEST_TEXT].rstrip()
    plain = value.isascii() and "=?" not in value
    room = WIDTH - len(name) - 2
    if plain and len(value) <= room:
        return one(name, value)
    return _folded(name, _wrapped(name, value, None if plain else "utf-8"))


def mailbox(name: str, person: str, address: str) -> str:
    """A header with one person in it. ValueError if the address is none."""
    fault = address_fault(address)
    if fault:
        raise ValueError(f"{name}: {fault}")
    person = " ".join(clean(person).split())
    if not person:
        return one(name, address)
    words = _words(name, person)
    if len(words) == 1 and len(f"{name}: {words[0]} <{address}>") <= WIDTH:
        return one(name, f"{words[0]} <{address}>")
    return _folded(name, [*words, f"<{address}>"])


def _words(name: str, person: str) -> list[str]:
    if person.isascii() and "=?" not in person:
        quoted = person.replace("\\", "\\\\").replace('"', '\\"')
        return [person if _ATOMS.fullmatch(person) else f'"{quoted}"']
    return _wrapped(name, person, "utf-8")


def _wrapped(name: str, value: str, charset: str | None) -> list[str]:
    """The lines of a value that is long, or has to be encoded."""
    from email.header import Header

    lines = Header(value, charset, WIDTH, name).encode(linesep="\n").split("\n")
    return [line.strip() for line in lines]


def identities(name: str, ids: Iterable[str]) -> str:
    """A header with message identities, each on a line of its own; the first and the last ones."""
    sound = [each for each in dict.fromkeys(ids) if _ID.fullmatch(each)]
    if len(sound) > _MANY_REFERENCES:
        sound = [sound[0], *sound[1 - _MANY_REFERENCES :]]
    return _folded(name, sound) if sound else ""


def date(when: datetime) -> str:
    """When a letter was written."""
    utc = when.astimezone(UTC)
    day, month = _DAYS[utc.weekday()], _MONTHS[utc.month - 1]
    return one("Date", f"{day}, {utc:%d} {month} {utc:%Y %H:%M:%S} +0000")


def _folded(name: str, parts: list[str]) -> str:
    lines = "\r\n ".join(parts)
    for part in parts:
        one(name, part)
    return f"{name}: {lines}\r\n"
