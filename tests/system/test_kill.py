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

from tests.stories import Step, bring, differences, expected, files_in, read_story

STORY = Path(__file__).parents[1] / "golden" / "trio"
CHECKOUT = Path(__file__).parents[2]
KILLS_A_STEP = 8
PBEM = (sys.executable, "-m", "pbem")

pytestmark = pytest.mark.system


def test_after_a_killed_run_the_next_one_leads_where_it_would_have_led(tmp_path: Path) -> None:
    chance = random.Random(1)
    place, trial = tmp_path / "story", tmp_path / "trial"
    shutil.copytree(STORY, place, ignore=shutil.ignore_patterns("[0-9]*"))
    killed = steps = 0
    for number, step in enumerate(read_story(STORY)):
        if number:
            bring(step, place)
        if step.run.startswith("turn"):
            steps += 1
            took = how_long(step, place, trial)
            for _ in range(KILLS_A_STEP):
                shutil.copytree(place, trial)
                killed += kill(step, trial, took * chance.uniform(0.75, 1.03))
                call(step, trial)
                compare(number, step, trial)
                shutil.rmtree(trial)
        call(step, place)
        compare(number, step, place)
    assert killed > steps


def kill(step: Step, place: Path, after: float) -> bool:
    """Start the step's command and kill it after so many seconds; whether it was still at work."""
    running = subprocess.Popen(
        [*PBEM, *shlex.split(step.run)],
        cwd=place,
        env=environment(step),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(after)
    running.kill()
    return running.wait() < 0


def how_long(step: Step, place: Path, trial: Path) -> float:
    """How long the command takes, on a copy."""
    shutil.copytree(place, trial)
    start = time.monotonic()
    call(step, trial)
    took = time.monotonic() - start
    shutil.rmtree(trial)
    return took


def call(step: Step, place: Path) -> None:
    """Call the step's command and leave it alone; it may refuse something."""
    done = subprocess.run(
        [*PBEM, *shlex.split(step.run)],
        cwd=place,
        env=environment(step),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr


def compare(number: int, step: Step, place: Path) -> None:
    """Fail if the game's folder is not what the story says, byte for byte."""
    wanted, _ = expected(STORY, number)
    found = files_in(place / "games" / step.game)
    assert list(differences(found, wanted)) == [], f"step {number}, {step.run}"


def environment(step: Step) -> dict[str, str]:
    """The clock of the step, and the checkout's code."""
    return {**os.environ, "PBEM_NOW": step.now, "PYTHONPATH": str(CHECKOUT)}
