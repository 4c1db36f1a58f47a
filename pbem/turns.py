"""The main job: read the order files of a game, advance it, write the run and the reports.

The order of the steps makes it safe to stop anywhere and run again: the history file is the
commit, then the order files are put away, and last come the reports.
"""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple, TypeAlias

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.endings import Ending, answer_refused, endings, note_of, put_away
from pbem.fates import settle
from pbem.intake import Intake, Misfit, take_in
from pbem.notation import write_order
from pbem.origin import origin_of
from pbem.overrides import TemplateFault
from pbem.record import Decision, Message, Press, Record
from pbem.reporting import OTHERS, speaking_in, write_reports
from pbem.rounds import Closed, Round, play_round
from pbem.seats.confirming import confirm_by_orders
from pbem.seats.unconfirmed import unconfirmed
from pbem.sheets import NOTE, Played, Sheet
from pbem.store import Game, GameFolder
from pbem.waiting import copy_of, keep_copy

Excused: TypeAlias = Collection[tuple[str, Dynasty]]
"""Seats whose time may be over without harm now, each with the name of its game."""


class TurnResult(NamedTuple):
    """What a call of `turn` did to one game. `run` is None if nothing visible changed.

    `refused` are the files that were refused as they came, `misfits` those that are nobody's.
    `noted`: whose notes the moderator's report tells now, each once.
    `fault`: why no reports were written, if a template of the moderator's has a mistake.
    `missed`: who has missed his deadline, with the question. `dropped`, `handed`: the seats that
    nobody plays from now on, and those that somebody else plays, because of it.
    """

    game: Game
    chronicle: Chronicle
    run: int | None
    refused: tuple[Closed, ...]
    misfits: tuple[Misfit, ...]
    decisions: int
    fault: TemplateFault | None = None
    noted: tuple[Dynasty, ...] = ()
    missed: tuple[tuple[Dynasty, str], ...] = ()
    dropped: tuple[Dynasty, ...] = ()
    handed: tuple[Dynasty, ...] = ()


def take_turn(
    folder: GameFolder,
    now: datetime,
    *,
    judge: bool = False,
    excused: Excused = (),
) -> TurnResult:
    """Advance one game as far as its orders go.

    `judge`: if the time for the open question is over and no orders answer it, what the game's
    policy says is done; not so for the `excused`, named by game and seat.
    Raises Busy if another run holds the game, Damage if its files are not sound.
    """
    with folder.locked():
        game, fault = confirm_by_orders(folder, _whole(folder, folder.load(), now), now)
        if unconfirmed(game):
            return TurnResult(game, Chronicle(folder, game.record), None, (), (), 0, fault)
        with speaking_in(game, folder):
            return _take_turn(folder, game, now, excused if judge else None)


def _whole(folder: GameFolder, game: Game, now: datetime) -> Game:
    """The game, with what a killed handover has left undone."""
    if not game.desk.handovers:
        return game
    from pbem.seats.handover import finish_handovers

    return finish_handovers(folder, game, now)


def _take_turn(
    folder: GameFolder, before: Game, now: datetime, excused: Excused | None
) -> TurnResult:
    lying = take_in(folder, before)
    chronicle = Chronicle(folder, before.record)
    stale = not reports_are_there(folder, before)
    settled = endings(folder, lying.order, lying.settled)
    _put_away(folder, chronicle, settled, carried=True)
    fault = None
    if stale and before.file.gets_letters:
        fault = write_reports(folder, before, chronicle, now=now)
    game, intake, played = _played(folder, before, chronicle, lying, now, excused)
    ended = _stored(folder, game, chronicle, intake, played, now)
    kept = [_keep(folder, waiting.sheet) for waiting in played.waiting]
    if played.visible or settled or ended or stale or any(kept) or game is not before:
        fault = write_reports(folder, game, chronicle, now=now)
    return TurnResult(
        game=game,
        chronicle=chronicle,
        run=chronicle.newest.run if played.visible else None,
        refused=tuple(c for c in (*lying.settled, *played.closed) if c.fate == "refused"),
        misfits=intake.misfits,
        decisions=len(played.played),
        fault=fault,
        noted=_noted(chronicle, ended, carried=played.visible),
        missed=played.missed,
        dropped=tuple(seat for seat in game.desk.dropped if seat not in before.desk.dropped),
        handed=tuple(each.seat for each in game.desk.handovers[len(before.desk.handovers) :]),
    )


def _played(
    folder: GameFolder,
    game: Game,
    chronicle: Chronicle,
    intake: Intake,
    now: datetime,
    excused: Excused | None,
) -> tuple[Game, Intake, Round]:
    """The round, and what it is about: a deadline that is over may change that."""
    if excused is None or game.file.policies.turn_time is None:
        situation = chronicle.situation(game.desk.dropped)
        return game, intake, play_round(situation, intake.sheets)
    from pbem.clock.judging import try_late

    return try_late(folder, game, chronicle, intake, now, excused)


def _stored(
    folder: GameFolder,
    game: Game,
    chronicle: Chronicle,
    intake: Intake,
    played: Round,
    now: datetime,
) -> list[Ending]:
    """Commit the round, and put away the files that are done with; what became of those."""
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
    return ended


def _noted(chronicle: Chronicle, ended: list[Ending], *, carried: bool) -> tuple[Dynasty, ...]:
    """Whose notes the moderator's report tells now; `carried`: there is a new run."""
    notes = chronicle.newest.notes if carried else [n for each in ended for n in each.note]
    return tuple(dict.fromkeys(note.player for note in notes))


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
    source = played.sheet.source if played.sheet else played.by
    sha256 = played.sha256
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


def reports_are_there(folder: GameFolder, game: Game) -> bool:
    """Whether the reports tell the newest: a run that was killed may have left them out."""
    newest = folder.history / f"{game.record.run:04d}.yaml"
    beside = (folder.path / name for name in ("waiting", "desk.yaml", "game.yaml"))
    sources = [path for path in (newest, folder.received, *beside) if path.exists()]
    changed = max(path.stat().st_mtime_ns for path in sources)
    reports = [folder.reports / f"{seat}.txt" for seat in (*game.file.players, *OTHERS)]
    return all(path.exists() and path.stat().st_mtime_ns >= changed for path in reports)
