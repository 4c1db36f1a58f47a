"""What an answer to the open question brings, as far as its writer can know it."""

from typing import NamedTuple

from engine import questions as q
from engine.advance import advance
from engine.events import Event
from engine.legality import refusal
from pbem.ahead import foreseeable
from pbem.answeritems import AnswerItem
from pbem.answers import Unclear, answer_from
from pbem.labels import question_label
from pbem.notation import write_order
from pbem.sheets import Played, Sheet, Situation, fought, this_action


class Answered(NamedTuple):
    """The questions answered with the orders that this means now, what happens, and what then.

    `until` is what the rest depends on; nothing if the writer is asked for an action next or
    somebody else's turn begins.
    """

    orders: tuple[tuple[str, str], ...]
    events: tuple[Event, ...]
    until: str


def what_it_answers(sheet: Sheet, now: Situation) -> Answered | None:
    """The answer that the file gives to the open question; None if it gives none."""
    label = question_label(now.state, now.takes)
    items = (each for each in sheet.file.answers or () if each.question == label)
    item = next(items, None)
    return _play(item, sheet, now) if item else None


def _play(item: AnswerItem, sheet: Sheet, now: Situation) -> Answered:
    state, turn = now.state, list(now.turn_so_far)
    orders: list[tuple[str, str]] = []
    events: list[Event] = []
    while True:
        question = state.question
        if question is None or state.turn != now.state.turn or isinstance(question, q.AskAction):
            return Answered(tuple(orders), tuple(events), "")
        if question.player != sheet.player:
            return Answered(tuple(orders), tuple(events), f"the answer of {question.player}")
        already = fought(sheet.player, this_action(turn)) if orders else 0
        order = answer_from(item.riders, state, fought=already)
        if order is None or isinstance(order, Unclear) or refusal(state, sheet.player, order):
            return Answered(tuple(orders), tuple(events), "your answer")
        outcome = advance(state, sheet.player, order)
        label = question_label(state, now.takes)
        orders.append((label, write_order(order)))
        turn.append(Played(label, state, order, outcome.events))
        known = foreseeable(outcome.events)
        events += known
        state = outcome.state
        if len(known) < len(outcome.events) and state.turn == now.state.turn:
            return Answered(tuple(orders), tuple(events), "a draw")
