"""Judging an order file whole, on what its writer may see (contract 2, rules of use).

A fault that can be seen now refuses the whole file. What depends on a draw, on a conflict or on
somebody's answer is left to its time.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine import orders as o
from engine import questions as q
from engine.advance import advance
from engine.events import Event, TilesDrawn
from engine.foresight import never_legal
from engine.legality import refusal
from engine.pieces import Leader
from engine.state import State
from pbem.answeritems import AnswerItem
from pbem.answers import Unclear, answer_from
from pbem.labels import next_own_turn, question_label, split_label, turn_label
from pbem.notation import write_order
from pbem.orderitems import ActionItem
from pbem.problem import Problem
from pbem.sheets import Played, Sheet, Situation, fought, item_for, order_of, this_action
from pbem.tidings import ASKS_FOR, origin_wrong, rule_broken, turn_taken_back

ACTIONS = (1, 2)


class Foresight(NamedTuple):
    """What is certain of a file's actions: faults, what happens, and what it then depends on.

    `until` is why no more can be said: a draw, another player's answer, an own question that
    the file does not answer, or nothing ("": all of it was foreseen).
    """

    problems: tuple[Problem, ...]
    events: tuple[Event, ...]
    until: str


def judge(sheet: Sheet, situation: Situation) -> tuple[Problem, ...]:
    """Every fault of a file that can be seen now; none: it is accepted."""
    if situation.state.over:
        return (Problem(None, "", "the game is over; no more orders are taken"),)
    found = [*_turn_faults(sheet, situation)]
    if not found and is_for_this_turn(sheet, situation):
        found += judge_actions(sheet, situation).problems
    return (*found, *answer_faults(sheet, situation))


def is_for_this_turn(sheet: Sheet, situation: Situation) -> bool:
    """Whether the file's actions are for the turn that is being played, and its writer's."""
    state = situation.state
    return (
        sheet.file.actions is not None
        and state.active == sheet.player
        and sheet.file.turn == turn_label(state.turn, situation.takes)
    )


def is_for_own_next_turn(sheet: Sheet, situation: Situation) -> bool:
    """Whether the file's actions wait for its writer's next turn."""
    following = next_own_turn(situation.state, sheet.player)
    return sheet.file.actions is not None and sheet.file.turn == turn_label(
        following, situation.takes
    )


def _turn_faults(sheet: Sheet, situation: Situation) -> Iterator[Problem]:
    """R94 and the contract: the current turn if it is mine, or my own next turn."""
    if sheet.file.actions is None or is_for_this_turn(sheet, situation):
        return
    if is_for_own_next_turn(sheet, situation):
        return
    state, takes = situation.state, situation.takes
    said = sheet.file.turn or ""
    following = turn_label(next_own_turn(state, sheet.player), takes)
    current = turn_label(state.turn, takes)
    mine = state.active == sheet.player
    number = int(said.rstrip("abcdefghijklmnopqrstuvwxyz") or 0)
    if said in _older_labels(number, situation):
        yield Problem(None, f"turn: {said}", turn_taken_back(said, turn_label(number, takes)))
    elif mine:
        message = (
            f"turn {said} is not to be had: the game is at turn {current}, which is yours, "
            f"and your next one is turn {following}; write `turn: {current}`"
        )
        yield Problem(None, f"turn: {said}", message, f"turn: {current}")
    else:
        message = (
            f"turn {said} is not to be had: the game is at turn {current}, "
            f"and your next turn is turn {following}; write `turn: {following}`"
        )
        yield Problem(None, f"turn: {said}", message, f"turn: {following}")


def _older_labels(turn: int, situation: Situation) -> list[str]:
    """What a turn was called before it was taken back."""
    times = situation.takes.get(turn, 0)
    return [turn_label(turn, {turn: earlier}) for earlier in range(times)]


def judge_actions(sheet: Sheet, situation: Situation) -> Foresight:
    """The actions of a file for the turn that is being played."""
    done = [played.order for played in situation.turn_so_far if played.is_action]
    problems = [*_changed(sheet, done)]
    if problems:
        return Foresight(tuple(problems), (), "")
    return _Ahead(sheet, situation, len(done)).look()


def _changed(sheet: Sheet, done: Sequence[o.Order]) -> Iterator[Problem]:
    """Lines already carried out must stand there unchanged."""
    for number, order in enumerate(done, start=1):
        item = item_for(sheet, number)
        if item is not None and order_of(item) != order:
            said = write_order(order)
            message = (
                f"action {number} of this turn was {said} and is done; write it so, or begin "
                f"the list with the next action and write `action: {number + 1}`"
            )
            yield Problem(item.line, write_order(item.order), message, said)


class _Ahead:
    """Plays a file's actions on a copy, as far as they are certain."""

    def __init__(self, sheet: Sheet, situation: Situation, done: int) -> None:
        self.sheet = sheet
        self.situation = situation
        self.state: State = situation.state
        self.turn = list(situation.turn_so_far)
        self.events: list[Event] = []
        self.done = done
        self.draws = False

    def look(self) -> Foresight:
        """Play on until something is uncertain, then judge the rest by what can never be."""
        until, problems = self._play()
        if not problems:
            problems = [*self._never()]
        return Foresight(tuple(problems), tuple(self.events), until)

    def _play(self) -> tuple[str, list[Problem]]:
        while True:
            question = self.state.question
            if question is None or self.state.turn != self.situation.state.turn:
                return "", []
            if question.player != self.sheet.player:
                return f"the answer of {question.player}", []
            order, problem = self._next(question)
            if problem:
                return "", [problem]
            if order is None:
                return "" if isinstance(question, q.AskAction) else "your answer", []
            if self._carry_out(order):
                return "your draw", []

    def _next(self, question: q.Question) -> tuple[o.Order | None, Problem | None]:
        """The file's answer to the question, or what is wrong with it."""
        if isinstance(question, q.AskAction):
            item = item_for(self.sheet, question.number)
            return (None, None) if item is None else self._action(item)
        item = item_for(self.sheet, self.done)
        if item is None:
            return None, None
        count = fought(self.sheet.player, this_action(self.turn))
        order = answer_from(item.riders, self.state, fought=count)
        if order is None or isinstance(order, Unclear):
            return None, None
        broken = refusal(self.state, self.sheet.player, order)
        if broken:
            return None, Problem(item.line, write_order(order), rule_broken(broken))
        return order, None

    def _action(self, item: ActionItem) -> tuple[o.Order | None, Problem | None]:
        order = order_of(item)
        wrong = misplaced(item, self.state)
        if wrong:
            return None, Problem(item.line, write_order(order), wrong)
        broken = refusal(self.state, self.sheet.player, order)
        if broken:
            return None, Problem(item.line, write_order(order), rule_broken(broken))
        return order, None

    def _carry_out(self, order: o.Order) -> bool:
        """Play the order; whether tiles are drawn in its course, of which nothing is known."""
        before = self.state
        outcome = advance(before, self.sheet.player, order)
        label = question_label(before, self.situation.takes)
        self.turn.append(Played(label, before, order, outcome.events))
        self.done += isinstance(before.question, q.AskAction)
        drawn = [isinstance(event, TilesDrawn) for event in outcome.events]
        known = drawn.index(True) if any(drawn) else len(drawn)
        self.events += outcome.events[:known]
        if any(drawn) and outcome.state.turn == before.turn:
            self.draws = True
            self.state = outcome.state
            return True
        self.state = outcome.state
        return False

    def _never(self) -> Iterator[Problem]:
        """The actions that are left, judged by what cannot change."""
        if self.state.turn != self.situation.state.turn or self.state.over:
            return
        for number in ACTIONS[self.done :]:
            item = item_for(self.sheet, number)
            if item is None:
                continue
            order = order_of(item)
            broken = never_legal(self.state, self.sheet.player, order, draws=self.draws)
            if broken:
                yield Problem(item.line, write_order(order), rule_broken(broken))


def misplaced(item: ActionItem, state: State) -> str | None:
    """Why a leader is not where the file's `from` expects it; None if it is."""
    if item.origin is None or not isinstance(item.order, o.PlaceLeader):
        return None
    at = state.board.square_of(Leader(state.active, item.order.colour))
    if (at or "hand") == item.origin:
        return None
    return origin_wrong(item.order.colour, item.origin, at)


def answer_faults(sheet: Sheet, situation: Situation) -> Iterator[Problem]:
    """Each answer must be to the open question, put to its writer, and legal."""
    for item in sheet.file.answers or ():
        if item.question not in sheet.used:
            problem = _answer_fault(item, sheet, situation)
            if problem:
                yield Problem(item.line, f"question {item.question}", problem)


def _answer_fault(item: AnswerItem, sheet: Sheet, situation: Situation) -> str | None:
    state = situation.state
    label = question_label(state, situation.takes)
    question = state.question
    assert question is not None
    if item.question != label:
        return _not_open(item.question, situation)
    if question.player != sheet.player:
        return f"question {label} is put to {question.player}, not to you; take the answer out"
    order = answer_from(item.riders, state, fought=0)
    if order is None:
        return f"question {label} asks for {ASKS_FOR[type(question)]}"
    if isinstance(order, Unclear):
        return f"question {label} needs `square:` as well: one of {', '.join(order.choices)}"
    broken = refusal(state, sheet.player, order)
    return rule_broken(broken) if broken else None


def _not_open(label: str, situation: Situation) -> str:
    """Why a question is not open: answered, taken back, or not asked yet."""
    state, takes = situation.state, situation.takes
    turn, serial = split_label(label)
    number = int(turn.rstrip("abcdefghijklmnopqrstuvwxyz"))
    now = question_label(state, takes)
    if turn in _older_labels(number, situation):
        return turn_taken_back(turn, turn_label(number, takes))
    if turn != turn_label(number, takes):
        return f"there is no turn {turn}; the open question is {now}"
    if (number, serial) < (state.turn, state.serial):
        return f"question {label} is already answered; the open question is {now}"
    return f"question {label} is not asked yet; the open question is {now}"
