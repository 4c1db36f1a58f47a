"""What was judged before: which mail is known already, which orders are older than others.

A mail is the same if identity, Message-ID and content are the same; the identity (address, and
whether it was proven) is part of it, so that a forged copy that comes first cannot suppress the
real one.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from engine.pieces import DYNASTIES, Dynasty
from pbem.clock import read_time, write_time
from pbem.disk import OWNER_ONLY, sync_folder

_TORN = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


class StoredOrders(NamedTuple):
    """Which parts (actions, answers, ..) of which seat a mail has set."""

    game: str
    player: Dynasty
    parts: tuple[str, ...]


class Entry(NamedTuple):
    """A mail that was judged. `identity`: the sender, and `proven` or `claimed`.

    `answered`: the addresses that letters went to because of it. `named`: the seats that its
    orders name where nothing was set. `why`: codes of what was found, such as `unproven`, `late`,
    `syntax`, `illegal:RIVER`, `broken:KeyError`, `vouched`; no words of the mail.
    """

    number: int
    arrival: datetime
    sent: datetime
    identity: str
    message_id: str
    content: str
    outcome: str
    orders: tuple[StoredOrders, ...] = ()
    answered: tuple[str, ...] = ()
    named: tuple[StoredOrders, ...] = ()
    why: tuple[str, ...] = ()


class Memory:
    """All entries, looked up by what a new mail may repeat.

    `times`: how often each mail was judged.
    """

    def __init__(self) -> None:
        self._entries: dict[int, Entry] = {}
        self._same: dict[tuple[str, str, str], int] = {}
        self._ids: dict[tuple[str, str], int] = {}
        self._parts: dict[tuple[str, str, str], int] = {}
        self._by_day: dict[date, set[int]] = {}
        self.times: Counter[int] = Counter()

    def add(self, entry: Entry) -> None:
        """Remember a mail; the same number again takes the place of the older entry."""
        self._entries[entry.number] = entry
        self.times[entry.number] += 1
        self._by_day.setdefault(entry.arrival.date(), set()).add(entry.number)
        self._same.setdefault((entry.identity, entry.message_id, entry.content), entry.number)
        if entry.message_id:
            self._ids.setdefault((entry.identity, entry.message_id), entry.number)
        for each in entry.orders:
            for part in each.parts:
                key = (each.game, each.player, part)
                self._parts[key] = max(entry.number, self._parts.get(key, 0))

    def __contains__(self, number: int) -> bool:
        return number in self._entries

    def latest(self) -> list[Entry]:
        """What became of every mail in the end, by number."""
        return [self._entries[number] for number in sorted(self._entries)]

    def entry(self, number: int) -> Entry | None:
        """What became of a mail, None if it was not judged."""
        return self._entries.get(number)

    def before(self, number: int) -> "Memory":
        """What was known when this mail came: to judge it again."""
        memory = Memory()
        for each in sorted(self._entries):
            if each < number:
                memory.add(self._entries[each])
        return memory

    def answers_to(self, address: str, day: date) -> int:
        """How many letters an address got for mails that arrived on a day (UTC)."""
        of_the_day = (self._entries[number] for number in self._by_day.get(day, ()))
        return sum(each.answered.count(address.lower()) for each in of_the_day)

    def same(self, identity: str, message_id: str, content: str) -> Entry | None:
        """The earlier delivery of this very mail."""
        number = self._same.get((identity, message_id, content))
        return None if number is None else self._entries[number]

    def with_id(self, identity: str, message_id: str) -> Entry | None:
        """An earlier mail of this sender with this Message-ID."""
        number = self._ids.get((identity, message_id)) if message_id else None
        return None if number is None else self._entries[number]

    def newest(self, game: str, player: Dynasty, parts: tuple[str, ...]) -> Entry | None:
        """The mail in force for any of these parts of a seat: the last one that set them."""
        number = max(self._parts.get((game, player, part), 0) for part in parts) if parts else 0
        return self._entries.get(number)


def write_entry(entry: Entry) -> str:
    """One line for the ledger."""
    data = entry._asdict() | {
        "arrival": write_time(entry.arrival),
        "sent": write_time(entry.sent),
        "orders": [each._asdict() for each in entry.orders],
        "named": [each._asdict() for each in entry.named],
    }
    return json.dumps(data, ensure_ascii=True, sort_keys=True)


def read_entry(line: str) -> Entry | None:
    """The entry of a line; None if the line was torn by a crash."""
    try:
        data = json.loads(line)
        times = {"arrival": read_time(data["arrival"]), "sent": read_time(data["sent"])}
        rest = {
            "orders": _seats(data["orders"]),
            "answered": tuple(map(str, data["answered"])),
            "named": _seats(data.get("named", ())),
            "why": tuple(map(str, data.get("why", ()))),
        }
        return Entry(**{**data, **times, **rest, "number": int(data["number"])})
    except _TORN:
        return None


def _seats(data: Iterable[dict[str, Any]]) -> tuple[StoredOrders, ...]:
    return tuple(
        StoredOrders(str(each["game"]), _dynasty(each["player"]), tuple(each["parts"]))
        for each in data
    )


def _dynasty(text: str) -> Dynasty:
    return DYNASTIES[DYNASTIES.index(text)]


def entries_in(path: Path) -> Iterator[Entry]:
    """The lines of a ledger, oldest first: a mail that was judged again has several."""
    data = path.read_bytes() if path.is_file() else b""
    for line in data.decode("utf-8", errors="replace").split("\n"):
        entry = read_entry(line) if line else None
        if entry is not None:
            yield entry


def load(path: Path) -> Memory:
    """The memory that a ledger holds."""
    memory = Memory()
    for entry in entries_in(path):
        memory.add(entry)
    return memory


def append(path: Path, entry: Entry) -> None:
    """Add an entry to a ledger; it is on the disk when this returns."""
    fresh = not path.exists()
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, OWNER_ONLY), "r+b") as file:
        size = os.fstat(file.fileno()).st_size
        torn = size > 0 and os.pread(file.fileno(), 1, size - 1) != b"\n"
        os.write(file.fileno(), (b"\n" if torn else b"") + write_entry(entry).encode() + b"\n")
        os.fsync(file.fileno())
    if fresh:
        sync_folder(path.parent)
