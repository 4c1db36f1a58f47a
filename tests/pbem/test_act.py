"""Orders that the moderator enters for a player."""

from pathlib import Path

import pytest

from engine.pieces import COLOURS, TILE
from tests.pbem.calls import Said, pbem
from tests.pbem.games import WAR, WAR_HANDS, Table, names, position, said
from tests.pbem.mail_desk import Desk, text_of


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A game at its start; archer is asked for his first action."""
    return Table(tmp_path / "games")


def act(table: Table, *words: str, stdin: bytes = b"") -> Said:
    return pbem("act", table.name, *words, games=table.path.parent, stdin=stdin)


def test_actions_in_one_line_are_played_as_the_players_own(table: Table) -> None:
    done = act(table, "archer", "king K2, pass")
    assert done.code == 0, done
    assert "entered for archer: 2 of its decisions used" in done.out
    assert "waits for bull (Ben), 2.1" in done.out
    assert table.decisions() == ["1.1 king K2", "1.2 pass"]
    assert {each.source for each in table.record.decisions} == {"moderator"}
    assert table.received() == ["0001-archer.yaml"]
    kept = (table.path / "received/0001-archer.yaml").read_bytes()
    assert kept.endswith(b"# entered by the moderator\n")
    assert "The moderator entered this for you: 1.1 king K2; 1.2 pass." in said(table, "archer")
    for who in ("bull", "public"):
        assert "entered" not in table.report(who)


def test_the_others_see_what_they_would_have_seen(tmp_path: Path) -> None:
    entered, sent = Table(tmp_path / "a"), Table(tmp_path / "b")
    pbem("act", "ur-1", "archer", "king K2, pass", games=tmp_path / "a",
         PBEM_NOW="2026-03-01T12:30:00Z")  # fmt: skip
    sent.acts("archer", "king K2", "pass")
    for who in ("bull", "public"):
        assert entered.report(who) == sent.report(who)


def test_one_action_then_the_next(table: Table) -> None:
    assert act(table, "archer", "king K2").code == 0
    assert table.asks == "1.2 archer"
    assert act(table, "archer", "trader J1").code == 0
    assert table.decisions() == ["1.2 trader J1"]


def test_orders_ahead_wait(table: Table) -> None:
    done = act(table, "bull", "king B1, pass")
    assert (done.code, "the orders wait" in done.out) == (0, True)
    assert table.orders() == ["bull.yaml"]
    assert "YOUR ORDERS THAT WAIT" in table.report("bull")
    table.acts("archer", "pass all")
    assert table.decisions()[-2:] == ["2.1 king B1", "2.2 pass"]
    assert [each.source for each in table.record.decisions if each.player == "bull"] == [
        "moderator", "moderator",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["1.2 war black", "1.2: war black", "1.2 wars: black", "wars black", "war black"]
)
def test_answers(tmp_path: Path, text: str) -> None:
    table = Table(tmp_path / "games", position(WAR, WAR_HANDS))
    table.acts("archer", "temple F5")
    assert table.asks == "1.2 archer"
    done = act(table, "archer", text)
    assert done.code == 0, done
    assert table.decisions() == ["1.2 war black"]


@pytest.mark.parametrize(
    "text",
    [
        "actions: king K2, pass",
        "game: ur-1\nplayer: archer\nturn: 1\nactions:\n  - leader: king\n    at: K2\n  - pass\n",
        "actions:\n  - king K2\n  - pass\nend:\nBest wishes\n",
    ],
)
def test_a_file_with_what_is_missing_filled_in(table: Table, tmp_path: Path, text: str) -> None:
    path = tmp_path / "his.yaml"
    path.write_text(text)
    assert act(table, "archer", str(path)).code == 0
    assert table.decisions() == ["1.1 king K2", "1.2 pass"]


def test_from_standard_input(table: Table) -> None:
    assert act(table, "archer", "-", stdin=b"king K2\npass\n").code == 0
    assert table.decisions() == ["1.1 king K2", "1.2 pass"]


def test_what_is_illegal_is_refused_whole_with_all_reasons(table: Table) -> None:
    done = act(table, "archer", "king A5, trader A6")
    assert (done.code, done.out) == (1, "")
    assert "(NO_TEMPLE)" in done.err
    done = act(table, "archer", "dance A5, hop A6")
    assert len(done.err.splitlines()) == 2
    assert names(table.path / "orders") == []
    assert table.record.run == 0
    done = act(table, "bull", "1.1 support 2", "--json")
    assert done.code == 1
    assert done.data["problems"][0]["player"] == "bull"


def test_nothing_of_the_hand_is_told(table: Table) -> None:
    hand = table.state.seat("archer").hand
    lacking = min(COLOURS, key=hand.of)
    done = act(table, "archer", f"swap {hand.of(lacking) + 1} {TILE[lacking]}")
    assert done.code == 1
    assert "the seat does not hold what this needs (NOT_IN_HAND)" in done.err
    assert "You have" not in done.err
    assert "received" not in names(table.path) or table.received() == []


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("lion", "pass"), 2, "`lion` does not play in ur-1"),
        (("archer", "nowhere.yaml"), 2, "No such file"),
        (("archer", "game: other\nturn: 1\nactions: pass"), 1, "this game is ur-1"),
        (("archer", "player: bull\nturn: 1\nactions: pass"), 1, "are to be those of archer"),
        (("archer", "dance A1"), 1, "dance"),
    ],
)
def test_what_is_wrong_is_named(table: Table, words: tuple[str, ...], code: int, why: str) -> None:
    done = act(table, *words)
    assert (done.code, why in done.err) == (code, True), done
    assert table.record.run == 0


def test_a_file_of_his_that_waits_stays_in_its_other_parts(table: Table) -> None:
    table.play("bull", "turn: 2\nactions: pass all\npress: Soon.")
    assert act(table, "bull", "king B1, pass").code == 0
    table.acts("archer", "pass all")
    assert table.decisions()[-2:] == ["2.1 king B1", "2.2 pass"]


def test_the_player_gets_a_copy(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    done = desk.call("act", "ur-1", "archer", "king F4, pass")
    assert "a copy lies in the outbox" in done.out
    assert "F4" not in done.out
    (letter,) = desk.letters("entered-*.eml")
    assert letter["Subject"] == "ur-1: the moderator entered orders for you"
    assert letter["To"].addresses[0].addr_spec == "ada@example.org"
    text = text_of(letter)
    assert "leader: king" in text
    assert "What they brought:" in text
    assert "F4" in text.partition("brought")[2]
    desk.call("act", "ur-1", "archer", "pass all")
    waits = desk.letters("entered-*-2.eml")[0]
    assert "They wait for their time." in text_of(waits)
