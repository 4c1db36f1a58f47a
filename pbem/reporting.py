"""From runs to reports: what each reader is told of a run, and the files in reports/."""

from collections.abc import Iterator, Mapping

from engine.pieces import DYNASTIES, Dynasty
from engine.sight import view
from engine.view import Viewer
from pbem.chronicle import Chronicle
from pbem.fates import answers_of
from pbem.labels import next_own_turn, question_label, turn_label
from pbem.record import Record
from pbem.reports import Press, Report, render
from pbem.store import Game, GameFolder

OTHERS: tuple[Viewer, ...] = ("public", "moderator")


def readers(game: Game) -> tuple[Viewer, ...]:
    """Everybody who gets a report: the seats, the public, the moderator."""
    return (*game.file.players, *OTHERS)


def report_of(game: Game, chronicle: Chronicle, viewer: Viewer, run: int) -> Report:
    """What a reader is told of a run, and of his files until the next one."""
    record = chronicle.record(run)
    state, takes = record.state, record.turn_takes
    told = chronicle.news(viewer, run)
    plays = viewer in game.file.players and not state.over
    following = [next_own_turn(state, seat) for seat in state.players if seat == viewer]
    return Report(
        game=game.file.game,
        run=run,
        viewer=viewer,
        names={seat.dynasty: seat.name for seat in game.file.seats},
        view=view(state, viewer, told.events),
        question=None if state.over else question_label(state, takes),
        turn_label=turn_label(state.turn, takes),
        next_turn_label=turn_label(following[0], takes) if plays else None,
        written=record.when,
        waiting_since=None if state.over else chronicle.waiting_since(run),
        press=tuple(Press(each.player, each.text) for each in record.press),
        notes=_notes(game, chronicle, record, viewer),
        messages=(*_undone(told.records), *_private(chronicle.folder, told.records, viewer)),
        turn_labels={turn: turn_label(turn, takes) for turn in takes},
    )


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


def _undone(records: tuple[Record, ...]) -> Iterator[str]:
    """That the moderator took runs back; every reader is told."""
    for record in records:
        if record.undo_to is None:
            continue
        turn = record.state.turn
        first, last = record.undo_to + 1, record.run - 1
        runs = f"run {first}" if first == last else f"runs {first} to {last}"
        label = turn_label(turn, record.turn_takes)
        yield (
            f"The moderator took back {runs}. The game goes on as it stood after run "
            f"{record.undo_to}; the turn is called {label} now, and its questions {label}.1 and "
            f"so on. Orders sent before for turn {turn} or later are not used: send new ones."
        )


def _private(folder: GameFolder, records: tuple[Record, ...], viewer: Viewer) -> Iterator[str]:
    """What became of the reader's own files, in these runs, and the last thing after each."""
    if viewer not in DYNASTIES:
        return
    later: dict[int, str] = {}
    for _, answer in answers_of(folder, viewer, {record.run for record in records}):
        if answer.text:
            later.setdefault(answer.run, answer.text)
    for record in records:
        yield from (each.text for each in record.messages if each.player == viewer)
        if record.run in later:
            yield later[record.run]


def report_text(game: Game, chronicle: Chronicle, viewer: Viewer, run: int | None = None) -> str:
    """A report of a run, the newest if none is named, as text."""
    return render(report_of(game, chronicle, viewer, chronicle.newest.run if run is None else run))


def write_reports(
    folder: GameFolder,
    game: Game,
    chronicle: Chronicle,
    keys: Mapping[Dynasty, str] | None = None,
) -> Mapping[Viewer, str]:
    """Write the newest report of every reader, and the letters before; returns their texts.

    Letters come first: a report that is newer than its run says that nothing is left to do.
    `keys` are the order keys that the letters tell.
    """
    run = chronicle.newest.run
    reports = {viewer: report_of(game, chronicle, viewer, run) for viewer in readers(game)}
    texts = {viewer: render(report) for viewer, report in reports.items()}
    if game.file.gets_letters:
        from pbem.mail.post import post

        post(folder, game, chronicle, reports, texts, keys=keys)
    for viewer, text in texts.items():
        folder.write_report(viewer, text)
    return texts
