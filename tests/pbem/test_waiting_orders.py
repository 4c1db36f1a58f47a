"""What a seat is told of its orders that wait, and nobody else (contract 2)."""

from pathlib import Path

import pytest

from tests.pbem.games import WAR, WAR_HANDS, Table, position, said

OTHERS = ("bull", "public", "moderator")


@pytest.fixture
def war(tmp_path: Path) -> Table:
    """Archer's temple has started two wars; his second action waits, as does bull's defence."""
    table = Table(tmp_path / "games", position(WAR, WAR_HANDS))
    table.play(
        "archer",
        "turn: 1\nactions:\n  - tile: temple\n    at: F5\n    wars: black, green\n"
        "    support: {black: 1, green: 0}\n  - swap market",
    )
    assert table.asks == "1.4 bull"
    return table


def waiting(table: Table, seat: str) -> str:
    _, _, rest = table.report(seat).partition("YOUR ORDERS THAT WAIT\n")
    return rest.partition("\nWHAT HAPPENED")[0]


def test_the_form_is_for_what_comes_next(war: Table) -> None:
    report = war.report("archer")
    assert "ORDERS AHEAD, FOR THE REST OF YOUR TURN" in report
    assert "player: archer\nturn: 1\naction: 2\nactions:\n  - ???\n" in report
    assert "ORDERS AHEAD, FOR YOUR NEXT TURN" not in report
    war.play("bull", "answers: 1.4 support 0")
    war.play("bull", "answers: 1.6 support 0")
    assert "FOR YOUR NEXT TURN" in war.report("archer")


def test_orders_that_wait_are_shown_to_their_writer_alone(war: Table) -> None:
    assert "    support:\n      black: 1\n      green: 0\n" in waiting(war, "archer")
    assert "  - swap: market" in waiting(war, "archer")
    assert not any("YOUR ORDERS THAT WAIT" in war.report(who) for who in OTHERS)


def test_a_file_that_starts_to_wait_is_confirmed_without_a_run(war: Table) -> None:
    before = {who: war.report(who) for who in ("archer", "public", "moderator")}
    run = war.play("bull", "turn: 2\nactions: king K2\nkey: abc").run
    assert run is None
    assert "game: ur-1\nplayer: bull\nturn: 2\nactions:\n  - leader: king\n    at: K2\n" in (
        waiting(war, "bull")
    )
    assert "abc" not in war.report("bull")
    assert before == {who: war.report(who) for who in before}
    (war.path / "orders/bull.yaml").unlink()
    war.turn()
    assert waiting(war, "bull") == ""


def test_what_a_newer_file_replaces_is_told(war: Table) -> None:
    war.play("archer", "turn: 3\nactions: pass")
    told = said(war, "archer")
    assert "was replaced" in told
    assert (
        "for turn 1 is no longer in force: `support green`, `wars green`, action 2, swap market."
        in told
    )
    assert not any("replaced" in war.report(who) for who in OTHERS)
