"""The chart of a finished game: in the HTML file itself, and beside the HTML of a letter."""

from base64 import b64decode
from pathlib import Path

import pytest

from pbem.chronicle import Chronicle
from pbem.commands.report import report
from pbem.mail.pages import Pages
from pbem.outcome import Settings
from pbem.reporting import report_of
from pbem.store import GameFolder
from tests.stories import expected, write_files

_PNG = b"\x89PNG"
_DUEL = Path(__file__).parents[1] / "golden" / "duel"


@pytest.fixture
def duel(tmp_path: Path) -> GameFolder:
    """The golden game of two, as it lies when it is over."""
    last = max(int(path.name) for path in _DUEL.iterdir() if path.is_dir())
    files, _ = expected(_DUEL, last)
    write_files(tmp_path / "duel", files)
    return GameFolder(tmp_path / "duel")


def test_a_finished_game_shows_its_points_as_a_picture(duel: GameFolder) -> None:
    game = duel.load()
    chronicle = Chronicle(duel, game.record)
    settings = Settings(games=duel.path.parent)
    (page,) = (g["html"] for g in report(settings, duel.name, "public", None, "html").games)
    _, _, rest = page.partition("data:image/png;base64,")
    assert b64decode(rest.partition('"')[0]).startswith(_PNG)
    made = Pages().page(report_of(game, chronicle, "public", chronicle.newest.run))
    assert [picture.name for picture in made.pictures] == ["board", "points"]
    assert all(picture.data.startswith(_PNG) for picture in made.pictures)
    assert 'src="cid:points"' in made.html


def test_a_game_in_progress_has_no_chart(duel: GameFolder) -> None:
    game = duel.load()
    page = Pages().page(report_of(game, Chronicle(duel, game.record), "public", 0))
    assert [picture.name for picture in page.pictures] == ["board"]
    assert "cid:points" not in page.html
