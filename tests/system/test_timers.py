"""The cron line and the systemd units of the README, as they stand there."""

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.test_readme import DAY, section

pytestmark = pytest.mark.system

THEIRS, GAMES = "/home/gm/pbem/bin/pbem", "/home/gm/games"
FIELDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
_BLOCK = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"(\*|\d+(-\d+)?)(/\d+)?(,(\*|\d+(-\d+)?)(/\d+)?)*")


def block(mark: str) -> str:
    """The block of the README that holds this."""
    (found,) = [text for text in _BLOCK.findall(section(DAY)) if mark in text]
    return str(found)


@pytest.fixture
def home(tmp_path: Path, installed: Path) -> Path:
    """A moderator's home with a game that waits for somebody whose name is not plain."""
    games = tmp_path / "games"
    games.mkdir()
    seats = ("--seat", "archer=Zoë Ünal <zoe@example.org>", "--seat", "bull=Ben <ben@example.org>")
    words = (str(installed / "pbem"), "--games", str(games), "new", "ur-1", *seats)
    subprocess.run(words, check=True, capture_output=True, timeout=60)
    return tmp_path


def moved(text: str, home: Path, installed: Path) -> str:
    """The lines of the README with the places of this machine."""
    assert THEIRS in text
    return text.replace(THEIRS, str(installed / "pbem")).replace(GAMES, str(home / "games"))


def bare(
    home: Path, command: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """A command as a timer calls it: by sh, at home, and with next to nothing around it."""
    values = {"HOME": str(home), "SHELL": "/bin/sh", "LOGNAME": "gm", "PATH": "/usr/bin:/bin"}
    words = [f"{name}={value}" for name, value in {**values, **(env or {})}.items()]
    return subprocess.run(
        ["/usr/bin/env", "-i", *words, "/bin/sh", "-c", command],
        cwd=home, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


def crontab(text: str) -> tuple[dict[str, str], str]:
    """The variables of a crontab, and its one command; fails at what cron would not take."""
    env, commands = {}, []
    for line in text.splitlines():
        if setting := re.fullmatch(r"([A-Z_]+) *= *(.*)", line):
            env[setting[1]] = setting[2]
            continue
        *times, command = line.split(None, 5)
        assert len(times) == 5, line
        for field, (least, most) in zip(times, FIELDS, strict=True):
            assert _FIELD.fullmatch(field), field
            numbers = [int(each) for each in re.findall(r"(?<!/)\b\d+", field)]
            assert all(least <= number <= most for number in numbers), field
        assert "%" not in command
        commands.append(command)
    (command,) = commands
    return env, command


def test_the_cron_line(home: Path, installed: Path) -> None:
    """Cron runs it: silent when all is well, and what needs somebody is printed."""
    env, command = crontab(moved(block("MAILTO"), home, installed))
    assert env["MAILTO"].endswith("@example.org")
    assert command.split()[1:] == ["run", "--quiet"]
    said = bare(home, command, env)
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")
    assert (home / "games" / "_run" / "run.yaml").is_file()
    assert (home / "games" / "ur-1" / "outbox").is_dir()
    (home / "games" / "ur-1" / "orders" / "zoë.yaml").write_text("game: ur-1\n")
    said = bare(home, command, env)
    assert (said.returncode, said.stdout) == (1, "")
    assert "zoë.yaml" in said.stderr


def units(text: str) -> dict[str, str]:
    """The files of a block in which each begins with its place in a comment."""
    parts = re.split(r"^# /etc/systemd/system/(\S+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_systemd_takes_the_units(home: Path, installed: Path, tmp_path: Path) -> None:
    """`systemd-analyze` finds nothing in them, and each belongs to the other."""
    found = units(moved(block("[Unit]"), home, installed))
    assert found.keys() == {"pbem.service", "pbem.timer"}
    place = tmp_path / "units"
    place.mkdir()
    for name, text in found.items():
        (place / name).write_text(text)
    said = subprocess.run(
        ["systemd-analyze", "--man=no", "verify", *map(str, sorted(place.iterdir()))],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    ours = [line for line in said.stderr.splitlines() if "pbem" in line]
    assert (said.returncode, ours) == (0, []), said
    (when,) = re.findall(r"^OnCalendar=(.*)$", found["pbem.timer"], re.MULTILINE)
    said = subprocess.run(
        ["systemd-analyze", "calendar", when],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said
    assert "*-*-* *:00/15:00" in said.stdout


def test_the_command_of_the_unit(home: Path, installed: Path) -> None:
    """What the service calls, with what it sets and nothing else."""
    text = moved(block("[Unit]"), home, installed)
    (line,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    settings = dict(each.split("=", 1) for each in re.findall(r"^Environment=(.*)$", text, re.M))
    said = bare(home, shlex.join(shlex.split(line)), settings)
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")
    (home / "games" / "ur-1" / "orders" / "archer.yaml").write_text("nonsense")
    assert bare(home, line, settings).returncode == 1
    assert re.search(r"^SuccessExitStatus=1$", text, re.MULTILINE)
    (home / "games" / "ur-1" / "game.yaml").write_text("nonsense")
    said = bare(home, line, settings)
    assert said.returncode == 3
    assert "ur-1" in said.stderr
    status = bare(home, f"{line.split()[0]} status --json", settings)
    assert json.loads(status.stdout)["ok"] is False
