"""Order files judged whole, on what their writer may see (contract 2, rules of use)."""

from pathlib import Path

import pytest

from tests.pbem.games import BLOCKS, REVOLT, TREASURES, WAR, WAR_HANDS, Table, names, position, said


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return tmp_path / "games"


@pytest.fixture
def fresh(games: Path) -> Table:
    """Archer holds four temples and two settlements; archer is to act."""
    return Table(games)


def refusal(table: Table, seat: str, text: str) -> str:
    """Why a file is refused; it leaves everything else as it was."""
    before = table.state, table.record.run
    result = table.play(seat, text)
    assert [closed.sheet.player for closed in result.refused] == [seat]
    assert (table.state, table.record.run) == before
    assert table.orders() == []
    assert "refused, nothing of it is used:" in said(table, seat)
    return said(table, seat)


def turn(number: int | str, *actions: str) -> str:
    return f"turn: {number}\nactions: [{', '.join(actions)}]"


@pytest.mark.parametrize(
    ("seat", "said", "right"),
    [
        ("archer", "2", "turn: 1"),
        ("archer", "5", "turn: 1"),
        ("bull", "1", "turn: 2"),
        ("bull", "4", "turn: 2"),
        ("bull", "2b", "turn: 2"),
    ],
)
def test_another_turn_is_refused_and_the_right_one_named(
    fresh: Table, seat: str, said: str, right: str
) -> None:
    said_why = refusal(fresh, seat, turn(said, "pass"))
    assert f"line 3: `turn: {said}`: turn {said} is not to be had" in said_why
    assert f"Did you mean `{right}`?" in said_why


@pytest.mark.parametrize(("seat", "number"), [("archer", 3), ("bull", 2)])
def test_the_own_next_turn_waits(fresh: Table, seat: str, number: int) -> None:
    result = fresh.play(seat, turn(number, "pass all"))
    assert (result.run, result.refused) == (None, ())
    assert fresh.orders() == fresh.waiting() == [f"{seat}.yaml"]


def test_one_fault_refuses_all(fresh: Table) -> None:
    text = "turn: 1\nactions: [king K2, temple E1]\npress: I am coming.\nnote: to you"
    why = refusal(fresh, "archer", text)
    assert "temple E1" in why
    assert "(TERRAIN)" in why
    assert "I am coming" not in fresh.report("bull") + fresh.report("public")
    assert "to you" not in fresh.report("moderator")


def test_all_faults_are_told_with_the_file_put_right(fresh: Table) -> None:
    why = refusal(fresh, "archer", "turn: 9\nactions:\n  - tempel K2\n  - king E1")
    assert "line 5: `tempel K2`" in why
    assert "Did you mean `temple K2`?" in why
    assert "line 3: `turn: 9`" in why
    assert "line 6: `king E1`" in why
    assert why.endswith("R21). (RIVER) - king E1 end:")
    assert "turn: 1 actions: - temple K2 #" in why


@pytest.mark.parametrize(
    ("actions", "rule"),
    [
        (("temple E1",), "TERRAIN"),
        (("farm E1",), "NOT_IN_HAND"),
        (("king A1",), "NO_TEMPLE"),
        (("withdraw king",), "LEADER_NOT_ON_BOARD"),
        (("temple K1",), "OCCUPIED"),
        (("catastrophe K1",), "TREASURE_THERE"),
        (("swap 5 temple",), "NOT_IN_HAND"),
        (("king K2", "king K2"), "SAME_SPACE"),
        (("swap temple", "king A1"), "NO_TEMPLE"),
        (("swap temple", "withdraw king"), "LEADER_NOT_ON_BOARD"),
        (("swap temple", "temple E1"), "TERRAIN"),
        (("swap temple", "temple K1"), "OCCUPIED"),
        (("swap temple", "farm A1"), "TERRAIN"),
    ],
)
def test_what_can_be_seen_to_be_illegal_is_refused(
    fresh: Table, actions: tuple[str, ...], rule: str
) -> None:
    assert f"({rule})" in refusal(fresh, "archer", turn(1, *actions))


@pytest.mark.parametrize(
    "actions",
    [("swap temple", "farm E1"), ("swap temple", "swap 5 temple"), ("pass",), ("king K2",)],
)
def test_what_depends_on_a_draw_is_taken(fresh: Table, actions: tuple[str, ...]) -> None:
    assert not fresh.play("archer", turn(1, *actions)).refused


def test_from_must_fit(fresh: Table) -> None:
    long = "turn: 1\nactions:\n  - leader: king\n    at: K2\n    from: {}"
    why = refusal(fresh, "archer", long.format("J1"))
    assert "your king is not on J1, it is in your hand" in why
    assert fresh.play("archer", long.format("hand")).decisions == 1


def test_lines_carried_out_stay_and_are_skipped(fresh: Table) -> None:
    fresh.play("archer", turn(1, "king K2"))
    why = refusal(fresh, "archer", turn(1, "king J1", "pass"))
    assert "action 1 of this turn was king K2 and is done" in why
    assert "`action: 2`" in why
    fresh.play("archer", turn(1, "king K2", "temple L1"))
    assert fresh.decisions() == ["1.2 temple L1"]


def test_one_action_that_differs_is_meant_as_the_second(fresh: Table) -> None:
    fresh.play("archer", turn(1, "king K2"))
    why = refusal(fresh, "archer", turn(1, "pass"))
    assert "action 1 of this turn was king K2 and is done" in why
    assert "Did you mean `action: 2`, `actions:`?" in why
    lines = fresh.report("archer").splitlines()
    begin = lines.index("game: ur-1", lines.index("YOUR ORDERS"))
    end = lines.index("end:", begin)
    assert lines[begin : end + 1] == [
        "game: ur-1", "player: archer", "turn: 1", "action: 2", "actions: [pass]", "", "end:",
    ]  # fmt: skip
    fresh.put_bytes("archer.yaml", "\n".join(lines[begin:]).encode())
    fresh.turn()
    assert fresh.decisions() == ["1.2 pass"]


def test_a_wide_file_comes_back_so_that_it_can_be_sent_again(fresh: Table) -> None:
    words = " ".join(["and: on"] * 60)
    refusal(fresh, "archer", turn(1, "king J") + f'\npress: "{words}"')
    lines = fresh.report("archer").splitlines()
    begin = lines.index("game: ur-1", lines.index("YOUR ORDERS"))
    text = "\n".join(lines[begin:]).replace("king J]", "king J1]")
    fresh.put_bytes("archer.yaml", text.encode())
    assert not fresh.turn().refused
    assert fresh.record.press[0].text == words


def test_a_file_sent_twice_is_not_played_twice(fresh: Table) -> None:
    data = fresh.put("archer", turn(1, "king K2") + "\npress: Hello.")
    assert fresh.turn().run == 1
    fresh.put_bytes("archer.yaml", data)
    result = fresh.turn()
    assert (result.run, result.refused, fresh.asks) == (None, (), "1.2 archer")
    assert "came once more: it was used already." in said(fresh, "archer")
    assert [path.read_bytes() for path in (fresh.path / "received").iterdir()] == [data, data]


def test_an_action_two_begins_with_the_second(fresh: Table) -> None:
    fresh.play("archer", turn(1, "king K2"))
    fresh.play("archer", "turn: 1\naction: 2\nactions: temple L1")
    assert fresh.decisions() == ["1.2 temple L1"]


def test_pass_all_is_what_is_left(fresh: Table) -> None:
    fresh.play("archer", turn(1, "king K2"))
    fresh.play("archer", turn(1, "pass all"))
    assert fresh.decisions() == ["1.2 pass"]
    fresh.play("bull", turn(2, "pass all"))
    assert fresh.decisions() == ["2.1 pass", "2.2 pass"]


def test_one_action_is_legal_and_the_second_is_asked_for(fresh: Table) -> None:
    fresh.play("archer", turn(1, "king K2"))
    assert fresh.asks == "1.2 archer"
    assert "action: 2" in fresh.report("archer")


@pytest.fixture
def war(games: Path) -> Table:
    """Archer has joined the kingdoms and is asked which war comes first, question 1.2."""
    table = Table(games, position(WAR, WAR_HANDS))
    table.play("archer", turn(1, "temple F5"))
    return table


@pytest.mark.parametrize(
    ("seat", "answer", "why"),
    [
        ("archer", "1.1 support 2", "question 1.1 is already answered; the open question is 1.2"),
        ("archer", "1.3 support 2", "question 1.3 is not asked yet; the open question is 1.2"),
        ("archer", "2.1 support 2", "question 2.1 is not asked yet"),
        ("archer", "1b.2 war black", "there is no turn 1b; the open question is 1.2"),
        ("bull", "1.2 war black", "question 1.2 is put to archer, not to you"),
        ("archer", "1.2 support 2", "question 1.2 asks for the colour to fight first"),
        ("archer", "1.2 war red", "(NOT_IN_CONFLICT)"),
    ],
)
def test_answers_that_do_not_fit(war: Table, seat: str, answer: str, why: str) -> None:
    assert why in refusal(war, seat, f"answers: {answer}")


def test_an_answer_and_a_wrong_one_are_refused_together(war: Table) -> None:
    why = refusal(war, "archer", "answers: 1.2 war black, 1.3 support 1")
    assert "question 1.3 is not asked yet" in why
    assert war.asks == "1.2 archer"


def test_more_support_than_one_holds(war: Table) -> None:
    war.play("archer", "answers: 1.2 war black")
    assert "You have 2 settlements in hand, not 3" in refusal(
        war, "archer", "answers: 1.3 support 3"
    )


@pytest.mark.parametrize(
    "riders",
    ["support: 9", "support: {black: 3}", "monument: temple/farm\n    square: E5\n    leave: A1"],
)
def test_what_is_said_ahead_and_can_never_be(games: Path, riders: str) -> None:
    table = Table(games, position(WAR, WAR_HANDS))
    text = f"turn: 1\nactions:\n  - tile: temple\n    at: F5\n    wars: black\n    {riders}"
    assert refusal(table, "archer", text)


def test_a_monument_needs_its_square_once_it_is_asked_for(games: Path) -> None:
    table = Table(games, position(BLOCKS, {"archer": "r6"}))
    table.play("archer", turn(1, "temple F6"))
    assert "needs `square:` as well: one of E5, E6" in refusal(
        table, "archer", "answers: 1.2 monument temple/farm"
    )
    long = "turn: 1\nactions:\n  - tile: temple\n    at: F6\n    monument: temple/farm"
    assert "needs `square:`" in refusal(table, "archer", long)
    table.play("archer", f"{long}\n    square: E6")
    assert table.decisions() == ["1.2 monument temple/farm E6"]


def test_press_is_taken_when_the_game_is_over(games: Path) -> None:
    end = "treasures"
    table = Table(games, position(TREASURES, {"archer": "r6"}, more="bag: none"))
    table.play("archer", turn(1, "temple A1", "pass"))
    assert table.asks == "over", end
    assert "the game is over" in refusal(table, "bull", turn(2, "pass"))
    assert table.play("bull", "press: Good game.").run is not None
    assert "Good game." in table.report("archer")


def test_revolt_answers_go_by_one_number(games: Path) -> None:
    table = Table(games, position(REVOLT, {"archer": "r2 k1", "bull": "r1"}))
    table.play("archer", turn(1, "king J5"))
    why = refusal(table, "archer", "answers:\n  - question: 1.2\n    support: {black: 1}")
    assert "asks for support" in why
    assert names(table.path / "history") == ["0000.yaml", "0001.yaml"]
