"""The main job: read the order files of a game, advance it, write the run and the reports.

The order of the steps makes it safe to stop anywhere and run again: the history file is the
commit, then the order files are put away, and last come the reports.
"""

from datetime import datetime
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.endings import Ending, answer_refused, endings, note_of, put_away
from pbem.fates import settle
from pbem.intake import Misfit, take_in
from pbem.notation import write_order
from pbem.origin import origin_of
from pbem.overrides import TemplateFault
from pbem.record import Decision, Message, Press, Record
from pbem.reporting import OTHERS, speaking_in, write_reports
from pbem.rounds import Closed, Round, play_round
from pbem.sheets import NOTE, Played, Sheet
from pbem.store import Game, GameFolder
from pbem.waiting import copy_of, keep_copy


class TurnResult(NamedTuple):
    """What a call of `turn` did to one game. `run` is None if nothing visible changed.

    `refused` are the files that were refused as they came, `misfits` those that are nobody's.
    `noted`: whose notes the moderator's report tells now, each once.
    `fault`: why no reports were written, if a template of the moderator's has a mistake.
    """

    game: Game
    chronicle: Chronicle
    run: int | None
    refused: tuple[Closed, ...]
    misfits: tuple[Misfit, ...]
    decisions: int
    fault: TemplateFault | None = None
    noted: tuple[Dynasty, ...] = ()


def take_turn(folder: GameFolder, now: datetime) -> TurnResult:
    """Advance one game as far as its orders go.

    Raises Busy if another run holds the game, Damage if its files are not sound.
    """
    with folder.locked():
        game = folder.load()
        with speaking_in(game, folder):
            return _take_turn(folder, game, now)


def _take_turn(folder: GameFolder, game: Game, now: datetime) -> TurnResult:
    intake = take_in(folder, game)
    chronicle = Chronicle(folder, game.record)
    stale = not _reports_are_there(folder, game)
    settled = endings(folder, intake.order, intake.settled)
    _put_away(folder, chronicle, settled, carried=True)
    fault = None
    if stale and game.file.gets_letters:
        fault = write_reports(folder, game, chronicle)
    played = play_round(chronicle.situation(), intake.sheets)
    ended = endings(folder, intake.order, (*intake.closed, *played.closed))
    run = folder.next_run() if played.visible else chronicle.newest.run
    answer_refused(folder, run, ended, now)
    for seat in _accepted(folder, intake.sheets, played):
        settle(folder, seat, run)
    if played.visible:
        record = _record(folder, game, played, ended, now)
        folder.commit(record)
        chronicle.add(record, played.played)
    _put_away(folder, chronicle, ended, carried=played.visible)
    kept = [_keep(folder, waiting.sheet) for waiting in played.waiting]
    notes = chronicle.newest.notes if played.visible else [n for each in ended for n in each.note]
    noted = tuple(dict.fromkeys(note.player for note in notes))
    if played.visible or settled or ended or stale or any(kept):
        fault = write_reports(folder, game, chronicle)
    refused = tuple(c for c in (*intake.settled, *played.closed) if c.fate == "refused")
    decisions = len(played.played)
    new_run = run if played.visible else None
    return TurnResult(game, chronicle, new_run, refused, intake.misfits, decisions, fault, noted)


def _accepted(folder: GameFolder, sheets: tuple[Sheet, ...], played: Round) -> list[Dynasty]:
    """Whose new file was accepted: it lies in orders/, has no copy yet, and was not refused."""
    refused = {each.sheet.source for each in played.closed if each.fate == "refused"}
    return [
        sheet.player
        for sheet in sheets
        if sheet.source.startswith("orders/")
        and sheet.source not in refused
        and not copy_of(folder, sheet.player).exists()
    ]


def _put_away(
    folder: GameFolder, chronicle: Chronicle, ended: list[Ending], *, carried: bool
) -> None:
    for ending in ended:
        put_away(folder, chronicle.newest.run, ending, carried=carried)


def _keep(folder: GameFolder, sheet: Sheet) -> bool:
    """Make sure that a file that waits has its copy; whether it had none yet."""
    lies = sheet.source.startswith("orders/")
    return lies and keep_copy(folder, sheet.player, sheet.data)


def _record(
    folder: GameFolder, game: Game, played: Round, ended: list[Ending], now: datetime
) -> Record:
    """The run as it goes into the history."""
    notes = [note for ending in ended for note in ending.note]
    notes += [note for waiting in played.waiting for note in note_of(waiting.sheet)]
    told = [Message(each.player, each.text) for each in played.told]
    return Record(
        run=folder.next_run(),
        kind="turn",
        when=now,
        state=played.state,
        decisions=tuple(_decision(each, now) for each in played.played),
        turn_takes=game.record.turn_takes,
        open_files={each.sheet.sha256: _served(each.sheet, each.used) for each in played.waiting},
        closed_files={each.closed.sheet.sha256: each.closed.fate for each in ended},
        press=tuple(Press(s.player, s.file.press) for s in played.press if s.file.press),
        messages=(*told, *(message for ending in ended for message in ending.message)),
        notes=tuple(notes),
    )


def _decision(played: Played, now: datetime) -> Decision:
    source, sha256 = played.sheet.source if played.sheet else None, played.sha256
    if origin := origin_of(played.sheet.data) if played.sheet else None:
        source, sha256 = origin.source, origin.sha256 or sha256
    return Decision(
        player=played.player,
        question=played.label,
        order=write_order(played.order),
        when=now,
        source=source,
        sha256=sha256,
    )


def _served(sheet: Sheet, used: tuple[str, ...]) -> tuple[str, ...]:
    """What of a waiting file has served, its note too once a run carries it."""
    return (*used, NOTE) if sheet.file.note and NOTE not in used else used


def _reports_are_there(folder: GameFolder, game: Game) -> bool:
    """Whether the reports tell the newest: a run that was killed may have left them out."""
    newest = folder.history / f"{game.record.run:04d}.yaml"
    waiting = folder.path / "waiting"
    sources = [path for path in (newest, folder.received, waiting) if path.exists()]
    changed = max(path.stat().st_mtime_ns for path in sources)
    reports = [folder.reports / f"{seat}.txt" for seat in (*game.file.players, *OTHERS)]
    return all(path.exists() and path.stat().st_mtime_ns >= changed for path in reports)
