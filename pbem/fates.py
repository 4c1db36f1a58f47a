"""What became of a file that was received, so that its sender can be told.

`received/0007-bull.yaml` is what was sent, `answers/0007-bull.yaml` the answer to it.
"""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem import disk
from pbem.fields import read_fields, scalar
from pbem.store import Damage, GameFolder
from pbem.versions import RULES, SCHEMA, read_versions

LARGEST_ANSWER = 1024 * 1024
_KEYS = "schema, rules, run, fate, text, note"


class Answer(NamedTuple):
    """The fate of one file: the newest run at that time, one word, and what its sender is told.

    `text` and `note` (what the sender says to the moderator) stand here only if no run carries
    them.
    """

    run: int
    fate: str
    text: str = ""
    note: str = ""


def write_answer(answer: Answer) -> str:
    """The text of an answer file."""
    lines = [f"schema: {SCHEMA}", f"rules: {RULES}", f"run: {answer.run}", f"fate: {answer.fate}"]
    if answer.text:
        lines.append(f"text: {scalar(answer.text)}")
    if answer.note:
        lines.append(f"note: {scalar(answer.note)}")
    return "\n".join(lines) + "\n"


def keep_answer(folder: GameFolder, name: str, answer: Answer) -> None:
    """Write the answer to the file that is received under this name."""
    disk.make_folder(_folder(folder))
    disk.write_over(_folder(folder) / name, write_answer(answer).encode())


def answers_of(
    folder: GameFolder, dynasty: Dynasty, runs: Collection[int]
) -> Iterator[tuple[str, Answer]]:
    """The answers given to a seat when one of these runs was the newest, the newest first.

    Each comes with the name of the file in received/. An answer without its file is that of a
    run that was killed, and counts for nothing.
    """
    first = min(runs)
    names = [n for n in disk.names_in(_folder(folder)) if n.endswith(f"-{dynasty}.yaml")]
    for name in sorted(names, key=lambda name: (len(name), name), reverse=True):
        if not (folder.received / name).exists():
            continue
        answer = _read(_folder(folder) / name)
        if answer.run < first:
            return
        if answer.run in runs:
            yield name, answer


def _read(path: Path) -> Answer:
    fields, faults = read_fields(disk.read_plain(path, LARGEST_ANSWER) or b"")
    if fields is None or not read_versions(fields):
        raise Damage(path, tuple(faults.problems))
    run, fate = fields.number("run"), fields.text("fate")
    answer = Answer(run, fate, fields.text("text", ""), fields.text("note", ""))
    fields.end(_KEYS)
    if faults.problems:
        raise Damage(path, tuple(faults.problems))
    return answer


def _folder(folder: GameFolder) -> Path:
    return folder.path / "answers"
