"""The head of a history file: what was decided in a run, by whom, when; without the state.

A head that stands as the program writes it is read line by line, which is a hundred times faster
than reading the file. One that was edited by hand is read like any other file.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from engine.pieces import DYNASTIES, Dynasty
from pbem import disk
from pbem.clock import read_time
from pbem.record import KINDS, Kind
from pbem.store import GameFolder

_BEHIND = (
    "turn_takes:", "open_files:", "closed_files:", "press:", "messages:", "notes:", "state:",
    "seal:",
)  # fmt: skip
"""Keys that stand behind the decisions."""

_ENOUGH = 8 * 1024
_LARGEST = 16 * 1024 * 1024
_KEY = re.compile(r"^(?=[a-z_]+:)", re.MULTILINE)
_TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"
_ONE = re.compile(
    r"  - question: (?P<question>[0-9a-z.]+)\n    player: (?P<player>[a-z]+)\n    order: [^\n]*\n"
    rf"    when: (?P<when>{_TIME})\n(?:    source: (?P<source>[^\n]*)\n)?"
    r"(?:    sha256: [0-9a-f]{64}\n)?"
)


class Decided(NamedTuple):
    """A decision without the order: whose, which question, when, in which file or mail it came."""

    player: Dynasty
    question: str
    when: datetime
    source: str | None


class RunHead(NamedTuple):
    """What a run was, without the state."""

    run: int
    kind: Kind
    when: datetime
    decisions: tuple[Decided, ...]


def heads(folder: GameFolder) -> Iterator[RunHead]:
    """The runs that count, newest first. Damage if one cannot be read."""
    for run in reversed(folder.runs()):
        yield read_head(folder, run)


def read_head(folder: GameFolder, run: int) -> RunHead:
    """The head of one run."""
    path = folder.history / f"{run:04d}.yaml"
    data = disk.read_plain(path, _ENOUGH) or b""
    head = _quickly(run, data)
    if head is None and len(data) > _ENOUGH:
        head = _quickly(run, disk.read_plain(path, _LARGEST) or b"")
    return head or _slowly(folder, run)


def _quickly(run: int, data: bytes) -> RunHead | None:
    """The head of a file as the program writes it; None if it is not like that, or cut off."""
    parts = _KEY.split(data.decode("utf-8", "replace"))
    told = dict(part.split(":", 1) for part in parts[1:-1])  # the last one may be cut off
    if not parts[-1].startswith(_BEHIND):
        return None
    kind = next((each for each in KINDS if each == told.get("kind", "").strip()), None)
    if kind is None or told.get("run", "").strip() != str(run):
        return None
    decisions = _decisions(told.get("decisions", "\n"))
    try:
        return RunHead(run, kind, read_time(told["when"]), tuple(decisions))
    except (KeyError, ValueError):
        return None


def _decisions(text: str) -> Iterator[Decided]:
    """ValueError where a line is another one than the program writes."""
    at = text.index("\n") + 1
    while at < len(text):
        found = _ONE.match(text, at)
        if found is None:
            raise ValueError(text[at:])
        player = DYNASTIES[DYNASTIES.index(found["player"])]
        source = (found["source"] or "").strip("\"'") or None
        yield Decided(player, found["question"], read_time(found["when"]), source)
        at = found.end()


def _slowly(folder: GameFolder, run: int) -> RunHead:
    record = folder.load_run(run)
    decisions = tuple(Decided(d.player, d.question, d.when, d.source) for d in record.decisions)
    return RunHead(run, record.kind, record.when, decisions)
