"""What is left of an order file after a run: whether some part of it may still be of use."""

from collections.abc import Iterable, Sequence

from engine import questions as q
from pbem.judge import is_for_own_next_turn, is_for_this_turn
from pbem.labels import question_label
from pbem.offers import spoken_by
from pbem.orderitems import ACTIONS_A_TURN
from pbem.recordparts import Fate
from pbem.sheets import (
    PRESS,
    Sheet,
    Situation,
    actions_done,
    item_for,
    keys_for,
    this_action,
    unserved,
)


def used_of(sheet: Sheet, labels: Iterable[str]) -> tuple[str, ...]:
    """For what a file has had its say, in earlier runs and, by `labels`, in this one."""
    press = [PRESS] if sheet.has_press else []
    return tuple(dict.fromkeys([*sheet.used, *labels, *press]))


def waits(sheet: Sheet, used: Sequence[str], now: Situation, sheets: Sequence[Sheet]) -> bool:
    """Whether some part of a file may still be of use.

    `used`: for what it has had its say. `sheets`: all files that are in force.
    """
    question = now.state.question
    if question is None:
        return False
    silent = question_label(now.state, now.takes) in used
    if sheet.file.actions is not None and _actions_wait(sheet, now, silent=silent):
        return True
    if isinstance(question, q.AskAction):
        return False
    current = this_action(now.turn_so_far)
    lost = keys_for(question) if silent else frozenset()
    return any(
        spoken.sheet is sheet and set(unserved(spoken.riders, sheet.player, current)) - lost
        for spoken in spoken_by(sheet.player, now, sheets)
    )


def fate_of(
    sheet: Sheet, used: Sequence[str], *, dropped: bool, replaced: bool, now: Situation
) -> Fate:
    """One word for what became of a file that was in force and waits no longer.

    `dropped`, `replaced`: whether something of it was in this run.
    """
    if dropped:
        return "dropped"
    if replaced and not used:
        return "replaced"
    if now.state.over and sheet.has_orders and not used:
        return "dropped"
    return "used"


def _actions_wait(sheet: Sheet, now: Situation, *, silent: bool) -> bool:
    """Whether an action is left. One that was dropped takes those behind it with it."""
    if is_for_own_next_turn(sheet, now):
        return True
    if not is_for_this_turn(sheet, now):
        return False
    if silent and isinstance(now.state.question, q.AskAction):
        return False
    left = range(actions_done(now.state) + 1, ACTIONS_A_TURN + 1)
    return any(item_for(sheet, number) for number in left)
