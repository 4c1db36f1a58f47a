"""Whole games told step by step: the files that come in, a command, all that lies there then.

A story is a folder with `story.yaml` (a list of steps) and, if it is compared step by step, a
folder for each step with the files that the step made or changed, with `said.txt` (what was
typed, printed and returned) and `gone.txt` (the files that were there no more).
"""

import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import yaml

from pbem.cli import main

SAID, GONE = "said.txt", "gone.txt"
_NOT_COMPARED = (".lock", "desk.yaml")
"""Locks, and the hashes of order keys, which are made by chance; letters tell the keys."""


class Step(NamedTuple):
    """At `now` the `orders` come in (dynasty: text), then the command line `run` is called."""

    game: str
    now: str
    run: str
    orders: dict[str, str]


def read_story(folder: Path) -> tuple[Step, ...]:
    """The steps of a story, in order."""
    told: dict[str, Any] = yaml.load((folder / "story.yaml").read_text(), yaml.BaseLoader)
    game = told["game"]
    return tuple(
        Step(game, step["now"], step["run"], step.get("orders", {})) for step in told["steps"]
    )


def play(step: Step, place: Path) -> str:
    """Do one step in `place`, whose games lie in `games`; what was typed, printed, returned."""
    bring(step, place)
    said = StringIO()
    with (
        chdir(place),
        patch.dict(os.environ, {"PBEM_NOW": step.now}),
        redirect_stdout(said),
        redirect_stderr(said),
    ):
        code = _run(shlex.split(step.run))
    return f"$ pbem {step.run}\n{said.getvalue()}[{code}]\n"


def bring(step: Step, place: Path) -> None:
    """Put the step's order files where the players or the moderator put them."""
    for dynasty, text in step.orders.items():
        (place / "games" / step.game / "orders" / f"{dynasty}.yaml").write_text(text)


def _run(words: list[str]) -> int:
    try:
        main(words)
    except SystemExit as done:
        return int(done.code or 0)
    return 0


def files_in(folder: Path) -> dict[str, bytes]:
    """All files below a folder by their paths; without locks, order keys, letters."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in paths
        if path.name not in _NOT_COMPARED and path.parent.name != "outbox"
    }


def expected(story: Path, number: int) -> tuple[dict[str, bytes], str]:
    """The files that should lie there after a step, and what should have been said."""
    files: dict[str, bytes] = {}
    said = ""
    for step in (_step(story, each) for each in range(number + 1)):
        changed = files_in(step)
        said = changed.pop(SAID).decode()
        for name in changed.pop(GONE, b"").decode().splitlines():
            del files[name]
        files |= changed
    return files, said


def keep(
    story: Path, number: int, before: dict[str, bytes], after: dict[str, bytes], said: str
) -> None:
    """Write what a step changed, for `expected` to read."""
    step = _step(story, number)
    shutil.rmtree(step, ignore_errors=True)
    changed = {name: data for name, data in after.items() if before.get(name) != data}
    gone = sorted(before.keys() - after.keys())
    changed[SAID] = said.encode()
    if gone:
        changed[GONE] = "".join(f"{name}\n" for name in gone).encode()
    write_files(step, changed)


def write_files(folder: Path, files: dict[str, bytes]) -> None:
    """Write files by their paths below a folder."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def differences(found: dict[str, bytes], wanted: dict[str, bytes]) -> Iterator[str]:
    """The paths that differ, each with how."""
    for name in sorted(found.keys() | wanted.keys()):
        if name not in wanted:
            yield f"{name}: should not be there"
        elif name not in found:
            yield f"{name}: is missing"
        elif found[name] != wanted[name]:
            yield f"{name}: is different"


def _step(story: Path, number: int) -> Path:
    return story / f"{number:02d}"
