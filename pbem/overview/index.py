"""_index.json in the games folder: the facts of all games, so that nobody waits for 500 to load.

It holds nothing that does not follow from the files of the games. Beside the facts of a game
stands how its files looked when they were read; a game whose files look otherwise is loaded
again. If the index is gone, damaged or of another version it is made anew. Programs may write
it at the same time: one of them is the last, and what it did not know is loaded again.
"""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pbem import disk
from pbem.clock import write_time
from pbem.deskfile import Stop
from pbem.health import load_health
from pbem.overview.facts import Facts, read_facts, write_facts
from pbem.store import GameFolder

FILE = "_index.json"
SHAPE = 2
"""To be raised whenever facts are written, or follow from the files, in another way."""

LARGEST = 64 * 1024 * 1024
_UNDER_WAY = re.compile(rf"(?:{re.escape(disk.TEMPORARY)})?_index\.[0-9]+\.json")
_ALWAYS = ("game.yaml", "desk.yaml", "history", "undone")
_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError)

Look = list[int] | None
"""How a file looks from outside: times of writing and of change, size, number; None if it is
not there."""


class Index:
    """The facts of the games of one folder."""

    def __init__(self, games: Path, *, rebuild: bool = False) -> None:
        """Damage if what `run` has noted of outages cannot be read."""
        self._games = games
        self._outages = _written(load_health(games).outages)
        self._rows = {} if rebuild else self._read()
        self._changed = rebuild

    def facts(self, folder: GameFolder) -> Facts:
        """What may be known of a game; whatever loading it raises."""
        if folder.path.parent != self._games and folder.games != self._games.resolve():
            return _loaded(folder)[1]
        name = folder.path.name
        facts = _facts_in(self._rows.get(name), folder)
        if facts is None:
            self._changed = True
            self._rows.pop(name, None)
            looks, facts = _loaded(folder)
            self._rows[name] = {"looks": looks, "facts": write_facts(facts)}
        return facts

    def save(self) -> None:
        """Write the index if anything is new; where that is not allowed, it is left."""
        there = {*disk.names_in(self._games)}
        rows = {name: row for name, row in sorted(self._rows.items()) if name in there}
        if not there or not (self._changed or len(rows) < len(self._rows)):
            return
        data = {"shape": SHAPE, "outages": self._outages, "games": rows}
        text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
        own = self._games / f"_index.{os.getpid()}.json"
        with suppress(OSError):
            disk.write_over(own, text.encode())
            own.replace(self._games / FILE)
        for name in there | {own.name}:  # also what killed programs have left
            if _UNDER_WAY.fullmatch(name):
                with suppress(OSError):
                    (self._games / name).unlink(missing_ok=True)

    def _read(self) -> dict[str, Any]:
        data = disk.read_plain(self._games / FILE, LARGEST)
        try:
            found = json.loads(data) if data else {}
            if (found["shape"], found["outages"]) == (SHAPE, self._outages):
                return dict(found["games"])
        except _UNREADABLE:
            pass
        return {}


def _facts_in(row: Any, folder: GameFolder) -> Facts | None:
    """The facts that a row of the index holds; None if the files look otherwise now."""
    try:
        looks = row["looks"] if row else {}
        if not looks.keys() >= {*_ALWAYS}:
            return None
        if all(_look(folder, name) == look for name, look in looks.items()):
            return read_facts(row["facts"])
    except _UNREADABLE:
        pass
    return None


@contextmanager
def index_of(games: Path, *, rebuild: bool = False) -> Iterator[Index]:
    """The index, written at the end if it has changed; `rebuild`: all games are loaded anew."""
    index = Index(games, rebuild=rebuild)
    try:
        yield index
    finally:
        index.save()


def state_of(games: Path) -> str:
    """How the index is, in a few words; nothing is wrong if it is not there."""
    data = disk.read_plain(games / FILE, LARGEST)
    if data is None:
        return "there is none, the next `status` makes one"
    try:
        found = json.loads(data)
        if found["shape"] != SHAPE:
            return "of another version, the next `status` makes it anew"
        return f"fine, {len(found['games'])} games"
    except _UNREADABLE:
        return "damaged, the next `status` makes it anew"


def _loaded(folder: GameFolder) -> tuple[dict[str, Look], Facts]:
    """How the files of a game look, and after that its facts.

    In this order: a file that is changed meanwhile looks otherwise afterwards.
    """
    from pbem.overview.gathering import load_facts

    runs = folder.runs()[-1:]
    while True:
        looks = {name: _look(folder, name) for name in (*_ALWAYS, *map(_name_of, runs))}
        facts, read = load_facts(folder)
        if {*read} <= {*runs}:
            return looks, facts
        runs = read


def _look(folder: GameFolder, name: str) -> Look:
    try:
        about = os.stat(f"{folder.path}/{name}")  # noqa: PTH116 - thousands of them take their time
    except OSError:
        return None
    return [about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino]


def _name_of(run: int) -> str:
    return f"history/{run:04d}.yaml"


def _written(stops: tuple[Stop, ...]) -> list[list[str]]:
    return [
        [write_time(stop.since), write_time(stop.until) if stop.until else "", stop.why]
        for stop in stops
    ]
