"""_run/run.yaml in the games folder: when `run` was there last, and the outages since then.

An outage stops the clock of all games until the moderator says that it is over.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from pbem import disk
from pbem.clock import write_time
from pbem.deskfile import Stop, read_stops, write_stops
from pbem.fields import read_fields
from pbem.problem import Problem
from pbem.sound import sound
from pbem.versions import RULES, SCHEMA, read_versions

FOLDER = "_run"
FILE = "run.yaml"


class Health(NamedTuple):
    """`last`: when the last run ended. `digest`: when the last digest of the day was written."""

    last: datetime | None = None
    digest: datetime | None = None
    outages: tuple[Stop, ...] = ()

    @property
    def outage(self) -> Stop | None:
        """The outage that the moderator has not ended yet."""
        return next((stop for stop in self.outages if stop.until is None), None)


def load_health(games: Path) -> Health:
    """How the program has been; Damage if its file is not sound."""
    path = games / FOLDER / FILE
    return sound(path, read_health) if path.exists() else Health()


def save_health(games: Path, health: Health) -> None:
    """Write it down; it is on the disk when this returns."""
    disk.make_folder(games / FOLDER)
    disk.write_over(games / FOLDER / FILE, write_health(health).encode(), sync=True)


@contextmanager
def one_run_at_a_time(games: Path) -> Iterator[None]:
    """Keep a second run out; Busy at once if there is one."""
    disk.make_folder(games / FOLDER)
    with disk.locked(games / FOLDER):
        disk.sweep(games / FOLDER)
        yield


def read_health(data: bytes | str) -> tuple[Health | None, tuple[Problem, ...]]:
    """What the text of a run.yaml says, None if there are problems."""
    fields, faults = read_fields(data)
    health = Health()
    if fields is not None and read_versions(fields):
        last = fields.time("last") if "last" in fields else None
        digest = fields.time("digest") if "digest" in fields else None
        health = Health(last, digest, read_stops(fields, "outages"))
        fields.end("schema, rules, last, digest, outages")
    return (None if faults.problems else health), tuple(faults.problems)


def write_health(health: Health) -> str:
    """The text of a run.yaml; `read_health` reads it back."""
    lines = [f"schema: {SCHEMA}", f"rules: {RULES}"]
    for key, when in (("last", health.last), ("digest", health.digest)):
        lines += [f"{key}: {write_time(when)}"] if when else []
    return "\n".join([*lines, *write_stops("outages", health.outages)]) + "\n"
