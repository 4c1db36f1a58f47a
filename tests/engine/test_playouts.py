"""Whole games by chance: whatever is played, the promises of the engine hold in every state."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from engine.advance import advance
from engine.events import Event
from engine.invariants import faults
from engine.legal import legal_orders
from engine.legality import refusal
from engine.orders import Order
from engine.state import State
from pbem.position import read_position, write_state
from tests.notes import note
from tests.playouts import CONCEIVABLE, WAYS, Game, fitting, play, start
from tests.positions import draw

FEW = 8
MANY = 2000
CHUNK = 50
UNLISTED = 20
THOROUGH_EVERY = 50
FREQUENT = (
    "WarBegan", "WarChosen", "RevoltBegan", "MonumentBuilt", "CatastrophePlaced",
    "TilesExchanged", "TreasuresTaken",
)  # fmt: skip


def test_every_way_to_play_comes_up() -> None:
    """The numbers of the games run through players, boards and options."""
    seen = {(len(state.seats), state.options) for state in map(start, range(2 * len(WAYS)))}
    assert len(seen) == 2 * len(WAYS)


@pytest.fixture(scope="module")
def totals(pytestconfig: pytest.Config) -> Iterator[Counter[str]]:
    """What all games together held; said at the end of the run."""
    counts: Counter[str] = Counter()
    yield counts
    held = ", ".join(f"{counts[name]} {name}" for name in FREQUENT)
    note(pytestconfig, f"playouts: {counts['GameEnded']} games with {held}")


@pytest.mark.parametrize("number", range(0, FEW * 7, 7))
def test_game(number: int, totals: Counter[str]) -> None:
    """A few games, each state of which is looked at from all sides."""
    totals.update(happened(look_at(number)))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, MANY, CHUNK))
def test_many_games(first: int, totals: Counter[str]) -> None:
    """The full sweep, in pieces that can run side by side."""
    tally: Counter[str] = Counter()
    for number in range(first, first + CHUNK):
        tally.update(happened(look_at(number)))
    assert all(tally[name] >= CHUNK for name in FREQUENT), tally
    totals += tally


def test_chance_is_biased_to_what_is_rare() -> None:
    """Wars, revolts, monuments, catastrophes and exchanges turn up in nearly every game."""
    tally = Counter(name for number in range(FEW) for name in happened(play(number)))
    assert all(tally[name] >= FEW // 2 for name in FREQUENT), tally


def look_at(number: int) -> Game:
    """Play a game, judge each of its states, and play it again from its decisions."""
    watch = Watch(number)
    game = play(number, watch)
    again: list[Event] = []
    state = game.start
    for player, order in game.decisions:
        outcome = advance(state, player, order)
        again += outcome.events
        state = outcome.state
    assert state == game.end
    assert tuple(again) == game.events
    return game


class Watch:
    """Judges every state of one game."""

    def __init__(self, number: int) -> None:
        self.chance = random.Random(f"watch {number}")
        self.name = f"game {number}"
        self.seen = 0

    def __call__(self, state: State) -> None:
        """Fail, with the place and the board, if a promise is broken."""
        wrong = [str(fault) for fault in faults(state)]
        wrong += self.survives(state)
        wrong += self.disagreements(state, thorough=self.seen % THOROUGH_EVERY == 0)
        if wrong:
            place = f"{self.name}, decision {self.seen}: {state.question}"
            pytest.fail("\n".join([place, draw(state.board), *wrong]), pytrace=False)
        self.seen += 1

    def survives(self, state: State) -> list[str]:
        """The state written as text and read again is the same state."""
        again, problems = read_position(write_state(state))
        if problems or again != state:
            return [f"does not survive as text: {problems}", str(state), str(again)]
        return []

    def disagreements(self, state: State, thorough: bool) -> list[str]:
        """Orders on which the list and the refusals differ."""
        legal = legal_orders(state)
        listed = frozenset(legal)
        asked = state.question.player if state.question else state.active
        probes = CONCEIVABLE if thorough else self.unlisted(state, listed)
        wrong = [
            f"{order} is {'' if order in listed else 'not '}listed"
            for order in probes
            if (refusal(state, asked, order) is None) != (order in listed)
        ]
        if len(legal) != len(listed) or bool(legal) != bool(state.question):
            wrong.append(f"{len(legal)} orders said, {len(listed)} different ones listed")
        return wrong + (odd_sequence(legal) + others(state, listed) if thorough else [])

    def unlisted(self, state: State, listed: frozenset[Order]) -> list[Order]:
        """Some orders that are not listed, up to half of them answers to the open question."""
        found: list[Order] = []
        for pool, wanted in ((fitting(state.question), UNLISTED // 2), (CONCEIVABLE, UNLISTED)):
            for _ in range(4 * UNLISTED):
                order = pool[self.chance.randrange(len(pool))]
                if len(found) < wanted and order not in listed:
                    found.append(order)
        assert len(found) == UNLISTED
        return found


def odd_sequence(legal: Sequence[Order]) -> list[str]:
    """What indexing, from both ends, gives differently from iterating."""
    orders, size = list(legal), len(legal)
    forth = [legal[index] for index in range(size)]
    back = [legal[index - size] for index in range(size)]
    return [] if orders == forth == back else ["indexing differs from iterating"]


def others(state: State, listed: frozenset[Order]) -> list[str]:
    """Who else may do what only the player who is asked may do."""
    asked = state.question.player if state.question else None
    return [
        f"{player} may {order}, but is not asked"
        for player in state.players
        for order in listed
        if player != asked and refusal(state, player, order) is None
    ]


def happened(game: Game) -> list[str]:
    """The names of the events of a game."""
    return [type(event).__name__ for event in game.events]
