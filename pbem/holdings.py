"""What the players hold, the bag, and what left the game, as letters with amounts (`r2 g1`)."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from engine.pieces import (
    CATASTROPHES_EACH,
    COLOURS,
    HAND_SIZE,
    LETTER,
    NONE,
    TILES_IN_BOX,
    ByColour,
    Dynasty,
    count,
)
from engine.setup import shuffled
from engine.state import Seat, State
from pbem.fields import Fields

NOTHING = "none"
_GROUP, _GROUPS_IN_A_LINE = 10, 6
_LETTERS = tuple(LETTER[colour] for colour in COLOURS)
_WITH_TREASURES = (*_LETTERS, "t")
_AMOUNT = re.compile(r"([a-z])([0-9]{1,4})")


class Holdings(NamedTuple):
    """The seats without what is not known, and None where a file does not say.

    `dealt` are the seats whose hands the file gives.
    """

    seats: tuple[Seat, ...]
    dealt: frozenset[Dynasty]
    bag: str | None
    out: ByColour | None


def read_holdings(fields: Fields, players: Sequence[Dynasty], *, strict: bool) -> Holdings:
    """The seats, the bag and what is out of the game; with `strict` all of it must be there."""
    hands, points, left = (fields.child(key) for key in ("hands", "points", "catastrophes"))
    dealt = frozenset(player for player in players if strict or player in hands)
    seats = []
    for player in players:
        hand = read_amounts(hands, player) if player in dealt else NONE
        *won, treasures = (
            _amounts(points, player, _WITH_TREASURES) if strict or player in points else (0,) * 5
        )
        catastrophes = left.number(
            player, None if strict else CATASTROPHES_EACH, high=CATASTROPHES_EACH
        )
        seats.append(Seat(player, hand, ByColour(*won), treasures, catastrophes))
    for given in (hands, points, left):
        given.end(", ".join(players))
    bag = _read_bag(fields) if strict or "bag" in fields else None
    out = read_amounts(fields, "out") if strict or "out" in fields else None
    return Holdings(tuple(seats), dealt, bag, out)


def deal(held: Holdings, missing: ByColour, seed: str) -> Holdings:
    """The same with the tiles that are `missing` put where the file does not say.

    They are shuffled as at the start of a game; hands that are not given are dealt from them.
    The rest is the bag, or is out of the game if the bag is given.
    """
    pool = shuffled(ByColour(*(max(0, number) for number in missing)), seed)
    empty = [seat.dynasty for seat in held.seats if seat.dynasty not in held.dealt]
    size = HAND_SIZE * len(empty)
    seats = tuple(
        seat._replace(hand=count(pool[empty.index(seat.dynasty) : size : len(empty)]))
        if seat.dynasty in empty
        else seat
        for seat in held.seats
    )
    bag, out = held.bag, held.out
    if bag is None:
        bag = pool[size:]
    elif out is None:
        out = count(pool[size:])
    return Holdings(seats, held.dealt, bag, out or NONE)


def missing_tiles(held: Holdings, placed: ByColour) -> ByColour:
    """The tiles of the box that are neither placed nor anywhere in the holdings."""
    missing = TILES_IN_BOX.less(placed).less(held.out or NONE).less(count(held.bag or ""))
    for seat in held.seats:
        missing = missing.less(seat.hand)
    return missing


def write_holdings(state: State) -> list[str]:
    """The lines for hands, points, catastrophes, bag and what is out of the game."""
    seats = state.seats
    return [
        "hands:",
        *(f"  {seat.dynasty}: {write_amounts(seat.hand)}" for seat in seats),
        "points:",
        *(f"  {seat.dynasty}: {write_amounts(seat.points)} t{seat.treasures}" for seat in seats),
        "catastrophes:",
        *(f"  {seat.dynasty}: {seat.catastrophes}" for seat in seats),
        *_write_bag(state.bag),
        f"out: {write_amounts(state.out)}",
    ]


def read_amounts(fields: Fields, key: str) -> ByColour:
    """Amounts by colour, such as `r2 g1`."""
    return ByColour(*_amounts(fields, key, _LETTERS))


def write_amounts(amounts: ByColour) -> str:
    """Amounts by colour, all four of them: `r2 b0 g1 k0`."""
    red, blue, green, black = amounts
    return f"r{red} b{blue} g{green} k{black}"


def _amounts(fields: Fields, key: str, letters: tuple[str, ...]) -> tuple[int, ...]:
    text = fields.text(key)
    amounts: dict[str, int] = {}
    for word in () if text == NOTHING else text.replace(",", " ").split():
        match = _AMOUNT.fullmatch(word)
        if match is None or match[1] not in letters or match[1] in amounts:
            example = " ".join(f"{letter}1" for letter in letters)
            fields.wrong(key, f"`{word}` should be an amount as in `{example}`, each letter once")
        else:
            amounts[match[1]] = int(match[2])
    return tuple(amounts.get(letter, 0) for letter in letters)


def _read_bag(fields: Fields) -> str:
    text = "".join(fields.text("bag").split())
    letters = "" if text == NOTHING else text
    wrong = sorted(set(letters) - set(_LETTERS))
    if wrong:
        fields.wrong("bag", f"`{wrong[0]}`: the bag holds the letters r, b, g and k only")
        return ""
    return letters


def _write_bag(bag: str) -> list[str]:
    if not bag:
        return [f"bag: {NOTHING}"]
    groups = [bag[start : start + _GROUP] for start in range(0, len(bag), _GROUP)]
    return [
        "bag: |",
        *(
            f"  {' '.join(groups[start : start + _GROUPS_IN_A_LINE])}"
            for start in range(0, len(groups), _GROUPS_IN_A_LINE)
        ),
    ]
