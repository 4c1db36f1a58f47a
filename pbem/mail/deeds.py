"""What follows from one mail, written down before anything of it is done.

A run that was killed half way is finished from this, and the mail is not judged twice: by then
its orders may have been played already.
"""

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from engine.pieces import DYNASTIES, Dynasty
from pbem import disk
from pbem.clock import read_time, write_time
from pbem.clock.spans import Days
from pbem.mail import outbox
from pbem.mail.fulfil import Confirmed, Wishes
from pbem.mail.seen import Entry, read_entry, write_entry

LARGEST = 64 * 1024 * 1024


class Placed(NamedTuple):
    """An order file to be laid into orders/, byte for byte."""

    game: str
    player: Dynasty
    text: str


class Posted(NamedTuple):
    """A letter to be laid into the outbox."""

    entry: outbox.Entry
    data: bytes


class Returned(NamedTuple):
    """An address that letters of a game come back from, for good."""

    game: str
    address: str
    status: str
    when: datetime


class Deeds(NamedTuple):
    """All that is to be done because of a mail. `notice`: what the moderator has to know."""

    entry: Entry
    orders: tuple[Placed, ...] = ()
    wishes: tuple[Wishes, ...] = ()
    confirmed: tuple[Confirmed, ...] = ()
    returned: tuple[Returned, ...] = ()
    letters: tuple[Posted, ...] = ()
    notice: str = ""


class Unreadable(Exception):
    """A file of deeds that cannot be read; the text says which."""


def write(path: Path, deeds: Deeds) -> None:
    """Write them down; they are on the disk when this returns."""
    data: dict[str, Any] = {
        "entry": write_entry(deeds.entry),
        "orders": [each._asdict() for each in deeds.orders],
        "wishes": [
            {"game": game, "player": player, "days": [str(day) for day in days or ()]}
            for game, player, days in deeds.wishes
        ],
        "confirmed": [each._asdict() for each in deeds.confirmed],
        "returned": [
            each._asdict() | {"when": write_time(each.when)} for each in deeds.returned
        ],
        "letters": [
            {"key": each.entry.key, "state": outbox.write_entry(each.entry),
             "letter": each.data.decode("ascii")}
            for each in deeds.letters
        ],
        "notice": deeds.notice,
    }  # fmt: skip
    disk.make_folder(path.parent)
    disk.write_over(path, json.dumps(data, indent=1).encode(), sync=True)


def read(path: Path) -> Deeds:
    """What was written down."""
    try:
        data = json.loads(disk.read_plain(path, LARGEST) or b"")
        return _read(data)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise Unreadable(f"{path}: it is not what was written ({type(fault).__name__})") from None


def _read(data: dict[str, Any]) -> Deeds:
    entry = read_entry(data["entry"])
    if entry is None:
        raise ValueError("entry")
    return Deeds(
        entry,
        tuple(Placed(o["game"], _seat(o["player"]), o["text"]) for o in data["orders"]),
        tuple(_wishes(each) for each in data["wishes"]),
        tuple(Confirmed(c["game"], _seat(c["player"])) for c in data.get("confirmed", ())),
        tuple(
            Returned(r["game"], r["address"], r["status"], read_time(r["when"]))
            for r in data["returned"]
        ),
        tuple(_letter(each) for each in data["letters"]),
        str(data["notice"]),
    )


def _wishes(data: dict[str, Any]) -> Wishes:
    days = Days(*map(date.fromisoformat, data["days"])) if data["days"] else None
    return Wishes(data["game"], _seat(data["player"]), days)


def _letter(data: dict[str, str]) -> Posted:
    entry, problems = outbox.read_entry(data["state"], data["key"])
    if entry is None:
        raise ValueError(problems)
    return Posted(entry, data["letter"].encode("ascii"))


def _seat(text: str) -> Dynasty:
    return DYNASTIES[DYNASTIES.index(text)]
