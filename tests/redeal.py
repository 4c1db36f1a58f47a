"""The same game dealt anew: everything that one onlooker cannot know is different."""

import random
from collections.abc import Iterable

from engine.events import Event, TilesGiven, TilesReceived
from engine.pieces import COLOURS, LETTER, ByColour, Dynasty, count
from engine.state import Seat, State
from engine.view import Viewer


def letters(tiles: ByColour) -> str:
    """The tiles as letters."""
    return "".join(LETTER[c] * number for c, number in zip(COLOURS, tiles, strict=True))


def put_away_unseen(events: Iterable[Event], viewer: Viewer) -> ByColour:
    """What the others exchanged: its number is known, its colours are not (R85)."""
    given = ByColour()
    for event in events:
        if isinstance(event, TilesGiven) and event.player != viewer:
            given = given.add(event.tiles)
    return given


def deal_anew(
    chance: random.Random,
    state: State,
    viewer: Viewer,
    unseen: ByColour = ByColour(),  # noqa: B008 - a value
    fixed: frozenset[int] = frozenset(),
) -> State:
    """The state with other hands, another bag, other totals of the others.

    `unseen` are tiles out of the game whose colours the viewer does not know. `fixed` are the
    places in the bag that he will draw from: what lies there stays.
    """
    pool = list(letters(unseen))
    pool += [letter for place, letter in enumerate(state.bag) if place not in fixed]
    for seat in state.seats:
        if seat.dynasty != viewer:
            pool += letters(seat.hand)
    chance.shuffle(pool)
    seats = tuple(
        seat if seat.dynasty == viewer else _other(chance, state, seat, pool)
        for seat in state.seats
    )
    put_away = count("".join(pool.pop() for _ in range(unseen.total)))
    bag = "".join(
        letter if place in fixed else pool.pop() for place, letter in enumerate(state.bag)
    )
    return state._replace(seats=seats, bag=bag, out=state.out.less(unseen).add(put_away))


def _other(chance: random.Random, state: State, seat: Seat, pool: list[str]) -> Seat:
    """A seat with other tiles, and other totals unless all may know them."""
    seat = seat._replace(hand=count("".join(pool.pop() for _ in range(seat.hand.total))))
    if state.options.open_scoring or state.over:
        return seat
    points = ByColour(*(chance.randrange(20) for _ in COLOURS))
    return seat._replace(points=points, treasures=chance.randrange(9))


def retold(chance: random.Random, events: Iterable[Event], viewer: Viewer) -> list[Event]:
    """The events with other tiles in what only the others know."""
    told: list[Event] = []
    for event in events:
        if isinstance(event, TilesReceived) and event.player != viewer:
            event = event._replace(tiles="".join(chance.choices("rbgk", k=len(event.tiles))))
        elif isinstance(event, TilesGiven) and event.player != viewer:
            event = event._replace(tiles=some_tiles(chance, event.tiles.total))
        told.append(event)
    return told


def some_tiles(chance: random.Random, number: int) -> ByColour:
    """So many tiles of any colours."""
    return count("".join(chance.choices("rbgk", k=number)))


def draws_of(events: Iterable[Event], viewer: Dynasty) -> frozenset[int]:
    """The places in the bag, as it is before these events, that the viewer draws from."""
    places: set[int] = set()
    drawn = 0
    for event in events:
        if isinstance(event, TilesReceived):
            if event.player == viewer:
                places |= set(range(drawn, drawn + len(event.tiles)))
            drawn += len(event.tiles)
    return frozenset(places)
