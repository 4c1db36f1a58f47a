"""What a player has said ahead, turned into the answer to the question that is open."""

from typing import NamedTuple, assert_never

from engine import orders as o
from engine import questions as q
from engine.conflict import fewest_to_win
from engine.legal import legal_orders
from engine.legality import refusal
from engine.pieces import Colour
from engine.state import State
from pbem.riders import Riders, SupportWish


class Unclear(NamedTuple):
    """The wish fits several answers; `choices` are the squares that would tell them apart."""

    choices: tuple[str, ...]


def answer_from(riders: Riders, state: State, *, fought: int) -> o.Order | Unclear | None:
    """The answer that these wishes give to the open question; None if they are silent.

    `fought` counts the conflicts of this action in which the player has sent support already:
    a plain `support` serves the first one only.
    """
    question = state.question
    match question:
        case None | q.AskAction():
            return None
        case q.AskAttack(_, conflict) | q.AskDefence(_, conflict):
            by_war = riders.wish_in(conflict.colour) if conflict.union else None
            wish = by_war or (None if fought else riders.support)
            return None if wish is None else o.Support(tiles_for(wish, state, question))
        case q.AskWar():
            return _war(riders.wars, state, question)
        case q.AskMonument():
            return _monument(riders, state)
        case q.AskTreasure():
            return _treasure(riders.leave, state, question)
        case _:
            assert_never(question)


def tiles_for(wish: SupportWish, state: State, question: q.AskAttack | q.AskDefence) -> int:
    """How many tiles a wish means now: a number, all, or as many as it takes to win."""
    have = state.seat(question.player).hand.of(question.conflict.support_colour)
    match wish.kind:
        case "number":
            return wish.number
        case "none":
            return 0
        case "all":
            return have
        case "win":
            fewest = fewest_to_win(state, question)
            if fewest is None:
                return 0
            extra = wish.number if isinstance(question, q.AskAttack) else 0
            return min(fewest + extra, have)
        case _:
            assert_never(wish.kind)


def _war(wars: tuple[Colour, ...], state: State, question: q.AskWar) -> o.Order | None:
    """The first of the colours that still fights."""
    choices = [o.ChooseWar(colour) for colour in wars]
    return next((o for o in choices if refusal(state, question.player, o) is None), None)


def _monument(riders: Riders, state: State) -> o.Order | Unclear | None:
    """A monument without a square is clear if only one block is there."""
    wish = riders.monument
    if wish is None:
        return None
    if wish.pair is None:
        return o.DeclineMonument()
    if wish.at is not None:
        return o.BuildMonument(wish.pair, wish.at)
    builds = [order for order in legal_orders(state) if isinstance(order, o.BuildMonument)]
    squares = tuple(dict.fromkeys(order.at for order in builds))
    if len(squares) > 1:
        return Unclear(squares)
    return o.BuildMonument(wish.pair, squares[0])


def _treasure(squares: tuple[str, ...], state: State, question: q.AskTreasure) -> o.Order | None:
    """The first of the squares that may stay; if none may, the first, to be refused."""
    orders = [o.LeaveTreasure(square) for square in squares]
    legal = (o for o in orders if refusal(state, question.player, o) is None)
    return next(legal, orders[0] if orders else None)
