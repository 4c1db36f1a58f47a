"""Groups, regions and kingdoms: what hangs together (R03, R04), and who would be joined (R05)."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from engine.board import Board
from engine.pieces import Colour, Leader
from engine.squares import NOWHERE, Mask, beside, grow


@lru_cache(maxsize=64)
def kingdoms(board: Board) -> tuple[Mask, ...]:
    """The squares of every kingdom (R04), in map order of their first square.

    Kept for the last boards: the same one is looked at again for the list of legal orders, for
    the order that comes, and for the view of every reader.
    """
    connected = board.connected
    left = board.standing
    found = []
    while left:
        kingdom = grow(left & -left, connected)
        found.append(kingdom)
        left &= ~kingdom
    return tuple(sorted(found, key=lambda mask: mask & -mask))


def group_at(board: Board, start: Mask) -> Mask:
    """The group (R03) of the piece on this square; empty if there is none."""
    return grow(start, board.connected)


class Touching(NamedTuple):
    """Squares beside at least one, at least two, at least three different kingdoms (R05)."""

    one: Mask
    two: Mask
    three: Mask


def touching(realms: Iterable[Mask]) -> Touching:
    """How many of these kingdoms every square touches; meant for empty squares only."""
    one = two = three = NOWHERE
    for realm in realms:
        near = beside(realm)
        three |= two & near
        two |= one & near
        one |= near
    return Touching(one, two, three)


def kingdoms_beside(board: Board, bit: Mask) -> list[Mask]:
    """The different kingdoms that touch an empty square (R05)."""
    return [kingdom for kingdom in kingdoms(board) if beside(bit) & kingdom]


def leader_of(board: Board, colour: Colour, kingdom: Mask) -> Leader | None:
    """The leader of this colour in a kingdom; there is at most one outside a conflict."""
    for leader in board.leaders_in(kingdom):
        if leader.colour == colour:
            return leader
    return None
