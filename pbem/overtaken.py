"""Orders that were held while the game went on: which run decided what they were for."""

from datetime import datetime
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.orderfile import OrderFile
from pbem.record import Record

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Overtaken(NamedTuple):
    """What orders were for was decided without them: `undo GAME --to back` opens it again."""

    game: str
    back: int


def run_before(
    chronicle: Chronicle, player: Dynasty, file: OrderFile, arrival: datetime
) -> int | None:
    """The run to go back to: the one before a decision of this seat, made after the mail came,
    on what its orders are for. None if they were for nothing that was decided since."""
    back, decides = None, False
    for record in chronicle.backwards(chronicle.newest.run):
        if decides:
            back = record.run
        if record.when < arrival:
            break
        decides = _decides(record, player, file)
    return back


def _decides(record: Record, player: Dynasty, file: OrderFile) -> bool:
    return any(each.player == player and wanted(file, each.question) for each in record.decisions)


def wanted(file: OrderFile, label: str) -> bool:
    """Whether orders are for this question: by its name, or as actions of its turn."""
    turn = label.partition(".")[0]
    if file.turn and file.turn.rstrip(_LETTERS) == turn.rstrip(_LETTERS):
        return True
    return any(_plain(each.question) == _plain(label) for each in file.answers or ())


def of_turn(file: OrderFile, turn: str) -> bool:
    """Whether orders are for a turn, by its name: `7` means 7b as well, `7b` only that."""
    labels = [file.turn] if file.turn else []
    labels += [each.question.partition(".")[0] for each in file.answers or ()]
    return any(same_turn(label, turn) for label in labels) or (not labels and bool(file.problems))


def same_turn(label: str, turn: str) -> bool:
    """Whether a turn of this name is meant."""
    return turn in (label, label.rstrip(_LETTERS))


def _plain(label: str) -> str:
    """The name that a question had before its turn was ever taken back."""
    turn, _, serial = label.partition(".")
    return f"{turn.rstrip(_LETTERS)}.{serial}"
