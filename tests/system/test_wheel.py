"""The wheel, installed where there is no checkout."""

import sys
import venv
from pathlib import Path

import pytest

from tests.system.processes import run

CHECKOUT = Path(__file__).parents[2]

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of a fresh virtual environment with nothing but the wheel in it."""
    place = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", place, CHECKOUT, cwd=place)
    (wheel,) = place.glob("*.whl")
    venv.create(place / "venv", with_pip=True)
    scripts = place / "venv" / "bin"
    run(scripts / "python", "-m", "pip", "install", "--quiet", wheel, cwd=place)
    return scripts


def test_it_comes_from_the_wheel_and_brings_its_templates(installed: Path, tmp_path: Path) -> None:
    where = "import pbem, pathlib; print(pathlib.Path(pbem.__file__).parents[1])"
    packages = Path(run(installed / "python", "-c", where, cwd=tmp_path).strip())
    assert installed.parent in packages.parents
    assert (packages / "templates" / "report.txt.j2").is_file()
    assert not (packages / "tests").exists()


def test_help_and_version(installed: Path, tmp_path: Path) -> None:
    assert "Usage: pbem" in run(installed / "pbem", "--help", cwd=tmp_path)
    assert run(installed / "pbem", "--version", cwd=tmp_path).startswith("pbem 0.")


def test_a_turn_is_played(installed: Path, tmp_path: Path) -> None:
    pbem = installed / "pbem"
    seats = ("--seat", "archer=Ana <ana@example.org>", "--seat", "bull=Ben <ben@example.org>")
    run(pbem, "new", "try", *seats, cwd=tmp_path)
    orders = tmp_path / "games" / "try" / "orders" / "archer.yaml"
    orders.write_text("game: try\nplayer: archer\nturn: 1\nactions: king F4, trader G3\n")
    assert "waits for bull (Ben), 2.1" in run(pbem, "turn", "try", cwd=tmp_path)
    report = run(pbem, "report", "try", "--for", "bull", cwd=tmp_path)
    assert "YOUR MOVE in try: turn 2" in report
    assert "Archer places the king on F4." in report
    assert "all the same" in run(pbem, "replay", "try", cwd=tmp_path)
