"""What orders say ahead, and when it serves; what is dropped in its time (contract 2)."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from engine.options import Options
from tests.pbem.games import (
    BLOCKS,
    REVOLT,
    TREASURES,
    WAR,
    WAR_HANDS,
    Table,
    names,
    position,
    said,
)

Make: TypeAlias = Callable[..., Table]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes one game after the other, each in a folder of its own."""
    numbers = iter(range(100))

    def table(*where: object, **how: object) -> Table:
        state = position(*where, **how) if where else None  # type: ignore[arg-type]
        return Table(tmp_path / f"games{next(numbers)}", state)

    return table


def joins(riders: str, then: str = "") -> str:
    """Archer's temple on F5 with what is said ahead for it."""
    lines = "".join(f"\n    {line}" for line in riders.split("; ") if line)
    return f"turn: 1\nactions:\n  - tile: temple\n    at: F5{lines}{then}"


# Archer has one settlement and two in hand, bull one and three.
@pytest.mark.parametrize(
    ("wish", "sent"),
    [
        ("win", 1), ("WIN", 1), ("win+1", 2), ("win + 2", 2), ("win+9", 2), ("all", 2),
        ("none", 0), ("0", 0), ("2", 2), ("All", 2),
    ],
)  # fmt: skip
def test_support_of_the_attacker(make: Make, wish: str, sent: int) -> None:
    table = make(WAR, WAR_HANDS)
    table.play("archer", joins(f"wars: black; support: {wish}"))
    assert table.decisions()[2] == f"1.3 support {sent}"


@pytest.mark.parametrize(
    ("wish", "sent"), [("win", 1), ("win+2", 1), ("all", 3), ("none", 0), ("3", 3)]
)
def test_support_of_the_defender(make: Make, wish: str, sent: int) -> None:
    table = make(WAR, WAR_HANDS)
    table.play("archer", joins("wars: black; support: 1"))
    table.play("bull", f"answers: 1.4 support {wish}")
    assert table.decisions()[0] == f"1.4 support {sent}"


def test_who_cannot_win_sends_nothing(make: Make) -> None:
    table = make((WAR[0], ("r. Ak r. .. k. Bk r.", "r. Ag .. .. k. Bg r.")), WAR_HANDS)
    table.play("archer", joins("wars: black; support: win"))
    assert table.decisions()[2] == "1.3 support 0"
    table = make(WAR, {"archer": "r2 k2", "bull": "k1"})
    table.play("archer", joins("wars: black; support: 2"))
    table.play("bull", "answers: 1.4 support win")
    assert table.decisions()[0] == "1.4 support 0"


def test_who_has_won_already_sends_nothing_or_what_is_more(make: Make) -> None:
    stronger = (WAR[0], ("r. Ak k. .. r. Bk r.", "r. Ag .. .. .. Bg r."))
    for wish, sent in (("win", 0), ("win+1", 1)):
        table = make(stronger, WAR_HANDS)
        table.play("archer", joins(f"wars: black; support: {wish}"))
        assert table.decisions()[2] == f"1.3 support {sent}"


def test_wars_name_the_first_colour_that_still_fights(make: Make) -> None:
    table = make(WAR, WAR_HANDS)
    table.play("archer", joins("wars: red, green, black; support: 0"))
    assert table.decisions()[1:] == ["1.2 war green", "1.3 support 0"]


def test_wars_that_do_not_fight_are_asked_for(make: Make) -> None:
    table = make(WAR, WAR_HANDS)
    table.play("archer", joins("wars: red; support: 0"))
    assert table.asks == "1.2 archer"


def test_a_plain_support_serves_the_first_war_only(make: Make) -> None:
    table = make(WAR, WAR_HANDS)
    table.play("archer", joins("wars: green, black; support: 0"))
    table.play("bull", "answers: 1.4 support 0")
    assert table.asks == "1.5 archer"


def test_support_by_the_colour_of_the_war(make: Make) -> None:
    table = make(WAR, WAR_HANDS)
    table.play("archer", joins("wars: green, black; support: {black: 2, green: 1}"))
    assert table.decisions()[2] == "1.3 support 1"
    table.play("bull", "answers: 1.4 support 0")
    assert table.decisions()[1:] == ["1.5 support 2"]
    assert table.asks == "1.6 bull"


def test_answers_serve_later_questions_of_the_action(make: Make) -> None:
    table = make(WAR, WAR_HANDS)
    table.play("archer", joins(""))
    table.play(
        "archer", "answers:\n  - question: 1.2\n    wars: green\n    support: {black: 1, green: 2}"
    )
    assert table.decisions() == ["1.2 war green", "1.3 support 2"]
    assert table.orders() == ["archer.yaml"]
    table.play("bull", "answers: 1.4 support 0")
    assert table.decisions()[1:] == ["1.5 support 1"]
    assert table.fates() == ["used", "used", "used"]


def test_an_answer_to_a_question_beats_what_was_said_ahead(make: Make) -> None:
    table = make(WAR, WAR_HANDS)
    table.play("archer", joins("support: 2"))
    table.put("archer", "answers:\n  - question: 1.2\n    wars: black\n    support: 1")
    table.turn()
    assert table.decisions() == ["1.2 war black", "1.3 support 1"]


def test_a_whole_turn_over_several_runs(make: Make) -> None:
    table = make(WAR, WAR_HANDS)
    first = table.put("archer", joins("wars: green, black", "\n  - king A1"))
    assert table.turn().refused  # a king on A1 touches no temple, whatever comes
    first = table.put("archer", joins("wars: green, black", "\n  - swap 2 green"))
    table.turn()
    assert table.asks == "1.3 archer"
    table.play("archer", "answers: 1.3 support 0")
    table.play("bull", "answers: 1.4 support 0")
    table.play("archer", "answers: 1.5 support 1")
    assert table.asks == "1.6 bull"
    table.play("bull", "answers: 1.6 support win")
    assert table.decisions() == ["1.6 support 1", "1.7 swap market market"]
    kept = [table.path / "received" / name for name in table.received()]
    assert first in [path.read_bytes() for path in kept]
    assert table.orders() == table.waiting() == []


def test_a_monument_with_and_without_its_square(make: Make) -> None:
    ahead = "turn: 1\nactions:\n  - tile: temple\n    at: F6\n    monument: {}"
    table = make(BLOCKS, {"archer": "r6"})
    table.play("archer", ahead.format("temple/farm\n    square: E6"))
    assert table.decisions()[1:] == ["1.2 monument temple/farm E6"]
    table = make(BLOCKS, {"archer": "r6"})
    table.play("archer", ahead.format("temple/farm"))
    assert table.asks == "1.2 archer"
    assert "names a monument but no square, and there are several" in said(table, "archer")
    assert (table.fates(), table.orders()) == (["dropped"], [])
    table = make(("E5", ("r. r.", "r. ..")), {"archer": "r6"})
    table.play("archer", ahead.format("blue/red"))
    assert table.decisions()[1:] == ["1.2 monument temple/farm E5"]
    table = make(BLOCKS, {"archer": "r6"})
    table.play("archer", ahead.format("none"))
    assert table.decisions()[1:] == ["1.2 monument none"]


def test_the_treasure_that_stays(make: Make) -> None:
    long = "turn: 1\nactions:\n  - tile: temple\n    at: G10\n    leave: {}"
    for named, stays in (("F10", "F10"), ("K1, I7", "I7"), ("[I7, F10]", "I7")):
        table = make(TREASURES, {"archer": "r6"})
        table.play("archer", long.format(named))
        assert table.decisions()[1:] == [f"1.2 leave {stays}"]


def test_a_treasure_that_is_not_there_is_dropped_and_asked_for(make: Make) -> None:
    table = make(TREASURES, {"archer": "r6"})
    long = "turn: 1\nactions:\n  - tile: temple\n    at: G10\n    leave: K1"
    result = table.play("archer", long)
    assert [closed.sheet.player for closed in result.refused] == ["archer"]
    table.play("archer", "turn: 1\nactions: temple G10")
    assert table.asks == "1.2 archer"
    table.play("archer", "answers: 1.2 leave I7\nturn: 1\naction: 2\nactions: pass")
    assert table.decisions() == ["1.2 leave I7", "1.3 pass"]


def test_treasures_at_the_end_of_the_turn(make: Make) -> None:
    options = Options(treasure_timing="turn")
    table = make(TREASURES, {"archer": "r6"}, options=options)
    table.play("archer", "turn: 1\nactions:\n  - temple G10\n  - pass")
    assert table.asks == "1.3 archer"
    assert table.fates() == ["used"]
    table.play("archer", "answers: 1.3 leave I7")
    assert table.asks == "2.1 bull"
    table = make(TREASURES, {"archer": "r6"}, options=options)
    table.play(
        "archer",
        "turn: 1\nactions:\n  - temple G10\n  - tile: temple\n    at: A1\n    leave: I7",
    )
    assert table.decisions()[2:] == ["1.3 leave I7"]
    table = make(TREASURES, {"archer": "r6"}, options=options)
    table.play("archer", "turn: 1\nactions:\n  - {tile: temple, at: G10, leave: I7}\n  - temple A1")
    assert "for `leave` was not asked, and has lapsed" in said(table, "archer")
    assert table.asks == "1.3 archer"


def test_what_was_never_asked_lapses_and_is_told(make: Make) -> None:
    table = make(WAR, WAR_HANDS)
    table.play(
        "archer",
        "turn: 1\nactions:\n  - {tile: temple, at: A1, wars: black, support: 1, leave: I7}\n"
        "  - {leader: priest, at: A2, support: 1}",
    )
    assert table.messages("archer") == [
        "What line 5 of your file says ahead for `support`, `wars`, `leave` was not asked, and has "
        "lapsed.",
        "What line 6 of your file says ahead for `support` was not asked, and has lapsed.",
    ]
    assert "lapsed" not in "".join(table.report(who) for who in ("bull", "public"))


def test_each_colour_that_did_not_fight_lapses(make: Make) -> None:
    table = make((WAR[0], ("r. Ak k. .. k. Bk r.",)), WAR_HANDS)
    table.play("archer", joins("support: {black: 1, green: 1}"))
    assert table.orders() == ["archer.yaml"]
    table.play("bull", "answers: 1.3 support 3")
    assert "for `support green` was not asked" in table.messages("archer")[0]


@pytest.mark.parametrize(
    ("second", "why"),
    [("king G6", "(JOINS_KINGDOMS)"), ("trader F4", "(NO_TEMPLE)"), ("withdraw king", "")],
)
def test_a_second_action_is_judged_after_the_war(make: Make, second: str, why: str) -> None:
    """The war is lost: the king goes home, so that it cannot be withdrawn."""
    table = make((WAR[0], ("r. Ak k. .. k. Bk r.",)), WAR_HANDS)
    result = table.play("archer", joins("support: 0", f"\n  - {second}"))
    if why:
        assert result.refused or table.asks == "1.3 bull"
        return
    table.play("bull", "answers: 1.3 support 3")
    assert table.asks == "1.4 archer"
    assert "Action 2 of your file, withdraw king (line 8), could not be carried out" in said(
        table, "archer"
    )
    assert table.fates() == ["dropped", "used"]


def test_a_leader_that_is_no_longer_where_the_file_has_it(make: Make) -> None:
    table = make((WAR[0], ("r. Ak k. .. k. Bk r.",)), WAR_HANDS)
    moves = "\n  - leader: king\n    at: C6\n    from: D5"
    table.play("archer", joins("support: 0", moves))
    table.play("bull", "answers: 1.3 support 3")
    assert table.asks == "1.4 archer"
    assert "your black leader is not on D5, it is in your hand. You are asked again." in said(
        table, "archer"
    )


def shown(table: Table, seat: str) -> dict[str, str]:
    """All that others than this seat can see, and the names of what lies there."""
    lies = {name: " ".join(names(table.path / name)) for name in ("history", "reports")}
    readers = [each for each in (*table.state.players, "public") if each != seat]
    return lies | {who: table.report(who) for who in readers}


def test_what_was_dropped_looks_to_others_as_if_it_had_not_been_sent(make: Make) -> None:
    """An exchange draws no farm, so that the second action cannot be carried out."""
    once, ahead = make(), make()
    once.acts("archer", "swap temple")
    ahead.acts("archer", "swap temple", "farm E1")
    assert "farm E1 (line 4), could not be carried out" in said(ahead, "archer")
    assert ahead.asks == once.asks == "1.2 archer"
    assert shown(ahead, "archer") == shown(once, "archer")
    results = [(t.decisions(), t.state) for t in (once, ahead)]
    assert results[0] == results[1]
    assert ahead.orders() == []


def test_a_turn_sent_ahead_that_does_not_fit_looks_as_if_it_had_not_been_sent(make: Make) -> None:
    once, ahead = make(), make()
    ahead.play("bull", "turn: 2\nactions: settlement L1, king K2\npress: Soon.")
    once.play("bull", "press: Soon.")
    results = [table.acts("archer", "settlement L1", "pass") for table in (once, ahead)]
    assert [(result.refused, result.decisions) for result in results] == [((), 2)] * 2
    assert ahead.asks == once.asks == "2.1 bull"
    assert shown(ahead, "bull") == shown(once, "bull")
    assert "The order file that waited for this turn does not fit it" in said(ahead, "bull")
    assert "L1 is not empty" in said(ahead, "bull")
    assert ahead.fates()[-1] == "dropped"


def test_a_turn_sent_ahead_is_played_in_the_same_run(make: Make) -> None:
    table = make()
    table.put("bull", "turn: 2\nactions: king B1, pass")
    table.put("archer", "turn: 1\nactions: king K2, pass")
    assert table.turn().decisions == 4
    assert table.asks == "3.1 archer"
    assert "Archer places" in table.report("bull")


def test_a_dropped_part_is_not_tried_again(make: Make) -> None:
    """What waits beside it goes on waiting; the drop is told once."""
    table = make()
    table.acts("archer", "swap temple", "farm E1")
    told = said(table, "archer")
    table.turn()
    assert said(table, "archer") == told
    table.play("bull", "press: Well?")
    assert table.messages("archer") == []
    assert table.asks == "1.2 archer"


def test_press_does_not_forget_the_turn_so_far(make: Make) -> None:
    table = make()
    table.acts("archer", "king K2")
    table.play("bull", "press: Well?")
    assert table.acts("archer", "king J1", "pass").refused
    table.acts("archer", "king K2", "pass")
    assert table.decisions() == ["1.2 pass"]


def test_four_players_send_ahead(tmp_path: Path) -> None:
    table = Table(tmp_path / "games", players=4)
    for number, seat in enumerate(table.state.players, start=1):
        table.put(seat, f"turn: {number}\nactions: pass all")
    assert table.turn().decisions == 8
    assert table.asks == "5.1 archer"


def test_a_revolt_takes_one_number(make: Make) -> None:
    table = make(REVOLT, {"archer": "r2 k1", "bull": "r1"})
    table.play("archer", "turn: 1\nactions:\n  - {leader: king, at: J5, support: win}\n  - pass")
    assert table.decisions() == ["1.1 king J5", "1.2 support 1"]
    table.play("bull", "answers: 1.3 support win")
    assert table.decisions() == ["1.3 support 1", "1.4 pass"]


def test_files_that_wait_when_the_game_ends(make: Make) -> None:
    table = make(TREASURES, {"archer": "r6"}, more="bag: none")
    table.put("bull", "turn: 2\nactions: pass all")
    table.acts("archer", "temple A1", "pass")
    assert table.asks == "over"
    assert (table.fates(), table.orders()) == (["used", "dropped"], [])
