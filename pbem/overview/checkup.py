"""Whether everything is well with a games folder: one finding for each thing that can go wrong.

It looks at files and the clock only and changes nothing; `mail doctor` tries the servers.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from pbem import disk
from pbem.clock import write_time
from pbem.clock.short import about, minute
from pbem.health import Health, load_health
from pbem.mail.config import FILE as CONFIG
from pbem.mail.config import MailConfig, Unusable, load_config
from pbem.problem import Problem
from pbem.sound import Damage

RUN_WITHIN = timedelta(hours=1)
LEAST_FREE = 500_000_000
"""Bytes; a games folder of 500 games is a tenth of this."""

_OURS = ("_archive", "_inbox", "_mail", "_outbox", "_run")
_OPEN = 0o077
_LEFT = (disk.TEMPORARY, ".taking-", ".new-")


class Finding(NamedTuple):
    """One thing that was looked at: whether it is well, and a sentence. `of`: what it is."""

    well: bool
    of: str
    sentence: str


def of_the_program(games: Path, now: datetime, arrived: datetime | None) -> Iterator[Finding]:
    """The last run, the clock, outages. `arrived`: when the newest mail came."""
    try:
        health = load_health(games)
    except Damage as damage:
        yield _unsound("last run", damage.path, damage.problems)
        return
    yield _last_run(health, now)
    yield _clock(health, now, arrived)
    if outage := health.outage:
        why = f" ({outage.why})" if outage.why else ""
        yield Finding(
            False,
            "outage",
            f"since {minute(outage.since)} UTC{why} no deadline is judged; once all "
            "is well `pbem resume --all` lets the clocks go on",
        )
    else:
        yield Finding(True, "outage", "there is none")


def _unsound(of: str, path: Path, problems: Iterable[Problem]) -> Finding:
    """A file that has to be mended, with all that is wrong."""
    said = (f"line {p.line}: {p.message}" if p.line else p.message for p in problems)
    return Finding(False, of, f"mend {path}: {'; '.join(said)}")


def _last_run(health: Health, now: datetime) -> Finding:
    if health.last is None:
        return Finding(True, "last run", "`pbem run` was never called here")
    when = f"{minute(health.last)} UTC, {about(abs(now - health.last))} ago"
    if now - health.last > RUN_WITHIN:
        advice = "see whether cron or the timer still calls `pbem run`, and what it says"
        return Finding(False, "last run", f"{when}; {advice}")
    return Finding(True, "last run", when)


def _clock(health: Health, now: datetime, arrived: datetime | None) -> Finding:
    known = ((health.last, "the last run"), (arrived, "the arrival of the newest mail"))
    for when, what in known:
        if when is not None and now < when:
            return Finding(
                False,
                "clock",
                f"it says {write_time(now)}, but {what} was at {write_time(when)}: set the clock",
            )
    return Finding(True, "clock", f"{write_time(now)}, not before anything that has happened")


def of_the_config(games: Path) -> tuple[MailConfig | None, list[Finding]]:
    """Whether pbem.yaml is sound, and what it says."""
    try:
        config = load_config(games)
    except Unusable as unusable:
        return None, [_unsound(CONFIG, unusable.path, unusable.problems)]
    there = "sound" if (games / CONFIG).exists() else "there is none, mails are files"
    return config, [Finding(True, CONFIG, f"{there}; `pbem mail doctor` tries the servers")]


def of_the_disk(games: Path) -> Iterator[Finding]:
    """Room, files that others can read, what killed runs have left."""
    free = shutil.disk_usage(games).free
    room = f"{free / 1e9:.1f} GB are free"
    well = free >= LEAST_FREE
    yield Finding(well, "disk", room if well else f"{room}: make room, or runs will fail")
    yield _closed(games)
    left = sum(1 for folder in _folders(games) for name in disk.names_in(folder)
               if name.startswith(_LEFT))  # fmt: skip
    yield Finding(
        True,
        "leftovers",
        f"{left} of runs that were killed; the next `turn` or `mail in` puts them in order"
        if left
        else "there are none",
    )


def _closed(games: Path) -> Finding:
    """Whether others can read secrets. What lies in a closed folder is closed."""
    places = [games / name for name in disk.names_in(games) if name in _OURS or name[0] not in "._"]
    found = [path for place in places for path in _readable(place)] if _is_open(games) else []
    if not found:
        return Finding(True, "secrets", "only their owner can read them")
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return Finding(
        False, "secrets", f"others can read {found[0]}{more}: `chmod -R go= {games}` closes them"
    )


def _readable(place: Path) -> Iterator[Path]:
    """The files in a folder that others can reach and read."""
    for folder, inner, names in os.walk(place):
        if not _is_open(Path(folder)):
            inner.clear()
            continue
        yield from (Path(folder) / name for name in names if _is_open(Path(folder) / name))


def _is_open(path: Path) -> bool:
    try:
        return bool(path.lstat().st_mode & _OPEN) and not path.is_symlink()
    except OSError:
        return False


def _folders(games: Path) -> Iterator[Path]:
    """Where killed runs leave things: the folder of games, the games, what lies in them."""
    yield games
    for name in disk.names_in(games):
        if not name.startswith(".") and (games / name).is_dir():
            yield games / name
            for inner in disk.names_in(games / name):
                if "." not in inner:
                    yield games / name / inner
