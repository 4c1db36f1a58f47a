"""What of an older file is no longer in force because a newer one of its writer replaced it."""

from collections.abc import Iterator, Sequence

from pbem import tidings
from pbem.judge import is_for_this_turn
from pbem.notation import write_order
from pbem.offers import Spoken, spoken_by
from pbem.orderfile import OrderFile
from pbem.orderitems import ACTIONS_A_TURN
from pbem.sheets import (
    Sheet,
    Situation,
    actions_done,
    actions_of,
    answers_of,
    item_for,
    this_action,
    unserved,
)


def what_was_replaced(old: Sheet, sheets: Sequence[Sheet], now: Situation) -> str:
    """A sentence for the writer of `old`; nothing if a newer file says all of it again."""
    newest = actions_of(old.player, sheets)
    found = []
    if newest and (lost := [*_actions(old, newest, now)]):
        found.append(tidings.replaced_actions(old.file.turn or "", lost))
    newer = [sheet for sheet in answers_of(old.player, sheets) if sheet.source != old.source]
    if labels := [*_answers(old, newer, now)]:
        found.append(tidings.replaced_answers(labels))
    return tidings.replaced(found) if found else ""


def _actions(old: Sheet, new: Sheet, now: Situation) -> Iterator[str]:
    """What it still had to say for its turn."""
    if old.source == new.source or old.file.actions is None:
        return
    current = is_for_this_turn(old, now)
    if current:
        kept = {key for each in spoken_by(old.player, now, [new]) for key in _open(each, now)}
        for spoken in spoken_by(old.player, now, [old._replace(file=_only_actions(old))]):
            yield from (f"`{key}`" for key in _open(spoken, now) if key not in kept)
    first = actions_done(now.state) + 1 if current else 1
    again = new.file.turn == old.file.turn
    for number in range(first, ACTIONS_A_TURN + 1):
        item, other = item_for(old, number), item_for(new, number) if again else None
        if item and (other is None or (item.order, item.riders) != (other.order, other.riders)):
            yield tidings.replaced_action(number, write_order(item.order))


def _open(spoken: Spoken, now: Situation) -> tuple[str, ...]:
    return unserved(spoken.riders, spoken.sheet.player, this_action(now.turn_so_far))


def _only_actions(sheet: Sheet) -> OrderFile:
    return sheet.file._replace(answers=None)


def _answers(old: Sheet, newer: Sequence[Sheet], now: Situation) -> Iterator[str]:
    """The questions whose answers it gave that may still be of use."""
    said = {item.question: item.riders for new in newer for item in new.file.answers or ()}
    mine = old._replace(file=old.file._replace(actions=None))
    for spoken in spoken_by(old.player, now, [mine]):
        label = spoken.label or ""
        if label in said and _open(spoken, now) and said[label] != spoken.riders:
            yield label
