"""The README does what it says: its shell lines run, its order files can be read."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.mail.config import read_config
from pbem.notation import read_action
from pbem.orderfile import read_order_file
from pbem.problem import Problem

README = (Path(__file__).parents[1] / "README.md").read_text()
ACTIONS = "".join(re.findall(r"^\| [a-z ]+ (\| `.*?) \|", README, re.MULTILINE))
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str, heading: str) -> list[str]:
    """The blocks of one kind below a heading."""
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    return [text for name, text in _BLOCK.findall(section) if name == kind]


def run(script: str, place: Path) -> str:
    """Run pasted lines in a shell in `place`; what they print."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=place,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
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
