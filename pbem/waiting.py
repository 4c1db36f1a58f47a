"""Copies of the order files that wait, so that a newer file does not make an older one vanish.

A player's file lies in orders/ while it waits. If a newer one takes its place there, the parts
that the newer one does not contain still hold (contract 2): they are read from the copy.
`waiting/bull.yaml` is the copy of orders/bull.yaml; `waiting/bull-1.yaml` is that of an older
file, the lowest number of the oldest.
"""

import re
from pathlib import Path

from engine.pieces import Dynasty
from pbem import disk
from pbem.store import LARGEST_ORDER_FILE, GameFolder

_NUMBERED = r"[a-z]+-([0-9]{1,6})\.yaml"


def older_copies(folder: GameFolder, dynasty: Dynasty) -> list[Path]:
    """The copies of files that newer ones took the place of, oldest first."""
    found = {}
    for path in _folder(folder).glob(f"{dynasty}-*.yaml"):
        if name := re.fullmatch(_NUMBERED, path.name):
            found[int(name[1])] = path
    return [found[number] for number in sorted(found)]


def copy_of(folder: GameFolder, dynasty: Dynasty) -> Path:
    """Where the copy of the seat's file in orders/ lies, if there is one."""
    return _folder(folder) / f"{dynasty}.yaml"


def keep_copy(folder: GameFolder, dynasty: Dynasty, data: bytes) -> bool:
    """Keep a copy of the file in orders/; whether there was none yet."""
    make_room(folder, dynasty, data)
    path = copy_of(folder, dynasty)
    if path.exists():
        return False
    disk.make_folder(_folder(folder))
    disk.write_new(path, data)
    return True


def make_room(folder: GameFolder, dynasty: Dynasty, data: bytes) -> None:
    """Give the copy a number if another file has taken the place of its own in orders/."""
    path = copy_of(folder, dynasty)
    if read_copy(path) not in (None, data):
        older = older_copies(folder, dynasty)
        last = int(older[-1].stem.rpartition("-")[2]) if older else 0
        path.rename(path.with_name(f"{dynasty}-{last + 1}.yaml"))


def has_new_file(folder: GameFolder, dynasty: Dynasty) -> bool:
    """Whether a file of the seat lies in orders/ that no call of `turn` has looked at.

    What waits for a later turn does not count: that a seat has orders waiting is its own secret.
    """
    data = read_copy(folder.inbox / f"{dynasty}.yaml")
    return data is not None and data != read_copy(copy_of(folder, dynasty))


def read_copy(path: Path) -> bytes | None:
    """What a copy holds; None if it is not there."""
    return disk.read_plain(path, LARGEST_ORDER_FILE)


def _folder(folder: GameFolder) -> Path:
    return folder.path / "waiting"
