"""Our side as its timer sees it: a games folder, `pbem run` as a process, a clock that is set.

The mail servers write the real time on top of each mail, and a mail never came later than now:
a clock that stays behind the real one is therefore the clock of everybody.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.clock import write_time
from pbem.mail.config import OUTBOX
from pbem.mail.outbox import Entry, Outbox
from pbem.store import GameFolder
from tests.system.mailservers import DOMAIN, MailServer

ROOT = Path(__file__).parents[2]
LONGEST = 60.0
BEGIN = datetime.now(UTC).replace(hour=9, minute=0, second=0, microsecond=0) - timedelta(days=60)


class Said(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


class Office:
    """A games folder, and the commands as processes."""

    def __init__(self, folder: Path, server: MailServer, patch: pytest.MonkeyPatch) -> None:
        self.games = folder / "games"
        self.games.mkdir()
        limits = "limits: {outage_hours: 0, answers_per_day: 0}\n"
        (self.games / "pbem.yaml").write_text(server.pbem_yaml() + limits)
        self.server = server
        self._patch = patch
        self.now = BEGIN
        self.later()

    def later(self, **span: float) -> None:
        """Let time pass for everybody: our processes, and the players who write in this one."""
        self.now += timedelta(**span)
        assert self.now < datetime.now(UTC)
        self._patch.setenv("PBEM_NOW", write_time(self.now))

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start a command."""
        return subprocess.Popen(
            [sys.executable, "-m", "pbem", "--games", str(self.games), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def call(self, *words: str, codes: Iterable[int] = (0,)) -> Said:
        """A command, done."""
        said = ended(self.start(*words))
        assert said.code in codes, (words, said)
        assert "Traceback" not in said.err
        return said

    def run(self, codes: Iterable[int] = (0,)) -> Said:
        """What the players have written has arrived; a run; its letters have arrived."""
        self.server.settle()
        said = self.call("run", codes=codes)
        self.server.settle()
        return said

    def game(self, name: str) -> GameFolder:
        """A game."""
        return GameFolder(self.games / name)

    def boxes(self) -> list[Outbox]:
        """All outboxes."""
        return [Outbox(self.games / OUTBOX), *map(Outbox, sorted(self.games.glob("*/outbox")))]

    def letters(self, *states: str) -> list[Entry]:
        """The letters that are not settled and stand so."""
        return [entry for box in self.boxes() for entry in box.entries() if entry.state in states]

    def sent(self) -> Counter[tuple[str, str]]:
        """The letters that count as sent: address and Message-ID."""
        found: Counter[tuple[str, str]] = Counter()
        for box in self.boxes():
            for path in (box.folder / "sent").glob("*.yaml"):
                (to,) = re.findall(r"^to: (\S+)$", path.read_text(), re.MULTILINE)
                found[to, f"<{path.stem}@{DOMAIN}>"] += 1
        return found


def ended(process: subprocess.Popen[str]) -> Said:
    """Wait for the end of a command, but not for ever."""
    try:
        out, err = process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"{process.args!r} hangs\n{out}{err}") from None
    return Said(process.returncode, out, err)


def watch(process: subprocess.Popen[str], seen: Callable[[], bool]) -> bool:
    """Stop a process as soon as something is seen; False if it ended before."""
    until = time.monotonic() + LONGEST
    while process.poll() is None and time.monotonic() < until:
        if seen():
            process.send_signal(signal.SIGSTOP)
            return True
        time.sleep(0.0005)
    return False


def is_locked(path: Path) -> bool:
    """Whether a process holds this lock; takes it from nobody."""
    if not path.exists():
        return False
    with path.open() as file, Path("/proc/locks").open() as locks:
        number = os.fstat(file.fileno()).st_ino
        return any(f":{number} " in line and "FLOCK" in line for line in locks)


def ids(letters: Iterable[EmailMessage]) -> list[str]:
    """The identities of letters."""
    return [str(letter["Message-ID"]) for letter in letters]
