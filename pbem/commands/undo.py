"""`pbem undo`: take runs back, and play their decisions again if that is wanted.

Nothing is lost: it all goes to undone/.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pbem.chronicle import Chronicle
from pbem.clock import now
from pbem.commands.guard import chosen, complain_of, guarded
from pbem.commands.summary import sentence, summary
from pbem.labels import question_label
from pbem.language import speaking_to
from pbem.outcome import REFUSED, Outcome, Settings
from pbem.record import ALL, Message, Record
from pbem.reporting import speaking_in, write_reports
from pbem.rulings import saying_fault
from pbem.store import Game, GameFolder
from pbem.undoing.again import Again, decisions_of, play_again
from pbem.undoing.staying import staying
from pbem.undoing.whoknows import who_knows
from pbem.undoing.words import no_longer_waits, not_played_again


class Wish(NamedTuple):
    """What is wanted: back to which run (None: one back), played again or not, and why."""

    to: int | None
    again: bool = False
    because: str = ""
    yes: bool = False


class _Way(NamedTuple):
    """What is taken back, oldest run first, and what comes of playing it again, if it is."""

    target: Record
    taken: list[Record]
    takes: dict[int, int]
    seen: list[str]
    again: Again | None


def undo(settings: Settings, name: str, wish: Wish) -> Outcome:
    """Go back to the state after a run, the one before the newest if none is named."""
    outcome = Outcome()
    fault = saying_fault(wish.because) if wish.because else None
    if wish.again and not wish.because:
        fault = "--again needs --because: every player is told why"
    if fault:
        outcome.misuse(fault)
        return outcome
    for folder in chosen(settings, [name], outcome):
        with guarded(outcome, folder), folder.locked():
            _undo(outcome, folder, wish)
    return outcome


def _undo(outcome: Outcome, folder: GameFolder, wish: Wish) -> None:
    game = folder.load()
    chronicle = Chronicle(folder, game.record)
    standing = [record.run for record in chronicle.backwards(game.record.run)]
    target = _step_back(chronicle, standing) if wish.to is None else wish.to
    if target not in standing[1:] or target is None:
        asked = "there is nothing to take back" if target is None else f"run {target} is not one"
        before = f"; runs to go back to: {', '.join(map(str, reversed(standing[1:])))}"
        message = f"{folder.name}: {asked}{before if standing[1:] else ''}"
        outcome.misuse(message, game=folder.name)
        return
    way = _way(chronicle, standing, target, again=wish.again)
    facts = _facts(way, game.record)
    if wish.yes:
        _go(outcome, folder, game, way, wish)
        return
    message = f"{folder.name}: going back to run {target} {_told(way, facts, done=False)}"
    outcome.complain(
        REFUSED, f"{message}; say --yes to do it", game=folder.name, kind="undo", **facts
    )


def _step_back(chronicle: Chronicle, standing: list[int]) -> int | None:
    """The run before the last one that was played; after an undo that is one further back."""
    record = chronicle.newest
    while record.undo_to is not None and not record.decisions:
        record = chronicle.record(record.undo_to)
    return next((run for run in standing if run < record.run), None)


def _way(chronicle: Chronicle, standing: list[int], target: int, *, again: bool) -> _Way:
    back_to, newest = chronicle.record(target), chronicle.newest
    taken = [chronicle.record(run) for run in reversed(standing) if run > target]
    takes = dict(newest.turn_takes)
    for turn in range(back_to.state.turn, newest.state.turn + 1):
        takes[turn] = takes.get(turn, 0) + 1
    seen = who_knows(chronicle, {run for run in standing if run <= target}, target)
    played = None
    if again:
        played = play_again(back_to.state, takes, decisions_of(chronicle, taken))
    return _Way(back_to, taken, takes, [*seen], played)


def _go(outcome: Outcome, folder: GameFolder, game: Game, way: _Way, wish: Wish) -> None:
    """Commit the undo, put away what it took back, and tell everybody."""
    told = _facts(way, game.record)
    with speaking_in(game, folder):
        record = _record(folder, game, way, wish.because)
        folder.commit(record)
        folder.set_aside(record)
        chronicle = Chronicle(folder, record)
        complain_of(outcome, folder, write_reports(folder, game, chronicle))
    facts = summary(game, chronicle)
    outcome.games.append(facts | {"undo_to": way.target.run} | told)
    outcome.say(f"{sentence(facts)}; {_told(way, told, done=True)}")


def _record(folder: GameFolder, game: Game, way: _Way, because: str) -> Record:
    """The run that goes back. Every turn that is played again gets another name."""
    record = Record(
        run=folder.next_run(),
        kind="undo",
        when=now(),
        state=way.target.state,
        undo_to=way.target.run,
        turn_takes=way.takes,
        because=because,
    )
    again = way.again
    if again is None:
        return record
    record = record._replace(
        state=again.state,
        decisions=again.decisions,
        again=again.stopped.question if again.stopped else ALL,
    )
    stay, ended = staying(folder, game, record)
    told = [*_stopped(record, again)]
    for player in ended:
        with speaking_to(player):
            told.append(Message(player, no_longer_waits()))
    return record._replace(open_files=stay, messages=tuple(told))


def _stopped(record: Record, again: Again) -> Iterator[Message]:
    """What is told to the one whose decision does not fit any more."""
    stopped, question = again.stopped, again.state.question
    if stopped is not None:
        mine = question is not None and question.player == stopped.player
        asked = question_label(again.state, record.turn_takes) if mine else None
        with speaking_to(stopped.player):
            text = not_played_again(stopped.question, stopped.order, asked)
        yield Message(stopped.player, text)


def _facts(way: _Way, newest: Record) -> dict[str, Any]:
    """What may be said of the way to somebody who plays himself."""
    facts: dict[str, Any] = {"seen": way.seen}
    if way.again is None:
        return facts
    again, stopped = way.again, way.again.stopped
    old, new = newest.state, again.state
    used = [f"{each.question} {each.player}" for each in again.decisions]
    parts = [name for name in new._fields if getattr(old, name) != getattr(new, name)]
    return facts | {
        "again": used,
        "stopped": f"{stopped.question} {stopped.player}" if stopped else None,
        "left": again.left,
        "differs": parts,
    }


def _told(way: _Way, facts: dict[str, Any], *, done: bool) -> str:
    """The same in words: which decisions, and which parts of the state; no values."""
    told = f"{_runs(way.taken)} taken back" if done else f"takes back {_runs(way.taken)}"
    if way.again is not None:
        told += f", {_again(way.again, done=done)}"
        parts = ", ".join(facts["differs"])
        verb = ("differs", "is") if done else ("would differ", "would be")
        told += f", the state {verb[0]} in: {parts}" if parts else f", the state {verb[1]} the same"
    return f"{told}; seats that have seen tiles drawn since then: {', '.join(way.seen) or 'none'}"


def _again(again: Again, *, done: bool) -> str:
    used = again.decisions
    number = f"{len(used)} of {len(used) + again.left} decisions"
    told = f"{number} {'played' if done else 'would be played'} again"
    if used:
        told += (
            f" (as {used[0].question} {used[0].player} to {used[-1].question} {used[-1].player})"
        )
    if again.stopped:
        told += f", but {again.stopped.question} of {again.stopped.player} does not fit any more"
    return told


def _runs(taken: list[Record]) -> str:
    runs = [record.run for record in taken]
    return f"run {runs[0]}" if len(runs) == 1 else f"runs {runs[0]} to {runs[-1]}"
