"""How fast the product is: `pbem turn` as a process, many games, a long game."""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from engine import questions as q
from engine.advance import advance
from engine.orders import Pass
from engine.state import State
from pbem.chronicle import Chronicle
from pbem.reporting import write_reports
from pbem.store import GameFolder
from pbem.turns import take_turn
from tests.bench_figure import Figure
from tests.folders import NOON, actions_file, answer_file, make_game, send, whole_turn
from tests.playouts import WAYS, choose, start

ROOT = Path(__file__).parents[1]
IMPORTS = "import typer, jinja2, yaml"
ROUNDS = 15
MANY = 500
SEATS = 4
LONG = 240
"""Runs of the long game."""
IDLE = 0.4
"""How often a player passes in the long game, so that it does not end early."""
SHARED = 16
"""The last runs, which the game it is compared with has too: reports look back that far."""


class Spent(NamedTuple):
    """What a process took: seconds on the clock, seconds of the processor, memory at most."""

    seconds: float
    cpu: float
    megabytes: float


def file_figures(folder: Path) -> Iterator[tuple[str, Figure]]:
    """Everything about files and processes."""
    yield from fresh_process(folder / "one")
    yield from many_games(folder / "many")
    yield from long_game(folder / "long")


def fresh_process(folder: Path) -> Iterator[tuple[str, Figure]]:
    """One turn as a process of its own, six reports, against the imports alone."""
    state = middle(random.Random(1), 30)
    game = reported(make_game(folder / "games", "ur-1", state))
    send(game, state.active, actions_file("ur-1", state, whole_turn(random.Random(1), state)))
    copy = folder / "copy"
    pbem = [sys.executable, "-m", "pbem", "--games", str(copy), "--quiet", "turn", "ur-1"]
    imports, turns = list[float](), list[Spent]()
    for _ in range(ROUNDS + 1):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder / "games", copy)
        imports.append(process([sys.executable, "-c", IMPORTS]).seconds)
        turns.append(process(pbem))
    assert len(list((copy / "ur-1" / "reports").iterdir())) == SEATS + 2
    imported, turned = median(imports[1:]), median(turn.seconds for turn in turns[1:])
    more = {"turn_ms": 1000 * turned, "imports_ms": 1000 * imported}
    yield "turn_as_process", Figure(turned / imported, "x imports", at_most=1.5, more=more)
    yield "turn_as_process_memory", Figure(turns[-1].megabytes, "MB")


def many_games(folder: Path) -> Iterator[tuple[str, Figure]]:
    """Many games of four advanced by a turn each in one process, reports included."""
    chance = random.Random(2)
    states = [middle(chance, 8 * number) for number in range(20)]
    for number in range(MANY):
        name, state = f"ur-{number}", states[number % len(states)]
        game = reported(make_game(folder, name, state))
        send(game, state.active, actions_file(name, state, whole_turn(chance, state)))
    words = [sys.executable, "-m", "pbem", "--games", str(folder), "--quiet", "turn", "--all"]
    spent = process(words)
    assert sum(1 for _ in folder.glob("*/history/0001.yaml")) == MANY
    assert sum(1 for _ in folder.glob("*/reports/*.txt")) == MANY * (SEATS + 2)
    more = {"cpu_s": spent.cpu}
    yield "turn_of_500_games", Figure(spent.seconds, "s", at_most=15, more=more)
    yield "turn_of_500_games_memory", Figure(spent.megabytes, "MB")


def reported(game: GameFolder) -> GameFolder:
    """The game with its first reports and letters, as `pbem new` leaves it."""
    loaded = game.load()
    write_reports(game, loaded, Chronicle(game, loaded.record))
    return game


def long_game(folder: Path) -> Iterator[tuple[str, Figure]]:
    """The same turn behind a long history and behind a short one."""
    chance = random.Random(3)
    state = start(four_seats()[0])
    long = make_game(folder, "long", state)
    runs, short = 0, None
    while runs < LONG or not at_turn_start(state):
        if runs >= LONG - SHARED and short is None and at_turn_start(state):
            short = make_game(folder, "short", state)
        state = one_run(chance, state, [long, *([short] if short else [])])
        runs += 1
    assert short is not None
    at_once = make_game(folder, "bare", state)
    games = {"long": long, "short": short, "bare": at_once}
    actions = whole_turn(chance, state)
    took: dict[str, list[float]] = {name: [] for name in games}
    for _ in range(ROUNDS):
        for name, game in games.items():
            copy = folder / "copy" / name
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(game.path, copy)
            send(GameFolder(copy), state.active, actions_file(name, state, actions))
            began = perf_counter()
            take_turn(GameFolder(copy), NOON)
            took[name].append(perf_counter() - began)
    ms = {name: 1000 * median(seconds) for name, seconds in took.items()}
    more = {"runs": runs, "long_ms": ms["long"], "short_ms": ms["short"], "no_past_ms": ms["bare"]}
    yield "turn_in_a_long_game", Figure(ms["long"] / ms["short"], "x", at_most=1.2, more=more)


def one_run(chance: random.Random, state: State, games: list[GameFolder]) -> State:
    """One decision, sent as a file to each of these games and carried out there."""
    question = state.question
    assert question is not None, "the game ended before it was long"
    idle = isinstance(question, q.AskAction) and chance.random() < IDLE
    order = Pass() if idle else choose(chance, state)
    for game in games:
        send(game, question.player, answer_file(game.name, state, order))
        assert take_turn(game, NOON).decisions == 1
    return advance(state, question.player, order).state


def at_turn_start(state: State) -> bool:
    """Whether the first action of a turn is asked."""
    question = state.question
    return isinstance(question, q.AskAction) and question.number == 1


def middle(chance: random.Random, decisions: int) -> State:
    """A game of four after so many decisions, at the start of a turn."""
    state = start(chance.choice(four_seats()))
    while decisions > 0 or not at_turn_start(state):
        assert state.question is not None
        state = advance(state, state.question.player, choose(chance, state)).state
        decisions -= 1
    return state


def four_seats() -> list[int]:
    """Numbers of games of four."""
    return [number for number, way in enumerate(WAYS) if way[0] == SEATS]


def process(words: list[str], codes: tuple[int, ...] = (0,)) -> Spent:
    """Run a command from the checkout, which exits with one of these codes; what it took."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    began = perf_counter()
    running = subprocess.Popen(
        words, stdout=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": path}
    )
    _, status, usage = os.wait4(running.pid, 0)
    seconds = perf_counter() - began
    running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode in codes, words
    return Spent(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
