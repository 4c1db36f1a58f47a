"""Whether an order is allowed now, and why not: the one definition of legality."""

from collections.abc import Sequence
from typing import assert_never

from engine import orders as o
from engine import questions as q
from engine.board import Board
from engine.catastrophe import catastrophe_limits
from engine.conflict import support_refusals
from engine.hands import exchange_refusals
from engine.kingdoms import kingdoms, touching
from engine.leaders import leader_limits, lifted
from engine.limits import Limit, broken_at
from engine.monuments import monument_refusals
from engine.pieces import Colour, Dynasty, Leader
from engine.refusal import Refusal, Rule
from engine.squares import BIT, Mask, Square, beside
from engine.state import State
from engine.tiles import tile_limits
from engine.treasures import treasure_refusals
from engine.war import war_refusals

_JOINING = (Rule.JOINS_KINGDOMS, Rule.JOINS_3_KINGDOMS)


def refusal(state: State, player: Dynasty, order: o.Order) -> Refusal | None:
    """The first rule that forbids the order, None if it is legal."""
    return next(iter(refusals(state, player, order)), None)


def refusals(state: State, player: Dynasty, order: o.Order) -> list[Refusal]:
    """Every rule that forbids the order, in the order in which they are checked."""
    question = state.question
    if question is None:
        return [Refusal(Rule.NOT_YOUR_TURN)]
    if question.player != player:
        return [Refusal(Rule.NOT_YOUR_TURN, question.player)]
    match question, order:
        case q.AskAction(), (
            o.PlaceTile() | o.PlaceLeader() | o.WithdrawLeader() | o.PlaceCatastrophe()
            | o.Exchange() | o.Pass()
        ):  # fmt: skip
            return action_refusals(state, player, order)
        case ((q.AskAttack() | q.AskDefence()), o.Support(number)):
            return support_refusals(state, player, question.conflict.support_colour, number)
        case q.AskWar(), o.ChooseWar(colour):
            return war_refusals(state, question, colour)
        case q.AskMonument(), o.BuildMonument():
            return monument_refusals(state, question, order)
        case q.AskMonument(), o.DeclineMonument():
            return []
        case q.AskTreasure(), o.LeaveTreasure(at):
            return treasure_refusals(state, question, at)
        case _:
            return [_not_asked(player, order)]


def _not_asked(player: Dynasty, order: o.Order) -> Refusal:
    """The rule that an order breaks when something else is asked."""
    match order:
        case o.Support():
            return Refusal(Rule.NOT_IN_CONFLICT, player)
        case o.ChooseWar(colour):
            return Refusal(Rule.NOT_IN_CONFLICT, player, colour)
        case o.BuildMonument(pair, at):
            return Refusal(Rule.NOT_A_SQUARE, player, at=at, pair=pair)
        case o.DeclineMonument():
            return Refusal(Rule.NOT_A_SQUARE, player)
        case o.LeaveTreasure(at):
            return Refusal(Rule.NO_TREASURE, player, at=at)
        case (
            o.PlaceTile() | o.PlaceLeader() | o.WithdrawLeader() | o.PlaceCatastrophe()
            | o.Exchange() | o.Pass()
        ):  # fmt: skip
            return Refusal(Rule.NO_ACTION_LEFT, player)
        case _:
            assert_never(order)


def action_refusals(state: State, player: Dynasty, order: o.Action) -> list[Refusal]:
    """Every rule that forbids an action of the player whose action it is."""
    board = state.board
    match order:
        case o.PlaceTile(colour, at):
            realms = kingdoms(board)
            limits = tile_limits(board, colour, touching(realms))
            found = _off_limits(player, board, realms, at, limits, colour)
            if not state.seat(player).hand.of(colour):
                found.insert(0, Refusal(Rule.NOT_IN_HAND, player, colour, at, have=0, want=1))
            return found
        case o.PlaceLeader(colour, at):
            place = board.place_of(Leader(player, colour))
            others = lifted(board, place, kingdoms(board))
            limits = leader_limits(board, place, touching(others))
            return _off_limits(player, board, others, at, limits, colour)
        case o.WithdrawLeader(colour):
            if board.place_of(Leader(player, colour)):
                return []
            return [Refusal(Rule.LEADER_NOT_ON_BOARD, player, colour)]
        case o.PlaceCatastrophe(at):
            found = _off_limits(player, board, (), at, catastrophe_limits(board))
            if not state.seat(player).catastrophes:
                found.insert(0, Refusal(Rule.NO_CATASTROPHE_LEFT, player, at=at))
            return found
        case o.Exchange():
            return exchange_refusals(state, player, order)
        case o.Pass():
            return []
        case _:
            assert_never(order)


def _off_limits(
    player: Dynasty,
    board: Board,
    realms: Sequence[Mask],
    at: Square,
    limits: tuple[Limit, ...],
    colour: Colour | None = None,
) -> list[Refusal]:
    """The limits that exclude a square, with the kingdoms that a piece there would join."""
    return [
        Refusal(
            rule,
            player,
            colour,
            at,
            kingdoms=_joined(board, realms, at) if rule in _JOINING else (),
        )
        for rule in broken_at(limits, at)
    ]


def _joined(board: Board, realms: Sequence[Mask], at: Square) -> tuple[tuple[Leader, ...], ...]:
    """The leaders of each kingdom that a piece on this square would touch."""
    near = beside(BIT[at])
    return tuple(board.leaders_in(realm) for realm in realms if realm & near)
