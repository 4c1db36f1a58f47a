"""desk.yaml: what commands change in a running game. It is the program's and may be absent.

Hashes of order keys, days on which players are away, addresses that letters come back from, who
has taken over which seat, the deadline that was told, pauses, rulings.
"""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import NamedTuple

from engine.pieces import DYNASTIES, Dynasty
from pbem.clock import read_day, write_time
from pbem.clock.spans import Days
from pbem.fields import Fields, read_fields, scalar
from pbem.names import address_fault
from pbem.policies import Person, read_person
from pbem.problem import Problem
from pbem.seats.keys import HASH
from pbem.versions import RULES, SCHEMA, read_versions

_NO_DAY = date(1970, 1, 1)


class Bounced(NamedTuple):
    """Letters to an address came back: when first, with which code (RFC 3463)."""

    since: datetime
    status: str


class Announced(NamedTuple):
    """The deadline that was told for a question: it never moves to an earlier time.

    `when`: when it was told; what stops the clock after that moves it on.
    """

    question: str
    until: datetime
    when: datetime | None = None


class Stop(NamedTuple):
    """A time that counts for no deadline; it goes on if it has no end."""

    since: datetime
    until: datetime | None = None
    why: str = ""


class Handover(NamedTuple):
    """Somebody has taken over a seat, from a turn on.

    `run`: the newest one then. `instead`: who stood in game.yaml then. Once another name or
    address stands there, the moderator has decided otherwise and game.yaml counts.
    """

    seat: Dynasty
    person: Person
    turn: int
    when: datetime
    instead: Person
    run: int = 0


class Ruling(NamedTuple):
    """What the moderator says to all, told with the runs after this one."""

    run: int
    when: datetime
    text: str


class DeskFile(NamedTuple):
    """What desk.yaml says. Addresses in `bounced` are in small letters.

    `handovers` come in the order in which they happened. `dropped`: seats for which nobody plays
    any more, since when. `confirmed`: who has confirmed that he will play. `back`: when the game
    was brought back from the archive.
    """

    keys: Mapping[Dynasty, str] = MappingProxyType({})
    away: Mapping[Dynasty, tuple[Days, ...]] = MappingProxyType({})
    bounced: Mapping[str, Bounced] = MappingProxyType({})
    announced: Announced | None = None
    pauses: tuple[Stop, ...] = ()
    handovers: tuple[Handover, ...] = ()
    dropped: Mapping[Dynasty, datetime] = MappingProxyType({})
    confirmed: Mapping[Dynasty, datetime] = MappingProxyType({})
    rulings: tuple[Ruling, ...] = ()
    back: datetime | None = None


def read_desk(data: bytes | str | None) -> tuple[DeskFile | None, tuple[Problem, ...]]:
    """What the text of a desk.yaml says, None if there are problems; no file is an empty one."""
    if data is None:
        return DeskFile(), ()
    fields, faults = read_fields(data)
    desk = DeskFile()
    if fields is not None and read_versions(fields):
        desk = DeskFile(
            keys=_read_keys(fields.child("keys")),
            away=_read_away(fields.child("away")),
            bounced=_read_bounced(fields),
            announced=_read_announced(fields),
            pauses=read_stops(fields, "pauses"),
            handovers=tuple(_read_handovers(fields)),
            dropped=_read_times(fields.child("dropped")),
            confirmed=_read_times(fields.child("confirmed")),
            rulings=tuple(_read_rulings(fields)),
            back=fields.time("back") if "back" in fields else None,
        )
        fields.end(f"schema, rules, {', '.join(DeskFile._fields)}")
    return (None if faults.problems else desk), tuple(faults.problems)


def write_desk(desk: DeskFile) -> str:
    """The text of a desk.yaml; `read_desk` reads it back."""
    lines = [f"schema: {SCHEMA}", f"rules: {RULES}"]
    if desk.keys:
        lines += ["keys:", *(f"  {seat}: {scalar(stored)}" for seat, stored in desk.keys.items())]
    if desk.away:
        lines.append("away:")
        for seat, times in desk.away.items():
            lines.append(f"  {seat}:")
            lines += [f"    - {{first: {days.first}, last: {days.last}}}" for days in times]
    if desk.bounced:
        lines.append("bounced:")
        for address, each in desk.bounced.items():
            since = write_time(each.since)
            lines += [f"  - address: {scalar(address)}", f"    since: {since}"]
            lines.append(f"    status: {scalar(each.status)}")
    if desk.announced:
        told = desk.announced
        lines += [
            "announced:",
            f"  question: {told.question}",
            f"  until: {write_time(told.until)}",
            *([f"  when: {write_time(told.when)}"] if told.when else []),
        ]
    lines += write_stops("pauses", desk.pauses)
    lines += _write_people(desk)
    if desk.rulings:
        lines.append("rulings:")
        for run, when, text in desk.rulings:
            lines += [f"  - run: {run}", f"    when: {write_time(when)}"]
            lines.append(f"    text: {scalar(text)}")
    lines += [f"back: {write_time(desk.back)}"] if desk.back else []
    return "\n".join(lines) + "\n"


def write_stops(key: str, stops: tuple[Stop, ...]) -> list[str]:
    """The lines of times that do not count; `read_stops` reads them back."""
    lines = [f"{key}:"] if stops else []
    for since, until, why in stops:
        lines.append(f"  - since: {write_time(since)}")
        lines += [f"    until: {write_time(until)}"] if until else []
        lines += [f"    why: {scalar(why)}"] if why else []
    return lines


def read_stops(fields: Fields, key: str) -> tuple[Stop, ...]:
    """Times that do not count."""
    found = []
    for each in fields.children(key):
        since = each.time("since")
        until = each.time("until") if "until" in each else None
        found.append(Stop(since, until, each.text("why", "")))
        each.end("since, until, why")
    return tuple(found)


def _write_people(desk: DeskFile) -> list[str]:
    """Who has taken over, was dropped, has confirmed."""
    lines = ["handovers:"] if desk.handovers else []
    for each in desk.handovers:
        lines += [
            f"  - seat: {each.seat}",
            f"    person: {scalar(str(each.person))}",
            f"    turn: {each.turn}",
            f"    when: {write_time(each.when)}",
            f"    instead: {scalar(str(each.instead))}",
            f"    run: {each.run}",
        ]
    for key, times in (("dropped", desk.dropped), ("confirmed", desk.confirmed)):
        lines += [f"{key}:"] if times else []
        lines += [f"  {seat}: {write_time(when)}" for seat, when in times.items()]
    return lines


def _read_announced(fields: Fields) -> Announced | None:
    if "announced" not in fields:
        return None
    told = fields.child("announced")
    question, until = told.text("question"), told.time("until")
    found = Announced(question, until, told.time("when") if "when" in told else None)
    told.end("question, until, when")
    return found


def _read_handovers(fields: Fields) -> Iterator[Handover]:
    for each in fields.children("handovers"):
        yield Handover(
            each.choice("seat", DYNASTIES),
            _read_person(each, "person"),
            each.number("turn"),
            each.time("when"),
            _read_person(each, "instead"),
            each.number("run", 0),
        )
        each.end("seat, person, turn, when, instead, run")


def _read_person(fields: Fields, key: str) -> Person:
    line, text = fields.line_of(key), fields.text(key)
    if "<" not in text:
        return Person(text)
    found = read_person(text)
    if isinstance(found, str):
        fields.wrong(key, found, line)
        return Person(text)
    return found


def _read_times(fields: Fields) -> dict[Dynasty, datetime]:
    found = {seat: fields.time(seat) for seat in DYNASTIES if seat in fields}
    fields.end(", ".join(DYNASTIES))
    return found


def _read_rulings(fields: Fields) -> Iterator[Ruling]:
    for each in fields.children("rulings"):
        yield Ruling(each.number("run"), each.time("when"), each.text("text"))
        each.end("run, when, text")


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


def _read_away(fields: Fields) -> dict[Dynasty, tuple[Days, ...]]:
    found = {seat: tuple(_read_days(fields, seat)) for seat in DYNASTIES if seat in fields}
    fields.end(", ".join(DYNASTIES))
    return found


def _read_days(fields: Fields, seat: Dynasty) -> Iterator[Days]:
    for each in fields.some(seat):  # before there were lists, one stood here
        days = Days(_read_day(each, "first"), _read_day(each, "last"))
        each.end("first, last")
        if days.last < days.first:
            each.wrong(None, f"{days.last} is before {days.first}")
        yield days


def _read_day(fields: Fields, key: str) -> date:
    text = fields.text(key)
    try:
        return read_day(text)
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
