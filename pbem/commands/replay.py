"""`pbem replay`: play a game again from its start and compare every stored state.

A file that was edited by hand is named and taken as it is: the runs behind it were meant to be
played on it.
"""

from typing import Any, NamedTuple

from engine.advance import advance
from engine.refusal import IllegalOrder
from engine.setup import new_game
from engine.state import State
from pbem.commands.guard import chosen, guarded
from pbem.notation import read_order
from pbem.outcome import DAMAGED, Outcome, Settings
from pbem.problem import Problem
from pbem.record import Record
from pbem.store import GameFolder
from pbem.versions import RULES


class _Edited(NamedTuple):
    """A run whose file was edited by hand, and the parts of its state that differ for it."""

    run: int
    parts: tuple[str, ...]


class _Found(NamedTuple):
    """What a replay has found. `differs` is the first run that nobody edited and that differs."""

    runs: int = 0
    decisions: int = 0
    skipped: int = 0
    edited: tuple[_Edited, ...] = ()
    differs: int | None = None
    why: str = ""


def replay(settings: Settings, name: str) -> Outcome:
    """Compare; the first run that differs is named, with what differs."""
    outcome = Outcome()
    for folder in chosen(settings, [name], outcome, archived=True):
        with guarded(outcome, folder):
            _tell(outcome, folder, _replay(folder))
    return outcome


def _tell(outcome: Outcome, folder: GameFolder, found: _Found) -> None:
    facts: dict[str, Any] = {"game": folder.name, "runs": 0, "decisions": 0, "same": True}
    facts |= {"differs": found.differs, "edited": [each._asdict() for each in found.edited]}
    outcome.games.append(facts)
    for run, parts in found.edited:
        what = f"changed: {', '.join(parts)}" if parts else "nothing of its state is changed"
        outcome.say(f"{folder.name}: run {run} was edited by hand; {what}")
    if found.differs is not None:
        facts["same"] = False
        message = f"{folder.name}: run {found.differs} is the first that differs: {found.why}"
        message += _what_mends_it(folder.name, found)
        outcome.complain(DAMAGED, message, game=folder.name, run=found.differs, kind="replay")
        return
    facts |= {"runs": found.runs, "decisions": found.decisions}
    older = f" ({found.skipped} of older rules not compared)" if found.skipped else ""
    same = "all the same" if not found.edited else "all the same but for what was edited"
    outcome.say(f"{folder.name}: {found.runs} runs, {found.decisions} decisions, {same}{older}")


def _what_mends_it(name: str, found: _Found) -> str:
    """What to do if the runs behind an edited one were played before it was edited."""
    if not found.edited:
        return ""
    run = found.edited[-1].run
    return f"; `pbem undo {name} --to {run} --again --because TEXT` plays on from the edited run"


def _replay(folder: GameFolder) -> _Found:
    states: dict[int, State] = {}
    found = _Found()
    runs = folder.runs()
    folder.load()
    for before, run in zip((None, *runs), runs, strict=False):
        record = folder.load_run(run)
        state, why = _again(record, states, before)
        states[run] = record.state
        if state is not None and folder.was_edited(run):
            edited = _Edited(run, _parts(state, record.state))
            found = found._replace(edited=(*found.edited, edited))
        elif record.rules != RULES:
            found = found._replace(skipped=found.skipped + 1)
            continue
        elif state is None or state != record.state:
            return found._replace(differs=run, why=why or _difference(state, record.state))
        found = found._replace(decisions=found.decisions + len(record.decisions))
    return found._replace(runs=len(runs))


def _again(
    record: Record, states: dict[int, State], before: int | None
) -> tuple[State | None, str]:
    """The state after a run, played anew; None and the reason if that is not possible."""
    if record.start is not None:
        start = record.start
        if start.note:
            return record.state, ""
        return new_game(start.players, start.secret, start.options), ""
    if record.undo_to is not None:
        state = states.get(record.undo_to)
        missing = "it goes back to a run that is not there"
        return (None, missing) if state is None else _play(state, record)
    if before is None:
        return None, "the game has no start"
    return _play(states[before], record)


def _play(state: State, record: Record) -> tuple[State | None, str]:
    for decision in record.decisions:
        order = read_order(decision.order)
        if isinstance(order, Problem):
            return None, f"question {decision.question}: {order.message}"
        try:
            state = advance(state, decision.player, order).state
        except IllegalOrder as illegal:
            rule = illegal.refusal.rule.value
            return None, f"question {decision.question} cannot be answered so ({rule})"
    return state, ""


def _difference(state: State | None, stored: State) -> str:
    """The parts of the state that are not the same; their values stay hidden."""
    if state is None:
        return "it cannot be played"
    parts = ", ".join(_parts(state, stored))
    return f"the decisions lead to another state than the stored one, in: {parts}"


def _parts(state: State, stored: State) -> tuple[str, ...]:
    names = State._fields
    return tuple(name for name in names if getattr(state, name) != getattr(stored, name))
