"""Going back: what is taken back lies in undone/, all are told, and labels say so (contract 4)."""

from pathlib import Path

import pytest

from engine.pieces import COLOURS, TILE
from tests.pbem.calls import Said, pbem
from tests.pbem.games import WAR, WAR_HANDS, Table, names, position, said, three_runs, tree

EVERYBODY = ("archer", "bull", "public", "moderator")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Three runs; archer is to act."""
    return three_runs(tmp_path / "games")


def undo(table: Table, *words: str) -> Said:
    return pbem("undo", table.name, *words, games=table.path.parent)


def test_undo_wants_a_yes_and_says_who_has_seen_tiles(table: Table) -> None:
    before = tree(table.path)
    done = undo(table, "--to", "0")
    assert (done.code, done.out) == (1, "")
    assert "takes back runs 1 to 3" in done.err
    assert "seats that have seen tiles drawn since then: archer" in done.err
    assert "say --yes" in done.err
    assert tree(table.path) == before
    done = undo(table, "--to", "2", "--json")
    assert done.data["problems"][0]["seen"] == []


def test_who_drew_in_runs_taken_back_earlier_still_knows_the_bag(table: Table) -> None:
    """The bag keeps its order, whenever its tiles were seen."""
    assert undo(table, "--to", "0", "--yes").code == 0
    table.play("archer", "turn: 1b\nactions: pass")
    done = undo(table, "--json")
    assert done.data["problems"][0]["seen"] == ["archer"]
    assert undo(table, "--yes").code == 0
    table.play("archer", "turn: 1c\nactions: pass")
    assert undo(table, "--to", "0", "--json").data["problems"][0]["seen"] == ["archer"]


def test_who_drew_what_is_out_of_the_bag_is_not_named(table: Table) -> None:
    assert undo(table, "--to", "2", "--yes").code == 0
    held = next(c for c in COLOURS if table.state.seat("bull").hand.of(c))
    table.play("bull", f"turn: 2b\naction: 2\nactions: swap {TILE[held]}")
    assert table.asks == "3b.1 archer"
    done = undo(table, "--to", "2", "--json")
    assert done.data["problems"][0]["seen"] == ["bull"]


def test_undo_goes_back_one_run(table: Table) -> None:
    table.put("archer", "turn: 3\nactions: king J1")
    table.put("bull", "turn: 4\nactions: pass")
    lay = table.orders()
    assert undo(table, "--yes").code == 0
    assert table.asks == "2b.2 bull"
    assert names(table.path / "history") == ["0000.yaml", "0001.yaml", "0002.yaml", "0004.yaml"]
    assert [name.partition("-")[2] for name in names(table.path / "undone")][1:] == lay
    assert table.state == table.folder.load_run(2).state
    for who in EVERYBODY:
        assert "The moderator took back run 3." in " ".join(table.report(who).split())
    assert "turn: 2b" in table.report("bull")


def test_orders_and_answers_for_the_plain_turn_are_refused(tmp_path: Path) -> None:
    table = Table(tmp_path / "games", position(WAR, WAR_HANDS))
    table.acts("archer", "temple F5")
    table.play("archer", "answers: 1.2 war black")
    assert undo(table, "--to", "1", "--yes").code == 0
    assert table.asks == "1b.2 archer"
    table.play("archer", "turn: 1\nactions: temple F5, pass")
    why = said(table, "archer")
    assert "turn 1 was taken back by the moderator; it is played again as turn 1b" in why
    table.play("archer", "answers: 1.2 war black")
    assert "turn 1 was taken back by the moderator" in said(table, "archer")
    assert table.asks == "1b.2 archer"
    table.play("archer", "answers: 1b.2 war green\nturn: 1b\nactions: temple F5, pass")
    assert table.decisions() == ["1b.2 war green"]
    assert undo(table, "--yes").code == 0
    assert undo(table, "--yes").code == 0
    assert table.asks == "1d.1 archer"
    table.play("archer", "turn: 1b\nactions: pass")
    assert "turn 1b was taken back by the moderator" in said(table, "archer")


def test_turns_after_it_get_another_name_too(table: Table) -> None:
    assert undo(table, "--to", "1", "--yes").code == 0
    assert table.asks == "2b.1 bull"
    table.play("archer", "turn: 3\nactions: pass")
    assert "played again as turn 3b" in said(table, "archer")
    table.put("archer", "turn: 3b\nactions: pass all")
    table.play("bull", "turn: 2b\nactions: pass all")
    assert table.decisions() == ["2b.1 pass", "2b.2 pass", "3b.1 pass", "3b.2 pass"]
    assert table.asks == "4.1 bull"
    table.play("bull", "turn: 4\nactions: pass")
    assert table.asks == "4.2 bull"


def test_undo_twice_goes_further_back_each_time(table: Table) -> None:
    assert undo(table, "--yes").code == 0
    assert table.asks == "2b.2 bull"
    assert undo(table, "--yes").code == 0
    assert table.asks == "2c.1 bull"
    assert undo(table, "--yes").code == 0
    assert table.asks == "1b.1 archer"
    done = undo(table, "--yes")
    assert (done.code, "nothing to take back" in done.err) == (2, True)
    assert table.record.run == 6


@pytest.mark.parametrize("to", ["3", "7", "-1"])
def test_only_runs_before_can_be_gone_back_to(table: Table, to: str) -> None:
    done = undo(table, "--to", to, "--yes")
    assert done.code == 2
    assert "runs to go back to: 0, 1, 2" in done.err


def test_the_bag_keeps_its_order(table: Table) -> None:
    drawn = table.folder.load_run(1).state
    undo(table, "--to", "0", "--yes")
    table.play("archer", "turn: 1b\nactions: king K2, swap temple")
    assert table.state == drawn


def test_what_waits_lies_in_undone(tmp_path: Path) -> None:
    table = Table(tmp_path / "games", position(WAR, WAR_HANDS))
    kept = [table.put("bull", "turn: 2\nactions: pass all")]
    table.turn()
    table.play("archer", "turn: 1\nactions:\n  - {tile: temple, at: F5, wars: green, support: 0}")
    table.play("bull", "answers: 1.4 support 0")
    kept.append(table.put("archer", "turn: 3\nactions: pass"))
    assert table.waiting() == ["bull-1.yaml"]
    assert undo(table, "--to", "0", "--yes").code == 0
    lies = list(tree(table.path / "undone").values())
    assert all(data in lies for data in kept)
    assert table.orders() == table.waiting() == []
    fates = table.fates()
    table.turn()
    assert table.fates() == fates
    table.play("archer", "turn: 1b\nactions: pass all")
    assert table.asks == "2.1 bull"


def test_reports_of_undone_runs_can_be_read(table: Table) -> None:
    written = {who: table.report(who) for who in EVERYBODY}
    undo(table, "--to", "1", "--yes")
    games = table.path.parent
    for who, text in written.items():
        done = pbem("report", "ur-1", "--for", who, "--at", "3", games=games)
        assert (done.code, done.out) == (0, text)
    for run in range(5):
        assert pbem("report", "ur-1", "--for", "bull", "--at", str(run), games=games).code == 0


def test_replay_after_an_undo(table: Table) -> None:
    undo(table, "--to", "1", "--yes")
    table.play("bull", "turn: 2b\nactions: pass all")
    done = pbem("replay", "ur-1", games=table.path.parent)
    assert (done.code, done.out) == (0, "ur-1: 4 runs, 4 decisions, all the same\n")


def test_the_clock_starts_anew(table: Table) -> None:
    undo(table, "--to", "1", "--yes")
    done = pbem("status", "ur-1", games=table.path.parent)
    assert "ur-1: waits for bull (Ben), 2b.1, an action, since 2026-03-02T08:00:00Z" in done.out
