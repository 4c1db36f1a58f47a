"""How fast the rules are: one order with the list of legal ones, whole games."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

from engine.advance import advance
from engine.legal import legal_orders
from engine.orders import Order
from engine.pieces import Dynasty
from engine.setup import new_game
from engine.state import State
from tests.bench_figure import Figure
from tests.playouts import choose, start

GAMES = 36
PAIR: tuple[Dynasty, Dynasty] = ("archer", "bull")
MICRO = 1e6

Policy = Callable[[random.Random, State], Order]
Step = tuple[State, Dynasty, Order]


def engine_figures(_folder: Path) -> Iterator[tuple[str, Figure]]:
    """Everything about `engine`."""
    for name, policy in (("uniform", uniform), ("biased", choose)):
        steps = [step for number in range(GAMES) for step in game_steps(number, policy)]
        compact, expanded = per_step(steps, len), per_step(steps, lambda legal: len(list(legal)))
        more = {"list_expanded": expanded, "decisions": len(steps)}
        yield f"order_with_legal_list_{name}", Figure(compact, "us", at_most=150, more=more)
    yield "random_two_player_games", Figure(games_per_second(), "games/s", at_least=30)


def uniform(chance: random.Random, state: State) -> Order:
    """Any item of the list of legal orders."""
    legal = legal_orders(state)
    return legal[chance.randrange(len(legal))]


def game_steps(number: int, policy: Policy) -> Iterator[Step]:
    """A whole game: each state with the decision that was made in it."""
    chance = random.Random(number)
    state = start(number)
    while state.question is not None:
        player, order = state.question.player, policy(chance, state)
        yield state, player, order
        state = advance(state, player, order).state


def per_step(steps: list[Step], use: Callable[..., int]) -> float:
    """Microseconds for one list of legal orders and one order carried out."""
    began = process_time()
    for state, player, order in steps:
        use(legal_orders(state))
        advance(state, player, order)
    return (process_time() - began) / len(steps) * MICRO


def games_per_second(games: int = 100) -> float:
    """Whole games of two, each decision taken from the complete list."""
    began = process_time()
    for number in range(games):
        chance = random.Random(number)
        state = new_game(PAIR, f"bench {number}")
        while state.question is not None:
            state = advance(state, state.question.player, uniform(chance, state)).state
    return games / (process_time() - began)
