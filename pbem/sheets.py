"""Order files as they lie before a run, and what of them is in force."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, assert_never

from engine import orders as o
from engine import questions as q
from engine.agenda import action_of
from engine.events import Event
from engine.pieces import Dynasty
from engine.state import State
from pbem.labels import Takes
from pbem.notation import PassAll
from pbem.orderfile import OrderFile
from pbem.orderitems import ACTIONS_A_TURN, ActionItem
from pbem.riders import Riders

PRESS = "press"
NOTE = "note"
"""The marks of a file whose press or note has been passed on, among the labels it answered."""


class Sheet(NamedTuple):
    """One order file of a seat, where it lies (`source`) and what it holds.

    `used` says for what it has had its say in earlier runs, be it that this served or that it
    was dropped: labels of questions, `PRESS`, `NOTE`. A `fresh` one has not been judged yet.
    """

    player: Dynasty
    file: OrderFile
    sha256: str
    source: str
    data: bytes = b""
    used: tuple[str, ...] = ()
    fresh: bool = True


class Played(NamedTuple):
    """A decision that was used: the state before it, the order, what happened, from which file."""

    label: str
    before: State
    order: o.Order
    events: tuple[Event, ...]
    sheet: Sheet | None = None
    sha256: str | None = None

    @property
    def question(self) -> q.Question:
        """The question that was answered."""
        assert self.before.question is not None
        return self.before.question

    @property
    def player(self) -> Dynasty:
        """Who decided."""
        return self.question.player

    @property
    def action(self) -> int | None:
        """Which action of the turn it was, 1 or 2; None for an answer."""
        return self.question.number if isinstance(self.question, q.AskAction) else None


class Situation(NamedTuple):
    """Where a game stands: the state, how often turns were taken back, and the turn so far."""

    state: State
    takes: Takes
    turn_so_far: tuple[Played, ...] = ()


class Desk(NamedTuple):
    """The parts of one seat's files that are in force: each from the newest that contains it."""

    actions: Sheet | None
    answers: Sheet | None


def desk_of(player: Dynasty, sheets: Sequence[Sheet]) -> Desk:
    """What is in force for a player; `sheets` stand oldest first, refused ones left out."""
    mine = [sheet for sheet in sheets if sheet.player == player]
    return Desk(
        actions=next((s for s in reversed(mine) if s.file.actions is not None), None),
        answers=next((s for s in reversed(mine) if s.file.answers is not None), None),
    )


def in_force(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The same files, each part taken out of all but the newest of its writer's that holds it."""
    desks = {sheet.player: desk_of(sheet.player, sheets) for sheet in sheets}
    return [_without_replaced(sheet, desks[sheet.player]) for sheet in sheets]


def _without_replaced(sheet: Sheet, desk: Desk) -> Sheet:
    file = sheet.file
    actions = file.actions if desk.actions is sheet else None
    answers = file.answers if desk.answers is sheet else None
    if (actions, answers) == (file.actions, file.answers):
        return sheet
    return sheet._replace(file=file._replace(actions=actions, answers=answers))


def actions_done(state: State) -> int:
    """How many actions of the turn have been taken, the one in progress included."""
    question = state.question
    if isinstance(question, q.AskAction):
        return question.number - 1
    return min(action_of(state.agenda), ACTIONS_A_TURN) if state.agenda else ACTIONS_A_TURN


def item_for(sheet: Sheet, number: int) -> ActionItem | None:
    """What a file says for the first or second action; `pass all` goes on to the end."""
    items = sheet.file.actions or ()
    index = number - sheet.file.first_action
    if 0 <= index < len(items):
        return items[index]
    if items and index >= len(items) and isinstance(items[-1].order, PassAll):
        return items[-1]
    return None


def order_of(item: ActionItem) -> o.Action:
    """The action itself; each action of `pass all` is a pass."""
    return o.Pass() if isinstance(item.order, PassAll) else item.order


def this_action(turn: Sequence[Played]) -> tuple[Played, ...]:
    """The decisions of the action in progress, the action itself first."""
    starts = [index for index, played in enumerate(turn) if played.action]
    return tuple(turn[starts[-1] :]) if starts else tuple(turn)


def fought(player: Dynasty, played: Iterable[Played]) -> int:
    """In how many conflicts among these decisions the player has sent support."""
    return sum(each.player == player and isinstance(each.order, o.Support) for each in played)


def unserved(riders: Riders, player: Dynasty, played: Sequence[Played]) -> tuple[str, ...]:
    """The keys of the riders to which none of these decisions of the player belongs."""
    mine = [each for each in played if each.player == player]
    kinds = {type(each.order) for each in mine}
    colours = {
        each.question.conflict.colour
        for each in mine
        if isinstance(each.question, q.AskAttack | q.AskDefence)
    }
    built = kinds & {o.BuildMonument, o.DeclineMonument}
    open_keys = [
        ("support", riders.support is not None and o.Support not in kinds),
        *((f"support {colour}", colour not in colours) for colour, _ in riders.support_in),
        ("wars", bool(riders.wars) and o.ChooseWar not in kinds),
        ("monument", riders.monument is not None and not built),
        ("leave", bool(riders.leave) and o.LeaveTreasure not in kinds),
    ]
    return tuple(key for key, is_open in open_keys if is_open)


def keys_for(question: q.Question) -> frozenset[str]:
    """The keys of riders, as `unserved` names them, that answer a question."""
    match question:
        case q.AskAttack(_, conflict) | q.AskDefence(_, conflict):
            return frozenset({"support", f"support {conflict.colour}"})
        case q.AskWar():
            return frozenset({"wars"})
        case q.AskMonument():
            return frozenset({"monument"})
        case q.AskTreasure():
            return frozenset({"leave"})
        case q.AskAction():
            return frozenset()
        case _:
            assert_never(question)
