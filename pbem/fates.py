"""What became of a file that was received: written beside it, so that its sender can be told.

`received/0007-bull.yaml` is what was sent, `received/0007-bull.answer.yaml` the answer to it.
"""

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

    `note` is what the sender says to the moderator, if no run carries it.
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


def answers_of(folder: GameFolder, dynasty: Dynasty, run: int) -> list[Answer]:
    """The answers given to a seat since a run that is the newest, oldest first."""
    found: list[Answer] = []
    for path in sorted(folder.received.glob(f"*-{dynasty}.answer.yaml"), reverse=True):
        data = disk.read_plain(path, LARGEST_ANSWER)
        fields, faults = read_fields(data or b"")
        if fields is None or not read_versions(fields):
            raise Damage(path, tuple(faults.problems))
        answer = Answer(
            fields.number("run"),
            fields.text("fate"),
            fields.text("text", ""),
            fields.text("note", ""),
        )
        fields.end(_KEYS)
        if faults.problems:
            raise Damage(path, tuple(faults.problems))
        if answer.run < run:
            break
        found.insert(0, answer)
    return found
