"""Two games that differ in hidden things only: their readers get the same files and answers.

Both are played through order files and the command line. In the twin the others hold other
tiles, put other tiles away in exchanges, and write other notes; the bag and the secret of the
shuffle are others. What one seat and the public get must be the same, byte for byte.
"""

import os
import random
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.advance import advance
from engine.events import Event
from engine.legality import refusal
from engine.orders import Exchange, Order
from engine.pieces import ByColour, Dynasty, count
from engine.sight import view
from engine.state import State
from engine.view import Viewer
from pbem import reporting
from pbem.cli import main
from pbem.labels import next_own_turn
from pbem.store import GameFolder
from tests.folders import answer_file, make_game, send
from tests.playouts import CONCEIVABLE, choose, fitting, start
from tests.redeal import deal_anew, draws_of, letters

CASES = range(0, 96, 7)
STEPS = 7
TRIES = 500
PROBES = 3
NAME = "ur-1"


class Twin(NamedTuple):
    """A start and the decisions from there on; the names of its notes."""

    states: list[State]
    orders: list[Order]
    notes: str


class Case(NamedTuple):
    """A game, its twin for this viewer, and dice for the rest."""

    viewer: Dynasty
    twins: tuple[Twin, Twin]
    chance: random.Random


def case(number: int) -> Case:
    """A few decisions somewhere in a game by chance, and the same with other hidden things."""
    chance = random.Random(f"twins {number}")
    while True:
        state = start(number)
        for _ in range(chance.randrange(120)):
            if state.question is None:
                break
            state = advance(state, state.question.player, choose(chance, state)).state
        states, orders, events = _play(chance, state)
        viewer = chance.choice(state.players)
        twin = _twin(chance, viewer, orders, events, state)
        if len(orders) == STEPS and not states[-1].over and twin:
            return Case(viewer, (Twin(states, orders, "one"), twin), chance)


def _play(chance: random.Random, state: State) -> tuple[list[State], list[Order], list[Event]]:
    states, orders, events = [state], list[Order](), list[Event]()
    while state.question is not None and len(orders) < STEPS:
        orders.append(choose(chance, state))
        outcome = advance(state, state.question.player, orders[-1])
        state = outcome.state
        states.append(state)
        events += outcome.events
    return states, orders, events


def _twin(
    chance: random.Random, viewer: Dynasty, orders: list[Order], events: list[Event], state: State
) -> Twin | None:
    """The same decisions on other tiles, if chance finds tiles with which they are legal."""
    fixed = draws_of(events, viewer)
    for _ in range(TRIES):
        twin = _replay(chance, deal_anew(chance, state, viewer, fixed=fixed), viewer, orders)
        if twin:
            return twin
    return None


def _replay(
    chance: random.Random, state: State, viewer: Dynasty, orders: list[Order]
) -> Twin | None:
    states, made = [state], list[Order]()
    for order in orders:
        assert state.question is not None
        player = state.question.player
        if isinstance(order, Exchange) and player != viewer:
            order = Exchange(_any_of(chance, state.seat(player).hand, order.tiles.total))
        if refusal(state, player, order):
            return None
        state = advance(state, player, order).state
        states.append(state)
        made.append(order)
    return Twin(states, made, "another, longer one")


def _any_of(chance: random.Random, hand: ByColour, number: int) -> ByColour:
    return count("".join(chance.sample(letters(hand), number)))


def call(words: list[str]) -> str:
    """What a command prints, and its exit code."""
    said = StringIO()
    code: object = 0
    with redirect_stdout(said), redirect_stderr(said):
        try:
            main(words)
        except SystemExit as done:
            code = done.code
    return f"{said.getvalue()}[{code}]"


def shown(games: Path, viewer: Viewer) -> dict[str, bytes]:
    """What the viewer and the public get."""
    reports = games / NAME / "reports"
    return {name: (reports / f"{name}.txt").read_bytes() for name in (viewer, "public")}


@pytest.fixture
def sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Where the two games lie; the clock stands still."""
    monkeypatch.setenv("PBEM_NOW", "2026-03-01T12:30:00Z")
    monkeypatch.chdir(tmp_path)
    return Path("one/games"), Path("two/games")


def steps(case: Case, sides: tuple[Path, Path]) -> Iterator[tuple[str, str]]:
    """Play both games side by side; after each step what was printed for both."""
    folders = [
        make_game(side, NAME, twin.states[0]) for side, twin in zip(sides, case.twins, strict=True)
    ]
    for step in range(STEPS):
        said = []
        for folder, twin in zip(folders, case.twins, strict=True):
            _decide(folder, twin, step, case.viewer)
            said.append(_in_place(folder, lambda: call(["turn", NAME]) + call(["status"])))
        yield said[0], said[1]


def _decide(folder: GameFolder, twin: Twin, step: int, viewer: Dynasty) -> None:
    state = twin.states[step]
    question = state.question
    assert question is not None
    text = answer_file(NAME, state, twin.orders[step]) + "press: for all to read\n"
    if question.player != viewer:
        text += f"note: {twin.notes}\n"
    send(folder, question.player, text)


def _in_place(folder: GameFolder, work: Callable[[], str]) -> str:
    """Do something where `games` is the folder of the game."""
    before = Path.cwd()
    os.chdir(folder.path.parent.parent)
    try:
        return work()
    finally:
        os.chdir(before)


def check(case: Case, sides: tuple[Path, Path], probe: Order, last: Twin) -> list[str]:
    """What `check` says in both games of a file of the viewer with this order."""
    state = last.states[-1]
    text = answer_file(NAME, state, probe).replace(
        f"player: {state.question.player if state.question else ''}", f"player: {case.viewer}"
    )
    said = []
    for side in sides:
        (side.parent / "file.yaml").write_text(text)
        folder = GameFolder(side / NAME)
        said.append(_in_place(folder, lambda: call(["check", NAME, "file.yaml"])))
    return said


@pytest.mark.parametrize("number", CASES)
def test_twins_look_the_same(number: int, sides: tuple[Path, Path]) -> None:
    made = case(number)
    assert made.twins[0].states[0] != made.twins[1].states[0]
    for one, two in steps(made, sides):
        assert one == two
        assert shown(sides[0], made.viewer) == shown(sides[1], made.viewer)
    for twin in made.twins:
        for _ in range(PROBES):
            pool = made.chance.choice([CONCEIVABLE, fitting(twin.states[-1].question)])
            one, two = check(made, sides, made.chance.choice(pool), twin)
            assert one == two
    assert _secret(sides[0]) != _secret(sides[1])


def _secret(games: Path) -> bytes:
    return (games / NAME / "reports" / "moderator.txt").read_bytes()


@pytest.mark.parametrize("number", CASES[::3])
def test_files_of_others_that_have_no_effect_yet_do_not_show(
    number: int, sides: tuple[Path, Path]
) -> None:
    """A file that waits, one that is refused: to the others it is as if it had not been sent."""
    made = case(number)
    for _ in steps(made, sides):
        pass
    state = made.twins[0].states[-1]
    other = next(seat for seat in state.players if seat != made.viewer)
    turn = next_own_turn(state, other)
    texts = ("actions: pass, swap 9 temple\nturn: 1\n", f"actions: pass, pass\nturn: {turn}\n")
    for text in texts:
        folder = GameFolder(sides[0] / NAME)
        send(folder, other, f"game: {NAME}\nplayer: {other}\nnote: secret\n{text}")
        _in_place(folder, lambda: call(["turn", NAME]))
        assert shown(sides[0], made.viewer) == shown(sides[1], made.viewer)
    for side in sides:
        folder = GameFolder(side / NAME)
        send(folder, made.viewer, f"game: {NAME}\nplayer: {made.viewer}\nturn: 1\nactions: A1\n")
        _in_place(folder, lambda: call(["turn", NAME]))
    assert shown(sides[0], made.viewer) == shown(sides[1], made.viewer)


def test_a_leak_is_found(sides: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A report that tells of a tile in the bag differs."""

    def leaky(state: State, viewer: Viewer, news: tuple[Event, ...]) -> object:
        seen = view(state, viewer, news)
        return seen._replace(bag_size=sum(letter in "rb" for letter in state.bag[:40]))

    monkeypatch.setattr(reporting, "view", leaky)
    made = case(0)
    same = [
        shown(sides[0], made.viewer) == shown(sides[1], made.viewer) for _ in steps(made, sides)
    ]
    assert not all(same)
