"""Another user of the machine reads nothing of a game. Only root can become another user."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stories import play, read_story

STORY = Path(__file__).parents[1] / "golden" / "trio"
NOBODY = 65534
AFTER_THE_UNDO = 11

pytestmark = pytest.mark.system


@pytest.fixture
def game() -> Iterator[Path]:
    """A game in a folder that all may enter, with orders that wait and a run taken back."""
    assert os.geteuid() == 0, "the system tests run as root"
    with tempfile.TemporaryDirectory(prefix="pbem-secrets-") as name:
        place = Path(name)
        shutil.copy(STORY / "position.yaml", place)
        steps = read_story(STORY)
        for step in steps[:AFTER_THE_UNDO]:
            play(step, place)
        play(steps[0]._replace(orders={"lion": _waits("lion", "34")}, run="turn trio"), place)
        open_to_all(place, place / "games")
        yield place / "games" / "trio"


def _waits(player: str, turn: str) -> str:
    return f"game: trio\nplayer: {player}\nturn: {turn}\nactions: pass\n"


def open_to_all(*folders: Path) -> None:
    """Let everybody enter these folders and list them."""
    for folder in folders:
        folder.chmod(0o755)


def can_read(path: Path) -> bool:
    """Whether a user without any rights can read the file."""
    done = subprocess.run(
        ["/bin/cat", path],
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


def files_of(game: Path) -> list[Path]:
    """All files of the game, hidden ones too."""
    return sorted(path for path in game.rglob("*") if path.is_file())


def test_the_check_would_see_an_open_file(game: Path) -> None:
    open_file = game.parent / "open.txt"
    open_file.write_text("for all")
    open_file.chmod(0o644)
    assert can_read(open_file)


def test_nobody_reads_any_file(game: Path) -> None:
    found = files_of(game)
    kinds = {path.relative_to(game).parts[0] for path in found}
    assert {"history", "orders", "received", "reports", "undone", "game.yaml"} <= kinds
    assert [path for path in found if can_read(path)] == []


def test_what_the_program_wrote_is_closed_even_in_open_folders(game: Path) -> None:
    open_to_all(game, *(path for path in game.rglob("*") if path.is_dir()))
    written = [path for path in files_of(game) if path.parent.name != "orders"]
    assert [path for path in written if can_read(path)] == []


def test_a_game_from_a_clone_is_played_on(game: Path) -> None:
    """Git keeps no modes: what comes from there is open to all, and works."""
    for path in game.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    runs = len(list((game / "history").iterdir()))
    orders = _waits("bull", "33b").replace("pass", "swap temple, pass")
    step = read_story(STORY)[0]._replace(orders={"bull": orders}, run="turn trio")
    said = play(step, game.parents[1])
    assert said.endswith("[0]\n"), said
    new = sorted((game / "history").iterdir())
    assert len(new) == runs + 1
    assert not can_read(new[-1])
