"""`pbem undo`: take runs back. Nothing is lost: it all goes to undone/."""

from engine.events import TilesReceived
from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.clock import now
from pbem.commands.guard import chosen, guarded
from pbem.commands.summary import sentence, summary
from pbem.outcome import REFUSED, Outcome, Settings
from pbem.record import Record
from pbem.reporting import write_reports
from pbem.store import GameFolder


def undo(settings: Settings, name: str, to: int | None, *, yes: bool) -> Outcome:
    """Go back to the state after a run, the one before the newest if none is named."""
    outcome = Outcome()
    for folder in chosen(settings, [name], outcome):
        with guarded(outcome, folder), folder.locked():
            _undo(outcome, folder, to, yes=yes)
    return outcome


def _undo(outcome: Outcome, folder: GameFolder, to: int | None, *, yes: bool) -> None:
    game = folder.load()
    chronicle = Chronicle(folder, game.record)
    standing = [record.run for record in chronicle.backwards(game.record.run)]
    target = _step_back(chronicle, standing) if to is None else to
    if target not in standing[1:] or target is None:
        asked = "there is nothing to take back" if target is None else f"run {target} is not one"
        before = f"; runs to go back to: {', '.join(map(str, reversed(standing[1:])))}"
        message = f"{folder.name}: {asked}{before if standing[1:] else ''}"
        outcome.misuse(message, game=folder.name)
        return
    taken = [chronicle.record(run) for run in standing if run > target]
    seen = _who_drew(chronicle, taken)
    told = f"seats that have seen tiles drawn since then: {', '.join(seen) or 'none'}"
    if not yes:
        message = f"{folder.name}: going back to run {target} takes back {_runs(taken)}; {told}"
        outcome.complain(
            REFUSED, f"{message}; say --yes to do it", game=folder.name, seen=seen, kind="undo"
        )
        return
    record = _record(folder, game.record, chronicle.record(target))
    folder.commit(record)
    folder.set_aside(record.run, target)
    chronicle.add(record, ())
    write_reports(folder, game, chronicle)
    facts = summary(game, chronicle)
    outcome.games.append(facts | {"undo_to": target, "seen": seen})
    outcome.say(f"{sentence(facts)}; {_runs(taken)} taken back, {told}")


def _step_back(chronicle: Chronicle, standing: list[int]) -> int | None:
    """The run before the last one that was played; after an undo that is one further back."""
    record = chronicle.newest
    while record.undo_to is not None:
        record = chronicle.record(record.undo_to)
    return next((run for run in standing if run < record.run), None)


def _who_drew(chronicle: Chronicle, taken: list[Record]) -> list[Dynasty]:
    """The seats that have drawn tiles in these runs, and so know something of the bag."""
    events = [e for record in taken for each in chronicle.played(record) for e in each.events]
    drew = {e.player for e in events if isinstance(e, TilesReceived) and e.tiles}
    return [player for player in chronicle.newest.state.players if player in drew]


def _runs(taken: list[Record]) -> str:
    runs = sorted(record.run for record in taken)
    return f"run {runs[0]}" if len(runs) == 1 else f"runs {runs[0]} to {runs[-1]}"


def _record(folder: GameFolder, newest: Record, target: Record) -> Record:
    """The run that goes back. Every turn that is played again gets another name."""
    takes = dict(newest.turn_takes)
    for turn in range(target.state.turn, newest.state.turn + 1):
        takes[turn] = takes.get(turn, 0) + 1
    return Record(
        run=folder.next_run(),
        kind="undo",
        when=now(),
        state=target.state,
        undo_to=target.run,
        turn_takes=takes,
    )
