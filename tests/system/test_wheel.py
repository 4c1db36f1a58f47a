"""The wheel, installed where there is no checkout."""

import os
from pathlib import Path

import pytest

from tests.system.processes import run

pytestmark = pytest.mark.system


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


def test_other_languages_and_formats_come_with_it(installed: Path, tmp_path: Path) -> None:
    pbem = installed / "pbem"
    seats = ("--seat", "archer=Ana <ana@example.org>", "--seat", "bull=Ben <ben@example.org>")
    run(pbem, "new", "fala", *seats, cwd=tmp_path)
    file = tmp_path / "games" / "fala" / "game.yaml"
    words = "language: pt\n    zone: Europe/Lisbon"
    file.write_text(file.read_text().replace("language: en", words))
    report = run(pbem, "report", "fala", "--for", "archer", cwd=tmp_path)
    assert "SUA VEZ em fala: turno 1, primeira ação" in report
    assert "<html" in run(pbem, "report", "fala", "--for", "bull", "--format", "html", cwd=tmp_path)
    assert "<svg" in run(pbem, "report", "fala", "--for", "bull", "--format", "svg", cwd=tmp_path)


def test_run_does_what_is_due(installed: Path, tmp_path: Path) -> None:
    pbem = installed / "pbem"
    assert "Usage: pbem run" in run(pbem, "run", "--help", cwd=tmp_path)
    seats = ("--seat", "archer=Ana <ana@example.org>", "--seat", "bull=Ben <ben@example.org>")
    policies = ("--policy", "turn_time=3d", "--policy", "late=pass")
    run(pbem, "new", "try", *seats, *policies, cwd=tmp_path, env=at("2026-03-02T09:00:00Z"))
    games = tmp_path / "games"
    (games / "pbem.yaml").write_text(CONFIG)
    (games / "try" / "orders" / "archer.yaml").write_text(
        "game: try\nplayer: archer\nturn: 1\nactions: king F4, trader G3\n"
    )
    said = run(pbem, "run", cwd=tmp_path, env=at("2026-03-02T10:00:00Z"))
    assert "1 game: 1 advanced" in said
    letter = (games / "try" / "outbox" / "0001-bull-1.try.eml").read_text()
    for part in ("text/html", "image/png", "text/calendar", "YOUR MOVE"):
        assert part in letter
    assert "reminder" in run(pbem, "run", cwd=tmp_path, env=at("2026-03-04T11:00:00Z"))
    said = run(pbem, "run", "--dry-run", cwd=tmp_path, env=at("2026-03-05T11:00:00Z"))
    assert "bull did not answer 2.1 in time" in said
    assert "1 deadline missed" in run(pbem, "run", cwd=tmp_path, env=at("2026-03-05T11:00:00Z"))
    for words in (("digest",), ("status",), ("doctor",), ("trace", "try", "1", "archer")):
        assert run(pbem, *words, cwd=tmp_path, env=at("2026-03-05T12:00:00Z"))
    assert "<svg" in run(pbem, "stats", "--format", "svg", cwd=tmp_path)


CONFIG = """schema: 1
rules: 1
addresses: {orders: orders@example.org, moderator: gm@example.org}
limits: {outage_hours: 0}
"""


def at(when: str) -> dict[str, str]:
    """An environment with nothing of ours but the time."""
    return {"PATH": os.environ["PATH"], "PBEM_NOW": when}
