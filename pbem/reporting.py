"""From runs to reports: what each reader is told of a run, and the files in reports/."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from engine.hintview import Hints
from engine.pieces import DYNASTIES, Dynasty
from engine.sight import view
from engine.state import State
from engine.view import Viewer
from pbem.chronicle import Chronicle, Told
from pbem.clock.missed import dropped_by, with_absences
from pbem.endgame import revealed_by, tally_of
from pbem.fates import Answer, answers_of
from pbem.gamefile import SeatEntry
from pbem.inforce import orders_that_wait
from pbem.labels import next_own_turn, question_label, turn_label
from pbem.language import among, speaking, when
from pbem.orderitems import ACTIONS_A_TURN
from pbem.origin import BY_MODERATOR
from pbem.overrides import TemplateFault, overrides_in, passed_over
from pbem.record import ALL, Record
from pbem.reports import Report, render
from pbem.reportvalues import Press
from pbem.rulings import rulings_told
from pbem.seats.people import names_for, new_players, played_by, taken_over
from pbem.seats.unconfirmed import unconfirmed
from pbem.sheets import actions_done
from pbem.store import Game, GameFolder
from pbem.undoing.words import because, entered_for, played_again, taken_back
from pbem.wording import try_templates

OTHERS: tuple[Viewer, ...] = ("public", "moderator")


def readers(game: Game) -> tuple[Viewer, ...]:
    """Everybody who gets a report: the seats, the public, the moderator."""
    return (*game.file.players, *OTHERS)


def report_of(game: Game, chronicle: Chronicle, viewer: Viewer, run: int) -> Report:
    """What a reader is told of a run, and of his files until the next one."""
    record = chronicle.record(run)
    state, takes = record.state, record.turn_takes
    told = chronicle.news(viewer, run)
    playing = {*game.file.players} - {*dropped_by(game, record)}
    plays = viewer in playing and not state.over
    following = [next_own_turn(state, seat) for seat in state.players if seat == viewer]
    seat = next((each for each in game.file.seats if each.dynasty == viewer), _USUAL)
    report = Report(
        game=game.file.game,
        run=run,
        viewer=viewer,
        names=names_for(game.file, viewer),
        view=view(state, viewer, told.events),
        question=None if state.over else question_label(state, takes),
        turn_label=turn_label(state.turn, takes),
        next_turn_label=turn_label(following[0], takes) if plays else None,
        written=record.when,
        waiting_since=None if state.over else chronicle.waiting_since(run),
        press=tuple(Press(each.player, each.text) for each in record.press),
        notes=_notes(game, chronicle, record, viewer),
        messages=_messages(game, chronicle, told, viewer, run),
        waits=_waits(game, chronicle, viewer, run),
        rest=_rest(state, viewer),
        turn_labels={turn: turn_label(turn, takes) for turn in takes},
        language=seat.language,
        zone=seat.zone,
        map_style=seat.map,
        changed=chronicle.changed(run),
        hints=_hints(state, seat) if seat.hints and plays else None,
        new_players=tuple(new_players(game, chronicle, viewer, run)),
        unconfirmed=unconfirmed(game),
        corrected=record.because if record.again else None,
        rulings=tuple(each.text for each in rulings_told(game.desk.rulings, told.records, run)),
        **(_ending(game, chronicle, viewer, run) if state.over else {}),
        **_timing(game, chronicle, run),
    )
    return with_absences(report, game, chronicle, told)


def _messages(
    game: Game, chronicle: Chronicle, told: Told, viewer: Viewer, run: int
) -> tuple[str, ...]:
    """What was taken back, and what became of the reader's own files."""
    seat = next((each for each in game.file.seats if each.dynasty == viewer), _USUAL)
    since = taken_over(game, viewer)
    with speaking(seat.language, seat.zone):
        undone = _undone(told.records, run)
        return (*undone, *_private(chronicle.folder, told.records, viewer, since))


def _ending(game: Game, chronicle: Chronicle, viewer: Viewer, run: int) -> dict[str, Any]:
    """The fields that are told once the game is over."""
    return {
        "tally": tally_of(chronicle, run),
        "revealed": revealed_by(chronicle.record(run).state),
        "played_by": played_by(game, chronicle, viewer, run),
    }


def _timing(game: Game, chronicle: Chronicle, run: int) -> dict[str, Any]:
    """The fields on time; games without deadlines do not wait for calendars to be loaded."""
    if game.file.policies.turn_time is None or run != chronicle.newest.run:
        return {}
    from pbem.clock.timing import timing

    return timing(game, chronicle)._asdict()


_USUAL = SeatEntry("archer", "")
"""How those who have no seat get their reports."""


def _waits(game: Game, chronicle: Chronicle, viewer: Viewer, run: int) -> tuple[str, ...]:
    """The reader's own orders that wait."""
    newest, taken = run == chronicle.newest.run, taken_over(game, viewer)
    if not newest and taken is not None and run <= taken:
        return ()  # what waited then was somebody else's
    record = chronicle.record(run)
    mine = (seat for seat in game.file.players if seat == viewer)
    texts = (orders_that_wait(chronicle.folder, record, seat, newest=newest) for seat in mine)
    return next(texts, ())


def _rest(state: State, viewer: Viewer) -> int | None:
    """The action that the reader has left while another is asked in the middle of his turn."""
    question = state.question
    if question is None or question.player == viewer or state.active != viewer:
        return None
    done = actions_done(state)
    return done + 1 if done < ACTIONS_A_TURN else None


def _hints(state: State, seat: SeatEntry) -> Hints | None:
    from engine.hints import hints

    return hints(state, seat.dynasty)


def _notes(game: Game, chronicle: Chronicle, record: Record, viewer: Viewer) -> tuple[str, ...]:
    """What the players say to the moderator, who alone reads it."""
    if viewer != "moderator":
        return ()
    found = [(note.player, note.text) for note in record.notes]
    for seat in game.file.players:
        answers = answers_of(chronicle.folder, seat, {record.run})
        found += [(seat, answer.note) for _, answer in reversed([*answers]) if answer.note]
    names = {seat.dynasty: seat.name for seat in game.file.seats}
    return tuple(f"{player} ({names[player]}): {text}" for player, text in found)


def _undone(records: tuple[Record, ...], run: int) -> Iterator[str]:
    """That the moderator took runs back; every reader is told."""
    for record in records:
        if record.undo_to is None:
            continue
        turn, runs = record.state.turn, (record.undo_to + 1, record.run - 1)
        label = turn_label(turn, record.turn_takes)
        if record.again is None:
            text = taken_back(runs, record.undo_to, turn, label)
        else:
            text = played_again(runs, None if record.again == ALL else record.again, label)
        heads = record.again is not None and record.run == run
        yield f"{text} {because(record.because)}" if record.because and not heads else text


def _private(
    folder: GameFolder, records: tuple[Record, ...], viewer: Viewer, since: int | None
) -> Iterator[str]:
    """What became of the reader's own files, in these runs and after each.

    What was told of a file is settled when a newer one is accepted, or by an undo. `since`: the
    newest run when he took over his seat; what his predecessor was told is not for him.
    """
    if viewer not in DYNASTIES:
        return
    undone = max((record.run for record in records if record.undo_to is not None), default=0)
    begin = max(undone, since or 0)
    runs = {record.run for record in records if record.run >= begin}
    later: dict[int, list[str]] = {}
    for _, answer in answers_of(folder, viewer, runs) if runs else ():
        if answer.text and (answer.settled is None or answer.settled > records[-1].run):
            later.setdefault(answer.run, []).insert(0, _with_time(answer))
    for record in records:
        if since is None or record.run > since:
            yield from _entered(record, viewer)
            yield from (each.text for each in record.messages if each.player == viewer)
        yield from later.get(record.run, ())


def _entered(record: Record, viewer: Viewer) -> Iterator[str]:
    """What the moderator decided in the reader's place, in one run."""
    mine = (each for each in record.decisions if each.player == viewer)
    entered = [(each.question, each.order) for each in mine if each.source == BY_MODERATOR]
    if entered:
        yield entered_for(entered)


def _with_time(answer: Answer) -> str:
    """What a seat is told of a file, with the time if it was refused."""
    if answer.when is None:
        return answer.text
    return f"{when(answer.when)}\n{answer.text}"


def speaking_in(game: Game, folder: GameFolder) -> AbstractContextManager[None]:
    """Speak for a game: its seats' languages, the templates of its moderator."""
    languages: dict[str, str] = {seat.dynasty: seat.language for seat in game.file.seats}
    return among(languages, overrides_in(folder.games))


def report_text(game: Game, chronicle: Chronicle, viewer: Viewer, run: int | None = None) -> str:
    """A report of a run, the newest if none is named, as text."""
    return render(report_of(game, chronicle, viewer, chronicle.newest.run if run is None else run))


def _announced(folder: GameFolder, game: Game, chronicle: Chronicle, now: datetime | None) -> Game:
    if game.file.policies.turn_time is None:
        return game
    from pbem.clock.announcing import announce

    return announce(folder, game, chronicle, now)


def write_reports(
    folder: GameFolder,
    game: Game,
    chronicle: Chronicle,
    keys: Mapping[Dynasty, str] | None = None,
    *,
    letters: bool = True,
    now: datetime | None = None,
) -> TemplateFault | None:
    """Write the newest report of every reader: all of them, or none if a template has a mistake.

    The mistake is returned; the run stands, and the next one writes the reports. Letters come
    first: a report that is newer than its run says that nothing is left to do. `keys` are the
    order keys that the letters tell. Without `letters` none is laid. The deadline is announced
    before anybody reads of it; `now`: the time, if the clock is not to be asked.
    """
    run = chronicle.newest.run
    game = _announced(folder, game, chronicle, now)
    try:
        try_templates()
        reports = {viewer: report_of(game, chronicle, viewer, run) for viewer in readers(game)}
        texts = {viewer: render(report) for viewer, report in reports.items()}
        passed_over()
    except TemplateFault as fault:
        return fault
    if letters and game.file.gets_letters and not unconfirmed(game):
        from pbem.mail.post import post

        post(folder, game, chronicle, reports, texts, keys=keys)
    for viewer, text in texts.items():
        folder.write_report(viewer, text)
    return None
