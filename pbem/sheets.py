"""Order files as they lie before a run, and what of them is in force."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, assert_never

from engine import orders as o
from engine import questions as q
from engine.agenda import action_of
from engine.events import Event
from engine.pieces import COLOURS, Dynasty
from engine.state import State
from pbem.clock.bydefault import ByDefault
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

    @property
    def has_press(self) -> bool:
        """Whether it holds press that has not gone out yet."""
        return self.file.press is not None and PRESS not in self.used

    @property
    def has_orders(self) -> bool:
        """Whether it holds actions or answers."""
        return self.file.actions is not None or self.file.answers is not None


class Played(NamedTuple):
    """A decision that was used: the state before it, the order, what happened, from which file.

    `by`: why it was decided for the player, if he did not do it himself.
    """

    label: str
    before: State
    order: o.Order
    events: tuple[Event, ...]
    sheet: Sheet | None = None
    sha256: str | None = None
    by: ByDefault | None = None

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
    """Where a game stands: the state, how often turns were taken back, and the turn so far.

    `dropped`: the seats that nobody plays any more.
    """

    state: State
    takes: Takes
    turn_so_far: tuple[Played, ...] = ()
    dropped: frozenset[Dynasty] = frozenset()


def actions_of(player: Dynasty, sheets: Sequence[Sheet]) -> Sheet | None:
    """The file whose actions are in force; `sheets` stand oldest first, refused ones left out."""
    mine = (sheet for sheet in reversed(sheets) if sheet.player == player)
    return next((sheet for sheet in mine if sheet.file.actions is not None), None)


def answers_of(player: Dynasty, sheets: Sequence[Sheet]) -> list[Sheet]:
    """The files whose answers are in force, the newest first."""
    mine = (sheet for sheet in reversed(sheets) if sheet.player == player)
    return [sheet for sheet in mine if sheet.file.answers is not None]


def in_force(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The same files, each part taken out of all but the newest of its writer's that holds it.

    An answer is replaced by one to the same question: what else it says, such as the order of
    the wars, goes on serving the questions that follow.
    """
    found: list[Sheet] = []
    for number, sheet in enumerate(sheets):
        newer = [each.file for each in sheets[number + 1 :] if each.player == sheet.player]
        found.append(_without_replaced(sheet, newer))
    return found


def _without_replaced(sheet: Sheet, newer: Sequence[OrderFile]) -> Sheet:
    file = sheet.file
    replaced = any(each.actions is not None for each in newer)
    actions = None if replaced else file.actions
    again = {item.question for each in newer for item in each.answers or ()}
    answers = file.answers
    if answers is not None and again:
        answers = tuple(item for item in answers if item.question not in again) or None
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
        *((key, True) for key in _wars_left(riders, mine)),
        ("monument", riders.monument is not None and not built),
        ("leave", bool(riders.leave) and o.LeaveTreasure not in kinds),
    ]
    return tuple(key for key, is_open in open_keys if is_open)


def _wars_left(riders: Riders, mine: Sequence[Played]) -> list[str]:
    """`wars` as long as none of them was chosen, then those colours that have not fought yet."""
    chosen = {each.order.colour for each in mine if isinstance(each.order, o.ChooseWar)}
    if not chosen:
        return ["wars"] if riders.wars else []
    done = chosen | {
        each.question.conflict.colour
        for each in mine
        if isinstance(each.question, q.AskAttack | q.AskDefence)
    }
    return [f"wars {colour}" for colour in riders.wars if colour not in done]


def keys_for(question: q.Question) -> frozenset[str]:
    """The keys of riders, as `unserved` names them, that answer a question."""
    match question:
        case q.AskAttack(_, conflict) | q.AskDefence(_, conflict):
            return frozenset({"support", f"support {conflict.colour}"})
        case q.AskWar():
            return frozenset({"wars", *(f"wars {colour}" for colour in COLOURS)})
        case q.AskMonument():
            return frozenset({"monument"})
        case q.AskTreasure():
            return frozenset({"leave"})
        case q.AskAction():
            return frozenset()
        case _:
            assert_never(question)
