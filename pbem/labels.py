"""How turns and questions are named: `7`, `7.1`; after an undo `7b`, `7b.1` (contract 1, 4)."""

from collections.abc import Mapping
from string import ascii_lowercase

from engine.pieces import Dynasty
from engine.state import State

Takes = Mapping[int, int]
"""How often each turn was taken back; turns that never were are left out."""


def turn_label(turn: int, takes: Takes) -> str:
    """The name of a turn: its number, with a letter if it is played again (b to z, aa, ab)."""
    times = takes.get(turn, 0)
    if not times:
        return str(turn)
    again, letter = divmod(times, len(ascii_lowercase))
    first = ascii_lowercase[again - 1] if again else ""
    return f"{turn}{first}{ascii_lowercase[letter]}"


def question_label(state: State, takes: Takes) -> str:
    """The name of the open question of a state."""
    return f"{turn_label(state.turn, takes)}.{state.serial}"


def next_own_turn(state: State, player: Dynasty) -> int:
    """The number of the player's next turn after the one that is being played."""
    order = [seat.dynasty for seat in state.clockwise()]
    return state.turn + (order.index(player) or len(order))


def split_label(label: str) -> tuple[str, int]:
    """A question's label as the turn's label and the number in the turn."""
    turn, _, serial = label.partition(".")
    return turn, int(serial)


def without_takes(label: str) -> tuple[str, int]:
    """A question's label split, as if nothing had been taken back: of `7b.1` what `7.1` gives."""
    turn, serial = split_label(label)
    return turn.rstrip(ascii_lowercase), serial
