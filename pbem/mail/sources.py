"""Where mail comes from: files, standard input, folders, a Maildir.

A source hands out one mail at a time. The receiver stores its bytes, syncs them, and then says
`done`: only that marks or moves the mail, so a run that is killed in between finds it again.
Nothing is ever deleted here.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

from pbem import disk
from pbem.mail.faults import Fault
from pbem.mail.mbox import Piece, pieces

STORED = "stored"
_FLAGS = ":2,"
_SEEN = "S"


def nothing() -> None:
    """For a mail that needs no mark."""


class Mail(NamedTuple):
    """One mail as it came.

    `data`: its bytes, one more than the limit at most; `size`: how long it is in truth.
    `arrived`: when it reached us, as far as the source knows. `origin`: where it lay, the same
    in every run. `done`: to be called once the bytes are stored and synced.
    """

    data: bytes
    size: int
    arrived: datetime | None
    origin: str
    done: Callable[[], None] = nothing


class Source(Protocol):
    """A place that mail comes from."""

    name: str
    faults: list[Fault]
    """What could not be read; it stops nothing else."""

    def mails(self) -> Iterator[Mail]:
        """The mails that were not marked as done yet, oldest first."""
        ...


class FileSource:
    """Files that somebody named: one mail each, or an mbox. They stay as they are."""

    def __init__(self, paths: list[Path], limit: int) -> None:
        self.name = ", ".join(str(path) for path in paths)
        self.faults: list[Fault] = []
        self._paths = paths
        self._limit = limit

    def mails(self) -> Iterator[Mail]:
        """The mails in the files, in their order."""
        for path in self._paths:
            try:
                with path.open("rb") as file:
                    for number, piece in enumerate(pieces(file, self._limit), start=1):
                        yield _mail(piece, _numbered(str(path), number, piece), None)
            except OSError as error:
                self.faults.append(unreadable(path, error))


class StreamSource:
    """Standard input: one mail, as procmail and postfix hand it over, or an mbox."""

    def __init__(self, stream: BinaryIO, limit: int, now: datetime) -> None:
        self.name = "standard input"
        self.faults: list[Fault] = []
        self._stream = stream
        self._limit = limit
        self._now = now

    def mails(self) -> Iterator[Mail]:
        """The mails that come in; the stream is read to its end."""
        for number, piece in enumerate(pieces(self._stream, self._limit), start=1):
            yield _mail(piece, _numbered(self.name, number, piece), self._now)


class FolderSource:
    """A folder that mails are laid into as files; the stored ones are moved to `stored` in it."""

    def __init__(self, folder: Path, limit: int) -> None:
        self.name = str(folder)
        self.faults: list[Fault] = []
        self._folder = folder
        self._limit = limit

    def mails(self) -> Iterator[Mail]:
        """The mails in the files, by name; hidden files and folders are left alone."""
        for name in sorted(disk.names_in(self._folder)):
            path = self._folder / name
            if name.startswith(".") or path.is_dir():
                continue
            if path.is_symlink() or not path.is_file():
                self.faults.append(Fault("unreadable", str(path), "it is no plain file"))
                continue
            try:
                yield from self._in_file(path)
            except OSError as error:
                self.faults.append(unreadable(path, error))

    def _in_file(self, path: Path) -> Iterator[Mail]:
        waiting = 0

        def done() -> None:
            nonlocal waiting
            waiting -= 1

        with path.open("rb") as file:
            before = os.fstat(file.fileno())
            arrived = datetime.fromtimestamp(before.st_mtime, UTC).replace(microsecond=0)
            for number, piece in enumerate(pieces(file, self._limit), start=1):
                waiting += 1
                yield _mail(piece, _numbered(str(path), number, piece), arrived, done)
        if not waiting:
            self._move(path, before)

    def _move(self, path: Path, before: os.stat_result) -> None:
        """To `stored`, unless the file was written on meanwhile: then it is read again."""
        with suppress(FileNotFoundError):
            now = path.stat()
            if (now.st_mtime_ns, now.st_size) == (before.st_mtime_ns, before.st_size):
                target = self._folder / STORED
                disk.make_folder(target)
                _move_to_free(path, target)
                disk.sync_folder(target)


class MaildirSource:
    """A Maildir: what lies in `new`, and what lies in `cur` without the mark S (seen).

    A stored mail lies in `cur` with the mark.
    """

    def __init__(self, folder: Path, limit: int) -> None:
        self.name = str(folder)
        self.faults: list[Fault] = []
        self._folder = folder
        self._limit = limit

    def mails(self) -> Iterator[Mail]:
        """The unseen mails, in the order of their names, which begin with the time."""
        if not (self._folder / "new").is_dir() or not (self._folder / "cur").is_dir():
            self.faults.append(Fault("no_maildir", self.name))
            return
        found = [
            (_unique(name), self._folder / inner / name)
            for inner in ("new", "cur")
            for name in disk.names_in(self._folder / inner)
            if not name.startswith(".") and not _is_seen(name)
        ]
        for unique, path in sorted(found):
            mail = self._read(unique, path)
            if mail is not None:
                yield mail

    def _read(self, unique: str, path: Path) -> Mail | None:
        data = disk.read_plain(path, self._limit)
        try:
            about = path.stat()
        except OSError as error:
            self.faults.append(unreadable(path, error))
            return None
        if data is None:
            self.faults.append(Fault("unreadable", str(path), "it is no plain file"))
            return None
        arrived = datetime.fromtimestamp(about.st_mtime, UTC).replace(microsecond=0)
        origin = str(self._folder / unique)
        return Mail(data, about.st_size, arrived, origin, lambda: self._mark(unique, path))

    def _mark(self, unique: str, path: Path) -> None:
        flags = path.name.partition(_FLAGS)[2]
        marked = "".join(sorted({*flags, _SEEN}))
        with suppress(FileNotFoundError):
            path.rename(self._folder / "cur" / f"{unique}{_FLAGS}{marked}")
            disk.sync_folder(self._folder / "cur")


def unreadable(path: Path, error: OSError) -> Fault:
    """The fault of a file that cannot be read."""
    return Fault("unreadable", str(path), error.strerror or type(error).__name__)


def _mail(
    piece: Piece, origin: str, arrived: datetime | None, done: Callable[[], None] = nothing
) -> Mail:
    return Mail(piece.data, piece.size, piece.arrived or arrived, origin, done)


def _numbered(origin: str, number: int, piece: Piece) -> str:
    return f"{origin} #{number}" if piece.several else origin


def _unique(name: str) -> str:
    return name.partition(_FLAGS)[0]


def _is_seen(name: str) -> bool:
    return _SEEN in name.partition(_FLAGS)[2]


def _move_to_free(path: Path, folder: Path) -> None:
    number = 1
    target = folder / path.name
    while True:
        try:
            disk.move_new(path, target)
            return
        except FileExistsError:
            number += 1
            target = folder / f"{path.stem}-{number}{path.suffix}"
