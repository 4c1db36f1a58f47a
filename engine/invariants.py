"""Every promise that a state keeps between two decisions, and those that are broken."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.kingdoms import kingdoms
from engine.pending import agenda_faults, union_of
from engine.pieces import (
    CATASTROPHES_EACH,
    COLOURS,
    DYNASTIES,
    HAND_SIZE,
    LEADER,
    LEADERS,
    LETTER,
    PAIRS,
    TILE,
    TILES_IN_BOX,
    Colour,
    count,
)
from engine.setup import PLAYERS
from engine.squares import BIT, BLOCKS, NOWHERE, Mask, beside, square_of, squares_of
from engine.state import State
from engine.treasures import spoils_of

MISSING_MONUMENT = "monument without tiles"


class Fault(NamedTuple):
    """One broken promise: its kind, and what is wrong."""

    kind: str
    text: str

    def __str__(self) -> str:
        return self.text


def faults(state: State) -> list[Fault]:
    """Every broken invariant of a position; empty if it is sound.

    What needs a sound board to be judged (kingdoms, the open question) is judged on one only;
    what somebody holds says nothing about the board.
    """
    seats = _judge(state, seat_faults)
    found = _judge(state, board_faults, monument_faults)
    sound = not seats and all(fault.kind == MISSING_MONUMENT for fault in found)
    found = [*seats, *_judge(state, holding_faults), *found, *_judge(state, temple_faults)]
    if sound:
        found += _judge(state, leader_faults, treasure_faults)
        found += [Fault("agenda", text) for text in agenda_faults(state)]
    return found + _judge(state, tile_faults)


def _judge(state: State, *judges: Callable[[State], Iterator[Fault]]) -> list[Fault]:
    return [fault for judge in judges for fault in judge(state)]


def seat_faults(state: State) -> Iterator[Fault]:
    """Two to four different dynasties, one of them on turn."""
    players = state.players
    if len(players) not in PLAYERS:
        yield Fault("seats", f"{len(players)} seats; two to four can play")
    for dynasty in sorted({*players}):
        if players.count(dynasty) > 1 or dynasty not in DYNASTIES:
            yield Fault("seats", f"{dynasty} cannot have this seat")
    if state.active not in players:
        yield Fault("seats", f"{state.active} is on turn but does not play")
    if state.turn < 1 or state.serial < 1:
        yield Fault("seats", "turns and questions count from 1")


def holding_faults(state: State) -> Iterator[Fault]:
    """Nothing below zero; six tiles and two catastrophes each at most."""
    for seat in state.seats:
        if min(*seat.hand, *seat.points, seat.treasures, seat.catastrophes) < 0:
            yield Fault("hands", f"{seat.dynasty} holds less than nothing of something")
        if seat.hand.total > HAND_SIZE:
            yield Fault("hands", f"{seat.dynasty} holds more than {HAND_SIZE} tiles")
        if seat.catastrophes > CATASTROPHES_EACH:
            yield Fault("hands", f"{seat.dynasty} has more than {CATASTROPHES_EACH} catastrophes")


def board_faults(state: State) -> Iterator[Fault]:
    """One piece a square (R02), on its terrain (R21, R40); treasures on temples."""
    board = state.board
    land, river = board.map.land, board.map.river
    taken = NOWHERE
    for mask in (*board.tiles, board.facedown, board.catastrophes, *board.leaders):
        for square in squares_of(mask & taken):
            yield Fault("board", f"more than one piece on {square}")
        taken |= mask
    for colour, mask in zip(COLOURS, board.tiles, strict=True):
        for square in squares_of(mask & (land if colour == "blue" else river)):
            yield Fault("board", f"a {TILE[colour]} on the wrong terrain at {square}")
    for square in squares_of(board.standing & river):
        yield Fault("board", f"a leader on the river at {square}")
    temples = board.tiles.red | _under(state, "red")
    for square in squares_of(board.treasures & ~temples):
        yield Fault("board", f"a treasure without a temple at {square}")
    for leader, place in zip(LEADERS, board.leaders, strict=True):
        if place and leader.dynasty not in state.players:
            at = square_of(place)
            yield Fault("board", f"a {LEADER[leader.colour]} of {leader.dynasty}, who does not "
                        f"play, at {at}")  # fmt: skip


def _under(state: State, colour: Colour) -> Mask:
    """The face-down tiles of a colour."""
    return sum(
        BLOCKS.get(monument.at, NOWHERE)
        for monument in state.monuments
        if monument.at is not None and monument.tiles == colour
    )


def monument_faults(state: State) -> Iterator[Fault]:
    """Each monument once, in a colour of its tiles, on four face-down tiles of its own (R67)."""
    left = state.board.facedown
    pairs = [monument.pair for monument in state.monuments]
    for monument in state.monuments:
        name = "-".join(monument.pair)
        if monument.pair not in PAIRS or pairs.count(monument.pair) > 1:
            yield Fault("monuments", f"the monument {name} exists once, and only as in the box")
        if monument.tiles not in monument.pair:
            yield Fault("monuments", f"the monument {name} stands on {monument.tiles} tiles")
        block = BLOCKS.get(monument.at, NOWHERE) if monument.at else NOWHERE
        if not block or block & ~left:
            yield Fault(MISSING_MONUMENT, f"the monument {name} lacks face-down tiles")
        left &= ~block
    for square in squares_of(left):
        yield Fault("monuments", f"a face-down tile without a monument at {square}")


def temple_faults(state: State) -> Iterator[Fault]:
    """Every leader beside a temple (R26)."""
    for place in state.board.leaders:
        if place and not beside(place) & state.board.tiles.red:
            yield Fault("leaders", f"the leader at {square_of(place)} touches no temple")


def leader_faults(state: State) -> Iterator[Fault]:
    """One leader of a colour in a kingdom outside conflicts."""
    board = state.board
    union, revolt = union_of(state)
    apart = board if union is None else board.without_any(BIT[union])
    for kingdom in kingdoms(apart):
        leaders = apart.leaders_in(kingdom)
        for colour in COLOURS:
            if colour != revolt and sum(leader.colour == colour for leader in leaders) > 1:
                at = square_of(kingdom & -kingdom)
                yield Fault("leaders", f"two {LEADER[colour]}s in the kingdom of {at}")


def treasure_faults(state: State) -> Iterator[Fault]:
    """No trader's kingdom keeps two treasures after an action (R80)."""
    if state.options.treasure_timing == "turn" or len(state.agenda) != 1:
        return
    for leader, place in zip(LEADERS, state.board.leaders, strict=True):
        if leader.colour == "green" and place and spoils_of(state, leader):
            yield Fault("treasures", f"two treasures in the kingdom of the trader "
                        f"at {square_of(place)}")  # fmt: skip


def tile_faults(state: State) -> Iterator[Fault]:
    """The 153 tiles of the box are all somewhere, colour by colour."""
    if set(state.bag) - set(LETTER.values()):
        yield Fault("bag", "the bag holds something else than r, b, g and k")
    bag = count(state.bag)
    for colour, total in zip(COLOURS, TILES_IN_BOX, strict=True):
        found = bag.of(colour) + state.out.of(colour) + state.board.tiles.of(colour).bit_count()
        found += _under(state, colour).bit_count()
        found += sum(seat.hand.of(colour) for seat in state.seats)
        if found != total or state.out.of(colour) < 0:
            yield Fault("tiles", f"{found} {TILE[colour]}s in all instead of {total}")
