"""The README does what it says: its shell lines run, its order files can be read."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.cli import MODULES
from pbem.mail.config import read_config
from pbem.notation import read_action
from pbem.orderfile import read_order_file
from pbem.policies import Policies
from pbem.problem import Problem
from pbem.store import GameFolder

README = (Path(__file__).parents[1] / "README.md").read_text()
ACTIONS = "".join(re.findall(r"^\| [a-z ]+ (\| `.*?) \|", README, re.MULTILINE))
DAY = "Many games: the moderator's day"
POLICY = re.compile(r"^  (\w+):", re.MULTILINE)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def section(heading: str) -> str:
    """What stands below a heading."""
    (found,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    return str(found)


def blocks(kind: str, heading: str) -> list[str]:
    """The blocks of one kind below a heading."""
    return [text for name, text in _BLOCK.findall(section(heading)) if name == kind]


def bash(script: str, place: Path, flags: str = "-u") -> subprocess.CompletedProcess[str]:
    """Run pasted lines in a shell in `place`."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", *flags.split(), "-c", script],
        cwd=place,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def run(script: str, place: Path) -> str:
    """Run lines of which none may fail; what they print."""
    done = bash(script, place, "-euo pipefail")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout


def test_a_game_of_your_own_reaches_its_third_turn(tmp_path: Path) -> None:
    said = run("".join(blocks("sh", "A game of your own")), tmp_path)
    assert "spring: waits for archer (Ana), 3.1" in said
    assert "Bull places the priest on I6." in said
    assert "| To the river!" in said


def test_a_game_starts_from_the_position(tmp_path: Path) -> None:
    said = run("".join(blocks("sh", "Start from any position")), tmp_path)
    assert "endgame: waits for archer (Ana), 21.1" in said
    report = (tmp_path / "games" / "endgame" / "reports" / "archer.txt").read_text()
    assert "Hand: 2 temples, 1 farm, 1 market, 2 settlements" in report


def test_by_mail_orders_are_answered_and_played(tmp_path: Path) -> None:
    said = run("".join(blocks("sh", "By mail")), tmp_path)
    assert "mail 1 lagash archer: accepted" in said
    assert "- Archer places the king on F4." in said
    assert "lagash: waits for bull (Ben), 2.1" in said
    assert "0001-bull-1.lagash.eml" in said


def test_the_moderators_day_goes_as_it_is_told(tmp_path: Path) -> None:
    """All blocks of the chapter in one shell; each prints what stands below it, in that order."""
    scripts = blocks("sh", DAY)
    told = ("text", "sh")
    kinds = [(name, text) for name, text in _BLOCK.findall(section(DAY)) if name in told]
    done = bash("echo '@@'\n".join(["exec 2>&1\n", *scripts]), tmp_path)
    parts = done.stdout.split("@@\n")[1:]
    assert len(parts) == len(scripts)
    said: list[str] = []
    for kind, text in kinds:
        if kind == "sh":
            said = parts.pop(0).splitlines()
            assert not [line for line in said if "Usage" in line or "fault of this" in line]
        else:
            left = iter(said)
            missing = [line for line in text.splitlines() if line not in left]
            assert not missing, "\n".join(said)


def test_the_policies_can_be_read(tmp_path: Path) -> None:
    (text,) = [each for each in blocks("yaml", DAY) if each.startswith("policies:")]
    run("pbem new a --seat archer=Ana --seat bull=Ben", tmp_path)
    path = tmp_path / "games" / "a" / "game.yaml"
    path.write_text(path.read_text() + text)
    policies = GameFolder(path.parent).load_file().policies
    assert {"turn_time", "late", "stand_in"} <= set(POLICY.findall(text))
    assert (policies.late, policies.zone, policies.away_days) == ("pass", "Europe/Lisbon", 21)


def test_all_policies_and_commands_are_told() -> None:
    for key in Policies._fields:
        assert re.search(rf"\b{key}(: |`)", README), key
    for name in (name for names in MODULES.values() for name in names):
        assert re.search(rf"`(pbem )?{name}\b", README), name


def test_the_configuration_can_be_read(tmp_path: Path) -> None:
    (text,) = blocks("yaml", "By mail")
    config, problems = read_config(text, tmp_path)
    assert problems == ()
    assert config is not None
    assert config.outgoing.way == "smtp"


@pytest.mark.parametrize("text", blocks("yaml", "The order file"))
def test_the_order_files_can_be_read(text: str) -> None:
    assert read_order_file(text.encode()).problems == ()


@pytest.mark.parametrize("line", re.findall(r"`([a-z0-9 ,]+(?: [A-P]\d+)?)`", ACTIONS))
def test_the_short_forms_can_be_read(line: str) -> None:
    assert not isinstance(read_action(line), Problem)
