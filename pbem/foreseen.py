"""What can be said of an order file that was accepted, on its writer's view."""

from typing import NamedTuple

from engine import questions as q
from pbem.ahead import Foresight
from pbem.judge import is_for_own_next_turn, is_for_this_turn, judge_actions
from pbem.labels import question_label
from pbem.orderitems import ACTIONS_A_TURN
from pbem.sheets import Sheet, Situation, actions_done, item_for
from pbem.tidings import action_open, answer_open, question_open
from pbem.wording import event_lines


class Foreseen(NamedTuple):
    """`lines`: what certainly happens; `until`: what the rest depends on, "" if on nothing.

    `waits`: the turn that the actions wait for, if they do. `still_open`: what its writer has
    yet to send.
    """

    lines: tuple[str, ...] = ()
    until: str = ""
    waits: str | None = None
    still_open: tuple[str, ...] = ()


def foresee(sheet: Sheet, situation: Situation) -> Foreseen:
    """What an accepted file does as far as it is certain, and what is missing in it."""
    if is_for_this_turn(sheet, situation):
        foresight = judge_actions(sheet, situation)
        lines = tuple(event_lines(foresight.events))
        still_open = _open_now(sheet, situation, foresight)
        return Foreseen(lines, foresight.until, still_open=still_open)
    still_open = _unanswered(sheet, situation)
    if not is_for_own_next_turn(sheet, situation):
        return Foreseen(still_open=still_open)
    still_open += _missing(sheet, 1)
    return Foreseen(waits=sheet.file.turn, still_open=still_open)


def _open_now(sheet: Sheet, situation: Situation, foresight: Foresight) -> tuple[str, ...]:
    """What is missing in the actions for the turn in progress."""
    missing = _missing(sheet, actions_done(situation.state) + 1)
    if foresight.until != "your answer":
        return missing
    asked = situation.state.question
    mine = asked is not None and asked.player == sheet.player
    if mine and not isinstance(asked, q.AskAction) and not foresight.events:
        return (*_unanswered(sheet, situation), *missing)
    return (answer_open(), *missing)


def _missing(sheet: Sheet, first: int) -> tuple[str, ...]:
    """The actions of a turn, from this one on, that the file does not hold."""
    numbers = range(max(first, sheet.file.first_action), ACTIONS_A_TURN + 1)
    return tuple(action_open(number) for number in numbers if item_for(sheet, number) is None)


def _unanswered(sheet: Sheet, situation: Situation) -> tuple[str, ...]:
    """The question that is put to the writer, if the file does not answer it."""
    question = situation.state.question
    if question is None or question.player != sheet.player:
        return ()
    label = question_label(situation.state, situation.takes)
    if any(item.question == label for item in sheet.file.answers or ()):
        return ()
    return (question_open(question, label),)
