"""Letters that wait to be sent: each is a file, and beside it another with its state.

    0012-archer-1.ur-1.eml      the letter, byte for byte as it travels; never changed
    0012-archer-1.ur-1.yaml     to whom, and where it stands

A letter is there once its state is. It waits, until just before the server is told that it is
complete: then `sending` is written and synced. A run that is killed before has sent nothing; of
a letter found `sending` nobody knows, and it becomes `unsure`. What is settled is moved to
`sent` or `failed`.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from pbem import disk
from pbem.clock import write_time
from pbem.fields import Fields, read_fields, scalar
from pbem.mail.letters import Kind
from pbem.names import address_fault
from pbem.problem import Problem
from pbem.seats.keys import keys_hidden
from pbem.versions import RULES, SCHEMA, read_versions

LARGEST_LETTER = 32 * 1024 * 1024
FIRST_PAUSE = timedelta(minutes=5)
LONGEST_PAUSE = timedelta(hours=6)

NOT_HIS = "the seat has passed on to somebody else"
"""Why a letter was given up on purpose: nobody has to look after it."""

State: TypeAlias = Literal["waiting", "sending", "unsure", "sent", "bundled", "failed"]

_STATES: tuple[State, ...] = ("waiting", "sending", "unsure", "sent", "bundled", "failed")
_KINDS: tuple[Kind, ...] = ("report", "answer", "notice", "digest")
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,150}")
_SETTLED: dict[State, str] = {"sent": "sent", "bundled": "sent", "failed": "failed"}
_LARGEST_STATE = 1024 * 1024
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


class Entry(NamedTuple):
    """Where one letter stands. `why`: what was said at the last failure.

    `not_before`: when it may be tried again. `holds`: the letters that a digest stands for,
    each with its folder.
    """

    key: str
    address: str
    kind: Kind
    written: datetime
    state: State = "waiting"
    changed: datetime = _NEVER
    tries: int = 0
    not_before: datetime = _NEVER
    why: str = ""
    holds: tuple[str, ...] = ()


class Damaged(NamedTuple):
    """A state that cannot be read: the letter stays where it is."""

    path: Path
    problems: tuple[Problem, ...]


class Outbox:
    """One folder of letters."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.damaged: list[Damaged] = []

    def put(self, entry: Entry, data: bytes, *, settled: bool = True) -> bool:
        """Lay a letter into the folder; False if this key was laid there before, whatever became
        of it. The letter is on the disk when this returns; with many, say `settle` at the end."""
        if not _KEY.fullmatch(entry.key):
            raise ValueError(f"{entry.key!r} is no key of a letter")
        if self.has(entry.key):
            self.tidy(entry.key)
            return False
        self.folder.mkdir(mode=disk.FOLDER_OWNER_ONLY, parents=True, exist_ok=True)
        self.letter(entry.key).unlink(missing_ok=True)
        disk.write_new(self.letter(entry.key), data, settled=False)
        disk.write_new(self._state(entry.key), write_entry(entry).encode(), settled=settled)
        return True

    def settle(self) -> None:
        """Make sure that all that was put is on the disk."""
        disk.sync_folder(self.folder)

    def has(self, key: str) -> bool:
        """Whether there is a letter with this key, in any state."""
        places = (self.folder, self.folder / "sent", self.folder / "failed")
        return any((place / f"{key}.yaml").exists() for place in places)

    def tidy(self, key: str) -> None:
        """Remove what a killed run has left of laying this letter down."""
        for name in (f"{key}.eml", f"{key}.yaml"):
            (self.folder / f"{disk.TEMPORARY}{name}").unlink(missing_ok=True)

    def forget(self, key: str) -> None:
        """Remove a letter that lies elsewhere by now, its state last."""
        for path in (self.letter(key), self._state(key)):
            path.unlink(missing_ok=True)

    def letter(self, key: str) -> Path:
        """The file of a letter that is not settled."""
        return self.folder / f"{key}.eml"

    def entries(self) -> list[Entry]:
        """The letters that are not settled, oldest first. Damaged states are noted."""
        self.damaged = []
        names = [name for name in disk.names_in(self.folder) if name.endswith(".yaml")]
        found = [self._read(name) for name in names if not name.startswith(".")]
        return sorted((entry for entry in found if entry), key=_by_age)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Only one program sends the letters of a folder at a time; Busy if another does.

        What a killed run left behind is put in order. Letters may be laid in all the while.
        """
        with disk.locked(self.folder):
            for entry in self.entries():
                if entry.state in _SETTLED:
                    self._put_away(entry)
            yield

    def change(self, entry: Entry, state: State, now: datetime, why: str = "") -> Entry:
        """The letter in another state; it is on the disk when this returns."""
        return self._write(entry._replace(state=state, changed=now, why=why))

    def postpone(self, entry: Entry, now: datetime, why: str) -> Entry:
        """A try that failed: the letter waits, each time twice as long."""
        pause = min(FIRST_PAUSE * 2 ** min(entry.tries, 20), LONGEST_PAUSE)
        entry = entry._replace(tries=entry.tries + 1, not_before=now + pause)
        return self.change(entry, "waiting", now, why)

    def decide(self, key: str, now: datetime, *, again: bool) -> Entry | None:
        """Somebody says of a letter in doubt whether it goes again or counts as sent.

        One that was given up may go again too. None if there is no such letter with this key. A
        reply to it proves that it was sent.
        """
        if again and (given_up := self._given_up(key)):
            return self._revive(given_up, now)
        for entry in self.entries():
            if entry.key == key and entry.state in ("unsure", "sending"):
                if again:
                    return self.change(entry._replace(not_before=now), "waiting", now, entry.why)
                return self.change(entry, "sent", now, entry.why)
        return None

    def lost(self) -> Iterator[Entry]:
        """The letters that were given up, but for those that are not to leave any more."""
        place = self.folder / "failed"
        for name in sorted(disk.names_in(place)):
            if name.endswith(".yaml") and not name.startswith("."):
                data = disk.read_plain(place / name, _LARGEST_STATE)
                key = name.removesuffix(".yaml")
                entry = read_entry(data or b"", key)[0] or Entry(
                    key, "", "notice", _NEVER, "failed"
                )
                if entry.why != NOT_HIS:
                    yield entry

    def _given_up(self, key: str) -> Entry | None:
        """The state of a letter that was given up; None if there is none of this key."""
        path = self.folder / "failed" / f"{key}.yaml"
        elsewhere = (self._state(key), self.folder / "sent" / path.name)
        if not _KEY.fullmatch(key) or any(other.exists() for other in elsewhere):
            return None
        data = disk.read_plain(path, _LARGEST_STATE)
        return read_entry(data, key)[0] if data is not None else None

    def _revive(self, entry: Entry, now: datetime) -> Entry:
        """A letter that was given up waits again, as if it had been written now."""
        old = self.folder / "failed"
        if (old / f"{entry.key}.eml").exists():
            (old / f"{entry.key}.eml").replace(self.letter(entry.key))
        entry = entry._replace(written=now, tries=0, not_before=now)
        entry = self.change(entry, "waiting", now, entry.why)
        (old / f"{entry.key}.yaml").unlink()
        return entry

    def _write(self, entry: Entry) -> Entry:
        path = self._state(entry.key)
        fresh = path.with_name(f"{disk.TEMPORARY}{entry.key}.new")
        fresh.unlink(missing_ok=True)
        disk.write_new(fresh, write_entry(entry).encode())
        fresh.replace(path)
        disk.sync_folder(self.folder)
        if entry.state in _SETTLED:
            self._put_away(entry)
        return entry

    def _put_away(self, entry: Entry) -> None:
        """Move a settled letter out of the way, its state last."""
        target = self.folder / _SETTLED[entry.state]
        disk.make_folder(target)
        self._forget_keys(entry.key)
        for path in (self.letter(entry.key), self._state(entry.key)):
            if path.exists():
                path.replace(target / path.name)

    def _forget_keys(self, key: str) -> None:
        """What is kept of a settled letter tells no order key."""
        data = disk.read_plain(self.letter(key), LARGEST_LETTER)
        hidden = keys_hidden(data) if data else data
        if hidden and hidden != data:
            disk.write_over(self.letter(key), hidden)

    def _state(self, key: str) -> Path:
        return self.folder / f"{key}.yaml"

    def _read(self, name: str) -> Entry | None:
        path = self.folder / name
        data = disk.read_plain(path, _LARGEST_STATE)
        if data is None:
            if path.exists():
                self.damaged.append(Damaged(path, (_problem("it cannot be read"),)))
            return None
        entry, problems = read_entry(data, name.removesuffix(".yaml"))
        if entry is None:
            self.damaged.append(Damaged(path, problems))
        return entry


def read_entry(data: bytes | str, key: str) -> tuple[Entry | None, tuple[Problem, ...]]:
    """What a state file says, None if there are problems."""
    fields, faults = read_fields(data)
    if fields is None:
        return None, tuple(faults.problems)
    entry = _entry(fields, key) if read_versions(fields) else None
    return (None if faults.problems else entry), tuple(faults.problems)


def _entry(fields: Fields, key: str) -> Entry:
    if not _KEY.fullmatch(key):
        fields.wrong(None, f"{key!a} is no key of a letter")
    address = fields.text("to")
    if fault := address_fault(address):
        fields.wrong("to", fault)
    kind = fields.choice("kind", _KINDS)
    written = fields.time("written")
    state = fields.choice("state", _STATES)
    changed = fields.time("changed")
    tries = fields.number("tries", 0)
    not_before = fields.time("not_before") if "not_before" in fields else _NEVER
    why = fields.text("why", "")
    holds = fields.texts("holds")
    fields.end("schema, rules, to, kind, written, state, changed, tries, not_before, why, holds")
    return Entry(key, address, kind, written, state, changed, tries, not_before, why, holds)


def write_entry(entry: Entry) -> str:
    """The text of a state file; `read_entry` reads it back."""
    lines = [
        f"schema: {SCHEMA}",
        f"rules: {RULES}",
        f"to: {scalar(entry.address)}",
        f"kind: {entry.kind}",
        f"written: {write_time(entry.written)}",
        f"state: {entry.state}",
        f"changed: {write_time(entry.changed)}",
    ]
    if entry.tries:
        lines += [f"tries: {entry.tries}", f"not_before: {write_time(entry.not_before)}"]
    if entry.why:
        lines.append(f"why: {scalar(entry.why)}")
    if entry.holds:
        lines += ["holds:", *(f"  - {scalar(each)}" for each in entry.holds)]
    return "\n".join(lines) + "\n"


def _by_age(entry: Entry) -> tuple[datetime, str]:
    return entry.written, entry.key


def _problem(message: str) -> Problem:
    return Problem(None, "", message)
