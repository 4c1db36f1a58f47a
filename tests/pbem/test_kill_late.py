"""A run that judges a deadline, killed anywhere and run again, comes to the same end."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from pbem.turns import TurnResult, take_turn
from tests.pbem.games import WHEN, Table, tree
from tests.pbem.test_kill import HALF, Killer, copied, swept
from tests.pbem.test_late import EVE, Clocked, clocked

LATER = WHEN + timedelta(days=2)


def passes(games: Path) -> Table:
    """The late one has orders ahead, the next player's wait too."""
    table = clocked(games, "late: pass", players=3)
    table.play("archer", "turn: 4\nactions: pass")
    table.put("bull", "turn: 2\nactions: pass all\npress: At last.")
    table.put("archer", "answers: 1.4 support 0\nnote: Am I late?")
    return table


def drops(games: Path) -> Table:
    """The late one has a new file and one that waits; both are of no use any more."""
    table = clocked(games, "late: drop", "misses: 1", players=3)
    table.put("archer", "turn: 4\nactions: pass")
    table.play("lion", "press: Where are you?")
    table.put("archer", "turn: 4\nactions: king F4\npress: Here.\nnote: Am I late?")
    table.put("bull", "turn: 2\nactions: pass all")
    return table


def dropped_before(games: Path) -> Table:
    """A seat that nobody plays is asked in the middle of the run."""
    table = clocked(games, "late: pass", players=3)
    table.folder.write_desk(table.folder.load_desk()._replace(dropped={"bull": WHEN}))
    table.announce()
    return table


def all_gone(games: Path) -> Table:
    """The last player is dropped: nothing is played, and no run made."""
    table = clocked(games, "late: drop", "misses: 1")
    table.folder.write_desk(table.folder.load_desk()._replace(dropped={"bull": WHEN}))
    table.announce()
    table.put("archer", "turn: 3\nactions: pass\npress: Am I late?")
    return table


def hands_over(games: Path) -> Table:
    """The stand-in takes over; orders ahead of the third player are played later."""
    table = clocked(games, "late: stand-in", EVE, players=3)
    table.put("bull", "turn: 2\nactions: pass all")
    table.turn()
    return table


SCENES: dict[str, Callable[[Path], Clocked | Table]] = {
    "passes": passes,
    "drops": drops,
    "dropped before": dropped_before,
    "all gone": all_gone,
    "hands over": hands_over,
}


def judge(table: Table) -> TurnResult:
    return take_turn(table.folder, LATER, judge=True)


@HALF
@pytest.mark.parametrize("name", SCENES)
def test_a_judging_run_that_is_killed_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, part: float
) -> None:
    monkeypatch.setattr("pbem.seats.handover.new_key", lambda: "AAAAA-BBBBB-CCCCC-DDDDD")
    hashed = f"scrypt:{'0' * 32}:{'0' * 64}"
    monkeypatch.setattr("pbem.seats.handover.key_hash", lambda _key: hashed)
    table = SCENES[name](tmp_path / "games")
    undisturbed = copied(table, tmp_path / "undisturbed")
    judge(copied(table, tmp_path / "first"))  # templates are compiled once, that is no moment
    with monkeypatch.context() as patch:
        killer = Killer(patch)
        number = killer.moments(partial(judge, undisturbed))
        right = tree(undisturbed.path)
        assert right != tree(table.path)
        judge(undisturbed)
        assert tree(undisturbed.path) == right
        for moment in swept(number, part, name):
            victim = copied(table, tmp_path / f"killed-{moment}")
            killer.kill(moment, partial(judge, victim))
            judge(victim)
            assert tree(victim.path) == right, moment
