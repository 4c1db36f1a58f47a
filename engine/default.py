"""What is decided for a player who says nothing: always legal, and never his choice."""

from typing import assert_never

from engine import orders as o
from engine import questions as q
from engine.squares import squares_of
from engine.state import State
from engine.treasures import asked_spoils
from engine.war import rivals_at


def default_order(state: State) -> o.Order:
    """The order that answers the open question for him; the game must not be over.

    He passes, supports with nothing and builds nothing. Of the wars the first colour that still
    fights comes first (red, blue, green, black), of the treasures that may stay the first one in
    map order stays.
    """
    question = state.question
    assert question is not None
    match question:
        case q.AskAction():
            return o.Pass()
        case q.AskAttack() | q.AskDefence():
            return o.Support(0)
        case q.AskWar(union=union):
            return o.ChooseWar(rivals_at(state.board, union)[0].colour)
        case q.AskMonument():
            return o.DeclineMonument()
        case q.AskTreasure():
            return o.LeaveTreasure(next(squares_of(asked_spoils(state, question).may_stay)))
        case _:
            assert_never(question)
