"""Civilization tiles: where they may go, and who scores (R40 to R44)."""

from engine.board import Board
from engine.events import PointsScored, TilePlaced
from engine.kingdoms import Touching, kingdoms_beside, leader_of
from engine.limits import Limit
from engine.orders import PlaceTile
from engine.pieces import Colour, Dynasty
from engine.play import Play
from engine.questions import FightWars, OfferMonument
from engine.refusal import Rule
from engine.squares import ALL, BIT, Mask
from engine.war import groups_beside


def tile_limits(board: Board, colour: Colour, near: Touching) -> tuple[Limit, ...]:
    """Where a tile may go (R40, R41)."""
    return (
        Limit(Rule.OCCUPIED, board.empty),
        Limit(Rule.TERRAIN, board.map.river if colour == "blue" else board.map.land),
        Limit(Rule.JOINS_3_KINGDOMS, ALL & ~near.three),
    )


def place_tile(play: Play, player: Dynasty, order: PlaceTile) -> None:
    """Put the tile down; then points or wars, then perhaps a monument (R12)."""
    state = play.state
    realms = kingdoms_beside(state.board, BIT[order.at])
    uniting = len(realms) == 2
    play.happen(TilePlaced(player, order.colour, order.at, uniting))
    if uniting:
        original = state.options.split_side == "original"
        origin = groups_beside(state.board, order.at) if original else ()
        play.then(FightWars(order.at, origin), OfferMonument(order.at))
        return
    if realms:
        score_tile(play, order, realms[0])
    play.then(OfferMonument(order.at))


def score_tile(play: Play, order: PlaceTile, kingdom: Mask) -> None:
    """R43: the leader of the tile's colour scores, else the king; always the tile's colour."""
    board = play.state.board
    scorer = leader_of(board, order.colour, kingdom) or leader_of(board, "black", kingdom)
    if scorer is not None:
        play.happen(PointsScored(scorer.dynasty, order.colour, 1, "tile", order.at))
