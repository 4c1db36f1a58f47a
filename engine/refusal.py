"""Why an order is not allowed: the rule, with what it is about. No sentences here."""

from enum import StrEnum
from typing import NamedTuple

from engine.pieces import Colour, Dynasty, Leader, Pair
from engine.squares import Square


class Rule(StrEnum):
    """The rules that forbid an order, in the order in which they are checked."""

    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    NO_ACTION_LEFT = "NO_ACTION_LEFT"
    LEADER_NOT_ON_BOARD = "LEADER_NOT_ON_BOARD"
    SAME_SPACE = "SAME_SPACE"
    RIVER = "RIVER"
    OCCUPIED = "OCCUPIED"
    NO_TEMPLE = "NO_TEMPLE"
    JOINS_KINGDOMS = "JOINS_KINGDOMS"
    NOT_IN_HAND = "NOT_IN_HAND"
    TERRAIN = "TERRAIN"
    JOINS_3_KINGDOMS = "JOINS_3_KINGDOMS"
    NO_CATASTROPHE_LEFT = "NO_CATASTROPHE_LEFT"
    CATASTROPHE_THERE = "CATASTROPHE_THERE"
    LEADER_THERE = "LEADER_THERE"
    TREASURE_THERE = "TREASURE_THERE"
    MONUMENT_THERE = "MONUMENT_THERE"
    SWAP_NOTHING = "SWAP_NOTHING"
    NOT_IN_CONFLICT = "NOT_IN_CONFLICT"
    MONUMENT_USED = "MONUMENT_USED"
    MONUMENT_COLOUR = "MONUMENT_COLOUR"
    NOT_A_SQUARE = "NOT_A_SQUARE"
    NO_TREASURE = "NO_TREASURE"
    PRIORITY_TREASURE_FIRST = "PRIORITY_TREASURE_FIRST"


class Refusal(NamedTuple):
    """One reason not to accept an order, with its data; what does not apply is empty.

    `kingdoms`: the leaders of each kingdom that would be joined. `have`: how many tiles of
    `colour` there are (the asker's own). `choices`: what would have been right.
    """

    rule: Rule
    player: Dynasty | None = None
    colour: Colour | None = None
    at: Square | None = None
    pair: Pair | None = None
    have: int | None = None
    want: int | None = None
    leaders: tuple[Leader, ...] = ()
    kingdoms: tuple[tuple[Leader, ...], ...] = ()
    choices: tuple[Square, ...] = ()


class IllegalOrder(Exception):
    """An order that the rules forbid now; the state is unchanged."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.rule.value)
        self.refusal = refusal
