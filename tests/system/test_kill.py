"""Runs that are killed at any moment: the next one finds the game whole and goes on."""

import os
import random
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.stories import SAID, Step, bring, differences, expected, files_in, read_story
from tests.system.processes import run

STORY = Path(__file__).parents[1] / "golden" / "trio"
CHECKOUT = Path(__file__).parents[2]
KILLS_A_STEP = 8
PBEM = (sys.executable, "-m", "pbem")

pytestmark = pytest.mark.system


def test_a_game_whose_runs_are_killed_ends_as_one_that_was_left_alone(tmp_path: Path) -> None:
    steps = read_story(STORY)
    chance = random.Random(1)
    shutil.copy(STORY / "position.yaml", tmp_path)
    killed = 0
    for number, step in enumerate(steps):
        if step.run.startswith("turn"):
            bring(step, tmp_path)
            killed += kill_some(step, tmp_path, chance)
            call(step, tmp_path)
        else:
            call(step, tmp_path)
        wanted, _ = expected(STORY, number)
        found = files_in(tmp_path / "games" / step.game)
        assert list(differences(found, wanted)) == [], f"{step.run}, {SAID} {number}"
    assert killed > KILLS_A_STEP


def kill_some(step: Step, place: Path, chance: random.Random) -> int:
    """Start the step's command and kill it, at another moment each time; how many were hit."""
    longest = how_long(step, place)
    killed = 0
    for _ in range(KILLS_A_STEP):
        running = subprocess.Popen(
            [*PBEM, *step.run.split()],
            cwd=place,
            env=environment(step),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(longest * chance.uniform(0.5, 1.05))
        running.kill()
        killed += running.wait() != 0
        run(*PBEM, "status", step.game, cwd=place, env=environment(step))
    return killed


def how_long(step: Step, place: Path) -> float:
    """How long a turn takes from its start to its end, measured on a copy."""
    copy = place / "copy"
    shutil.copytree(place / "games", copy)
    start = time.monotonic()
    subprocess.run(
        [*PBEM, "--games", copy, *step.run.split()],
        cwd=place,
        env=environment(step),
        capture_output=True,
        check=False,
    )
    took = time.monotonic() - start
    shutil.rmtree(copy)
    return took


def call(step: Step, place: Path) -> None:
    """Do the step without disturbing it; it may refuse something."""
    done = subprocess.run(
        [*PBEM, *shlex.split(step.run)],
        cwd=place,
        env=environment(step),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr


def environment(step: Step) -> dict[str, str]:
    """The clock of the step, and the checkout's code."""
    return {**os.environ, "PBEM_NOW": step.now, "PYTHONPATH": str(CHECKOUT)}
