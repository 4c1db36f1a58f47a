"""Catastrophes (R70, R71)."""

from engine.board import Board
from engine.events import CatastrophePlaced
from engine.leaders import send_home_the_homeless
from engine.limits import Limit
from engine.orders import PlaceCatastrophe
from engine.pieces import Dynasty
from engine.play import Play
from engine.refusal import Rule
from engine.squares import ALL, BIT


def catastrophe_limits(board: Board) -> tuple[Limit, ...]:
    """Where a catastrophe may go: empty squares and plain face-up tiles (R70, D14, D15)."""
    return (
        Limit(Rule.CATASTROPHE_THERE, ALL & ~board.catastrophes),
        Limit(Rule.LEADER_THERE, ALL & ~board.standing),
        Limit(Rule.TREASURE_THERE, ALL & ~board.treasures),
        Limit(Rule.MONUMENT_THERE, ALL & ~board.facedown),
    )


def place_catastrophe(play: Play, player: Dynasty, order: PlaceCatastrophe) -> None:
    """Destroy the square; leaders left without a temple go home (R71)."""
    tile = play.state.board.colour_at(BIT[order.at])
    play.happen(CatastrophePlaced(player, order.at, tile))
    send_home_the_homeless(play)
