"""The main job: read the order files of a game, advance it, write the run and the reports.

The order of the steps makes it safe to stop anywhere and run again: the history file is the
commit, then come the reports, and last the order files are put away.
"""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from pbem import disk
from pbem.chronicle import Chronicle
from pbem.fates import Answer, write_answer
from pbem.intake import Intake, Misfit, keep, put_away, take_in
from pbem.notation import write_order
from pbem.record import Decision, Message, Note, Press, Record
from pbem.repair import repaired_text
from pbem.reporting import OTHERS, write_reports
from pbem.rounds import Closed, Round, play_round
from pbem.sheets import NOTE, Sheet
from pbem.store import Game, GameFolder
from pbem.tidings import refusal_text


class TurnResult(NamedTuple):
    """What a call of `turn` did to one game. `run` is None if nothing visible changed.

    `refused` are the seats whose file was refused, `misfits` the files that are nobody's.
    """

    game: Game
    record: Record
    run: int | None
    refused: tuple[Closed, ...]
    misfits: tuple[Misfit, ...]
    decisions: int


def take_turn(folder: GameFolder, now: datetime) -> TurnResult:
    """Advance one game as far as its orders go.

    Raises Busy if another run holds the game, Damage if its files are not sound.
    """
    with folder.locked():
        game = folder.load()
        intake = take_in(folder, game)
        chronicle = Chronicle(folder, game.record)
        played = play_round(chronicle.situation(), intake.sheets)
        run = None
        if played.visible:
            record = _record(folder, game, played, now)
            folder.commit(record)
            chronicle.add(record, played.played)
            run = record.run
        _finish(folder, game, chronicle, intake, played)
        refused = (*intake.unreadable, *(c for c in played.closed if c.fate == "refused"))
        newest = chronicle.newest
        return TurnResult(game, newest, run, refused, intake.misfits, len(played.played))


def _record(folder: GameFolder, game: Game, played: Round, now: datetime) -> Record:
    """The run as it goes into the history."""
    decisions = tuple(
        Decision(
            player=each.player,
            question=each.label,
            order=write_order(each.order),
            when=now,
            source=each.sheet.source if each.sheet else None,
            sha256=each.sha256,
        )
        for each in played.played
    )
    noted = [sheet for sheet in _accepted(played) if sheet.file.note and NOTE not in sheet.used]
    return Record(
        run=folder.next_run(),
        kind="turn",
        when=now,
        state=played.state,
        decisions=decisions,
        turn_takes=game.record.turn_takes,
        open_files={each.sheet.sha256: _served(each.sheet, each.used) for each in played.waiting},
        closed_files={each.sheet.sha256: each.fate for each in played.closed},
        press=tuple(Press(s.player, s.file.press) for s in played.press if s.file.press),
        messages=tuple(Message(each.player, each.text) for each in played.told),
        notes=tuple(Note(sheet.player, sheet.file.note) for sheet in noted if sheet.file.note),
    )


def _served(sheet: Sheet, used: tuple[str, ...]) -> tuple[str, ...]:
    """What of a waiting file has served, its note too once a run carries it."""
    return (*used, NOTE) if sheet.file.note and NOTE not in used else used


def _accepted(played: Round) -> list[Sheet]:
    closed = [each.sheet for each in played.closed if each.fate != "refused"]
    return [*closed, *(each.sheet for each in played.waiting)]


def _finish(
    folder: GameFolder, game: Game, chronicle: Chronicle, intake: Intake, played: Round
) -> None:
    """Everything after the commit; all of it can be done again."""
    closed = (*intake.done, *intake.unreadable, *played.closed)
    stale = not _reports_are_there(folder, game)
    for each in closed:
        _answer(folder, chronicle, each, carried=played.visible)
        put_away(folder, each.sheet)
    if played.visible or closed or stale:
        write_reports(folder, game, chronicle)
    for waiting in played.waiting:
        keep(folder, waiting.sheet)


def _answer(folder: GameFolder, chronicle: Chronicle, closed: Closed, *, carried: bool) -> None:
    """Write what became of a file beside the place where it will lie.

    `carried`: a run was made that carries the note, if the file was accepted.
    """
    sheet, refused = closed.sheet, closed.fate == "refused"
    target = folder.next_received(sheet.player)
    text = ""
    if refused:
        again = repaired_text(sheet.file.text, closed.problems)
        text = refusal_text(target.name, closed.problems, again)
    elif closed.fate == "withdrawn":
        text = f"Your order file was taken out of orders/ and is kept as {target.name}."
    own_note = sheet.file.note if not (refused or carried or NOTE in sheet.used) else None
    answer = Answer(chronicle.newest.run, closed.fate, text, own_note or "")
    disk.make_folder(folder.received)
    disk.write_over(_beside(target), write_answer(answer).encode())


def _beside(target: Path) -> Path:
    return target.with_name(f"{target.stem}.answer.yaml")


def _reports_are_there(folder: GameFolder, game: Game) -> bool:
    """Whether the reports tell the newest: a run that was killed may have left them out."""
    newest = folder.history / f"{game.record.run:04d}.yaml"
    sources = [path for path in (newest, folder.received) if path.exists()]
    changed = max(path.stat().st_mtime_ns for path in sources)
    reports = [folder.reports / f"{seat}.txt" for seat in (*game.file.players, *OTHERS)]
    return all(path.exists() and path.stat().st_mtime_ns >= changed for path in reports)
