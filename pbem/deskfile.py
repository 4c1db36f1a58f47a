"""desk.yaml: what commands change in a running game. It is the program's and may be absent.

Hashes of order keys, days on which players are away, addresses that letters come back from.
Replaced players and pauses come with the commands that need them.
"""

from collections.abc import Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import NamedTuple

from engine.pieces import DYNASTIES, Dynasty
from pbem.clock import write_time
from pbem.fields import Fields, read_fields, scalar
from pbem.names import address_fault
from pbem.problem import Problem
from pbem.seatkeys import HASH
from pbem.versions import RULES, SCHEMA, read_versions

_NO_DAY = date(1970, 1, 1)


class Days(NamedTuple):
    """From one day to another, both included."""

    first: date
    last: date


class Bounced(NamedTuple):
    """Letters to an address came back: when first, with which code (RFC 3463)."""

    since: datetime
    status: str


class DeskFile(NamedTuple):
    """What desk.yaml says. Addresses in `bounced` are in small letters."""

    keys: Mapping[Dynasty, str] = MappingProxyType({})
    away: Mapping[Dynasty, Days] = MappingProxyType({})
    bounced: Mapping[str, Bounced] = MappingProxyType({})


def read_desk(data: bytes | str | None) -> tuple[DeskFile | None, tuple[Problem, ...]]:
    """What the text of a desk.yaml says, None if there are problems; no file is an empty one."""
    if data is None:
        return DeskFile(), ()
    fields, faults = read_fields(data)
    desk = DeskFile()
    if fields is not None and read_versions(fields):
        keys = _read_keys(fields.child("keys"))
        away = _read_away(fields.child("away"))
        bounced = _read_bounced(fields)
        fields.end("schema, rules, keys, away, bounced")
        desk = DeskFile(keys, away, bounced)
    return (None if faults.problems else desk), tuple(faults.problems)


def write_desk(desk: DeskFile) -> str:
    """The text of a desk.yaml; `read_desk` reads it back."""
    lines = [f"schema: {SCHEMA}", f"rules: {RULES}"]
    if desk.keys:
        lines += ["keys:", *(f"  {seat}: {scalar(stored)}" for seat, stored in desk.keys.items())]
    if desk.away:
        lines.append("away:")
        for seat, days in desk.away.items():
            lines.append(f"  {seat}: {{first: {days.first}, last: {days.last}}}")
    if desk.bounced:
        lines.append("bounced:")
        for address, each in desk.bounced.items():
            since = write_time(each.since)
            lines += [f"  - address: {scalar(address)}", f"    since: {since}"]
            lines.append(f"    status: {scalar(each.status)}")
    return "\n".join(lines) + "\n"


def _read_keys(fields: Fields) -> dict[Dynasty, str]:
    found = {}
    for seat in DYNASTIES:
        if seat in fields:
            line = fields.line_of(seat)
            found[seat] = fields.text(seat)
            if not HASH.fullmatch(found[seat]):
                fields.wrong(seat, "should be the hash of an order key, scrypt:..", line)
    fields.end(", ".join(DYNASTIES))
    return found


def _read_away(fields: Fields) -> dict[Dynasty, Days]:
    found = {}
    for seat in DYNASTIES:
        if seat in fields:
            each = fields.child(seat)
            found[seat] = Days(_read_day(each, "first"), _read_day(each, "last"))
            each.end("first, last")
            if found[seat].last < found[seat].first:
                each.wrong(None, f"{found[seat].last} is before {found[seat].first}")
    fields.end(", ".join(DYNASTIES))
    return found


def _read_day(fields: Fields, key: str) -> date:
    text = fields.text(key)
    try:
        return date.fromisoformat(text)
    except ValueError:
        fields.wrong(key, f"`{text}` should be a day such as 2026-07-01")
        return _NO_DAY


def _read_bounced(fields: Fields) -> dict[str, Bounced]:
    found: dict[str, Bounced] = {}
    for each in fields.children("bounced"):
        address = each.text("address")
        if fault := address_fault(address):
            each.wrong("address", fault)
        elif address in found:
            each.wrong("address", f"{address} stands here twice")
        found[address] = Bounced(each.time("since"), each.text("status", ""))
        each.end("address, since, status")
    return found
