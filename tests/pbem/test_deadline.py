"""Deadlines of a game on the disk: how they follow, that they are announced, what reports say."""

import subprocess
import sys
from datetime import date, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from engine.pieces import Dynasty
from pbem.clock.announcing import announce
from pbem.clock.counting import at_local
from pbem.clock.deadline import calendar_of, deadline_of
from pbem.clock.spans import Days, Span
from pbem.deskfile import Handover, Stop
from pbem.health import Health, save_health
from pbem.policies import Person
from pbem.reportvalues import Standstill, Terms
from tests.pbem.clockwork import START, Clockwork
from tests.pbem.mail_desk import Desk, mail, orders
from tests.pbem.test_counting import changes

PASS = ("turn_time: 3d", "grace: 12h", "late: pass")


def started(folder: Path, *policies: str, seats: str = "") -> Clockwork:
    """Archer has played his turn at the start; it is bull's."""
    desk = Clockwork(folder, *(policies or PASS), seats=seats)
    desk.take(mail(orders()))
    desk.turn()
    return desk


def test_a_deadline_is_announced_with_the_run(tmp_path: Path) -> None:
    desk = started(tmp_path)
    assert desk.until() == START + timedelta(days=3)
    assert desk.deadline().judged == START + timedelta(days=3, hours=12)
    told = desk.desk()["announced"]
    assert told["question"] == 2.1
    assert told["until"] == START + timedelta(days=3)


def test_without_a_time_to_answer_there_is_no_deadline(tmp_path: Path) -> None:
    desk = started(tmp_path, "late: pass")
    _, game, chronicle = desk.load()
    assert deadline_of(game, chronicle) is None
    assert "announced" not in desk.desk()
    assert "Answer by" not in desk.report("bull")


def test_a_question_out_of_turn_can_have_a_time_of_its_own(tmp_path: Path) -> None:
    desk = started(tmp_path, "turn_time: 3d", "question_time: 36h")
    _, game, chronicle = desk.load()
    state = game.record.state
    assert state.question is not None
    other = state._replace(active="archer")
    chronicle.newest = game.record._replace(state=other)
    found = deadline_of(game, chronicle)
    assert found is not None
    assert found.until == START + timedelta(days=3)  # it was announced
    free = game._replace(desk=game.desk._replace(announced=None))
    found = deadline_of(free, chronicle)
    assert found is not None
    assert found.until == START + timedelta(hours=36)


def test_it_never_moves_earlier(tmp_path: Path) -> None:
    """Not by other policies, nor by a clock that was put back."""
    desk = started(tmp_path)
    promised = desk.until()
    desk.policies("turn_time: 1d")
    desk.turn()
    assert desk.until() == promised
    folder, game, chronicle = desk.load()
    back = game.record._replace(when=START - timedelta(days=30))
    chronicle = type(chronicle)(folder, back)
    found = deadline_of(game, chronicle)
    assert found is not None
    assert found.until == promised
    assert announce(folder, game, chronicle) == game


def test_a_clock_that_was_put_back_does_not_shorten_the_next_time(tmp_path: Path) -> None:
    desk = started(tmp_path)
    desk.at(START - timedelta(days=2))
    desk.take(mail(orders("turn: 2\nactions: priest I6, farmer J7", "bull"), "bruno", number=2))
    desk.turn()
    assert desk.deadline().question == "3.1"
    assert desk.until() == START + timedelta(days=3)


def test_other_policies_can_make_it_later_and_that_is_announced(tmp_path: Path) -> None:
    desk = started(tmp_path)
    desk.policies("turn_time: 5d")
    folder, game, chronicle = desk.load()
    again = announce(folder, game, chronicle, START)
    assert again.desk.announced == folder.load_desk().announced
    assert desk.desk()["announced"]["until"] == START + timedelta(days=5)


def test_away_days_are_days_of_the_game(tmp_path: Path) -> None:
    """All that they touch: he is away by his own calendar."""
    desk = started(tmp_path, *PASS, seats="    zone: Asia/Tokyo\n")
    folder, game, chronicle = desk.load()
    away: dict[Dynasty, tuple[Days, ...]] = {"bull": (Days(date(2026, 3, 11), date(2026, 3, 12)),)}
    game = game._replace(desk=game.desk._replace(away=away))
    calendar = calendar_of(game, "bull")
    assert calendar.days_off.dates == (Days(date(2026, 3, 10), date(2026, 3, 12)),)
    assert calendar_of(game, "archer").days_off.dates == ()
    found = deadline_of(game, chronicle)
    assert found is not None
    assert found.until == START + timedelta(days=6)
    assert announce(folder, game, chronicle, START).desk.announced is not None


@pytest.mark.parametrize("outage", [False, True])
def test_pauses_and_outages_are_made_good(tmp_path: Path, outage: bool) -> None:
    desk = started(tmp_path)
    stop = Stop(START + timedelta(hours=10), START + timedelta(hours=15))
    folder, game, chronicle = desk.load()
    if outage:
        save_health(desk.games, Health(outages=(stop,)))
    else:
        folder.write_desk(game.desk._replace(pauses=(stop,)))
    assert desk.until() == START + timedelta(days=3, hours=5)
    open_stop = stop._replace(until=None, why="a storm")
    game = game._replace(outages=(open_stop,))
    found = deadline_of(game, chronicle)
    assert found is not None
    assert (found.until, found.judged, found.stopped) == (None, None, open_stop)


def test_what_was_extended_is_made_good_too(tmp_path: Path) -> None:
    """A pause after the extension moves the extended deadline."""
    desk = started(tmp_path)
    folder, game, _ = desk.load()
    assert game.desk.announced
    longer = game.desk.announced._replace(until=START + timedelta(days=6))
    pause = Stop(START + timedelta(days=4), START + timedelta(days=5))
    folder.write_desk(game.desk._replace(announced=longer, pauses=(pause,)))
    assert desk.until() == START + timedelta(days=7)


def test_a_new_player_has_all_the_time(tmp_path: Path) -> None:
    desk = started(tmp_path)
    folder, game, _ = desk.load()
    when = START + timedelta(days=2)
    given = Handover("bull", Person("Eve"), 2, when, Person("Bruno", "bruno@example.org"))
    folder.write_desk(game.desk._replace(handovers=(given,)))
    assert desk.until() == START + timedelta(days=5)


def test_a_dropped_seat_has_no_deadline(tmp_path: Path) -> None:
    desk = started(tmp_path)
    folder, game, _ = desk.load()
    folder.write_desk(game.desk._replace(dropped={"bull": START}))
    assert deadline_of(*desk.load()[1:]) is None


@pytest.mark.parametrize(("zone", "day"), changes())
def test_over_a_change_of_clocks_a_game_keeps_its_hour(
    tmp_path: Path, zone: str, day: date
) -> None:
    """The question is put on the day before the change, at six in the evening there."""
    desk = Clockwork(tmp_path, *PASS, f"zone: {zone}", seats=f"    zone: {zone}\n")
    desk.at(at_local(day - timedelta(days=1), time(18), zone))
    desk.take(mail(orders()))
    desk.turn()
    until = desk.until()
    assert until == at_local(day + timedelta(days=2), time(18), zone)
    local = until.astimezone(ZoneInfo(zone))
    (told,) = [line for line in desk.report("bull").splitlines() if line.startswith("Answer by")]
    assert f"{local:%A} {local.day} {local:%B} 2026, 18:00 " in told
    assert f"{until:%H:%M} UTC)" in told


# -- what readers are told -----------------------------------------------------------------------


def test_everybody_is_told_when_and_what_then(tmp_path: Path) -> None:
    desk = started(tmp_path, seats="    zone: Europe/Helsinki\n")
    for who in ("archer", "bull"):
        report = desk.report(who)
        assert "\nAnswer by: Thursday 12 March 2026, 20:10 EET (18:10 UTC)\n" in report
        assert (
            "\nAfter that and 12 hours of grace: the seat passes and supports with nothing\n"
            in report
        )
    assert "\nAnswer by: Thursday 12 March 2026, 18:10 UTC\n" in desk.report("public")
    page = desk.call("report", "ur-1", "--for", "bull", "--format", "html").out
    assert "Thursday 12 March 2026, 20:10 EET (18:10 UTC)" in page
    assert "After that and 12 hours of grace" in page


@pytest.mark.parametrize(
    ("policies", "sentence"),
    [
        ([], "After that: the game goes on waiting"),
        (["late: drop"], "After that: the seat passes and supports with nothing; after 3 times in"),
        (["late: drop", "misses: 1"], "After that: the seat passes, and nobody plays it any more"),
        (["late: stand-in"], "After that: a stand-in takes the seat over, as soon as there is one"),
        (
            ["late: stand-in", "stand_in: Eve <eve@example.org>", "grace: 1d 1h"],
            "After that and 1 day and 1 hour of grace: a stand-in takes the seat over",
        ),
    ],
)
def test_one_sentence_says_what_happens_then(
    tmp_path: Path, policies: list[str], sentence: str
) -> None:
    desk = started(tmp_path, "turn_time: 3d", *policies)
    report = desk.report("archer")
    assert sentence in report.replace("\n  ", " ")
    assert "Eve" not in report
    assert "eve@" not in report


def test_an_older_run_tells_no_deadline(tmp_path: Path) -> None:
    desk = started(tmp_path)
    assert "Answer by" not in desk.call("report", "ur-1", "--for", "bull", "--at", "0").out
    assert "Answer by" in desk.call("report", "ur-1", "--for", "bull").out


def test_a_clock_that_stands_still_says_why(tmp_path: Path) -> None:
    desk = started(tmp_path)
    folder, game, _ = desk.load()
    folder.write_desk(game.desk._replace(pauses=(Stop(START, None, "Ana\x07 is ill: soon"),)))
    report = desk.call("report", "ur-1", "--for", "bull").out
    report = " ".join(report.split())
    assert (
        "Clock: it stands still, the game is paused since Monday 9 March 2026, 18:10 UTC" in report
    )
    assert "is ill: soon)" in report
    assert "\x07" not in report
    assert "Answer by" not in report
    save_health(desk.games, Health(outages=(Stop(START),)))
    folder.write_desk(game.desk)
    report = desk.call("report", "ur-1", "--for", "public").out
    assert "Clock: it stands still, the program was out of order since" in report


def test_the_data_tell_it_too(tmp_path: Path) -> None:
    desk = started(tmp_path)
    from pbem.reporting import report_of

    _, game, chronicle = desk.load()
    report = report_of(game, chronicle, "public", game.record.run)
    assert report.deadline == START + timedelta(days=3)
    assert report.terms == Terms("pass", Span(0, 12), 3, stand_in=False)
    assert report.standstill is None
    paused = game._replace(desk=game.desk._replace(pauses=(Stop(START, None, "x"),)))
    report = report_of(paused, chronicle, "public", game.record.run)
    assert (report.deadline, report.terms) == (None, None)
    assert report.standstill == Standstill(START, "x", outage=False)


def test_reports_that_are_older_than_the_desk_are_written_again(tmp_path: Path) -> None:
    """A command of the clock was killed before it wrote them."""
    desk = started(tmp_path)
    folder, game, _ = desk.load()
    folder.write_desk(game.desk._replace(pauses=(Stop(START),)))
    assert "Answer by" in desk.report("bull")
    assert "nothing new" in desk.turn().out
    assert "the game is paused" in " ".join(desk.report("bull").split())


def test_games_without_deadlines_do_not_load_calendars(tmp_path: Path) -> None:
    """They wait for nothing that they do not need."""
    desk = Desk(tmp_path)
    desk.start()
    program = (
        "import sys; from pbem.cli import main\n"
        "try: main(['--games', sys.argv[1], 'turn', '--all'])\n"
        "except SystemExit as done: assert not done.code\n"
        "print(*sys.modules)"
    )
    words = [sys.executable, "-c", program, str(desk.games)]
    loaded = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    assert "pbem.turns" in loaded
    assert not {"pbem.clock.counting", "zoneinfo", "icalendar"} & set(loaded)
