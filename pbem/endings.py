"""How order files end: what is told of each, under which name it is kept, where it goes."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from pbem.fates import Answer, answers_of, has_answer, keep_answer
from pbem.language import speaking_to
from pbem.record import Message, Note
from pbem.repair import repaired_text
from pbem.rounds import Closed
from pbem.sheets import NOTE, Sheet
from pbem.store import GameFolder, OrderFile
from pbem.tidings import dropped_text, refusal_text, repeated, withdrawn
from pbem.waiting import copy_of, read_copy


class Ending(NamedTuple):
    """A file that is done with, the name it gets in received/, and what its sender is told."""

    closed: Closed
    name: str
    text: str = ""

    @property
    def message(self) -> tuple[Message, ...]:
        """What the run tells its sender; why a file was refused is told until it is settled."""
        if self.closed.fate == "refused":
            return ()
        return (Message(self.closed.sheet.player, self.text),) if self.text else ()

    @property
    def note(self) -> tuple[Note, ...]:
        """What its sender says to the moderator, if that has not been passed on yet."""
        settled = self.closed.problems or self.closed.repeated
        return () if settled else note_of(self.closed.sheet)


def note_of(sheet: Sheet) -> tuple[Note, ...]:
    """What a file says to the moderator, if that has not been passed on yet."""
    if NOTE in sheet.used or sheet.file.note is None:
        return ()
    return (Note(sheet.player, sheet.file.note),)


def endings(folder: GameFolder, order: Sequence[str], files: Iterable[Closed]) -> list[Ending]:
    """The files in the order in which they lay there (`order`: their sources), with names.

    So a run that goes on where another was killed gives them the same names.
    """
    found = sorted(files, key=lambda closed: order.index(closed.sheet.source))
    first = int(folder.next_received("").name.partition("-")[0])
    names = [f"{first + i:04d}-{closed.sheet.player}.yaml" for i, closed in enumerate(found)]
    return [Ending(c, name, _text(c)) for c, name in zip(found, names, strict=True)]


def _text(closed: Closed) -> str:
    with speaking_to(closed.sheet.player):
        return _told(closed)


def _told(closed: Closed) -> str:
    if closed.problems:
        again = repaired_text(closed.sheet.file.text, closed.problems)
        if closed.fate == "refused":
            return refusal_text(closed.problems, again)
        return dropped_text(closed.problems, again, used=bool(closed.sheet.used))
    if closed.fate == "withdrawn":
        return withdrawn(closed.sheet.used)
    return repeated() if closed.repeated else closed.lost


def answer_refused(folder: GameFolder, run: int, ended: Iterable[Ending], now: datetime) -> None:
    """Write why files were refused: before the run is committed, for it can be told only now."""
    for ending in ended:
        if ending.closed.fate == "refused":
            answer = Answer(run, "refused", ending.text, when=now)
            keep_answer(folder, ending.name, answer)


def put_away(folder: GameFolder, run: int, ending: Ending, *, carried: bool) -> None:
    """Write the answer to a file and move it to received/, byte for byte.

    `carried`: a run carries what its sender is told and what he notes.
    """
    note = "" if carried else "".join(note.text for note in ending.note)
    text = "" if carried else ending.text
    if ending.closed.fate != "refused" or not has_answer(folder, ending.name):
        keep_answer(folder, ending.name, Answer(run, ending.closed.fate, text, note))
    sheet = ending.closed.sheet
    path = folder.path / sheet.source
    if not sheet.source.startswith("orders/"):
        folder.receive_copy(path, sheet.player)
        return
    copy = copy_of(folder, sheet.player)
    if read_copy(copy) == sheet.data:
        copy.unlink()
    folder.receive(OrderFile(path, sheet.data), sheet.player)


def was_put_away(folder: GameFolder, sheet: Sheet, run: int) -> bool:
    """Whether the same bytes have gone to received/ since a run."""
    names = (name for name, _ in answers_of(folder, sheet.player, {run}))
    return any(read_copy(folder.received / name) == sheet.data for name in names)
