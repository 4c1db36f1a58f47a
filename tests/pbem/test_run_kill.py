"""`run` killed anywhere and run again: the same end, no letter twice, no mail lost."""

import shutil
from pathlib import Path

import pytest

from tests.pbem.games import TREASURES, Table, position, tree
from tests.pbem.mail_desk import CONFIG, Desk, letter, mail, orders
from tests.pbem.test_kill import Killer

POLICIES = {
    "ur-1": ("late=wait",),
    "ur-2": ("late=pass",),
    "ur-3": ("late=drop", "misses=1"),
    "ur-4": ("late=stand-in", "stand_in=Eve <eve@example.org>"),
}
LATE = "2026-03-12T19:00:00Z"
STEP = 29
"""Every so many calls; 600 in all would take a minute."""


def scene(folder: Path) -> Desk:
    """Deadlines missed in three ways, one to remind of, mails that lie there, a game at its end."""
    desk = Desk(folder, f"{CONFIG}limits: {{outage_hours: 0}}\n")
    for name, policies in POLICIES.items():
        span = "4d" if name == "ur-1" else "3d"
        words = [word for each in policies for word in ("--policy", each)]
        desk.start(name, "--policy", f"turn_time={span}", "--policy", "away_days=9", *words)
    last = Table(desk.games, position(TREASURES, {"archer": "r6"}, more="bag: none"), name="ur-9")
    last.put("archer", "turn: 1\nactions: temple A1, pass")
    assert desk.call("run").code == 0
    inbox = desk.games / "_inbox"
    inbox.mkdir()
    (inbox / "1.eml").write_bytes(mail(orders(), number=1))
    (inbox / "2.eml").write_bytes(mail(orders(), number=2, proven=False))
    (inbox / "3.eml").write_bytes(mail("away 2026-03-20..2026-03-22\n", "bruno", number=3))
    (inbox / "4.eml").write_bytes(mail("nonsense", "bruno", number=4))
    desk.now = LATE
    return desk


def no_chance(patch: pytest.MonkeyPatch) -> None:
    """New keys are the same each time."""
    patch.setattr("pbem.seats.keys.secrets.choice", lambda letters: letters[0])
    patch.setattr("pbem.seats.keys.secrets.token_bytes", bytes)


def identities(games: Path) -> list[str]:
    """The Message-IDs of all letters."""
    found = games.rglob("*outbox*/**/*.eml")
    return sorted(str(letter(path)["Message-ID"]) for path in found)


def content(games: Path) -> dict[str, bytes]:
    """All files; the order of keys in desk.yaml says nothing."""
    files = {n: data for n, data in tree(games).items() if not n.startswith("_index")}
    desks = {n: b"\n".join(sorted(files[n].split(b"\n"))) for n in files if "desk.yaml" in n}
    return files | desks


def test_killed_and_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_chance(monkeypatch)
    desk = scene(tmp_path)
    before = tmp_path / "before"
    shutil.copytree(desk.games, before)

    def work() -> None:
        desk.call("run")

    def again() -> None:
        shutil.rmtree(desk.games)
        shutil.copytree(before, desk.games)

    work()  # so that templates are compiled
    work()
    right, letters = content(desk.games), identities(desk.games)
    assert len(letters) == len({*letters})
    assert (desk.games / "_archive" / "ur-9").is_dir()
    with monkeypatch.context() as patch:
        again()
        killer = Killer(patch)
        number = killer.moments(work)
        for moment in range(1, number + 1, STEP):
            again()
            killer.kill(moment, work)
            work()
            work()
            found = content(desk.games)
            assert found.keys() == right.keys(), moment
            assert [n for n in right if found[n] != right[n]] == [], moment
            assert identities(desk.games) == letters, moment
