"""Files of the program that are no files, or hold what nobody wrote: named, no traceback."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pbem.mail_desk import Desk, mail, orders

COMMANDS = (
    "status", "run --dry-run", "digest", "doctor", "stats", "inbox", "inbox show 1",
    "trace ur-1 1 archer", "export ur-1 --to x.zip", "pause ur-1", "resume --all",
    "release 1", "mail in", "mail out", "turn --all", "run",
)  # fmt: skip


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def deep(path: Path) -> None:
    path.write_text("[" * 100_000)


PLACES = (
    "pbem.yaml", "_run/run.yaml", "_mail/ledger.jsonl", "_mail/notices/000001.txt", "_outbox",
    "_index.json", "ur-1/desk.yaml", "ur-1/history/0000.yaml", "ur-1/outbox",
)  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("breaks", [loop, pipe, folder, deep])
def test_every_command_says_it_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, breaks: Callable[[Path], None]
) -> None:
    monkeypatch.chdir(tmp_path)
    desk = Desk(tmp_path)
    desk.start("ur-1", "--policy", "turn_time=3d")
    desk.start("ur-2", "--policy", "turn_time=3d")
    desk.take(mail(orders(), proven=False), code=1)
    desk.call("run")
    path = desk.games / place
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    breaks(path)
    for command in COMMANDS:
        said = desk.call(*command.split())
        assert said.code in (0, 1, 3), (command, said)
        assert "fault of this program" not in said.err, (command, said)
        assert "Traceback" not in said.err + said.out, (command, said)
