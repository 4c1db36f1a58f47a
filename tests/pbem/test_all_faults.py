"""All faults of a file at once, each at its line and in its writer's words (contract 2)."""

from pathlib import Path

import pytest

from tests.pbem.games import WAR, WAR_HANDS, Table, position, said
from tests.pbem.test_judge import refusal


@pytest.fixture
def fresh(tmp_path: Path) -> Table:
    return Table(tmp_path / "games")


def test_both_actions_are_judged(fresh: Table) -> None:
    why = refusal(fresh, "archer", "turn: 1\nactions:\n  - temple A4\n  - farm A1")
    assert "line 5: `temple A4`" in why
    assert "line 6: `farm A1`" in why
    assert why.partition("put right")[0].count("(TERRAIN)") == 2


def test_a_typo_hides_neither_the_turn_nor_the_rules(fresh: Table) -> None:
    why = refusal(fresh, "archer", "turn: 12\nactions:\n  - tempel K2\n  - king E1")
    assert "line 3: `turn: 12`" in why
    assert "line 5: `tempel K2`" in why
    assert "line 6: `king E1`" in why
    assert "(RIVER)" in why


def test_what_is_said_ahead_is_judged_at_its_own_line(tmp_path: Path) -> None:
    war = Table(tmp_path / "wars", position(WAR, WAR_HANDS))
    text = "turn: 1\nactions:\n  - tile: temple\n    at: F5\n    wars: black\n    support: 9"
    assert "line 8: `support 9`" in refusal(war, "archer", text)
    war.acts("archer", "temple F5")
    text = "answers:\n  - question: 1.2\n    wars: red"
    assert "line 5: `question 1.2`" in refusal(war, "archer", text)


def test_what_was_read_is_said_as_it_was_written(fresh: Table) -> None:
    why = refusal(fresh, "archer", "turn: 1\nactions:\n  - tile: red\n    at: E1\n  - Red  A4")
    assert "line 5: `tile: red, at: E1`" in why
    assert "line 7: `Red A4`" in why


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        ("temple E1", "TERRAIN"),
        ("king E1", "RIVER"),
        ("swap 7 temple", "NOT_IN_HAND"),
        ("{leader: king, at: K2, support: 7}", "NOT_IN_HAND"),
    ],
)
@pytest.mark.parametrize(("seat", "turn"), [("bull", 2), ("archer", 3)])
def test_orders_ahead_that_can_never_be_are_refused_at_once(
    fresh: Table, seat: str, turn: int, action: str, rule: str
) -> None:
    assert f"({rule})" in refusal(fresh, seat, f"turn: {turn}\nactions:\n  - pass\n  - {action}")


@pytest.mark.parametrize(
    "action", ["temple K1", "king A1", "farm A4", "withdraw king", "swap black"]
)
def test_orders_ahead_that_may_come_true_wait(fresh: Table, action: str) -> None:
    fresh.play("bull", f"turn: 2\nactions: {action}")
    assert fresh.orders() == ["bull.yaml"]
    assert "refused" not in said(fresh, "bull")
