"""`pbem replay`: play a game again from its start and compare every stored state."""

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


def replay(settings: Settings, name: str) -> Outcome:
    """Compare; the first run that differs is named, with what differs."""
    outcome = Outcome()
    for folder in chosen(settings, [name], outcome, archived=True):
        with guarded(outcome, folder):
            _replay(outcome, folder)
    return outcome


def _replay(outcome: Outcome, folder: GameFolder) -> None:
    states: dict[int, State] = {}
    decisions = skipped = 0
    facts = {"game": folder.name, "runs": 0, "decisions": 0, "same": True, "differs": None}
    outcome.games.append(facts)
    runs = folder.runs()
    folder.load()
    for before, run in zip((None, *runs), runs, strict=False):
        record = folder.load_run(run)
        state, why = _again(record, states, before)
        if record.rules != RULES:
            skipped += 1
            states[run] = record.state
            continue
        if state is None or state != record.state:
            differs = why or _difference(state, record.state)
            facts |= {"same": False, "differs": run}
            message = f"{folder.name}: run {run} is the first that differs: {differs}"
            outcome.complain(DAMAGED, message, game=folder.name, run=run, kind="replay")
            outcome.games[-1] = facts
            return
        states[run] = state
        decisions += len(record.decisions)
    facts |= {"runs": len(runs), "decisions": decisions}
    outcome.games[-1] = facts
    older = f" ({skipped} of older rules not compared)" if skipped else ""
    outcome.say(f"{folder.name}: {len(runs)} runs, {decisions} decisions, all the same{older}")


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
        return states.get(record.undo_to), "it goes back to a run that is not there"
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
    names = State._fields
    parts = [name for name in names if getattr(state, name) != getattr(stored, name)]
    return f"the decisions lead to another state than the stored one, in: {', '.join(parts)}"
