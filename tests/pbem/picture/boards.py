"""Positions to be drawn: with everything on them, and from whole games."""

from collections.abc import Iterator
from functools import cache

from engine import view as v
from engine.board import Board, opening
from engine.cells import sign_of
from engine.maps import BoardName
from engine.options import Options
from engine.pieces import DYNASTIES, LEADERS, PAIRS, Monument
from engine.questions import AskAction, AskAttack, AskDefence, AskWar
from engine.setup import new_game
from engine.sight import view
from engine.squares import BLOCKS, COLUMNS
from engine.state import State
from tests.playouts import play
from tests.positions import put

_CONFLICTS = (AskAttack, AskDefence)
GAMES = (1, 9, 19, 27, 34, 42)
_PLACES = ("A6", "C6", "E4", "G4", "I2", "K6")


def full_board(name: BoardName = "standard") -> State:
    """All leaders, all monuments, tiles of all kinds, catastrophes, a treasure under a monument."""
    board: Board = opening(name)
    monuments = []
    for at, pair in zip(_PLACES, PAIRS, strict=True):
        board = board.with_monument(BLOCKS[at], pair[0])
        board = board.without_any(BLOCKS[at])
        monuments.append(Monument(pair, at, pair[0]))
    for index, leader in enumerate(LEADERS):
        board = put(board, f"{COLUMNS[index]}10", sign_of(leader))
    for index, sign in enumerate(("r.", "b.", "g.", "k.", "r*", "##", "x*")):
        board = put(board, f"{'BDFHJLN'[index]}8", sign)
    start = new_game(DYNASTIES, "full", Options(board=name))
    return State(
        options=start.options,
        seats=start.seats,
        board=board,
        bag=start.bag,
        active="archer",
        monuments=tuple(monuments),
        agenda=(AskAction("archer", 1),),
    )


@cache
def states() -> tuple[State, ...]:
    """States from all stages of some games, with conflicts among them."""
    found: list[State] = []
    for number in GAMES:
        seen: list[State] = []
        play(number, seen.append)
        found += seen[::12]
        found += [state for state in seen if isinstance(state.question, AskWar)][:2]
        found += [state for state in seen if isinstance(state.question, _CONFLICTS)][::9]
    return tuple(found)


def fighting(shown: v.View) -> bool:
    """Whether a conflict is open."""
    return isinstance(shown.asked, v.SupportAsked | v.WarAsked)


def views() -> Iterator[v.View]:
    """The states as all may see them."""
    return (view(state, "public") for state in states())
