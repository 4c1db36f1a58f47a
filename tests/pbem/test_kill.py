"""Killed anywhere and run again, the end is the same: nothing is lost, nothing done twice."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.commands.undo import Wish, undo
from pbem.disk import Busy
from pbem.outcome import REFUSED, Settings
from tests.pbem.games import WAR, WAR_HANDS, Table, names, position, tree

ROOT = Path(__file__).parents[2]
# Everything that changes the disk goes through these.
CALLS = ("link", "unlink", "rename", "replace", "mkdir", "chmod", "fsync", "open")


HALF = pytest.mark.parametrize(
    "part", [0.5, pytest.param(1.0, marks=pytest.mark.slow)], ids=["half", "all"]
)
"""A sweep over half of the moments, and the long one over all."""


def swept(number: int, part: float, what: str) -> list[int]:
    """This part of the moments, by chance, so that no kind of call is always left out; the same
    ones every time."""
    return sorted(random.Random(what).sample(range(1, number + 1), round(number * part)))


class Killed(BaseException):
    """The program was killed here."""


class Killer:
    """Counts the calls that change the disk, and dies before the one it is set to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls = 0
        self.fatal = 0
        monkeypatch.setattr(os, "fsync", lambda _handle: None)  # a moment, but nobody has to wait
        for name in CALLS:
            monkeypatch.setattr(os, name, self._watched(getattr(os, name), name == "open"))

    def _watched(self, original: Callable[..., Any], is_open: bool) -> Callable[..., Any]:
        def watched(*args: Any, **kwargs: Any) -> Any:
            if is_open and not args[1] & os.O_CREAT:
                return original(*args, **kwargs)
            self.calls += 1
            if self.calls == self.fatal:
                raise Killed
            return original(*args, **kwargs)

        return watched

    def moments(self, work: Callable[[], object]) -> int:
        """How many calls an undisturbed run makes."""
        self.calls, self.fatal = 0, 0
        work()
        return self.calls

    def kill(self, moment: int, work: Callable[[], object]) -> None:
        """Do the work, but die at that moment."""
        self.calls, self.fatal = 0, moment
        with pytest.raises(Killed):
            work()
        self.fatal = 0


def scene(table: Table) -> None:
    """A game in which the next run uses, refuses, replaces, drops and keeps files."""
    table.put("bull", "turn: 2\nactions: king A1")
    table.put("lion", "turn: 3\nactions: swap temple, pass\npress: Hear me.")
    table.turn()
    table.put("archer", "turn: 1\nactions: pass all\nnote: For you.")
    table.put("bull", "turn: 2\nactions: swap green, farm E1\nkey: Hush\nnote: Mine.")
    table.put("pot", "turn: 3\nactions: pass\npress: No.")
    table.put_bytes("notes.txt", b"nobody's")


def quarrel(table: Table) -> None:
    """A game in which answers of two seats meet orders that wait."""
    table.play("bull", "turn: 2\nactions: pass all\nnote: Ahead.")
    table.play("archer", "turn: 1\nactions:\n  - {tile: temple, at: F5, wars: green, support: 0}")
    table.put("bull", "answers: 1.4 support 0\npress: So be it.")
    table.put("archer", "turn: 7\nactions: pass")


def alone(table: Table) -> None:
    """Files that make no run: one is refused, one taken away, one is only a note."""
    table.play("bull", "turn: 2\nactions: pass all")
    (table.path / "orders/bull.yaml").unlink()
    table.put("archer", "turn: 7\nactions: pass")
    table.put("lion", "note: Hello.")


SCENES = {"scene": (scene, 4), "quarrel": (quarrel, 2), "alone": (alone, 4)}


def start(where: Path, name: str) -> Table:
    prepare, players = SCENES[name]
    state = position(WAR, WAR_HANDS) if name == "quarrel" else None
    table = Table(where, state, players=players)
    prepare(table)
    return table


def copied(table: Table, where: Path) -> Table:
    """The same game in another place; times of files stay."""
    shutil.copytree(table.path, where / table.name)
    twin = Table.__new__(Table)
    twin.name, twin.folder = table.name, type(table.folder)(where / table.name)
    return twin


@pytest.mark.parametrize("name", SCENES)
def test_a_turn_that_is_killed_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    table = start(tmp_path / "games", name)
    undisturbed = copied(table, tmp_path / "undisturbed")
    with monkeypatch.context() as patch:
        killer = Killer(patch)
        number = killer.moments(undisturbed.turn)
        right = tree(undisturbed.path)
        undisturbed.turn()
        assert tree(undisturbed.path) == right
        for moment in range(1, number + 1):
            victim = copied(table, tmp_path / f"killed-{moment}")
            killer.kill(moment, victim.turn)
            victim.turn()
            assert tree(victim.path) == right, moment


@pytest.mark.parametrize("name", SCENES)
def test_killed_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    table = start(tmp_path / "games", name)
    undisturbed = copied(table, tmp_path / "undisturbed")
    undisturbed.turn()
    chance = random.Random(name)
    with monkeypatch.context() as patch:
        killer = Killer(patch)
        for number in range(6):
            victim = copied(table, tmp_path / f"killed-{number}")
            for _ in range(30):
                killer.calls, killer.fatal = 0, chance.randrange(1, 12)
                try:
                    victim.turn()
                except Killed:
                    continue
                break
            killer.fatal = 0
            victim.turn()
            assert tree(victim.path) == tree(undisturbed.path)


def test_an_undo_that_is_killed_is_finished_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_NOW", "2026-03-02T12:00:00Z")
    table = start(tmp_path / "games", "scene")
    table.turn()
    table.put("lion", "turn: 3\nactions: pass\nnote: Once more.")
    undisturbed = copied(table, tmp_path / "undisturbed")
    with monkeypatch.context() as patch:
        killer = Killer(patch)
        number = killer.moments(partial(take_back, undisturbed))
        right = tree(undisturbed.path)
        for moment in range(1, number + 1):
            victim = copied(table, tmp_path / f"killed-{moment}")
            killer.kill(moment, partial(take_back, victim))
            if not (victim.path / "history/0003.yaml").exists():
                take_back(victim)
            victim.turn()
            assert tree(victim.path) == right, moment


def take_back(table: Table, *, again: bool = False) -> None:
    settings = Settings(table.path.parent)
    wish = Wish(0, again=again, because="A slip." if again else "", yes=True)
    assert undo(settings, table.name, wish).code == 0


def test_playing_again_that_is_killed_is_finished_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files of turns that keep their name stay where they are, all others go, once."""
    monkeypatch.setenv("PBEM_NOW", "2026-03-02T12:00:00Z")
    table = start(tmp_path / "games", "quarrel")
    table.turn()
    waits = table.put("bull", f"turn: {table.state.turn + 1}\nactions: pass all")
    table.turn()
    table.put("archer", "turn: 1\nactions: pass")
    undisturbed = copied(table, tmp_path / "undisturbed")
    newest = table.record.run + 1
    with monkeypatch.context() as patch:
        killer = Killer(patch)
        number = killer.moments(partial(take_back, undisturbed, again=True))
        undisturbed.turn()
        right = tree(undisturbed.path)
        assert right["orders/bull.yaml"] == waits
        assert f"undone/{newest:04d}-archer.yaml" in right
        for moment in range(1, number + 1):
            victim = copied(table, tmp_path / f"killed-{moment}")
            killer.kill(moment, partial(take_back, victim, again=True))
            if not (victim.path / f"history/{newest:04d}.yaml").exists():
                take_back(victim, again=True)
            victim.turn()
            assert tree(victim.path) == right, moment


def test_two_runs_at_once(tmp_path: Path) -> None:
    table = start(tmp_path / "games", "scene")
    with table.folder.locked(), pytest.raises(Busy):
        table.turn()
    with table.folder.locked():
        done = run(table.path.parent, "turn", table.name)
        assert (done.returncode, done.stdout) == (REFUSED, "")
        assert "another run is at work here" in done.stderr
    assert names(table.path / "history") == ["0000.yaml", "0001.yaml"]


def run(games: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pbem", "--games", str(games), *words],
        cwd=ROOT,
        env=os.environ | {"PBEM_NOW": "2026-03-01T12:30:00Z"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("times", [6, pytest.param(40, marks=pytest.mark.slow)])
def test_really_killed(tmp_path: Path, times: int) -> None:
    table = start(tmp_path / "games", "scene")
    undisturbed = copied(table, tmp_path / "undisturbed")
    begun = time.monotonic()
    assert run(undisturbed.path.parent, "turn", "ur-1").returncode == REFUSED
    takes = time.monotonic() - begun
    right = tree(undisturbed.path)
    chance = random.Random(times)
    for number in range(times):
        victim = copied(table, tmp_path / f"killed-{number}")
        words = [sys.executable, "-m", "pbem", "--games", str(victim.path.parent), "turn", "ur-1"]
        child = subprocess.Popen(
            words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {"PBEM_NOW": "2026-03-01T12:30:00Z"},
        )  # fmt: skip
        time.sleep(takes * chance.uniform(0.3, 1))
        child.send_signal(signal.SIGKILL)
        child.wait()
        run(victim.path.parent, "turn", "ur-1")
        assert tree(victim.path) == right
