"""Making a view: what one onlooker may know, copied field by field (rules 3.13)."""

from collections.abc import Iterable
from typing import get_args

from engine import view as v
from engine.cells import cells
from engine.events import Event, PrivateEvent
from engine.inquiry import asked
from engine.kingdoms import kingdoms
from engine.monuments import free_pairs
from engine.pieces import COLOURS, ByColour, Leader, Monument
from engine.squares import BIT, BLOCKS, Mask, beside, square_of, squares_of
from engine.state import Seat, State

_PRIVATE = get_args(PrivateEvent)


def view(state: State, viewer: v.Viewer, news: Iterable[Event] = ()) -> v.View:
    """The game as `viewer` may see it: a dynasty, `public` or `moderator`.

    `news` are events of any kind; those that this viewer may not know are left out.
    """
    mine = next((seat for seat in state.seats if seat.dynasty == viewer), None)
    return v.View(
        viewer=viewer,
        options=state.options,
        players=state.players,
        turn=state.turn,
        active=state.active,
        over=state.over,
        asked=asked(state),
        cells=cells(state.board),
        kingdoms=tuple(_kingdom(state, mask) for mask in kingdoms(state.board)),
        seats=tuple(_seat(state, seat) for seat in state.seats),
        monuments=state.monuments,
        free_monuments=free_pairs(state),
        treasures=tuple(squares_of(state.board.treasures)),
        bag_size=len(state.bag),
        news=tuple(event for event in news if may_know(viewer, event)),
        me=None if mine is None else _holdings(mine),
        secrets=_secrets(state) if viewer == "moderator" else None,
    )


def may_know(viewer: v.Viewer, event: Event) -> bool:
    """Public events are for all, private ones for their player and the moderator."""
    if not isinstance(event, _PRIVATE):
        return True
    return viewer in ("moderator", event.player)


def _holdings(seat: Seat) -> v.Holdings:
    return v.Holdings(seat.dynasty, seat.hand, seat.points, seat.treasures)


def _secrets(state: State) -> v.Secrets:
    return v.Secrets(tuple(map(_holdings, state.seats)), state.bag, state.out)


def _seat(state: State, seat: Seat) -> v.SeatView:
    """Totals are hidden until the end, unless the game is played with them open."""
    shown = state.options.open_scoring or state.over
    off = tuple(c for c in COLOURS if not state.board.place_of(Leader(seat.dynasty, c)))
    return v.SeatView(
        dynasty=seat.dynasty,
        hand_size=seat.hand.total,
        leaders_off=off,
        catastrophes=seat.catastrophes,
        points=seat.points if shown else None,
        treasures=seat.treasures if shown else None,
    )


def _kingdom(state: State, mask: Mask) -> v.KingdomView:
    board = state.board
    tiles = ByColour(*((tiles & mask).bit_count() for tiles in board.tiles))
    return v.KingdomView(
        leaders=tuple(_leader(state, leader, tiles) for leader in board.leaders_in(mask)),
        tiles=tiles,
        squares=tuple(squares_of(mask)),
        treasures=tuple(squares_of(mask & board.treasures)),
        monuments=tuple(m for m in state.monuments if _stands_in(m, mask)),
    )


def _stands_in(monument: Monument, mask: Mask) -> bool:
    return monument.at is not None and bool(BLOCKS[monument.at] & mask)


def _leader(state: State, leader: Leader, tiles: ByColour) -> v.LeaderView:
    at = square_of(state.board.place_of(leader))
    temples = (beside(BIT[at]) & state.board.tiles.red).bit_count()
    return v.LeaderView(leader, at, temples, tiles.of(leader.colour))
