"""What became of the orders of a seat for a turn: the files of a game that tell it."""

import hashlib
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem import disk
from pbem.fates import Answer, answers_of
from pbem.orderfile import OrderFile, read_order_file
from pbem.origin import origin_of
from pbem.overtaken import of_turn, same_turn
from pbem.record import Decision
from pbem.sound import read_whole
from pbem.store import LARGEST_ORDER_FILE, GameFolder

_LIES = {
    "orders": "lies there for the next turn",
    "waiting": "waits",
    "undone": "set aside by an undo",
    "received": "received",
}


class Stored(NamedTuple):
    """An order file of the seat. `source`: the mail that it names, or None. `fate`: what became
    of it. `when`: when that was, None if it still lies there."""

    name: str
    sha256: str
    source: str | None
    fate: str
    when: datetime | None
    text: str
    told: str = ""


class Executed(NamedTuple):
    """A decision, the run that carried it out, and whether that run was taken back since."""

    run: int
    decision: Decision
    undone: bool


def decisions_of(folder: GameFolder, player: Dynasty, turn: str) -> list[Executed]:
    """The decisions of a seat in a turn, those that were taken back too."""
    standing = {*folder.runs()}
    number = re.escape(turn)
    inside = re.compile(rf"^ *(?:- )?question: {number}[a-z]*\.".encode(), re.MULTILINE)
    found = []
    for run in range(folder.next_run()):
        if folder.has_run(run) and inside.search(_bytes_of(folder, run)):
            found += [
                Executed(run, each, run not in standing)
                for each in folder.load_run(run).decisions
                if each.player == player and same_turn(each.question.partition(".")[0], turn)
            ]
    return found


def files_of(
    folder: GameFolder, player: Dynasty, turn: str, executed: list[Executed]
) -> list[Stored]:
    """The order files of a seat for a turn, and those that decisions of it name."""
    used = {each.decision.sha256 for each in executed}
    answers = dict(answers_of(folder, player, range(folder.next_run())))
    found = []
    for path in _places(folder, player):
        data = disk.read_plain(path, LARGEST_ORDER_FILE) or b""
        file, origin = read_order_file(data), origin_of(data)
        hashes = {hashlib.sha256(data).hexdigest(), origin.sha256 if origin else ""}
        if of_turn(file, turn) or hashes & used:
            answer = answers.get(path.name) if path.parent == folder.received else None
            found.append(_stored(folder, path, data, file, answer))
    return found


def _stored(
    folder: GameFolder, path: Path, data: bytes, file: OrderFile, answer: Answer | None
) -> Stored:
    origin, place = origin_of(data), path.parent.name
    when = answer.when if answer else None
    if answer and when is None:
        when = folder.load_run(answer.run).when
    if place == "undone":
        run = int(path.name.partition("-")[0])
        when = folder.load_run(run).when if folder.has_run(run) else None
    return Stored(
        f"{place}/{path.name}",
        hashlib.sha256(data).hexdigest(),
        origin.source if origin else None,
        answer.fate if answer else _LIES[place],
        when,
        file.text,
        answer.text if answer else "",
    )


def _places(folder: GameFolder, player: Dynasty) -> Iterator[Path]:
    """Where order files of a seat lie: received first."""
    mine = re.compile(rf"[0-9]+-{player}(?:-[0-9]+)?\.yaml|{player}(?:-[0-9]+)?\.yaml")
    for place in (folder.received, folder.undone, folder.path / "waiting", folder.inbox):
        names = sorted(disk.names_in(place), key=lambda name: (len(name), name))
        for name in names:
            copy = place.name == "waiting" and name == f"{player}.yaml"
            if mine.fullmatch(name) and not (copy and (folder.inbox / name).exists()):
                yield place / name


def _bytes_of(folder: GameFolder, run: int) -> bytes:
    name = f"{run:04d}.yaml"
    path = folder.history / name
    return read_whole(path if path.exists() else folder.undone / name)
