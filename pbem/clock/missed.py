"""What reports tell of decisions that were made for those who did not answer in time.

It follows from the decisions in the history: their source says so.
"""

from collections.abc import Iterable, Iterator

from engine import orders as o
from engine.pieces import Dynasty
from pbem.chronicle import Chronicle, Told
from pbem.clock.bydefault import by_default
from pbem.labels import turn_label
from pbem.record import Decision, Record
from pbem.reports import Report
from pbem.reportvalues import Absence, Unplayed
from pbem.sheets import Played
from pbem.store import Game


def with_absences(report: Report, game: Game, chronicle: Chronicle, told: Told) -> Report:
    """The report with what it tells of deadlines that were missed. `told`: the news in it."""
    dropped = dropped_by(game, chronicle.record(report.run))
    ended = dropped if report.view.over else ()
    return report._replace(
        absences=tuple(_absences(game, chronicle, told)),
        dropped=dropped,
        unplayed=tuple(Unplayed(seat, _since(chronicle, report.run, seat)) for seat in ended),
    )


def dropped_by(game: Game, record: Record) -> tuple[Dynasty, ...]:
    """The seats that nobody played any more after a run.

    After the newest one it is all of them: dropping the last seat makes no run.
    """
    desk, newest = game.desk.dropped, record.run >= game.record.run
    dropped = (seat for seat in game.file.players if seat in desk)
    return tuple(seat for seat in dropped if newest or desk[seat] <= record.when)


def concerns(record: Record, seat: Dynasty, told: Iterable[Absence]) -> bool:
    """Whether it was in this run that a seat missed its deadline, or was dropped."""
    labels = {each.question for each in told if each.player == seat}
    return any(each.player == seat and each.question in labels for each in record.decisions)


def _absences(game: Game, chronicle: Chronicle, told: Told) -> Iterator[Absence]:
    """Each missed deadline once, and each seat that was dropped when that happened."""
    before: Played | None = None
    for record, played in told.played:
        if played.by == "dropped" and _first(game, chronicle, record, played):
            yield _absence(played, dropped=True, former=_has_left(game, record, played))
        elif played.by == "deadline" and not _goes_on(before, played):
            yield _absence(played, dropped=False, former=_has_left(game, record, played))
        before = played


def _has_left(game: Game, record: Record, played: Played) -> bool:
    """Whether the seat was given to somebody else after this decision.

    A decision played again keeps its time. In the same second the seat was given away after it:
    a new player has time of his own.
    """
    times = [each.when for each in record.decisions if each.question == played.label]
    given = [each.when for each in game.desk.handovers if each.seat == played.player]
    return any(when >= time for when in given for time in times)


def _absence(played: Played, *, dropped: bool, former: bool) -> Absence:
    match played.order:
        case o.ChooseWar(colour):
            what: str = colour
        case o.LeaveTreasure(at):
            what = at
        case _:
            what = ""
    return Absence(played.player, played.label, dropped, played.order.kind, what, former)


def _goes_on(before: Played | None, played: Played) -> bool:
    """Whether it is the rest of a turn whose first action was let pass."""
    return (
        before is not None
        and before.by == "deadline"
        and (before.action, played.action) == (1, 2)
        and before.before.turn == played.before.turn
    )


def _first(game: Game, chronicle: Chronicle, record: Record, played: Played) -> bool:
    """Whether it was with this decision that nobody played the seat any more."""
    earlier = _before(chronicle, record, played)
    found = next(earlier, None)
    if found is None or by_default(found[1].source) != "dropped":
        return True
    times = [each.when for each in game.desk.handovers if each.seat == played.player]
    return any(found[0].when <= when <= record.when for when in times)


def _before(
    chronicle: Chronicle, record: Record, played: Played
) -> Iterator[tuple[Record, Decision]]:
    """The decisions of a seat before one of its decisions, the newest first."""
    every = chronicle.decisions_of(played.player, record.run)
    for _, decision in every:
        if decision.question == played.label:
            break
    return every


def _since(chronicle: Chronicle, run: int, seat: Dynasty) -> str:
    """The turn in which nobody played the seat for the first time."""
    record = chronicle.record(run)
    turn = turn_label(record.state.turn, record.turn_takes)
    for _, decision in chronicle.decisions_of(seat, run):
        if by_default(decision.source) != "dropped":
            break
        turn = decision.question.partition(".")[0]
    return turn
