"""What a reader is told does not depend on what he cannot know.

The same game is dealt anew, so that everything hidden from one reader is different: other
hands, the bag, tiles put away in exchanges, totals, private events, waiting files, notes. All
that this reader gets to see must stay the same, byte for byte.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, get_args, get_type_hints

import pytest

from engine.advance import advance
from engine.board import Board
from engine.events import Event
from engine.legal import legal_orders
from engine.legality import refusals
from engine.orders import Order
from engine.pieces import Dynasty
from engine.sight import view
from engine.state import Seat, State
from engine.view import SeatView, Secrets, View, Viewer
from pbem.reports import Report
from tests.playouts import CONCEIVABLE, choose, fitting, start
from tests.redeal import deal_anew, put_away_unseen, retold

GAMES = range(0, 96, 7)
EVERY = 9
"""Every so manieth state of a game is looked at."""
ORDERS = 40
NEWS = 12

Sight = Callable[[State, Viewer, list[Event]], View]


class Moment(NamedTuple):
    """A state on the way through a game, what happened before it, and dice for it."""

    state: State
    events: list[Event]
    chance: random.Random


def moments(numbers: range = GAMES, every: int = EVERY) -> Iterator[Moment]:
    """States of games by chance: all numbers of players, both boards, all options."""
    for number in numbers:
        chance = random.Random(f"secrecy {number}")
        state, events, seen = start(number), list[Event](), 0
        while state.question is not None:
            if seen % every == 0:
                yield Moment(state, list(events), chance)
            outcome = advance(state, state.question.player, choose(chance, state))
            state, seen = outcome.state, seen + 1
            events += outcome.events
        yield Moment(state, events, chance)


def onlookers(state: State) -> tuple[Viewer, ...]:
    """All who must not know everything."""
    return (*state.players, "public")


def dealt_anew(moment: Moment, viewer: Viewer) -> tuple[State, list[Event]]:
    """The state and the news as they might as well be, for all that the viewer knows."""
    state, events, chance = moment
    other = deal_anew(chance, state, viewer, put_away_unseen(events, viewer))
    return other, retold(chance, events[-NEWS:], viewer)


def leaks(sight: Sight, numbers: range = GAMES, every: int = EVERY) -> list[str]:
    """Where what is seen depends on what is hidden."""
    found = []
    for moment in moments(numbers, every):
        for viewer in onlookers(moment.state):
            other, news = dealt_anew(moment, viewer)
            one = sight(moment.state, viewer, moment.events[-NEWS:])
            if one != sight(other, viewer, news):
                found.append(f"{viewer}, {moment.state.question}")
    return found


def test_a_view_does_not_depend_on_what_is_hidden() -> None:
    assert leaks(view) == []


def test_dealing_anew_changes_what_is_hidden() -> None:
    """The moderator, who sees everything, sees another game nearly every time."""
    seen = [
        view(moment.state, "moderator") != view(dealt_anew(moment, viewer)[0], "moderator")
        for moment in moments()
        for viewer in onlookers(moment.state)
    ]
    assert sum(seen) > 0.95 * len(seen)


def _with_a_hand(state: State, viewer: Viewer, news: list[Event]) -> View:
    first = next(seat for seat in state.seats if seat.dynasty != viewer)
    seen = view(state, viewer, news)
    return seen._replace(me=seen.me._replace(hand=first.hand) if seen.me else None)


def _with_reds_counted(state: State, viewer: Viewer, news: list[Event]) -> View:
    seen = view(state, viewer, news)
    sizes = (seat._replace(hand_size=state.seat(seat.dynasty).hand.red) for seat in seen.seats)
    return seen._replace(seats=tuple(sizes))


def _with_totals(state: State, viewer: Viewer, news: list[Event]) -> View:
    seen = view(state, viewer, news)
    seats = (seat._replace(points=state.seat(seat.dynasty).points) for seat in seen.seats)
    return seen._replace(seats=tuple(seats))


def _with_the_next_tile(state: State, viewer: Viewer, news: list[Event]) -> View:
    seen = view(state, viewer, news)
    return seen._replace(bag_size=seen.bag_size + (state.bag[:1] == "r"))


def _with_all_news(state: State, viewer: Viewer, news: list[Event]) -> View:
    return view(state, viewer, news)._replace(news=tuple(news))


def _with_what_left_the_game(state: State, viewer: Viewer, news: list[Event]) -> View:
    return view(state, viewer, news)._replace(turn=state.out.red)


LEAKY: tuple[Sight, ...] = (
    _with_a_hand, _with_reds_counted, _with_totals, _with_the_next_tile, _with_all_news,
    _with_what_left_the_game,
)  # fmt: skip


@pytest.mark.parametrize("sight", LEAKY)
def test_a_leak_is_found(sight: Sight) -> None:
    assert leaks(sight, range(2, 6), every=5)


def test_refusals_and_legal_orders_do_not_depend_on_what_is_hidden() -> None:
    for moment in moments():
        state, chance = moment.state, moment.chance
        for viewer in state.players:
            other, _ = dealt_anew(moment, viewer)
            for order in _some_orders(chance, state):
                assert refusals(state, viewer, order) == refusals(other, viewer, order), order
            if state.question is not None and state.question.player == viewer:
                assert list(legal_orders(state)) == list(legal_orders(other))


def _some_orders(chance: random.Random, state: State) -> list[Order]:
    return [
        pool[chance.randrange(len(pool))]
        for pool in (CONCEIVABLE, fitting(state.question))
        for _ in range(ORDERS)
    ]


def parts(kind: Any, seen: dict[Any, str], path: str) -> dict[Any, str]:
    """All types that can be reached from a type, each with how it was reached."""
    for inner in get_args(kind):
        parts(inner, seen, path)
    if isinstance(kind, type) and kind not in seen:
        seen[kind] = path
        if kind.__module__.partition(".")[0] in ("engine", "pbem"):
            for name, hint in get_type_hints(kind).items():
                parts(hint, seen, f"{path}.{name}")
            for name, attribute in vars(kind).items():
                if isinstance(attribute, property) and attribute.fget:
                    parts(get_type_hints(attribute.fget).get("return"), seen, f"{path}.{name}")
    return seen


@pytest.mark.parametrize("kind", [View, Report])
def test_nothing_hidden_can_be_reached(kind: type) -> None:
    """A report holds no state, no seat, no board; a bag stands in the moderator's part only."""
    seen = parts(kind, {}, kind.__name__)
    assert SeatView in seen
    assert Secrets in seen
    assert not seen.keys() & {State, Seat, Board}
    holds_bag = {each.__name__ for each in seen if "bag" in getattr(each, "__annotations__", {})}
    assert holds_bag == {"Secrets"}


def test_only_the_moderator_gets_secrets() -> None:
    for moment in moments(range(3), every=20):
        for viewer in onlookers(moment.state):
            seen = view(moment.state, viewer)
            assert seen.secrets is None
            me: Dynasty | None = seen.me.dynasty if seen.me else None
            assert me == (None if viewer == "public" else viewer)
