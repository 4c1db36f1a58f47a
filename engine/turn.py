"""The turn: two actions, its end, the next one, the end of the game (R10 to R13, R90 to R94)."""

from typing import Literal

from engine.events import FinalScores, GameEnded, TurnBegan, TurnEnded
from engine.hands import refill
from engine.monuments import score_monuments
from engine.pieces import HAND_SIZE
from engine.play import Play
from engine.questions import AskAction, CollectTreasures, EndAction, EndTurn, NextTurn
from engine.scoring import final_rows
from engine.state import State

TREASURES_AT_THE_END = 2


def follow_up(play: Play, number: int) -> None:
    """What every action ends with: treasures (R80, unless D01 says otherwise), the next step."""
    if play.state.options.treasure_timing == "action":
        play.then(CollectTreasures(), EndAction(number))
    else:
        play.then(EndAction(number))


def end_action(play: Play, step: EndAction) -> None:
    """R10: the second action follows the first, the end of the turn the second."""
    if step.number == 1:
        play.then(AskAction(play.state.active, 2))
    else:
        play.then(EndTurn())


def end_turn(play: Play) -> None:
    """R90, R92: monument points, then refill; with `treasure_timing=turn` also treasures."""
    score_monuments(play)
    refill(play)
    if play.state.options.treasure_timing == "turn":
        play.then(CollectTreasures(), NextTurn())
    else:
        play.then(NextTurn())


def reasons_to_end(state: State) -> tuple[Literal["treasures", "bag"], ...]:
    """R93, judged after the refill: few treasures, or a hand that could not be filled to six.

    With `bag_end=empty` an empty bag is enough (D03).
    """
    reasons: list[Literal["treasures", "bag"]] = []
    if state.board.treasures.bit_count() <= TREASURES_AT_THE_END:
        reasons.append("treasures")
    short = any(seat.hand.total < HAND_SIZE for seat in state.seats)
    if short or (state.options.bag_end == "empty" and not state.bag):
        reasons.append("bag")
    return tuple(reasons)


def next_turn(play: Play) -> None:
    """R93, R94: the game ends, or the next player clockwise is active."""
    state = play.state
    play.happen(TurnEnded(state.active, state.turn))
    reasons = reasons_to_end(state)
    if reasons:
        play.happen(GameEnded(reasons))
        play.happen(FinalScores(final_rows(state)))
        return
    following = state.clockwise()[1].dynasty
    play.happen(TurnBegan(following, state.turn + 1))
    play.then(AskAction(following, 1))
