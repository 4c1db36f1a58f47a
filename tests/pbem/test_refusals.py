"""Refusals are told until they are settled: by a good file, or by an undo."""

from pathlib import Path

import pytest

from tests.pbem.calls import pbem
from tests.pbem.games import Table, said

WHEN = "Sunday 1 March 2026, 12:30 UTC"


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "games", players=3)


def test_refusals_stand_newest_last_with_their_times(table: Table) -> None:
    table.play("bull", "turn: 9\nactions: pass")
    table.play("bull", "turn: 8\nactions: pass")
    told = said(table, "bull")
    assert told.index("turn: 9") < told.index("turn: 8")
    assert told.count(WHEN) == told.count("was refused") == 2


def test_a_good_file_settles_them(table: Table) -> None:
    table.play("bull", "turn: 9\nactions: pass")
    assert "refused" in said(table, "bull")
    table.play("bull", "turn: 2\nactions: pass all")
    assert "refused" not in table.report("bull")
    table.play("bull", "turn: 7\nactions: pass")
    assert "turn 7 is not to be had" in said(table, "bull")
    table.acts("archer", "pass")
    assert "turn 7 is not to be had" in said(table, "bull")
    assert "turn 9" not in said(table, "bull")
    table.acts("archer", "pass", "pass")
    assert "refused" not in table.report("bull")


def test_what_was_refused_in_the_run_of_others_is_settled_too(table: Table) -> None:
    table.put("bull", "turn: 9\nactions: pass")
    table.acts("archer", "pass")
    assert "turn 9 is not to be had" in said(table, "bull")
    table.play("bull", "turn: 2\nactions: pass all")
    assert "refused" not in table.report("bull")


def test_an_undo_settles_them(table: Table) -> None:
    table.acts("archer", "pass all")
    table.play("bull", "turn: 9\nactions: pass")
    assert pbem("undo", "ur-1", "--yes", games=table.path.parent).code == 0
    assert "refused" not in table.report("bull")
