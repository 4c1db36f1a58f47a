"""Wars across a uniting tile (R50 to R60)."""

from typing import NamedTuple

from engine.board import Board
from engine.conflict import defend, losses
from engine.events import LeaderReturned, PointsScored, TilesRemoved, WarBegan, WarChosen
from engine.pieces import COLOURS, Colour, Dynasty, Leader
from engine.play import Play
from engine.questions import AskAttack, AskDefence, AskWar, Conflict, FightWars
from engine.refusal import Refusal, Rule
from engine.squares import BIT, Mask, Square, beside, grow, square_of, squares_of
from engine.state import State


class Rivals(NamedTuple):
    """Two leaders of one colour that the uniting tile has brought together."""

    colour: Colour
    owners: tuple[Dynasty, Dynasty]


def groups_beside(board: Board, union: Square) -> tuple[Mask, ...]:
    """The groups that touch a square, the square itself left out (R51)."""
    bit = BIT[union]
    connected = board.connected & ~bit
    left = beside(bit) & connected
    groups = []
    while left:
        group = grow(left & -left, connected)
        groups.append(group)
        left &= ~group
    return tuple(groups)


def rivals_at(board: Board, union: Square) -> list[Rivals]:
    """The colours of which two leaders stand in groups that touch the uniting tile (R52)."""
    leaders = board.leaders_in(sum(groups_beside(board, union)))
    found = []
    for colour in COLOURS:
        owners = [leader.dynasty for leader in leaders if leader.colour == colour]
        if len(owners) == 2:
            first, second = owners
            found.append(Rivals(colour, (first, second)))
    return found


def conflict_of(state: State, rivals: Rivals, step: FightWars | AskWar) -> Conflict:
    """Who attacks: the active player, else the first owner clockwise from him (R54)."""
    order = [seat.dynasty for seat in state.clockwise()]
    attacker, defender = sorted(rivals.owners, key=order.index)
    return Conflict(rivals.colour, attacker, defender, step.union, step.origin)


def fight_wars(play: Play, step: FightWars) -> None:
    """R53: no war is left, or one, or the active player picks; R59: look again after each."""
    rivals = rivals_at(play.state.board, step.union)
    if not rivals:
        return
    play.then(step)
    if len(rivals) == 1:
        begin_war(play, conflict_of(play.state, rivals[0], step))
    else:
        play.then(AskWar(play.state.active, step.union, step.origin))


def war_refusals(state: State, question: AskWar, colour: Colour) -> list[Refusal]:
    """R53: one of the colours that can be fought now."""
    if any(rivals.colour == colour for rivals in rivals_at(state.board, question.union)):
        return []
    return [Refusal(Rule.NOT_IN_CONFLICT, question.player, colour, question.union)]


def choose_war(play: Play, question: AskWar, colour: Colour) -> None:
    """The active player's choice; the colours are looked at anew after each war (D09)."""
    play.happen(WarChosen(question.player, colour))
    (rivals,) = (r for r in rivals_at(play.state.board, question.union) if r.colour == colour)
    begin_war(play, conflict_of(play.state, rivals, question))


def begin_war(play: Play, conflict: Conflict) -> None:
    """The attacker is asked for support first (R55)."""
    assert conflict.union is not None
    play.happen(WarBegan(conflict.colour, conflict.attacker, conflict.defender, conflict.union))
    play.then(AskAttack(conflict.attacker, conflict))


def end_war(play: Play, question: AskDefence, number: int) -> None:
    """R57, R58: the loser's leader and supporters go; a point for each to the winner."""
    conflict = question.conflict
    ended = defend(play, question, number)
    won = ended.winner == conflict.attacker
    loser = Leader(conflict.defender if won else conflict.attacker, conflict.colour)
    board = play.state.board
    gone = losses(board, conflict, loser.dynasty)
    place = square_of(board.place_of(loser))
    play.happen(LeaderReturned(loser.dynasty, loser.colour, place, "war"))
    if gone:
        play.happen(TilesRemoved(loser.dynasty, loser.colour, tuple(squares_of(gone))))
    points = 1 + gone.bit_count()
    play.happen(PointsScored(ended.winner, conflict.colour, points, "war", conflict.union))
