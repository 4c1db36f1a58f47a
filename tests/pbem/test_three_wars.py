"""Answers that serve several wars of one action, and what of them is never asked (contract 2)."""

from pathlib import Path

import pytest

from tests.pbem.games import WAR, WAR_HANDS, Table, position, said

# Kings, traders and farmers face each other across F5.
THREE = ("B5", (":: r. Ak k. .. k. Bk r. Bb", "Ab r. Ag .. .. .. Bg r. .."))
HANDS = {"archer": "r2 g2 k2", "bull": "r2 g1 k3"}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path / "games", position(THREE, HANDS))
    table.acts("archer", "temple F5")
    assert table.asks == "1.2 archer"
    return table


def test_further_colours_serve_the_next_choice(table: Table) -> None:
    table.play("archer", "answers: 1.2 wars green, blue, black")
    table.play("archer", "answers: 1.3 support 0")
    assert table.asks == "1.4 bull"
    table.play("bull", "answers: 1.4 support 0")
    assert table.decisions() == ["1.4 support 0", "1.5 war blue"]
    assert table.asks == "1.6 archer"


def test_an_answer_to_the_same_question_replaces_it(table: Table) -> None:
    table.put("archer", "answers: 1.2 wars green, blue, black")
    table.play("archer", "answers: 1.2 wars black, green")
    assert table.decisions() == ["1.2 war black"]


def test_colours_said_in_one_answer_serve_until_they_are_replaced(table: Table) -> None:
    table.play(
        "archer",
        "answers:\n  - question: 1.2\n    wars: green, blue\n    support: {green: 0, blue: 0}",
    )
    assert table.asks == "1.4 bull"
    assert table.orders() == ["archer.yaml"]
    table.play("bull", "answers: 1.4 support 0")
    assert table.decisions() == ["1.4 support 0", "1.5 war blue", "1.6 support 0"]
    assert table.asks == "1.7 bull"


def test_an_answer_counts_if_its_question_is_opened_by_the_same_run(table: Table) -> None:
    table.put("archer", "answers:\n  - question: 1.2\n    wars: black\n    support: 0")
    table.put("bull", "answers: 1.4 support 0")
    assert table.turn().refused == ()
    assert table.decisions() == ["1.2 war black", "1.3 support 0", "1.4 support 0"]


def test_an_answer_to_a_question_that_does_not_come_is_refused(table: Table) -> None:
    table.put("archer", "answers: 1.2 wars black")
    table.put("bull", "answers: 1.4 support 0")
    assert [closed.sheet.player for closed in table.turn().refused] == ["bull"]
    assert "question 1.4 is not asked yet" in said(table, "bull")


def test_what_is_never_asked_lapses(tmp_path: Path) -> None:
    table = Table(tmp_path / "games", position(WAR, WAR_HANDS))
    table.play(
        "archer",
        "turn: 1\nactions:\n  - tile: temple\n    at: F5\n    wars: black\n"
        "    support: {black: 0, green: 0}",
    )
    table.play(
        "bull",
        "answers:\n  - question: 1.4\n    support: {black: 0, red: 1, green: 0}\n    wars: black",
    )
    assert "for `support red`, `support green`, `wars` was not asked" in said(table, "bull")
