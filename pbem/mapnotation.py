"""A board as a picture: two signs a square, in the notation of the rules, part 6.

`..` empty, `~~` empty river, `r.` `b.` `g.` `k.` a tile, `r*` a temple with its treasure,
`xx` a tile under a monument, `x*` one with a treasure, `##` a catastrophe, `Ak` archer's king,
`::` as at the start. Column and row labels may stand round it.
"""

from typing import NamedTuple

from engine.board import Board, opening
from engine.cells import CATASTROPHE, EMPTY_LAND, EMPTY_RIVER, LEADER_SIGNS, cells
from engine.maps import MAPS, BoardName
from engine.pieces import COLOURS, LETTER, TILE, ByColour
from engine.squares import (
    BIT,
    COLUMNS,
    NOWHERE,
    ROWS,
    SQUARES,
    Mask,
    Square,
    square_of,
    squares_of,
)

AS_AT_THE_START = "::"
_INDEX = {square: index for index, square in enumerate(SQUARES)}
_TILES = tuple(f"{LETTER[colour]}." for colour in COLOURS)
_LEADERS = tuple(LEADER_SIGNS)
_SIGNS = (EMPTY_LAND, EMPTY_RIVER, *_TILES, "r*", "xx", "x*", CATASTROPHE, *_LEADERS)
HEADING = "  ".join(COLUMNS)
"""The letters of the columns, as they stand above a picture."""


class MapFault(NamedTuple):
    """What is wrong in one line of a picture (counted from 0), and at which square."""

    row: int
    square: Square | None
    message: str


def write_map(board: Board) -> list[str]:
    """The picture of a board: 11 lines of 16 signs."""
    return [" ".join(row) for row in cells(board)]


def read_map(lines: list[str], name: BoardName) -> tuple[Board, list[MapFault]]:
    """The board of a picture, and everything that is wrong with it."""
    signs, faults = _signs(lines)
    masks = dict.fromkeys(_SIGNS, NOWHERE)
    start = _START[name]
    for index, (sign, row) in enumerate(signs):
        known = start[index] if sign == AS_AT_THE_START else sign
        if known in masks:
            masks[known] |= BIT[SQUARES[index]]
        else:
            faults.append(MapFault(row, SQUARES[index], _unknown(sign)))
    rows = [row for _, row in signs[:: len(COLUMNS)]]
    faults += [
        MapFault(rows[_INDEX[square] // len(COLUMNS)], square, message)
        for square, message in [*_on_wrong_ground(masks, name), *_twice(masks)]
    ]
    return _board(masks, name), sorted(faults, key=lambda fault: fault.row)


def _board(masks: dict[str, Mask], name: BoardName) -> Board:
    red, blue, green, black = (masks[sign] for sign in _TILES)
    return Board(
        name,
        ByColour(red | masks["r*"], blue, green, black),
        treasures=masks["r*"] | masks["x*"],
        facedown=masks["xx"] | masks["x*"],
        catastrophes=masks[CATASTROPHE],
        leaders=tuple(masks[sign] for sign in _LEADERS),
    )


def _signs(lines: list[str]) -> tuple[list[tuple[str, int]], list[MapFault]]:
    """The signs with the line each stands in, and what is wrong with the shape."""
    found: list[tuple[str, int]] = []
    faults: list[MapFault] = []
    number = 0
    for index, line in enumerate(lines):
        signs = line.split()
        if not signs or signs == list(COLUMNS):
            continue
        number += 1
        signs, fault = _without_labels(signs, number)
        if fault is None and len(signs) != len(COLUMNS):
            fault = f"row {number} has {len(signs)} squares, a row of the map has {len(COLUMNS)}"
        if fault:
            faults.append(MapFault(index, None, fault))
            signs = [AS_AT_THE_START] * len(COLUMNS)
        found += [(sign, index) for sign in signs]
    if number != len(ROWS):
        message = f"the map has {number} rows, a board has {len(ROWS)}"
        faults.append(MapFault(max(len(lines) - 1, 0), None, message))
    return found[: len(SQUARES)], faults


def _without_labels(signs: list[str], number: int) -> tuple[list[str], str | None]:
    """The squares of a line, and what is wrong with the number before (or behind) them."""
    for end in (0, -1):
        if len(signs) > 1 and signs[end].isdecimal():
            label = signs.pop(end)
            if label != str(number):
                return signs, f"row {number} is labelled {label}"
    return signs, None


def _unknown(sign: str) -> str:
    if len(sign) == 2 and sign[1] == "*":
        return f"`{sign}`: a treasure lies on a temple (`r*`) or on a tile face down (`x*`) only"
    near = next((known for known in _SIGNS if known.lower() == sign.lower()), None)
    hint = f"; did you mean `{near}`?" if near else ""
    return f"`{sign}` is no sign of a map{hint}"


def _on_wrong_ground(masks: dict[str, Mask], name: BoardName) -> list[tuple[Square, str]]:
    """Tiles, leaders and empty signs that do not fit the land or the river they are on."""
    printed = MAPS[name]
    dry = printed.land
    found: list[tuple[Square, str]] = []
    for sign, mask in masks.items():
        if sign in _FITS_ALL:
            continue
        wet = sign in _RIVER_SIGNS
        for square in squares_of(mask & (dry if wet else printed.river)):
            ground = "land" if wet else "river"
            found.append((square, f"`{sign}`: {square} is {ground}, {_NAMES[sign]}"))
    return found


def _twice(masks: dict[str, Mask]) -> list[tuple[Square, str]]:
    return [
        (square_of(masks[sign]), f"`{sign}` stands on {' and '.join(squares_of(masks[sign]))}")
        for sign in _LEADERS
        if masks[sign].bit_count() > 1
    ]


_FITS_ALL = ("xx", "x*", CATASTROPHE, EMPTY_LAND)
_RIVER_SIGNS = (EMPTY_RIVER, "b.")
_NAMES = {
    "~~": "which is written `..` when empty",
    "r*": "a temple lies on land",
    **{
        sign: f"a {TILE[colour]} lies on {'a river' if colour == 'blue' else 'land'}"
        for sign, colour in zip(_TILES, COLOURS, strict=True)
    },
    **dict.fromkeys(_LEADERS, "a leader stands on land"),
}
_START: dict[BoardName, list[str]] = {
    name: [sign for row in cells(opening(name)) for sign in row] for name in MAPS
}
