"""What happens after a deadline: the policy `late` of a game, through `take_turn`."""

import os
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from jsonschema import Draft202012Validator

from engine.pieces import Dynasty
from engine.state import State
from pbem.chronicle import Chronicle
from pbem.clock import write_time
from pbem.clock.deadline import deadline_of
from pbem.clock.lateness import limit_of, misses_of
from pbem.commands.replay import replay
from pbem.commands.undo import Wish, undo
from pbem.deskfile import Announced, Stop
from pbem.health import Health, save_health
from pbem.htmlreport import render_html
from pbem.outcome import Settings
from pbem.policies import Person
from pbem.reporting import report_of
from pbem.reports import render
from pbem.seats.handover import hand_over
from pbem.turns import TurnResult, take_turn
from pbem.viewdata import report_data, report_schema
from tests.pbem.calls import pbem
from tests.pbem.games import BLOCKS, TREASURES, WAR, WAR_HANDS, WHEN, Table, names, position, said

DAY = timedelta(days=1)
PASSES = ["1.1 pass", "1.2 pass"]


def at_this_time(moment: datetime) -> AbstractContextManager[object]:
    """What asks the clock of the program is told this time."""
    return patch.dict(os.environ, {"PBEM_NOW": write_time(moment)})


class Clocked(Table):
    """A game with deadlines: `at` is the time, and deadlines are told as they come up."""

    at: datetime = WHEN

    def rules(self, *policies: str) -> None:
        """Write policies into game.yaml, and tell the first deadline."""
        path = self.path / "game.yaml"
        lines = "".join(f"  {line}\n" for line in ("turn_time: 2d", *policies))
        path.write_text(f"{path.read_text()}policies:\n{lines}")
        self.announce()

    def announce(self) -> None:
        """Note on the desk which deadline the players were told."""
        game = self.folder.load()
        found = deadline_of(game, Chronicle(self.folder, game.record))
        if found and found.until:
            told = Announced(found.question, found.until)
            self.folder.write_desk(game.desk._replace(announced=told))

    def turn(self) -> TurnResult:
        """A run that judges no deadline."""
        with at_this_time(self.at):
            result = take_turn(self.folder, self.at)
        self.announce()
        return result

    def judge(self, *excused: tuple[str, Dynasty], later: timedelta = timedelta()) -> TurnResult:
        """A run that does, so much later."""
        self.at += later
        with at_this_time(self.at):
            result = take_turn(self.folder, self.at, judge=True, excused=excused)
        self.announce()
        return result

    def sources(self) -> list[str | None]:
        """Where the decisions of the newest run come from."""
        return [each.source for each in self.record.decisions]


def clocked(games: Path, *policies: str, state: State | None = None, players: int = 2) -> Clocked:
    table = Clocked(games, state, players=players)
    table.rules(*policies)
    return table


def same_again(table: Table) -> bool:
    """Whether `replay` comes to the same."""
    return replay(Settings(table.path.parent), table.name).code == 0


def test_before_the_deadline_nothing_happens(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass")
    result = table.judge(later=2 * DAY - timedelta(seconds=1))
    assert (result.run, result.missed, table.asks) == (None, (), "1.1 archer")


def test_who_is_late_passes_the_rest_of_his_turn(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass")
    result = table.judge(later=2 * DAY)
    assert (result.run, result.missed, result.dropped) == (1, (("archer", "1.1"),), ())
    assert (table.decisions(), table.asks) == (PASSES, "2.1 bull")
    assert table.sources() == ["deadline", "deadline"]
    assert {each.sha256 for each in table.record.decisions} == {None}
    assert same_again(table)


def test_only_a_run_that_judges_judges(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass")
    table.at += 9 * DAY
    assert table.turn().run is None


@pytest.mark.parametrize("policies", [(), ("late: wait",)])
def test_a_game_can_wait(tmp_path: Path, policies: tuple[str, ...]) -> None:
    table = clocked(tmp_path, *policies)
    result = table.judge(later=90 * DAY)
    assert (result.run, table.asks) == (None, "1.1 archer")


def test_grace_is_waited_for(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass", "grace: 12h")
    assert table.judge(later=2 * DAY).run is None
    assert table.judge(later=timedelta(hours=11, minutes=59)).run is None
    assert table.judge(later=timedelta(minutes=1)).run == 1


def test_orders_of_the_same_run_come_first(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass")
    table.put("archer", "turn: 1\nactions: king F4")
    result = table.judge(later=5 * DAY)
    assert (table.decisions(), table.asks, result.missed) == (["1.1 king F4"], "1.2 archer", ())
    assert table.judge(later=2 * DAY - timedelta(minutes=1)).run is None
    result = table.judge(later=timedelta(minutes=1))
    assert (table.decisions(), result.missed) == (["1.2 pass"], (("archer", "1.2"),))


def test_illegal_orders_are_no_answer(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass")
    table.put("archer", "turn: 1\nactions: king A1")
    result = table.judge(later=2 * DAY)
    assert [each.sheet.player for each in result.refused] == ["archer"]
    assert table.decisions() == PASSES


def test_the_next_player_has_all_his_time(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass")
    table.judge(later=30 * DAY)
    assert table.asks == "2.1 bull"
    assert table.judge(later=2 * DAY - timedelta(minutes=1)).run is None
    assert table.judge(later=timedelta(minutes=1)).run == 2


def test_orders_ahead_follow_in_the_same_run(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass")
    table.put("bull", "turn: 2\nactions: pass all")
    table.judge(later=2 * DAY)
    assert table.decisions() == [*PASSES, "2.1 pass", "2.2 pass"]
    assert table.sources()[:2] == ["deadline", "deadline"]
    assert table.sources()[2:] == ["orders/bull.yaml", "orders/bull.yaml"]
    assert same_again(table)


def test_what_the_late_one_has_sent_ahead_stays(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass")
    table.play("archer", "turn: 3\nactions: king F4, trader G3")
    table.judge(later=2 * DAY)
    assert (table.asks, table.orders(), table.waiting()) == (
        "2.1 bull", ["archer.yaml"], ["archer.yaml"],
    )  # fmt: skip
    table.acts("bull", "pass all")
    assert table.decisions()[2:] == ["3.1 king F4", "3.2 trader G3"]


ONE_EACH = {"archer": "r1", "bull": "r1"}
QUESTIONS: dict[str, tuple[State, str, str]] = {
    "the order of wars": (position(WAR, WAR_HANDS), "temple F5", "1.2 war green"),
    "a monument": (position(BLOCKS, ONE_EACH), "temple F6", "1.2 monument none"),
    "a treasure": (position(TREASURES, ONE_EACH), "temple G10", "1.2 leave I7"),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_answers_by_default(tmp_path: Path, name: str) -> None:
    """A question that is not an action does not take the action that follows with it."""
    state, action, answer = QUESTIONS[name]
    table = clocked(tmp_path, "late: pass", state=state)
    table.acts("archer", action)
    assert table.asks == "1.2 archer"
    result = table.judge(later=2 * DAY)
    assert result.missed == (("archer", "1.2"),)
    assert (table.decisions(), table.asks) == ([answer], "1.3 archer")
    assert same_again(table)


def test_support_out_of_turn(tmp_path: Path) -> None:
    """It has a time of its own; nothing is sent, and the active player goes on."""
    table = clocked(tmp_path, "question_time: 1d", "late: pass", state=position(WAR, WAR_HANDS))
    table.play("archer", "turn: 1\nactions:\n  - {tile: temple, at: F5, wars: green, support: 1}")
    assert table.asks == "1.4 bull"
    assert table.judge(later=DAY - timedelta(minutes=1)).run is None
    result = table.judge(later=timedelta(minutes=1))
    assert result.missed == (("bull", "1.4"),)
    assert table.decisions()[0] == "1.4 support 0"


def test_who_is_excused_is_not_judged(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass")
    assert table.judge(("ur-1", "archer"), later=3 * DAY).run is None
    assert table.judge(("ur-1", "bull"), ("ur-2", "archer")).run == 1


def test_nothing_is_judged_in_a_pause_or_outage(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass")
    desk = table.folder.load_desk()
    table.folder.write_desk(desk._replace(pauses=(Stop(table.at + DAY),)))
    assert table.judge(later=9 * DAY).run is None
    table.folder.write_desk(desk)
    save_health(tmp_path, Health(outages=(Stop(WHEN + DAY),)))
    assert table.judge().run is None
    ended = (Stop(WHEN + DAY, WHEN + 9 * DAY),)
    save_health(tmp_path, Health(outages=ended))
    assert table.judge().run is None
    assert table.judge(later=DAY).run == 1


def test_a_deadline_that_nobody_was_told_is_not_judged(tmp_path: Path) -> None:
    """Else a policy that is written into a running game would strike who waits at once.

    His time begins when he is told.
    """
    table = clocked(tmp_path, "late: pass")
    table.folder.write_desk(table.folder.load_desk()._replace(announced=None))
    assert table.judge(later=9 * DAY).run is None
    assert table.judge(later=2 * DAY - timedelta(seconds=1)).run is None
    assert table.judge(later=timedelta(seconds=1)).run == 1


def test_a_game_whose_players_have_all_gone_waits_for_a_person(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass")
    assert table.judge(later=2 * DAY).run == 1
    assert table.judge(later=2 * DAY).run == 2
    assert table.judge(later=90 * DAY).run is None
    game = table.folder.load()
    assert limit_of(game, Chronicle(table.folder, game.record), "archer") is None
    table.acts("archer", "king F4", "trader G3")
    assert table.judge(later=2 * DAY).run == 4


# -- dropping --------------------------------------------------------------------------------


def vanish(table: Clocked, times: int) -> TurnResult:
    """Archer misses so many turns; bull passes his."""
    result = table.judge(later=2 * DAY)
    for _ in range(1, times):
        table.acts("bull", "pass all")
        result = table.judge(later=2 * DAY)
    return result


def misses(table: Table, seat: Dynasty = "archer") -> int:
    game = table.folder.load()
    return misses_of(game, Chronicle(table.folder, game.record), seat)


def test_the_last_miss_drops_the_seat(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: drop", "misses: 2")
    result = vanish(table, 1)
    assert (result.dropped, table.sources(), misses(table)) == ((), ["deadline"] * 2, 1)
    table.acts("bull", "pass all")
    result = table.judge(later=2 * DAY)
    assert (result.dropped, result.run, table.sources()) == (("archer",), 3, ["dropped"] * 2)
    assert dict(table.folder.load_desk().dropped) == {"archer": table.at}
    assert table.asks == "4.1 bull"
    assert same_again(table)


def test_a_dropped_seat_passes_at_once_from_then_on(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: drop", "misses: 1")
    vanish(table, 1)
    table.acts("bull", "pass all")
    assert table.decisions() == ["2.1 pass", "2.2 pass", "3.1 pass", "3.2 pass"]
    assert (table.sources()[2:], table.asks) == (["dropped"] * 2, "4.1 bull")
    table.put("bull", "turn: 4\nactions: king F4, trader G3")
    table.judge()
    assert table.asks == "6.1 bull"
    assert same_again(table)


def test_an_answer_ends_the_row(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: drop", "misses: 2")
    vanish(table, 1)
    table.acts("bull", "pass all")
    table.acts("archer", "king F4")
    assert misses(table) == 0
    assert table.judge(later=2 * DAY).dropped == ()
    assert misses(table) == 1
    table.acts("bull", "pass all")
    assert table.judge(later=2 * DAY).dropped == ("archer",)


def test_a_dropped_seat_defends_with_nothing(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: drop", "misses: 1", state=position(WAR, WAR_HANDS))
    desk = table.folder.load_desk()
    table.folder.write_desk(desk._replace(dropped={"bull": WHEN}))
    table.play("archer", "turn: 1\nactions:\n  - {tile: temple, at: F5, wars: green, support: 1}")
    assert table.decisions()[3] == "1.4 support 0"
    assert (table.sources()[3], table.asks.split()[1]) == ("dropped", "archer")


def test_what_waits_for_a_dropped_seat_is_not_used(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: drop", "misses: 1")
    table.put("archer", "turn: 3\nactions: king F4, trader G3")
    table.play("bull", "press: Where are you?")
    vanish(table, 1)
    assert (table.orders(), table.waiting()) == ([], [])
    assert table.fates() == ["used", "dropped"]
    assert "is not used any more: your seat plays no more" in said(table, "archer")


def test_files_of_a_dropped_seat_are_refused(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: drop", "misses: 1")
    vanish(table, 1)
    result = table.play("archer", "turn: 3\nactions: king F4, trader G3\npress: I am back!")
    assert [each.fate for each in result.refused] == ["refused"]
    assert "this seat plays no more" in said(table, "archer")
    assert "I am back" not in table.report("bull")
    assert table.asks == "2.1 bull"


def test_if_nobody_plays_nothing_is_played(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: drop", "misses: 1")
    assert table.judge(later=2 * DAY).dropped == ("archer",)
    result = table.judge(later=2 * DAY)
    assert (result.dropped, result.run, table.asks) == (("bull",), None, "2.1 bull")
    assert table.judge(later=90 * DAY).run is None
    assert names(table.path / "history") == ["0000.yaml", "0001.yaml"]
    for who in ("archer", "bull", "public"):
        assert table.report(who).startswith("ur-1 STANDS STILL: nobody plays any more\n")
    assert "NOBODY PLAYS YOUR SEAT ANY MORE" in table.report("bull")
    assert "ORDER FORM" not in table.report("bull")


# -- the stand-in ----------------------------------------------------------------------------

EVE = "stand_in: Eve <eve@example.org>"


def test_the_stand_in_takes_over(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: stand-in", EVE)
    result = table.judge(later=2 * DAY)
    assert (result.handed, result.missed, result.run, table.asks) == (
        ("archer",), (), None, "1.1 archer",
    )  # fmt: skip
    assert table.folder.load().file.seat("archer").address == "eve@example.org"
    assert table.judge(later=DAY).handed == ()
    table.acts("archer", "pass all")
    assert table.asks == "2.1 bull"


def test_the_stand_in_is_waited_for(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: stand-in", EVE)
    table.judge(later=2 * DAY)
    result = table.judge(later=90 * DAY)
    assert (result.run, result.handed) == (None, ())
    assert len(table.folder.load_desk().handovers) == 1


@pytest.mark.parametrize("who", [None, "stand_in: Ben <BULL@example.org>"])
def test_without_a_stand_in_the_game_waits(tmp_path: Path, who: str | None) -> None:
    """Nobody plays two seats of a game."""
    table = clocked(tmp_path, "late: stand-in", *([who] if who else []))
    result = table.judge(later=90 * DAY)
    assert (result.run, result.handed, table.asks) == (None, (), "1.1 archer")


def test_orders_keep_the_seat(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: stand-in", EVE)
    table.put("archer", "turn: 1\nactions: king F4")
    result = table.judge(later=9 * DAY)
    assert (result.handed, table.decisions()) == ((), ["1.1 king F4"])


def test_a_new_player_begins_without_misses(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: drop", "misses: 3")
    vanish(table, 2)
    assert misses(table) == 2
    table.at += timedelta(hours=1)
    game = table.folder.load()
    hand_over(table.folder, game, "archer", Person("Eve", "eve@example.org"), table.at)
    assert misses(table) == 0


# -- what is told ----------------------------------------------------------------------------


def happened(table: Table, who: str) -> str:
    """WHAT HAPPENED of a report, in one line."""
    report = table.report(who)
    return " ".join(report.partition("WHAT HAPPENED\n")[2].partition("\nMAP\n")[0].split())


def test_all_are_told_who_was_late(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass", players=3)
    table.judge(later=2 * DAY)
    told = "Archer (Ana) did not answer 1.1 in time: he passes. Turn 1, archer - Archer passes."
    for who in ("bull", "lion", "public", "moderator"):
        assert told in happened(table, who)
    assert "You did not answer 1.1 in time: your turn passes." in happened(table, "archer")
    assert happened(table, "bull").count("did not answer") == 1


def test_an_answer_tells_nothing_of_that(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass", players=3)
    table.acts("archer", "pass all")
    assert "did not answer" not in happened(table, "bull")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("the order of wars", "the traders fight next."),
        ("a monument", "he builds nothing."),
        ("a treasure", "the treasure on I7 stays."),
    ],
)
def test_what_was_decided_is_told(tmp_path: Path, name: str, told: str) -> None:
    state, action, _ = QUESTIONS[name]
    table = clocked(tmp_path, "late: pass", state=state)
    table.acts("archer", action)
    table.judge(later=2 * DAY)
    assert f"Archer (Ana) did not answer 1.2 in time: {told}" in happened(table, "bull")
    assert f"did not answer 1.2 in time: {told.replace('he builds', 'you build')}" in happened(
        table, "archer"
    )


def test_all_are_told_that_a_seat_is_dropped_and_only_once(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: drop", "misses: 1", players=3)
    table.judge(later=2 * DAY)
    told = (
        "Archer (Ana) did not answer 1.1 in time and plays no more: his leaders and points stay, "
        "his seat passes from now on."
    )
    for who in ("bull", "lion", "public", "moderator"):
        assert told in happened(table, who)
        assert "- nobody plays this seat any more: it passes" in table.report(who)
    assert "You did not answer 1.1 in time and play no more" in happened(table, "archer")
    assert "NOBODY PLAYS YOUR SEAT ANY MORE" in table.report("archer")
    assert "NOBODY PLAYS YOUR SEAT" not in table.report("bull") + table.report("public")
    assert "ORDERS AHEAD" not in table.report("archer")
    table.acts("bull", "pass all")
    table.acts("lion", "pass all")
    for who in ("lion", "public", "moderator", "archer"):
        assert "did not answer" not in happened(table, who)
        assert "Turn 4, archer - Archer passes." in happened(table, who)


def letters(table: Table, run: int) -> list[str]:
    """Who gets a letter of a run."""
    found = [path.name for path in sorted((table.path / "outbox").glob(f"{run:04}-*.eml"))]
    return [name.split("-")[1] for name in found]


def test_who_was_late_gets_a_letter_even_if_he_wants_few(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass", players=3, state=position(WAR, WAR_HANDS, players=3))
    path = table.path / "game.yaml"
    path.write_text(
        path.read_text().replace("    language: en\n", "    letters: asked\n    language: en\n")
    )
    table.acts("archer", "temple F5")
    table.judge(later=2 * DAY)
    assert table.asks == "1.3 archer"
    table.play("archer", "answers: 1.3 support 0")
    assert table.asks == "1.4 bull"
    table.judge(later=2 * DAY)
    assert "bull" in letters(table, 4)


def test_whose_seat_was_dropped_hears_of_it_and_then_no_more(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: drop", "misses: 1", players=3)
    table.judge(later=2 * DAY)
    assert letters(table, 1) == ["archer", "bull", "lion"]
    table.acts("bull", "pass all")
    table.acts("lion", "pass all")
    assert (letters(table, 2), letters(table, 3)) == (["bull", "lion"], ["bull", "lion"])


def test_a_dropped_seat_is_ranked_as_played(tmp_path: Path) -> None:
    """And the final report says since when nobody played it."""
    state = position(TREASURES, {"bull": "r6"}, more="bag: none")
    table = clocked(tmp_path, "late: drop", "misses: 1", state=state)
    vanish(table, 1)
    table.acts("bull", "temple A1", "pass")
    assert table.asks == "over"
    for who in ("archer", "bull", "public"):
        report = table.report(who)
        assert "- archer (Ana): nobody since turn 1" in report
        assert "bull (Ben): nobody" not in report
        assert "2. archer (Ana)" in report or "1. archer (Ana)" in report
    assert letters(table, 2) == ["archer", "bull"]


def test_the_data_tell_it_too(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: drop", "misses: 1", players=3)
    table.judge(later=2 * DAY)
    game = table.folder.load()
    report = report_of(game, Chronicle(table.folder, game.record), "public", 1)
    data = report_data(report)
    Draft202012Validator(report_schema()).validate(data)
    assert data["dropped"] == ["archer"]
    assert data["absences"] == [
        {"player": "archer", "question": "1.1", "dropped": True, "decided": "pass", "what": None}
    ]
    page = render_html(report)
    assert "did not answer 1.1 in time and plays no more" in page
    assert "nobody plays this seat any more: it passes" in page


def test_an_anonymous_report_names_nobody(tmp_path: Path) -> None:
    table = clocked(tmp_path, "late: pass", players=3)
    table.judge(later=2 * DAY)
    game = table.folder.load()
    report = report_of(game, Chronicle(table.folder, game.record), "bull", 1)
    text = render(report._replace(names={}))
    assert "Archer did not answer 1.1 in time: he passes." in text
    assert "Ana" not in text


def test_an_undo_takes_a_miss_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = clocked(tmp_path, "late: drop", "misses: 2")
    vanish(table, 1)
    monkeypatch.setenv("PBEM_NOW", f"{table.at:%Y-%m-%dT%H:%M:%SZ}")
    assert undo(Settings(tmp_path), table.name, Wish(0, yes=True)).code == 0
    table.announce()
    assert (misses(table), table.asks) == (0, "1b.1 archer")
    assert table.judge().run is None
    assert table.judge(later=2 * DAY).missed == (("archer", "1b.1"),)
    assert same_again(table)


def test_what_somebody_has_missed_is_not_told_of_who_follows_him(tmp_path: Path) -> None:
    """Neither as his deed nor by his name, and neither when it is played again."""
    table = clocked(tmp_path, "late: pass", players=3)
    table.judge(later=2 * DAY)
    assert "You did not answer 1.1 in time" in table.report("archer")
    assert "Archer (Ana) did not answer 1.1 in time: he passes." in table.report("bull")
    person = Person("Eve", "eve@example.org")
    with table.folder.locked():
        hand_over(table.folder, table.folder.load(), "archer", person, table.at)
    table.at += DAY
    for label in ("1.1", "1b.1"):
        for who in ("archer", "bull"):
            text = table.report(who)
            assert f"Archer did not answer {label} in time: he passes." in text
            assert "You did not answer" not in text
            assert "(Ana)" not in text
        words = ("undo", table.name, "--to", "0", "--again", "--yes", "--because", "A slip.")
        assert pbem(*words, games=table.path.parent, PBEM_NOW=write_time(table.at)).code == 0
