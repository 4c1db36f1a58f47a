"""What the files that lie there have to say to the open question."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine import orders as o
from engine import questions as q
from engine.agenda import action_of
from engine.legality import refusal
from engine.pieces import Dynasty
from pbem import tidings
from pbem.ahead import misplaced
from pbem.answers import Unclear, answer_from
from pbem.judge import is_for_this_turn
from pbem.labels import question_label
from pbem.orderitems import ActionItem
from pbem.riders import Riders
from pbem.sheets import Sheet, Situation, desk_of, fought, item_for, order_of, this_action


class Offer(NamedTuple):
    """A file's answer to the open question: an action (then with its item), or said ahead."""

    sheet: Sheet
    line: int
    answer: o.Order | Unclear
    item: ActionItem | None = None


class Spoken(NamedTuple):
    """What a file says ahead during the action in progress. `label`: the question it names."""

    sheet: Sheet
    line: int
    riders: Riders
    label: str | None


def offers(question: q.Question, now: Situation, sheets: Sequence[Sheet]) -> list[Offer]:
    """All that the files offer to the open question, the most explicit first."""
    if isinstance(question, q.AskAction):
        return _actions(question, now, sheets)
    label = question_label(now.state, now.takes)
    count = fought(question.player, this_action(now.turn_so_far))
    found = []
    for spoken in spoken_by(question.player, now, sheets):
        already = 0 if spoken.label == label else count
        answer = answer_from(spoken.riders, now.state, fought=already)
        if answer is not None:
            found.append(Offer(spoken.sheet, spoken.line, answer))
    return found


def _actions(question: q.AskAction, now: Situation, sheets: Sequence[Sheet]) -> list[Offer]:
    sheet = desk_of(question.player, sheets).actions
    if sheet is None or not is_for_this_turn(sheet, now):
        return []
    item = item_for(sheet, question.number)
    return [Offer(sheet, item.line, order_of(item), item)] if item else []


def spoken_by(player: Dynasty, now: Situation, sheets: Sequence[Sheet]) -> list[Spoken]:
    """What holds during the action in progress: the player's answers, then his action's riders."""
    return [*_in_answers(player, now, sheets), *_with_the_action(player, now, sheets)]


def _in_answers(player: Dynasty, now: Situation, sheets: Sequence[Sheet]) -> Iterator[Spoken]:
    """Answers to a question of this action; what they say beyond it serves the next ones."""
    sheet = desk_of(player, sheets).answers
    current = this_action(now.turn_so_far)
    labels = {question_label(now.state, now.takes), *(each.label for each in current)}
    for item in (sheet.file.answers or ()) if sheet else ():
        if sheet and item.question in labels:
            yield Spoken(sheet, item.line, item.riders, item.question)


def _with_the_action(player: Dynasty, now: Situation, sheets: Sequence[Sheet]) -> Iterator[Spoken]:
    sheet = desk_of(player, sheets).actions
    if sheet is None or not is_for_this_turn(sheet, now):
        return
    begun = next((each for each in reversed(now.turn_so_far) if each.action), None)
    item = item_for(sheet, begun.action or 0) if begun else None
    if item and begun and order_of(item) == begun.order:
        yield Spoken(sheet, item.line, item.riders, None)


def why_not(question: q.Question, offer: Offer, now: Situation) -> str | None:
    """Why an offer cannot be used now that its time has come; None if it can."""
    label = question_label(now.state, now.takes)
    if isinstance(offer.answer, Unclear):
        return tidings.answer_unclear(offer.line, label, offer.answer.choices)
    number = action_of(now.state.agenda)
    wrong = misplaced(offer.item, now.state) if offer.item else None
    if offer.item and wrong:
        return tidings.action_misplaced(number, offer.item, wrong)
    broken = refusal(now.state, question.player, offer.answer)
    if broken is None:
        return None
    if offer.item:
        return tidings.action_dropped(number, offer.item, broken)
    return tidings.answer_dropped(offer.line, label, broken)
