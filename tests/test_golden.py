"""Golden games: two small whole games, and how the example game came about.

Every file of the game's folder is compared byte for byte after each step. After a change that
is meant, `pytest tests/test_golden.py --update-golden` writes them anew; read the diff.
"""

import shutil
from pathlib import Path

import pytest

from tests.stories import (
    Step,
    differences,
    expected,
    files_in,
    keep,
    play,
    read_story,
    write_files,
)

GOLDEN = Path(__file__).parent / "golden"
EXAMPLE = Path(__file__).parent / "example"
UR_1 = Path(__file__).parents[1] / "games" / "ur-1"


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether the golden files are to be written anew."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(
    params=sorted(path.parent for path in GOLDEN.glob("*/story.yaml")),
    ids=lambda path: path.name,
)
def story(request: pytest.FixtureRequest) -> Path:
    """The folder of a story."""
    folder: Path = request.param
    return folder


def test_every_file_after_every_step(story: Path, tmp_path: Path, *, update: bool) -> None:
    steps = read_story(story)
    shutil.copytree(story, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("[0-9]*"))
    before: dict[str, bytes] = {}
    if update:
        for old in story.glob("[0-9][0-9]"):
            shutil.rmtree(old)
    for number, step in enumerate(steps):
        said = play(step, tmp_path)
        after = files_in(tmp_path / "games" / step.game)
        if update:
            keep(story, number, before, after, said)
        before = after
        compare(story, number, step, after, said)


def compare(story: Path, number: int, step: Step, files: dict[str, bytes], said: str) -> None:
    """Fail if the folder or what was said is not as it was when the story was kept."""
    wanted, should_say = expected(story, number)
    where = f"step {number}, `{step.run}`"
    assert said == should_say, where
    assert list(differences(files, wanted)) == [], where


def test_the_last_state_is_reached_again_from_the_start(story: Path, tmp_path: Path) -> None:
    steps = read_story(story)
    files, _ = expected(story, len(steps) - 1)
    write_files(tmp_path / "games" / steps[0].game, files)
    said = play(steps[-1]._replace(run=f"replay {steps[0].game}", orders={}), tmp_path)
    assert "all the same" in said, said


def test_the_example_game_comes_about_by_play(tmp_path: Path, *, update: bool) -> None:
    for step in read_story(EXAMPLE):
        assert play(step, tmp_path).endswith("[0]\n"), step.run
    files = files_in(tmp_path / "games" / "ur-1")
    if update:
        shutil.rmtree(UR_1, ignore_errors=True)
        write_files(UR_1, files)
    assert list(differences(files_in(UR_1), files)) == []
