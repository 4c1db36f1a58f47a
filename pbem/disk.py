"""Files written whole or not at all, readable by their owner only, and a lock per folder.

A file under way has a name that begins with `TEMPORARY`; what a killed run leaves behind is
known by it. Nothing here knows what the files mean.
"""

import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TEMPORARY = ".tmp-"
PATIENCE = 30.0
OWNER_ONLY = 0o600
FOLDER_OWNER_ONLY = 0o700
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PAUSE = 0.05
_NO_LINKS_HERE = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


class Busy(Exception):
    """Another program is at work on this folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"{folder}: another run is at work here; try again later")
        self.folder = folder


def make_folder(path: Path) -> None:
    """Make the folder, for its owner only, if it is not there."""
    path.mkdir(mode=FOLDER_OWNER_ONLY, exist_ok=True)


def write_new(path: Path, data: bytes, *, settled: bool = True) -> None:
    """Write a file that must not exist yet; it is on the disk when this returns.

    If it is not to be `settled`, its name is there for good only after `sync_folder`.
    """
    temporary = _write_temporary(path, data, sync=True)
    try:
        move_new(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    if settled:
        sync_folder(path.parent)


def write_over(path: Path, data: bytes, *, sync: bool = False) -> None:
    """Write a file whole, in place of an older one; with `sync` it is then on the disk."""
    _write_temporary(path, data, sync=sync).replace(path)
    if sync:
        sync_folder(path.parent)


def move_new(source: Path, target: Path) -> None:
    """Give a file another name that must be free: FileExistsError if it is not.

    A hard link never overwrites; where the file system has none, a look and a rename do. A run
    that was killed between the link and the end of the old name is made good.
    """
    try:
        os.link(source, target, follow_symlinks=False)
    except FileExistsError:
        if not same_file(source, target):
            raise
        source.unlink()
    except OSError as fault:
        if fault.errno not in _NO_LINKS_HERE:
            raise
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, "exists", str(target)) from None
        source.rename(target)
    else:
        source.unlink()


def close_to_others(path: Path) -> None:
    """Make a file that somebody put here readable by its owner only; links are left alone."""
    if not path.is_symlink():
        with suppress(OSError):
            path.chmod(OWNER_ONLY)


def same_file(one: Path, other: Path) -> bool:
    """Whether both are names of one file."""
    return os.path.samestat(one.lstat(), other.lstat())


def read_plain(path: Path, limit: int) -> bytes | None:
    """The content of a plain file, one byte more than `limit` at most; None if it is no file."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        return None
    with os.fdopen(handle, "rb") as file:
        return file.read(limit + 1)


def followed(path: Path) -> Path:
    """Where a path leads; if its links go round in a circle, which `resolve` takes ill, one of
    them."""
    return Path(os.path.realpath(path))


def sync_folder(path: Path) -> None:
    """Make sure that new names in a folder are on the disk."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def names_in(folder: Path) -> list[str]:
    """The names in a folder; none if there is no such folder."""
    try:
        return os.listdir(folder)  # noqa: PTH208 - a path for each of many files takes its time
    except (FileNotFoundError, NotADirectoryError):
        return []


def listing(folder: Path) -> list[Path]:
    """What lies in a folder, by name; hidden files are left alone."""
    return [folder / name for name in sorted(names_in(folder)) if not name.startswith(".")]


def free_name(path: Path) -> Path:
    """The path, with a number behind its name if it is taken."""
    free, number = path, 2
    while free.exists():
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return free


def sweep(folder: Path) -> None:
    """Remove what a killed run left half written."""
    for name in names_in(folder):
        if name.startswith(TEMPORARY):
            with suppress(OSError):
                (folder / name).unlink()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; Busy at once if another run has it."""
    handle = os.open(
        folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, OWNER_ONLY
    )
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(folder) from None
        yield
    finally:
        os.close(handle)


@contextmanager
def awaited(folder: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the folder's lock, waited for; Busy after so many seconds."""
    until = time.monotonic() + patience
    while True:
        lock = locked(folder)
        try:
            lock.__enter__()
        except Busy:
            if time.monotonic() >= until:
                raise
            time.sleep(_PAUSE)
            continue
        try:
            yield
        finally:
            lock.__exit__(None, None, None)
        return


def _write_temporary(path: Path, data: bytes, *, sync: bool) -> Path:
    temporary = path.with_name(f"{TEMPORARY}{path.name}")
    with suppress(FileNotFoundError):
        temporary.unlink()
    with os.fdopen(os.open(temporary, _NEW, OWNER_ONLY), "wb") as file:
        file.write(data)
        if sync:
            file.flush()
            os.fsync(file.fileno())
    return temporary
