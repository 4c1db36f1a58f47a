"""How each event changes a state. Nothing else changes boards, hands or points."""

from typing import assert_never

from engine import events as e
from engine.pieces import Colour, Dynasty, Leader, Monument, count
from engine.squares import BIT, BLOCKS, NOWHERE, Mask, mask_of
from engine.state import State


def evolve(state: State, event: e.Event) -> State:
    """The state after an event."""
    match event:
        case e.TilePlaced(player, colour, at):
            state = _from_hand(state, player, colour, 1)
            return state._replace(board=state.board.with_tile(colour, at))
        case e.LeaderPlaced(player, colour, at):
            return _put_leader(state, Leader(player, colour), BIT[at])
        case e.LeaderReturned(player, colour):
            return _put_leader(state, Leader(player, colour), NOWHERE)
        case e.PointsScored(player, colour, points):
            seat = state.seat(player)
            return state.with_seat(seat._replace(points=seat.points.plus(colour, points)))
        case e.TilesReceived(player, tiles):
            seat = state.seat(player)
            state = state.with_seat(seat._replace(hand=seat.hand.add(count(tiles))))
            return state._replace(bag=state.bag[len(tiles) :])
        case e.SupportSent(player, colour, number):
            state = _from_hand(state, player, colour, number)
            return state._replace(out=state.out.plus(colour, number))
        case e.TilesGiven(player, tiles):
            seat = state.seat(player)
            state = state.with_seat(seat._replace(hand=seat.hand.less(tiles)))
            return state._replace(out=state.out.add(tiles))
        case e.CatastrophePlaced():
            return _destroy(state, event)
        case e.TilesRemoved(_, colour, squares):
            board = state.board.without_tiles(colour, mask_of(squares))
            return state._replace(board=board, out=state.out.plus(colour, len(squares)))
        case e.MonumentBuilt(_, pair, at, tiles):
            return state._replace(
                board=state.board.with_monument(BLOCKS[at], tiles),
                monuments=(*state.monuments, Monument(pair, at, tiles)),
            )
        case e.TreasuresTaken(player, squares):
            board = state.board
            board = board._replace(treasures=board.treasures & ~mask_of(squares))
            seat = state.seat(player)
            seat = seat._replace(treasures=seat.treasures + len(squares))
            return state._replace(board=board).with_seat(seat)
        case e.TurnBegan(player, turn):
            return state._replace(active=player, turn=turn, serial=0)
        case (
            e.TilesExchanged() | e.ActionPassed() | e.RevoltBegan() | e.WarBegan() | e.WarChosen()
            | e.ConflictEnded() | e.MonumentDeclined() | e.TilesDrawn() | e.TurnEnded()
            | e.GameEnded() | e.FinalScores()
        ):  # fmt: skip
            return state
        case _:
            assert_never(event)


def _from_hand(state: State, player: Dynasty, colour: Colour, number: int) -> State:
    seat = state.seat(player)
    return state.with_seat(seat._replace(hand=seat.hand.plus(colour, -number)))


def _put_leader(state: State, leader: Leader, place: Mask) -> State:
    return state._replace(board=state.board.with_leader(leader, place))


def _destroy(state: State, event: e.CatastrophePlaced) -> State:
    seat = state.seat(event.player)
    state = state.with_seat(seat._replace(catastrophes=seat.catastrophes - 1))
    out = state.out if event.tile is None else state.out.plus(event.tile, 1)
    return state._replace(board=state.board.with_catastrophe(event.at), out=out)
