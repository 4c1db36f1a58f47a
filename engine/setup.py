"""The start of a game: the shuffled bag, the hands (rules, section 1). The only chance there is."""

import hashlib
import random
from collections.abc import Sequence

from engine.board import opening
from engine.options import Options
from engine.pieces import (
    COLOURS,
    DYNASTIES,
    HAND_SIZE,
    LETTER,
    TILES_IN_BOX,
    ByColour,
    Dynasty,
    count,
)
from engine.questions import AskAction
from engine.state import Seat, State

PLAYERS = range(2, 5)


def shuffled(tiles: ByColour, seed: str) -> str:
    """The tiles in an order that follows from the seed alone.

    Only `Random.random` is promised to stay the same between versions of Python, so tiles are
    sorted by keys drawn from it. The seed enters through a hash, whatever its text.
    """
    chance = random.Random(int.from_bytes(hashlib.sha256(seed.encode()).digest(), "big"))
    letters = "".join(
        LETTER[colour] * number for colour, number in zip(COLOURS, tiles, strict=True)
    )
    keyed = [(chance.random(), letter) for letter in letters]
    return "".join(letter for _, letter in sorted(keyed))


def new_game(players: Sequence[Dynasty], seed: str, options: Options | None = None) -> State:
    """A game at its first question: two to four different dynasties in turn order.

    Raises ValueError for another number of players or a dynasty that plays twice.
    """
    if len(players) not in PLAYERS or len(set(players)) != len(players):
        raise ValueError(f"two to four different dynasties play, not {players}")
    if not set(players) <= set(DYNASTIES):
        raise ValueError(f"unknown dynasty among {players}")
    options = options or Options()
    board = opening(options.board)
    bag = shuffled(TILES_IN_BOX.plus("red", -board.tiles.red.bit_count()), seed)
    dealt = HAND_SIZE * len(players)
    seats = tuple(
        Seat(dynasty, hand=count(bag[index : dealt : len(players)]))
        for index, dynasty in enumerate(players)
    )
    return State(options, seats, board, bag[dealt:], players[0], agenda=(AskAction(players[0], 1),))
