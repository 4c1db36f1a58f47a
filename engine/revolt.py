"""Revolts: two leaders of one colour in one kingdom (R30 to R35)."""

from engine.conflict import defend
from engine.events import LeaderReturned, PointsScored, RevoltBegan
from engine.pieces import Leader
from engine.play import Play
from engine.questions import AskAttack, AskDefence, Conflict
from engine.squares import square_of


def begin_revolt(play: Play, leader: Leader, rival: Leader) -> None:
    """R30: who placed his leader is the attacker and is asked first."""
    board = play.state.board
    attacker, defender = board.place_of(leader), board.place_of(rival)
    play.happen(
        RevoltBegan(
            leader.colour,
            leader.dynasty,
            rival.dynasty,
            square_of(attacker),
            square_of(defender),
        )
    )
    conflict = Conflict(leader.colour, leader.dynasty, rival.dynasty)
    play.then(AskAttack(leader.dynasty, conflict))


def end_revolt(play: Play, question: AskDefence, number: int) -> None:
    """R34: the loser's leader goes home, the winner gets a red point."""
    conflict = question.conflict
    ended = defend(play, question, number)
    won = ended.winner == conflict.attacker
    loser = Leader(conflict.defender if won else conflict.attacker, conflict.colour)
    place = play.state.board.place_of(loser)
    play.happen(LeaderReturned(loser.dynasty, loser.colour, square_of(place), "revolt"))
    play.happen(PointsScored(ended.winner, "red", 1, "revolt", None))
