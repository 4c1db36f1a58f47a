"""Leaders: place, move, withdraw (R20 to R26)."""

from collections.abc import Sequence

from engine import events as e
from engine.board import Board
from engine.kingdoms import Touching, group_at, leader_of
from engine.limits import Limit
from engine.orders import PlaceLeader, WithdrawLeader
from engine.pieces import Dynasty, Leader
from engine.play import Play
from engine.refusal import Rule
from engine.revolt import begin_revolt
from engine.squares import ALL, BIT, NOWHERE, Mask, beside, grow, square_of


def leader_limits(board: Board, place: Mask, near: Touching) -> tuple[Limit, ...]:
    """Where a leader may go that stands on `place` now (nowhere: it comes from the hand), R21.

    `near` tells of the kingdoms without it: for a move all is judged with it lifted (D16).
    """
    return (
        Limit(Rule.SAME_SPACE, ALL & ~place),
        Limit(Rule.RIVER, board.map.land),
        Limit(Rule.OCCUPIED, board.empty | place),
        Limit(Rule.NO_TEMPLE, beside(board.tiles.red)),
        Limit(Rule.JOINS_KINGDOMS, ALL & ~near.two),
    )


def lifted(board: Board, place: Mask, realms: Sequence[Mask]) -> Sequence[Mask]:
    """The kingdoms once the leader on `place` is lifted (R22); all of them if it is nowhere."""
    if not place:
        return realms
    others = [realm for realm in realms if not realm & place]
    (home,) = (realm for realm in realms if realm & place)
    rest = home & ~place
    left = board.standing & rest
    while left:
        part = grow(left & -left, rest)
        others.append(part)
        left &= ~part
    return others


def place_leader(play: Play, player: Dynasty, order: PlaceLeader) -> None:
    """Put the leader down; a leader of its colour in the same kingdom means revolt (R23)."""
    leader = Leader(player, order.colour)
    origin = play.state.board.square_of(leader)
    play.happen(e.LeaderPlaced(player, order.colour, order.at, origin))
    board = play.state.board
    bit = BIT[order.at]
    rival = leader_of(board.with_leader(leader, NOWHERE), order.colour, group_at(board, bit))
    if rival is not None:
        begin_revolt(play, leader, rival)


def withdraw_leader(play: Play, player: Dynasty, order: WithdrawLeader) -> None:
    """R25: take the leader back to the hand."""
    origin = play.state.board.square_of(Leader(player, order.colour))
    assert origin is not None
    play.happen(e.LeaderReturned(player, order.colour, origin, "withdrawn"))


def send_home_the_homeless(play: Play) -> None:
    """R26: every leader without a temple beside it goes home, whoever owns it."""
    board = play.state.board
    for leader in board.leaders_in(ALL & ~beside(board.tiles.red)):
        square = square_of(board.place_of(leader))
        play.happen(e.LeaderReturned(leader.dynasty, leader.colour, square, "no temple"))
