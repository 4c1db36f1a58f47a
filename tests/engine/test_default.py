"""What is decided for who says nothing: always legal, always the same."""

from collections import Counter

import pytest

from engine import orders as o
from engine import questions as q
from engine.advance import advance
from engine.default import default_order
from engine.legality import refusal
from engine.pieces import COLOURS, Leader
from engine.squares import BIT, SQUARES
from engine.state import State
from engine.treasures import spoils_of
from engine.war import rivals_at
from tests.playouts import play, start

FEW = 8
MANY = 400


def look_at(number: int) -> Counter[str]:
    """Play a game and try the default in each of its states; the kinds of questions there were."""
    kinds: Counter[str] = Counter()

    def watch(state: State) -> None:
        if state.question is not None:
            kinds[state.question.kind] += 1
            try_default(state)

    play(number, watch)
    return kinds


def try_default(state: State) -> None:
    question, order = state.question, default_order(state)
    assert question is not None
    assert refusal(state, question.player, order) is None
    outcome = advance(state, question.player, order)
    assert outcome.state != state
    assert order == expected(state)


def expected(state: State) -> o.Order:
    """The same, said in other words."""
    match state.question:
        case q.AskAction():
            return o.Pass()
        case q.AskAttack() | q.AskDefence():
            return o.Support(0)
        case q.AskWar(union=union):
            fighting = {rivals.colour for rivals in rivals_at(state.board, union)}
            return o.ChooseWar(next(colour for colour in COLOURS if colour in fighting))
        case q.AskMonument():
            return o.DeclineMonument()
        case q.AskTreasure(player):
            spoils = spoils_of(state, Leader(player, "green"))
            assert spoils is not None
            return o.LeaveTreasure(next(at for at in SQUARES if BIT[at] & spoils.may_stay))
        case _:
            raise AssertionError(state.question)


@pytest.mark.parametrize("number", range(0, FEW * 7, 7))
def test_it_is_legal_at_every_question(number: int) -> None:
    look_at(number)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, MANY, 50))
def test_it_is_legal_in_many_games(first: int) -> None:
    kinds: Counter[str] = Counter()
    for number in range(first, first + 50):
        kinds.update(look_at(number))
    assert set(kinds) == {"action", "attack", "defence", "war", "monument", "treasure"}


def test_a_round_without_orders_changes_nothing_but_the_turn() -> None:
    for number in range(FEW):
        state = first = start(number)
        for _ in range(2 * len(first.players)):
            question = state.question
            assert question is not None
            state = advance(state, question.player, default_order(state)).state
        assert state.turn == first.turn + len(first.players)
        assert (state.board, state.seats) == (first.board, first.seats)
