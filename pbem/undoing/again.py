"""Playing decisions again on another state: as far as they answer what is asked there."""

from collections.abc import Iterable
from typing import NamedTuple

from engine import questions as q
from engine.advance import advance
from engine.legality import refusal
from engine.state import State
from pbem.chronicle import Chronicle
from pbem.labels import Takes, question_label
from pbem.notation import read_order
from pbem.problem import Problem
from pbem.record import Decision, Record
from pbem.sheets import Played
from pbem.sound import Damage


class Once(NamedTuple):
    """A decision as it was used, and the question that it answered, if that is known."""

    decision: Decision
    question: q.Question | None = None


class Again(NamedTuple):
    """What came of playing decisions again, under the labels of now.

    `state` is the state after those that were played; `stopped` is the first that does not fit
    there any more, and `left` counts it and all behind it.
    """

    state: State
    decisions: tuple[Decision, ...] = ()
    played: tuple[Played, ...] = ()
    stopped: Decision | None = None
    left: int = 0


def decisions_of(chronicle: Chronicle, taken: Iterable[Record]) -> list[Once]:
    """The decisions of runs, these oldest first."""
    return [once for record in taken for once in _of_run(chronicle, record)]


def _of_run(chronicle: Chronicle, record: Record) -> list[Once]:
    """The decisions of a run. What they answered is not known if it fits no state any more."""
    try:
        played = chronicle.played(record)
    except Damage:
        return [Once(decision) for decision in record.decisions]
    pairs = zip(record.decisions, played, strict=True)
    return [Once(decision, each.question) for decision, each in pairs]


def play_again(state: State, takes: Takes, decisions: list[Once]) -> Again:
    """Play them in their order until one does not fit."""
    used: list[Decision] = []
    played: list[Played] = []
    for once in decisions:
        decision = once.decision
        order = read_order(decision.order)
        if isinstance(order, Problem) or not _is_asked(once, state.question):
            break
        if refusal(state, decision.player, order) is not None:
            break
        label = question_label(state, takes)
        outcome = advance(state, decision.player, order)
        used.append(decision._replace(question=label))
        played.append(Played(label, state, order, outcome.events, None, decision.sha256))
        state = outcome.state
    left = decisions[len(used) :]
    stopped = left[0].decision if left else None
    return Again(state, tuple(used), tuple(played), stopped, len(left))


def _is_asked(once: Once, question: q.Question | None) -> bool:
    """Whether the decision answers what is asked: the same of the same player."""
    if question is None or question.player != once.decision.player:
        return False
    return once.question is None or _subject(once.question) == _subject(question)


def _subject(question: q.Question) -> tuple[str, object]:
    """What a question is about; which action of the turn, which conflict."""
    match question:
        case q.AskAction(_, number):
            return question.kind, number
        case q.AskAttack(_, conflict) | q.AskDefence(_, conflict):
            return question.kind, conflict.colour
        case _:
            return question.kind, None
