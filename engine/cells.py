"""A board as two-letter signs, one a square: the map notation (rules, part 6).

`..` empty land, `~~` empty river, `r.` `b.` `g.` `k.` tiles, `r*` with a treasure, `xx` face
down, `x*` face down with a treasure, `##` a catastrophe, `Ak` the archer's king.
"""

from engine.board import Board
from engine.pieces import COLOURS, LEADERS, LETTER, Leader
from engine.squares import BIT, COLUMNS, ROWS, Mask, bits_of

EMPTY_LAND = ".."
EMPTY_RIVER = "~~"
CATASTROPHE = "##"


def sign_of(leader: Leader) -> str:
    """`Ak` for the archer's king."""
    return leader.dynasty[0].upper() + LETTER[leader.colour]


LEADER_SIGNS: dict[str, Leader] = {sign_of(leader): leader for leader in LEADERS}


def cells(board: Board) -> tuple[tuple[str, ...], ...]:
    """11 rows of 16 signs."""
    signs = _signs(board)
    river = board.map.river
    return tuple(
        tuple(
            signs.get(bit) or (EMPTY_RIVER if bit & river else EMPTY_LAND)
            for bit in (BIT[f"{column}{row}"] for column in COLUMNS)
        )
        for row in ROWS
    )


def _signs(board: Board) -> dict[Mask, str]:
    """The sign of every square that holds something."""
    kinds = [(LETTER[colour], mask) for colour, mask in zip(COLOURS, board.tiles, strict=True)]
    signs = {}
    for letter, mask in [*kinds, ("x", board.facedown)]:
        plain = "xx" if letter == "x" else f"{letter}."
        for bit in bits_of(mask):
            signs[bit] = f"{letter}*" if bit & board.treasures else plain
    for bit in bits_of(board.catastrophes):
        signs[bit] = CATASTROPHE
    for leader, place in zip(LEADERS, board.leaders, strict=True):
        if place:
            signs[place] = sign_of(leader)
    return signs
