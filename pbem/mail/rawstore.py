"""The mails as they came: raw bytes, stored and synced before anything looks at them.

A mail's name carries all that is known of its coming: running number, time of arrival, SHA-256.
So one write stores it whole or not at all, and everything later can be repeated from it.
"""

import hashlib
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pbem import disk

LARGEST_READ = 64 * 1024 * 1024
SHELF = 1000
"""So many mails lie in one folder."""

_NAME = re.compile(r"(?P<number>\d{6,})\.(?P<arrival>\d{8}T\d{6})Z\.(?P<sha256>[0-9a-f]{64})\.eml")
_STAMP = "%Y%m%dT%H%M%S"


class DamagedMail(Exception):
    """A stored mail is gone or is no longer what was stored; the text says which."""


class RawMail(NamedTuple):
    """One mail as it came."""

    number: int
    arrival: datetime
    sha256: str
    data: bytes


class RawStore:
    """The folder of raw mails. Several programs may add to it at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, data: bytes, arrival: datetime) -> RawMail:
        """Store a mail; it is on the disk when this returns."""
        arrival = arrival.astimezone(UTC).replace(microsecond=0)
        sha256 = hashlib.sha256(data).hexdigest()
        self.folder.mkdir(mode=disk.FOLDER_OWNER_ONLY, parents=True, exist_ok=True)
        with disk.awaited(self.folder):
            number = self.last() + 1
            shelf = self._shelf(number)
            if not shelf.is_dir():
                disk.make_folder(shelf)
                disk.sync_folder(self.folder)
            disk.write_new(shelf / f"{number:06}.{arrival.strftime(_STAMP)}Z.{sha256}.eml", data)
        return RawMail(number, arrival, sha256, data)

    def read(self, number: int) -> RawMail:
        """A stored mail, checked against its hash; DamagedMail if it is not there or not whole."""
        path = self.path(number)
        if path is None:
            raise DamagedMail(f"mail {number}: there is no such mail in {self.folder}")
        mail = _read(path)
        if hashlib.sha256(mail.data).hexdigest() != mail.sha256:
            raise DamagedMail(f"mail {number}: {path} is not what was stored")
        return mail

    def look(self, number: int) -> RawMail | None:
        """A stored mail, whole or not, with the hash that it was stored with; None if it is
        not there."""
        path = self.path(number)
        return None if path is None else _read(path)

    def path(self, number: int) -> Path | None:
        """Where a mail lies."""
        shelf = self._shelf(number)
        for name in disk.names_in(shelf):
            found = _NAME.fullmatch(name)
            if found and int(found["number"]) == number:
                return shelf / name
        return None

    def arrival(self, number: int) -> datetime | None:
        """When a mail came, by its name alone; None if it is not there."""
        for name in disk.names_in(self._shelf(number)):
            found = _NAME.fullmatch(name)
            if found and int(found["number"]) == number:
                return datetime.strptime(found["arrival"], _STAMP).replace(tzinfo=UTC)
        return None

    def numbers(self, above: int = 0) -> list[int]:
        """The numbers of all stored mails above one number, in order."""
        found: list[int] = []
        for shelf in self._shelves():
            if (shelf + 1) * SHELF > above:
                found += self._on(shelf)
        return sorted(number for number in found if number > above)

    def last(self) -> int:
        """The highest number; 0 if nothing is stored."""
        for shelf in reversed(self._shelves()):
            if on_it := self._on(shelf):
                return max(on_it)
        return 0

    def _shelf(self, number: int) -> Path:
        return self.folder / f"{number // SHELF:04}"

    def _shelves(self) -> list[int]:
        return sorted(int(name) for name in disk.names_in(self.folder) if name.isdecimal())

    def _on(self, shelf: int) -> list[int]:
        names = disk.names_in(self._shelf(shelf * SHELF))
        return [int(found["number"]) for name in names if (found := _NAME.fullmatch(name))]


def _read(path: Path) -> RawMail:
    """What lies there, with what its name says."""
    found = _NAME.fullmatch(path.name)
    assert found is not None
    arrival = datetime.strptime(found["arrival"], _STAMP).replace(tzinfo=UTC)
    data = disk.read_plain(path, LARGEST_READ) or b""
    return RawMail(int(found["number"]), arrival, found["sha256"], data)
