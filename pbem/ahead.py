"""What is certain of a file's actions: they are played on a copy until something is uncertain."""

from collections.abc import Iterator
from typing import NamedTuple

from engine import orders as o
from engine import questions as q
from engine.advance import advance
from engine.events import Event, FinalScores, TilesDrawn
from engine.foresight import illegal_for_ever, never_legal
from engine.legality import refusal
from engine.monuments import free_pairs
from engine.pieces import COLOURS, HAND_SIZE, Dynasty, Leader
from engine.refusal import Refusal, Rule
from engine.squares import BIT
from engine.state import State
from pbem.answers import Unclear, answer_from
from pbem.labels import question_label
from pbem.notation import write_order
from pbem.orderitems import ACTIONS_A_TURN, ActionItem
from pbem.problem import Problem
from pbem.quoting import as_written
from pbem.riders import Riders
from pbem.sheets import (
    Played,
    Sheet,
    Situation,
    actions_done,
    fought,
    item_for,
    keys_for,
    order_of,
    this_action,
    unserved,
)
from pbem.tidings import choices_of, origin_wrong, rule_broken


class Foresight(NamedTuple):
    """What is certain of a file's actions: faults, what happens, and what it then depends on.

    `until` is why no more can be said: a draw, another player's answer, an own question that
    the file does not answer, or nothing ("": all of it was foreseen).
    """

    problems: tuple[Problem, ...]
    events: tuple[Event, ...]
    until: str


class Ahead:
    """Plays a file's actions on a copy, as far as they are certain."""

    def __init__(self, sheet: Sheet, situation: Situation) -> None:
        self.sheet = sheet
        self.player = sheet.player
        self.situation = situation
        self.state: State = situation.state
        self.turn = list(situation.turn_so_far)
        self.events: list[Event] = []
        self.draws = False

    def look(self) -> Foresight:
        """Play on until something is uncertain, then judge the rest by what can never be."""
        until, problems = self._play()
        found = [problem for problem in self._never(problems) if problem not in problems]
        problems += found
        return Foresight(tuple(problems), tuple(self.events), until)

    def _play(self) -> tuple[str, list[Problem]]:
        while True:
            question = self.state.question
            if question is None or self.state.turn != self.situation.state.turn:
                return "", []
            if question.player != self.player:
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
        item = item_for(self.sheet, actions_done(self.state))
        if item is None:
            return None, None
        count = fought(self.player, this_action(self.turn))
        order = answer_from(item.riders, self.state, fought=count)
        if isinstance(order, Unclear):
            asked = self.state is self.situation.state
            return None, Problem(item.line, "", choices_of(order.choices)) if asked else None
        return (None, None) if order is None else self._allowed(item, order)

    def _action(self, item: ActionItem) -> tuple[o.Order | None, Problem | None]:
        order = order_of(item)
        wrong = misplaced(item, self.state)
        if wrong:
            return None, Problem(
                item.line_of("from"), as_written(item, self.sheet.file.text), wrong
            )
        return self._allowed(item, order)

    def _allowed(self, item: ActionItem, order: o.Order) -> tuple[o.Order | None, Problem | None]:
        broken = refusal(self.state, self.player, order)
        if broken is None:
            return order, None
        question = self.state.question
        if question is None or isinstance(question, q.AskAction):
            return None, self._fault(item, broken)
        return None, _said_ahead(item, order, broken, *keys_for(question))

    def _carry_out(self, order: o.Order) -> bool:
        """Play the order; whether tiles are drawn in its course, of which nothing is known."""
        before = self.state
        outcome = advance(before, self.player, order)
        label = question_label(before, self.situation.takes)
        self.turn.append(Played(label, before, order, outcome.events))
        self.state = outcome.state
        known = foreseeable(outcome.events)
        self.events += known
        self.draws = len(known) < len(outcome.events) and outcome.state.turn == before.turn
        return self.draws

    def _never(self, found: list[Problem]) -> Iterator[Problem]:
        """What is left of the turn, judged by what cannot change; `found`: what was at fault."""
        if self.state.turn != self.situation.state.turn or self.state.over:
            return
        done = actions_done(self.state)
        acting = isinstance(self.state.question, q.AskAction)
        acts = acting and (bool(found) or item_for(self.sheet, done + 1) is None)
        item = item_for(self.sheet, done)
        if item and not acting and not found:
            open_keys = unserved(item.riders, self.player, this_action(self.turn))
            yield from self._never_said(item, open_keys, draws=self.draws)
        for number in range(done + 1, ACTIONS_A_TURN + 1):
            item = item_for(self.sheet, number)
            if item is None:
                continue
            if found and acting and number == done + 1:
                continue
            order, draws = order_of(item), self.draws or acts
            broken = never_legal(self.state, self.player, order, draws=draws, acts=acts)
            if broken:
                yield self._fault(item, broken)
            yield from self._never_said(item, unserved(item.riders, self.player, ()), draws=draws)

    def _never_said(
        self, item: ActionItem, keys: tuple[str, ...], *, draws: bool
    ) -> Iterator[Problem]:
        """What is said ahead under these keys and can never be, whatever is asked."""
        for key, order, broken in never_meant(item.riders, self.state, self.player):
            uncertain = draws and broken.rule is Rule.NOT_IN_HAND
            if key in keys and not (uncertain and (broken.want or 0) <= HAND_SIZE):
                yield _said_ahead(item, order, broken, key)

    def _fault(self, item: ActionItem, broken: Refusal) -> Problem:
        return _fault(item, broken, self.sheet)


def foreseeable(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """What happens before tiles are drawn or the points of all are told: known to a player."""
    unknown = (i for i, event in enumerate(events) if isinstance(event, TilesDrawn | FinalScores))
    return events[: next(unknown, len(events))]


def never_later(sheet: Sheet, state: State) -> Iterator[Problem]:
    """What a file says for a later turn and can never be: judged by what lasts to the end."""
    for item in sheet.file.actions or ():
        order = order_of(item)
        if broken := illegal_for_ever(state, sheet.player, order):
            yield _fault(item, broken, sheet)
        for key, said, broken in never_meant(item.riders, state, sheet.player):
            if broken.rule is not Rule.NOT_IN_HAND or (broken.want or 0) > HAND_SIZE:
                yield _said_ahead(item, said, broken, key)


def misplaced(item: ActionItem, state: State) -> str | None:
    """Why a leader is not where the file's `from` expects it; None if it is."""
    if item.origin is None or not isinstance(item.order, o.PlaceLeader):
        return None
    at = state.board.square_of(Leader(state.active, item.order.colour))
    if (at or "hand") == item.origin:
        return None
    return origin_wrong(item.order.colour, item.origin, at)


def _fault(item: ActionItem, broken: Refusal, sheet: Sheet) -> Problem:
    return Problem(item.line, as_written(item, sheet.file.text), rule_broken(broken))


def _said_ahead(item: ActionItem, order: o.Order, broken: Refusal, *keys: str) -> Problem:
    """What is wrong with an answer that was said with the action, at its own line."""
    line = next((at for key, at in item.lines if any(k.split(" ")[0] == key for k in keys)), None)
    return Problem(line or item.line, write_order(order), rule_broken(broken))


def never_meant(
    riders: Riders, state: State, player: Dynasty
) -> Iterator[tuple[str, o.Order, Refusal]]:
    """Answers said ahead that can be seen to be illegal: their key, and the rule.

    No tile comes to a hand in the course of an action, no treasure back to the board, and no
    monument back to the box.
    """
    hand, monument = state.seat(player).hand, riders.monument
    most = max(COLOURS, key=hand.of)
    plain = [("support", most, riders.support)] if riders.support else []
    by_war = [(f"support {colour}", colour, wish) for colour, wish in riders.support_in]
    for key, colour, wish in (*plain, *by_war):
        have = hand.of(colour)
        if wish.kind == "number" and wish.number > have:
            broken = Refusal(Rule.NOT_IN_HAND, player, colour, have=have, want=wish.number)
            yield key, o.Support(wish.number), broken
    if monument and monument.pair and monument.pair not in free_pairs(state):
        order = o.BuildMonument(monument.pair, monument.at or "A1")
        yield "monument", order, Refusal(Rule.MONUMENT_USED, player, pair=monument.pair)
    if riders.leave and not any(BIT[at] & state.board.treasures for at in riders.leave):
        at = riders.leave[0]
        yield "leave", o.LeaveTreasure(at), Refusal(Rule.NO_TREASURE, player, at=at)
