"""The 176 squares `A1` to `P11`, and sets of squares as integers.

A square is its name. A set of squares is a `Mask`: an integer with one bit a square, in rows
of 17 bits. The seventeenth bit of a row is never set, so that a shift by one cannot carry a
square from the end of one row to the start of the next (R01: only up, down, left and right).
"""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

Square: TypeAlias = str
Mask: TypeAlias = int

COLUMNS = "ABCDEFGHIJKLMNOP"
ROWS = range(1, 12)
STRIDE = len(COLUMNS) + 1

SQUARES: tuple[Square, ...] = tuple(f"{column}{row}" for row in ROWS for column in COLUMNS)
BIT: dict[Square, Mask] = {
    square: 1 << (STRIDE * (index // len(COLUMNS)) + index % len(COLUMNS))
    for index, square in enumerate(SQUARES)
}
ALL: Mask = sum(BIT.values())
NOWHERE: Mask = 0

_NAMES: dict[int, Square] = {bit.bit_length(): square for square, bit in BIT.items()}


def square_of(bit: Mask) -> Square:
    """The name of the only square in `bit`."""
    return _NAMES[bit.bit_length()]


def bits_of(mask: Mask) -> Iterator[Mask]:
    """The squares of a set as single bits, in map order."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def squares_of(mask: Mask) -> Iterator[Square]:
    """The squares of a set, in map order: A1, B1, ... P11."""
    while mask:
        bit = mask & -mask
        yield _NAMES[bit.bit_length()]
        mask ^= bit


def mask_of(squares: Iterable[Square]) -> Mask:
    """The set of these squares."""
    mask = NOWHERE
    for square in squares:
        mask |= BIT[square]
    return mask


def nth_square(mask: Mask, index: int) -> Square:
    """The square at `index` of the set, in map order."""
    for _ in range(index):
        mask &= mask - 1
    return _NAMES[(mask & -mask).bit_length()]


def beside(mask: Mask) -> Mask:
    """The squares that touch a square of the set, R01 (squares of the set may be among them)."""
    return (mask << 1 | mask >> 1 | mask << STRIDE | mask >> STRIDE) & ALL


def grow(start: Mask, within: Mask) -> Mask:
    """All of `within` that hangs together with the squares of `start`."""
    found = start & within
    while True:
        wider = (found | found << 1 | found >> 1 | found << STRIDE | found >> STRIDE) & within
        if wider == found:
            return found
        found = wider


def block(top_left: Square) -> Mask:
    """The 2x2 block with this top left corner; cut off at the edge of the board."""
    bit = BIT[top_left]
    return (bit | bit << 1 | bit << STRIDE | bit << STRIDE + 1) & ALL


BLOCKS: dict[Square, Mask] = {
    square: mask for square in SQUARES if (mask := block(square)).bit_count() == 4
}


def _blocks_with(bit: Mask) -> Iterator[tuple[Square, Mask]]:
    """The blocks that a square belongs to, by their top left squares in map order."""
    for steps in (STRIDE + 1, STRIDE, 1, 0):
        corner = _NAMES.get((bit >> steps).bit_length(), "")
        if corner in BLOCKS and BLOCKS[corner] & bit:
            yield corner, BLOCKS[corner]


BLOCKS_WITH: dict[Square, tuple[tuple[Square, Mask], ...]] = {
    square: tuple(_blocks_with(bit)) for square, bit in BIT.items()
}
