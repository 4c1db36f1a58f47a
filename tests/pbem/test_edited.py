"""Files of the history edited by hand: allowed, checked, shown, and played on."""

from pathlib import Path

import pytest

from pbem.seal import is_broken, sealed
from tests.pbem.calls import pbem
from tests.pbem.edits import deal_otherwise, edit, hand_line
from tests.pbem.games import Table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Five runs: turns 1 to 4, and archer's first action of turn 5."""
    table = Table(tmp_path / "games")
    table.acts("archer", "king K2", "pass")
    table.acts("bull", "king B1", "pass")
    table.acts("archer", "trader J1", "pass")
    table.acts("bull", "trader C2", "pass")
    table.acts("archer", "pass")
    assert table.asks == "5.2 archer"
    return table


def test_every_run_is_sealed(table: Table) -> None:
    for path in sorted((table.path / "history").iterdir()):
        text = path.read_text()
        assert text.splitlines()[-1].startswith("seal: ")
        assert sealed(text.partition("seal: ")[0]) == path.read_bytes()
        assert not is_broken(path.read_bytes())


@pytest.mark.parametrize(
    ("old", "new", "broken"),
    [
        (b"a: 1\n", b"a: 2\n", True),
        (b"a: 1\n", b"a: 1\r\n", True),
        (b"seal: ", b"seal: 0", True),
        (b"a: 1\n", b"", True),
        (b"\nseal", b"\nb: 1\nseal", True),
        (b"", b"", False),
    ],
)
def test_a_seal_tells_every_change(old: bytes, new: bytes, broken: bool) -> None:
    data = sealed("a: 1\nc: 2\n")
    assert is_broken(data.replace(old, new, 1)) is broken
    assert is_broken(data + b"d: 1\n")
    assert not is_broken(b"a: 1\n")


def test_what_is_wrong_in_an_edited_state_is_named_with_its_line(table: Table) -> None:
    line = hand_line(table, 5, "archer")
    path = edit(table, 5, line, "    archer: r6 b6")
    done = pbem("turn", "ur-1", games=table.path.parent)
    assert done.code == 3
    assert f"ur-1: {path}, line" in done.err
    assert "tiles in hand" in done.err or "in all instead of 30" in done.err


def test_replay_names_an_edited_run_and_the_game_goes_on_from_it(table: Table) -> None:
    deal_otherwise(table, 5, "archer")
    done = pbem("replay", "ur-1", games=table.path.parent)
    assert done.code == 0, done
    assert "ur-1: run 5 was edited by hand; changed: seats, bag" in done.out
    assert "6 runs, 9 decisions, all the same but for what was edited" in done.out
    assert "r6" not in done.out
    edited = table.state.seat("archer").hand
    table.play("archer", "turn: 5\naction: 2\nactions: pass")
    assert table.folder.load_run(5).state.seat("archer").hand == edited
    again = pbem("replay", "ur-1", "--json", games=table.path.parent)
    assert again.code == 0
    assert again.data["games"][0]["edited"] == [{"run": 5, "parts": ["seats", "bag"]}]


def test_touched_without_a_change(table: Table) -> None:
    path = table.path / "history/0005.yaml"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    done = pbem("replay", "ur-1", games=table.path.parent)
    assert (done.code, "nothing of its state is changed" in done.out) == (0, True)


def test_an_older_run_edited_is_mended_by_playing_on_from_it(table: Table) -> None:
    games = table.path.parent
    deal_otherwise(table, 3, "archer")
    edited = table.folder.load_run(3).state
    done = pbem("replay", "ur-1", games=games)
    assert done.code == 3
    assert "run 3 was edited by hand; changed: seats, bag" in done.out
    assert "run 4 is the first that differs" in done.err
    assert "`pbem undo ur-1 --to 3 --again --because TEXT`" in done.err
    undone = pbem("undo", "ur-1", "--to", "3", "--again", "--because", "A slip.", "--yes",
                  games=games)  # fmt: skip
    assert undone.code == 0, undone
    assert "3 of 3 decisions played again" in undone.out
    assert "the state differs in: seats, bag" in undone.out
    assert table.state.seat("archer").hand == edited.seat("archer").hand
    assert table.asks == "5b.2 archer"
    assert table.decisions() == ["4b.1 trader C2", "4b.2 pass", "5b.1 pass"]
    again = pbem("replay", "ur-1", games=games)
    assert (again.code, "all the same but" in again.out) == (0, True)
    for who in ("archer", "bull", "public", "moderator"):
        assert "CORRECTED" in table.report(who)
        assert "| A slip." in table.report(who)
