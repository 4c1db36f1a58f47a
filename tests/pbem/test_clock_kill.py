"""Commands of the clock, killed anywhere and run again: the same end, every letter once."""

import shutil
from pathlib import Path

import pytest

from pbem.deskfile import Stop
from pbem.health import Health, save_health
from tests.pbem.clockwork import START, Clockwork
from tests.pbem.games import tree
from tests.pbem.mail_desk import mail
from tests.pbem.test_deadline import started
from tests.pbem.test_kill import HALF, Killer, swept

MORE = "2026-03-20"


def scene(folder: Path, command: str) -> Clockwork:
    """A game in which the command has something to do."""
    desk = started(folder)
    desk.later(hours=1)
    if command == "resume":
        desk.call("pause", "ur-1")
    if command == "outage":
        save_health(desk.games, Health(outages=(Stop(START),)))
    desk.later(hours=5)
    return desk


def work(desk: Clockwork, command: str) -> None:
    """The command."""
    match command:
        case "pause":
            desk.call("pause", "ur-1", "--because", "why not")
        case "resume":
            desk.call("resume", "ur-1")
        case "outage":
            desk.call("resume", "--all")
        case "extend":
            desk.call("extend", "ur-1", "--until", MORE)
        case "away":
            desk.call("away", "ur-1", "bull", "2026-03-11..2026-03-14")
        case _:
            desk.call("mail", "in")


@HALF
@pytest.mark.parametrize("command", ["pause", "resume", "extend", "away", "outage", "mail"])
def test_killed_and_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, part: float
) -> None:
    desk = scene(tmp_path, command)
    if command == "mail":
        inbox = desk.games / "_inbox"
        inbox.mkdir()
        (inbox / "1.eml").write_bytes(mail("away 2026-03-11..2026-03-14\n", "bruno", number=9))
    before = tmp_path / "before"
    shutil.copytree(desk.games, before)
    work(desk, command)  # so that templates are compiled
    with monkeypatch.context() as patch:
        shutil.rmtree(desk.games)
        shutil.copytree(before, desk.games)
        killer = Killer(patch)
        number = killer.moments(lambda: work(desk, command))
        right = tree(desk.game)
        assert number > 10
        for moment in swept(number, part, command):
            shutil.rmtree(desk.games)
            shutil.copytree(before, desk.games)
            killer.kill(moment, lambda: work(desk, command))
            work(desk, command)
            found = tree(desk.game)
            assert found.keys() == right.keys(), moment
            differing = [name for name in right if found[name] != right[name]]
            assert differing == [], moment
