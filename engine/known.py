"""A game rebuilt from what a view shows, so that questions about it can be answered from that."""

from collections.abc import Iterable

from engine.board import Board
from engine.cells import CATASTROPHE, LEADER_SIGNS, sign_of
from engine.pieces import COLOURS, LEADERS, LETTER, NONE, ByColour
from engine.squares import SQUARES, Mask, mask_of
from engine.state import Seat, State
from engine.view import SeatView, View


def as_known(view: View) -> State:
    """The game as the viewer knows it: what he does not see is empty, and nothing is asked."""
    return State(
        options=view.options,
        seats=tuple(_seat(view, seat) for seat in view.seats),
        board=board_of(view),
        bag="",
        active=view.active,
        monuments=view.monuments,
        turn=view.turn,
    )


def _seat(view: View, seat: SeatView) -> Seat:
    mine = view.me is not None and view.me.dynasty == seat.dynasty
    hand = view.me.hand if view.me is not None and mine else NONE
    return Seat(seat.dynasty, hand=hand, catastrophes=seat.catastrophes)


def board_of(view: View) -> Board:
    """The board that the signs of a view show."""
    signs = [sign for row in view.cells for sign in row]

    def those(*wanted: str) -> Mask:
        pairs: Iterable[tuple[str, str]] = zip(SQUARES, signs, strict=True)
        return mask_of(square for square, sign in pairs if sign in wanted)

    standing = {LEADER_SIGNS[sign] for sign in signs if sign in LEADER_SIGNS}
    return Board(
        view.options.board,
        ByColour(*(those(f"{LETTER[colour]}.", f"{LETTER[colour]}*") for colour in COLOURS)),
        treasures=mask_of(view.treasures),
        facedown=those("xx", "x*"),
        catastrophes=those(CATASTROPHE),
        leaders=tuple(those(sign_of(each)) if each in standing else 0 for each in LEADERS),
    )
