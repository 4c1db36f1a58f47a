"""What became of a file that was received, so that its sender can be told.

`received/0007-bull.yaml` is what was sent, `answers/0007-bull.yaml` the answer to it.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem import disk
from pbem.clock import write_time
from pbem.fields import read_fields, scalar
from pbem.sound import Damage
from pbem.store import GameFolder
from pbem.versions import RULES, SCHEMA, read_versions

LARGEST_ANSWER = 1024 * 1024
_KEYS = "schema, rules, run, fate, when, text, note, settled"


class Answer(NamedTuple):
    """The fate of one file: the newest run at that time, one word, and what its sender is told.

    `when` it was refused; nothing for other fates. `settled` is the run by which a newer file was
    accepted. `text` and `note` (what the sender says to the
    moderator) stand here only if no run carries them.
    """

    run: int
    fate: str
    text: str = ""
    note: str = ""
    when: datetime | None = None
    settled: int | None = None


def write_answer(answer: Answer) -> str:
    """The text of an answer file."""
    lines = [f"schema: {SCHEMA}", f"rules: {RULES}", f"run: {answer.run}", f"fate: {answer.fate}"]
    if answer.when:
        lines.append(f"when: {write_time(answer.when)}")
    if answer.text:
        lines.append(f"text: {scalar(answer.text)}")
    if answer.note:
        lines.append(f"note: {scalar(answer.note)}")
    if answer.settled is not None:
        lines.append(f"settled: {answer.settled}")
    return "\n".join(lines) + "\n"


def keep_answer(folder: GameFolder, name: str, answer: Answer) -> None:
    """Write the answer to the file that is received under this name."""
    disk.make_folder(_folder(folder))
    disk.write_over(_folder(folder) / name, write_answer(answer).encode())


def has_answer(folder: GameFolder, name: str) -> bool:
    """Whether an answer to the file that is received under this name has been written."""
    return (_folder(folder) / name).exists()


def settle(folder: GameFolder, dynasty: Dynasty, run: int) -> None:
    """A file of the seat is accepted: what it was told of older ones is settled by this run."""
    found = []
    for name in _names(folder, dynasty):
        answer = _read(_folder(folder) / name)
        if answer.settled is not None:
            break
        found.append((name, answer))
    for name, answer in reversed(found):  # so that a killed run can be done again
        keep_answer(folder, name, answer._replace(settled=run))


def answers_of(
    folder: GameFolder, dynasty: Dynasty, runs: Collection[int]
) -> Iterator[tuple[str, Answer]]:
    """The answers given to a seat when one of these runs was the newest, the newest first.

    Each comes with the name of the file in received/. An answer without its file is that of a
    run that was killed, and counts for nothing.
    """
    first = min(runs)
    for name in _names(folder, dynasty):
        if not (folder.received / name).exists():
            continue
        answer = _read(_folder(folder) / name)
        if answer.run < first:
            return
        if answer.run in runs:
            yield name, answer


def _names(folder: GameFolder, dynasty: Dynasty) -> list[str]:
    """The answers given to a seat by name, the newest first."""
    every = disk.names_in(_folder(folder))
    names = [name for name in every if name[:1].isdigit() and name.endswith(f"-{dynasty}.yaml")]
    return sorted(names, key=lambda name: (len(name), name), reverse=True)


def _read(path: Path) -> Answer:
    fields, faults = read_fields(disk.read_plain(path, LARGEST_ANSWER) or b"")
    if fields is None or not read_versions(fields):
        raise Damage(path, tuple(faults.problems))
    run, fate = fields.number("run"), fields.text("fate")
    when = fields.time("when") if "when" in fields else None
    settled = fields.number("settled") if "settled" in fields else None
    answer = Answer(run, fate, fields.text("text", ""), fields.text("note", ""), when, settled)
    fields.end(_KEYS)
    if faults.problems:
        raise Damage(path, tuple(faults.problems))
    return answer


def _folder(folder: GameFolder) -> Path:
    return folder.path / "answers"
