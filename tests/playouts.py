"""Whole games by chance, played so that what is rare in quiet games is frequent."""

import random
from collections.abc import Callable, Sequence
from itertools import product
from typing import NamedTuple

from engine import orders as o
from engine import questions as q
from engine.advance import advance
from engine.board import Board
from engine.events import Event
from engine.kingdoms import kingdoms
from engine.legal import legal_orders
from engine.maps import BoardName
from engine.options import BagEnd, Options, SplitSide, TreasureTiming
from engine.pieces import COLOURS, DYNASTIES, PAIRS, ByColour, Dynasty, Leader
from engine.setup import new_game
from engine.squares import BIT, BLOCKS_WITH, SQUARES, Mask, beside
from engine.state import State

LONGEST = 3000
_BOARDS: tuple[BoardName, ...] = ("standard", "advanced")
_TIMINGS: tuple[TreasureTiming, ...] = ("action", "turn")
_BAG_ENDS: tuple[BagEnd, ...] = ("short", "empty")
_SPLITS: tuple[SplitSide, ...] = ("component", "original")
WAYS = tuple(product(range(2, 5), _BOARDS, _TIMINGS, _BAG_ENDS, _SPLITS))
# How often each kind of action is picked, of those that turn up in a sample of the legal ones.
_LIKING: dict[type[o.Order], float] = {
    o.PlaceTile: 60, o.PlaceLeader: 45, o.PlaceCatastrophe: 5, o.Exchange: 5,
    o.WithdrawLeader: 3, o.Pass: 2,
}  # fmt: skip
_SAMPLE = 40


class Game(NamedTuple):
    """A game as it was played: its start, the decisions, everything that happened."""

    start: State
    decisions: tuple[tuple[Dynasty, o.Order], ...]
    events: tuple[Event, ...]
    end: State


def start(number: int) -> State:
    """The start of game `number`: every way to play comes up in turn, the seed is the number."""
    seats, board, timing, bag_end, split = WAYS[number % len(WAYS)]
    options = Options(
        board=board,
        treasure_timing=timing,
        bag_end=bag_end,
        split_side=split,
        open_scoring=bool(number // len(WAYS) % 2),
    )
    players = random.Random(number).sample(DYNASTIES, seats)
    return new_game(players, f"playout {number}", options)


def play(number: int, watch: Callable[[State], None] = lambda _state: None) -> Game:
    """Play game `number` to its end; `watch` sees every state on the way, the last one too."""
    chance = random.Random(number)
    state = first = start(number)
    decisions: list[tuple[Dynasty, o.Order]] = []
    events: list[Event] = []
    while state.question is not None:
        watch(state)
        assert len(decisions) < LONGEST, f"game {number} does not end"
        player, order = state.question.player, choose(chance, state)
        outcome = advance(state, player, order)
        decisions.append((player, order))
        events += outcome.events
        state = outcome.state
    watch(state)
    return Game(first, tuple(decisions), tuple(events), state)


def choose(chance: random.Random, state: State) -> o.Order:
    """A legal order, by chance and by liking."""
    legal = legal_orders(state)
    match state.question:
        case q.AskAction(player):
            return _choose_action(chance, state, player, legal)
        case q.AskMonument() if chance.random() < 0.8:
            return legal[chance.randrange(len(legal) - 1)]
        case _:
            return legal[chance.randrange(len(legal))]


def _choose_action(
    chance: random.Random, state: State, player: Dynasty, legal: Sequence[o.Order]
) -> o.Order:
    size = len(legal)
    sample = [legal[chance.randrange(size)] for _ in range(_SAMPLE)]
    kinds = sorted({type(order) for order in sample}, key=lambda kind: kind.__name__)
    (kind,) = chance.choices(kinds, [_LIKING[kind] for kind in kinds])
    orders = [order for order in sample if type(order) is kind]
    realms = kingdoms(state.board)
    appeals = [appeal(state.board, player, realms, order) for order in orders]
    return chance.choices(orders, appeals)[0]


def appeal(board: Board, player: Dynasty, realms: Sequence[Mask], order: o.Order) -> float:
    """How much an order promises: wars, revolts, blocks for monuments."""
    match order:
        case o.PlaceTile(colour, at):
            same = board.tiles.of(colour)
            block = max((mask & same).bit_count() for _, mask in BLOCKS_WITH[at])
            near = _realms_beside(realms, at)
            wars = 20 + 200 * _rivals(board, near) ** 2 if len(near) == 2 else 4 * len(near)
            return 1 + 4.0**block + wars
        case o.PlaceLeader(colour, at):
            fresh = not board.place_of(Leader(player, colour))
            rivals = sum(
                place
                for rival in DYNASTIES
                if rival != player and (place := board.place_of(Leader(rival, colour)))
            )
            revolt = any(realm & rivals for realm in _realms_beside(realms, at))
            return 1 + (30 if fresh else 0) + (4 if revolt else 0)
        case o.PlaceCatastrophe(at):
            return 3 if BIT[at] & board.connected else 1
        case _:
            return 1


def _realms_beside(realms: Sequence[Mask], at: str) -> list[Mask]:
    near = beside(BIT[at])
    return [realm for realm in realms if realm & near]


def _rivals(board: Board, realms: Sequence[Mask]) -> int:
    """How many colours have a leader in both kingdoms."""
    first, second = ({leader.colour for leader in board.leaders_in(realm)} for realm in realms)
    return len(first & second)


def _exchanges() -> list[o.Order]:
    numbers = product(range(8), repeat=4)
    return [o.Exchange(ByColour(*each)) for each in numbers if sum(each) <= 7]


ACTIONS: tuple[o.Order, ...] = (
    *(o.PlaceTile(colour, at) for colour in COLOURS for at in SQUARES),
    *(o.PlaceLeader(colour, at) for colour in COLOURS for at in SQUARES),
    *(o.PlaceCatastrophe(at) for at in SQUARES),
    *(o.WithdrawLeader(colour) for colour in COLOURS),
    *_exchanges(),
    o.Pass(),
)
SUPPORTS: tuple[o.Order, ...] = tuple(o.Support(number) for number in range(-1, 9))
WARS: tuple[o.Order, ...] = tuple(o.ChooseWar(colour) for colour in COLOURS)
MONUMENTS: tuple[o.Order, ...] = (
    *(o.BuildMonument(pair, at) for pair in PAIRS for at in SQUARES),
    o.DeclineMonument(),
)
TREASURES: tuple[o.Order, ...] = tuple(o.LeaveTreasure(at) for at in SQUARES)
# Everything that can be said, legal or not.
CONCEIVABLE = (*ACTIONS, *SUPPORTS, *WARS, *MONUMENTS, *TREASURES)


def fitting(question: q.Question | None) -> tuple[o.Order, ...]:
    """Everything conceivable that answers this kind of question."""
    match question:
        case q.AskAction():
            return ACTIONS
        case q.AskAttack() | q.AskDefence():
            return SUPPORTS
        case q.AskWar():
            return WARS
        case q.AskMonument():
            return MONUMENTS
        case q.AskTreasure():
            return TREASURES
        case None:
            return CONCEIVABLE
