"""The commands of the clock, reminders and calendars: what is written, and who is told what."""

import re
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest
from icalendar import Calendar

from pbem.deskfile import Stop
from pbem.health import Health, load_health, save_health
from pbem.mail.config import Addresses
from pbem.mail.digest import bundle
from pbem.mail.letters import compose
from pbem.mail.reminders import remind
from tests.pbem.calls import Said
from tests.pbem.clockwork import START, Clockwork
from tests.pbem.mail_desk import form_of, mail, orders, text_of
from tests.pbem.test_deadline import PASS, started

BULL = "turn: 2\nactions: priest I6, farmer J7"


def words(message: EmailMessage) -> str:
    """The text of a letter in one line."""
    return " ".join(text_of(message).split())


def event(message: EmailMessage) -> dict[str, str]:
    """The entry for calendars that lies with a letter, {} if there is none."""
    for part in message.iter_attachments():
        if part.get_content_type() == "text/calendar":
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            calendar = Calendar.from_ical(data)
            assert str(calendar["METHOD"]) == part.get_param("method")
            assert str(part.get_filename()).endswith(".ics")
            (found,) = calendar.walk("VEVENT")
            text = found.to_ical().decode().replace("\r\n ", "")
            lines = (line.partition(":") for line in text.splitlines())
            return {key: value for key, _, value in lines} | {"METHOD": str(calendar["METHOD"])}
    return {}


def done(said: Said) -> Said:
    """A command that did what it should."""
    assert said.code == 0, said
    return said


# -- pause, resume -------------------------------------------------------------------------------


def test_a_pause_stops_the_clock_and_is_made_good(tmp_path: Path) -> None:
    desk = started(tmp_path)
    desk.later(days=1)
    said = done(desk.call("pause", "ur-1", "--because", "Ben is moving house"))
    assert said.out == "ur-1: paused; the clock stands still since 2026-03-10T18:10:00Z\n"
    report = " ".join(desk.report("archer").split())
    assert "Clock: it stands still, the game is paused since Tuesday 10 March 2026" in report
    assert "Ben is moving house" in report
    assert "Answer by" not in report
    letters = desk.letters("pause-*.eml")
    assert sorted(str(each["To"]) for each in letters) == [
        "Ada <ada@example.org>", "Bruno <bruno@example.org>",
    ]  # fmt: skip
    for each in letters:
        assert each["Subject"] == "ur-1: paused"
        assert "The moderator says: Ben is moving house" in words(each)
    desk.later(days=2)
    said = done(desk.call("resume", "ur-1"))
    assert said.out == "ur-1: it goes on; bull has until 2026-03-14T18:10:00Z to answer 2.1\n"
    assert desk.until() == START + timedelta(days=5)
    assert "Answer by: Saturday 14 March 2026, 18:10 UTC" in desk.report("bull")
    for each in desk.letters("resume-*.eml"):
        assert "Answer by: Saturday 14 March 2026, 18:10 UTC" in words(each)
    assert len(desk.letters("resume-*.eml")) == 2


def test_orders_are_played_in_a_paused_game(tmp_path: Path) -> None:
    desk = started(tmp_path)
    done(desk.call("pause", "ur-1"))
    desk.take(mail(orders(BULL, "bull"), "bruno", number=2))
    desk.turn()
    assert desk.deadline().question == "3.1"
    assert desk.deadline().until is None
    desk.later(days=9)
    done(desk.call("resume", "ur-1"))
    assert desk.until() == START + timedelta(days=12)


def test_a_pause_can_be_said_twice(tmp_path: Path) -> None:
    """What a run that was killed has left out is done by the next one, and nothing twice."""
    desk = started(tmp_path)
    done(desk.call("pause", "ur-1", "--because", "one"))
    for path in (desk.game / "outbox").glob("pause-*-bull*"):
        path.unlink()
    desk.later(hours=1)
    said = done(desk.call("pause", "ur-1", "--because", "two"))
    assert "it was paused already" in said.out
    assert len(desk.letters("pause-*.eml")) == 2
    assert [each["why"] for each in desk.desk()["pauses"]] == ["one"]
    done(desk.call("resume", "ur-1"))
    desk.later(hours=1)
    assert "it was not paused" in done(desk.call("resume", "ur-1")).out
    assert len(desk.letters("resume-*.eml")) == 2


def test_all_games_are_paused_and_those_that_are_over_are_left(tmp_path: Path) -> None:
    desk = started(tmp_path)
    desk.start("ur-2")
    said = done(desk.call("pause", "--all", "--json"))
    assert [each["game"] for each in said.data["games"]] == ["ur-1", "ur-2"]
    assert said.data["games"][0]["stopped_since"] == "2026-03-09T18:10:00Z"
    done(desk.call("resume", "--all"))
    assert desk.until() == START + timedelta(days=3)
    assert desk.call("pause").code == 2
    assert desk.call("pause", "ur-1", "--all").code == 2
    assert desk.call("resume", "ur-9").code == 2


def test_an_outage_ends_when_the_moderator_says_so(tmp_path: Path) -> None:
    desk = started(tmp_path)
    desk.start("ur-2")
    desk.policies(*PASS, name="ur-2")
    done(desk.call("pause", "ur-2", "--because", "for itself"))
    save_health(desk.games, Health(outages=(Stop(START + timedelta(hours=5)),)))
    desk.later(days=1)
    said = desk.call("resume", "ur-1")
    assert said.code == 1
    assert "`pbem resume --all`" in said.err
    said = done(desk.call("resume", "--all"))
    assert "the outage is over since 2026-03-10T18:10:00Z" in said.out
    assert "ur-2: still paused by itself, `pbem resume ur-2` ends that" in said.out
    assert load_health(desk.games).outage is None
    assert desk.until() == START + timedelta(days=3, hours=19)
    assert len(desk.letters("resume-*.eml")) == 2
    assert desk.letters("resume-*.eml", game="ur-2") == []
    done(desk.call("resume", "--all"))
    assert "stopped_since" not in str(desk.desk())
    assert desk.deadline("ur-2").until is not None


# -- extend --------------------------------------------------------------------------------------


def test_a_deadline_is_extended(tmp_path: Path) -> None:
    desk = started(tmp_path, *PASS, "zone: Europe/Lisbon")
    said = done(desk.call("extend", "ur-1", "--by", "2d", "--because", "a feast"))
    assert said.out == "ur-1: more time; bull has until 2026-03-14T18:10:00Z to answer 2.1\n"
    assert "Answer by: Saturday 14 March 2026, 18:10 UTC" in desk.report("public")
    for each in desk.letters("extend-*.eml"):
        assert "The moderator says: a feast" in words(each)
    assert len(desk.letters("extend-*.eml")) == 2
    done(desk.call("extend", "ur-1", "--until", "2026-04-01 18:00"))
    assert desk.until() == datetime(2026, 4, 1, 17, tzinfo=UTC)
    done(desk.call("extend", "ur-1", "--until", "2026-04-01T18:00:00Z"))
    assert desk.until() == datetime(2026, 4, 1, 18, tzinfo=UTC)


def test_a_deadline_that_is_over_is_extended_from_now(tmp_path: Path) -> None:
    desk = started(tmp_path)
    desk.later(days=10)
    done(desk.call("extend", "ur-1", "--by", "12h"))
    assert desk.until() == START + timedelta(days=10, hours=12)


def test_it_never_moves_earlier(tmp_path: Path) -> None:
    desk = started(tmp_path)
    said = desk.call("extend", "ur-1", "--until", "2026-03-11")
    assert said.code == 1
    assert "bull has until 2026-03-12T18:10:00Z already" in said.err
    assert "never moves earlier" in said.err
    assert desk.until() == START + timedelta(days=3)


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (["--by", "soon"], 2), (["--by", "0h"], 2), (["--until", "soon"], 2), ([], 2),
        (["--by", "1d", "--until", "2026-04-01"], 2),
    ],
)  # fmt: skip
def test_what_is_no_time_is_named(tmp_path: Path, more: list[str], code: int) -> None:
    desk = started(tmp_path)
    said = desk.call("extend", "ur-1", *more)
    assert said.code == code
    assert "Traceback" not in said.err
    assert said.err


def test_where_there_is_no_deadline_there_is_nothing_to_extend(tmp_path: Path) -> None:
    desk = started(tmp_path)
    done(desk.call("pause", "ur-1"))
    said = desk.call("extend", "ur-1", "--by", "1d")
    assert said.code == 1
    assert "`pbem resume ur-1` comes first" in said.err
    done(desk.call("resume", "ur-1"))
    desk.policies("late: pass")
    said = desk.call("extend", "ur-1", "--by", "1d")
    assert said.code == 1
    assert "`turn_time`" in said.err


# -- away ----------------------------------------------------------------------------------------


def test_days_away_move_the_deadline_and_nothing_else_tells_of_them(tmp_path: Path) -> None:
    desk = started(tmp_path)
    said = done(desk.call("away", "ur-1", "bull", "2026-03-11..2026-03-14"))
    assert "bull is away 2026-03-11..2026-03-14; bull has until 2026-03-16T18:10:00Z" in said.out
    assert desk.until() == START + timedelta(days=7)
    letters = desk.letters("later-*.eml")
    assert len(letters) == 2
    for each in letters:
        assert each["Subject"] == "ur-1: a later deadline"
        assert "Answer by: Monday 16 March 2026, 18:10 UTC" in words(each)
        assert "away" not in words(each)
    for who in ("archer", "bull", "public"):
        assert "away" not in desk.report(who).partition("MAP")[0].lower().replace("puts away", "")
    done(desk.call("away", "ur-1", "bull", "2026-03-11..2026-03-14"))
    assert len(desk.letters("later-*.eml")) == 2


def test_days_away_that_move_nothing_are_told_to_nobody(tmp_path: Path) -> None:
    desk = started(tmp_path)
    done(desk.call("away", "ur-1", "archer", "2026-03-11..2026-03-14"))
    done(desk.call("away", "ur-1", "bull", "2026-06-11"))
    assert desk.letters("later-*.eml") == []
    assert desk.until() == START + timedelta(days=3)
    desk.take(mail(orders(BULL, "bull"), "bruno", number=2))
    desk.turn()
    assert desk.until() == START + timedelta(days=7)


def test_the_budget_of_a_year(tmp_path: Path) -> None:
    desk = started(tmp_path, *PASS, "away_days: 10")
    done(desk.call("away", "ur-1", "bull", "2026-07-01..2026-07-06"))
    done(desk.call("away", "ur-1", "bull", "2026-07-05..2026-07-08"))
    said = desk.call("away", "ur-1", "bull", "2026-07-08..2026-07-11")
    assert said.code == 1
    assert "too many days in 2026: 3 more are wanted, 2 left" in said.err
    assert len(desk.desk()["away"]["bull"]) == 1
    done(desk.call("away", "ur-1", "bull", "2026-12-30..2027-01-08"))
    done(desk.call("away", "ur-1", "bull", "none"))
    assert "away" not in desk.desk()
    done(desk.call("away", "ur-1", "bull", "2026-03-01..2026-03-18"))
    (booked,) = desk.desk()["away"]["bull"]
    assert str(booked["first"]) == "2026-03-09"
    desk.later(days=3)
    done(desk.call("away", "ur-1", "bull", "none"))
    (booked,) = desk.desk()["away"]["bull"]
    assert str(booked["last"]) == "2026-03-12"
    assert "6 left" in desk.call("away", "ur-1", "bull", "2026-05-01..2026-05-07").err


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["bull", "2026-03-01..2026-03-08"], 1, "these days have gone by"),
        (["bull", "soon"], 2, "2026-07-01..2026-07-14, or none"),
        (["bull", "2026-07-02..2026-07-01"], 2, "2026-07-01..2026-07-14, or none"),
        (["lion", "2026-07-02"], 2, "`lion` does not play in ur-1: archer, bull"),
    ],
)
def test_days_that_cannot_be_booked(tmp_path: Path, words: list[str], code: int, why: str) -> None:
    desk = started(tmp_path)
    said = desk.call("away", "ur-1", *words)
    assert said.code == code
    assert why in said.err
    assert "away" not in desk.desk()


def test_away_by_mail(tmp_path: Path) -> None:
    """The answer names each game with its deadline; everybody else hears of the later one."""
    desk = started(tmp_path, *PASS, "away_days: 5")
    desk.start("ur-2")
    desk.policies("away_days: 2", name="ur-2")
    desk.take(mail("away 2026-03-11..2026-03-14\n", "bruno", number=5))
    (answer,) = desk.answers("answer-000002-*.eml")
    said = words(answer)
    assert "- ur-1: you have until Monday 16 March 2026, 18:10 UTC to answer 2.1" in said
    assert "- ur-2: not booked, too many days in 2026: 4 more are wanted, 2 left" in said
    assert desk.until() == START + timedelta(days=7)
    assert len(desk.letters("later-*.eml")) == 2
    assert "Answer by: Monday 16 March 2026" in desk.report("archer")
    desk.take(mail("away 2026-05-01\naway 2026-06-01\n", "bruno", number=6))
    (answer,) = desk.answers("answer-000003-*.eml")
    assert "- ur-1: not booked, too many days in 2026: 1 more are wanted, 0 left" in words(answer)
    assert len(desk.desk()["away"]["bull"]) == 2
    desk.take(mail("away none\n", "bruno", number=7))
    assert "away" not in desk.desk()
    assert desk.until() == START + timedelta(days=7)


# -- reminders -----------------------------------------------------------------------------------


def reminded(desk: Clockwork) -> int:
    """How many reminders are new now."""
    folder, game, chronicle = desk.load()
    return remind(folder, game, chronicle, datetime.fromisoformat(desk.now))


def test_a_reminder_a_day_before_and_one_when_time_is_over(tmp_path: Path) -> None:
    desk = started(tmp_path, seats="    zone: Europe/Helsinki\n")
    assert reminded(desk) == 0
    desk.later(days=1, hours=23, minutes=59)
    assert reminded(desk) == 0
    desk.later(minutes=1)
    assert [reminded(desk), reminded(desk)] == [1, 0]
    (letter,) = desk.letters("reminder-*.eml")
    assert letter["To"] == "Bruno <bruno@example.org>"
    assert letter["Subject"] == "ur-1: a reminder, 2.1 waits for you"
    assert "Answer by: Thursday 12 March 2026, 20:10 EET (18:10 UTC)" in words(letter)
    assert "After that and 12 hours of grace: the seat passes" in words(letter)
    assert form_of(letter).startswith("game: ur-1\nplayer: bull\n")
    assert event(letter)["DTSTART"] == "20260312T181000Z"
    desk.later(days=1)
    assert [reminded(desk), reminded(desk)] == [1, 0]
    subjects = {str(each["Subject"]) for each in desk.letters("reminder-*.eml")}
    assert "ur-1: the time is over, 2.1 waits for you" in subjects


def test_after_a_gap_the_newest_one_only_and_none_after_a_day(tmp_path: Path) -> None:
    desk = started(tmp_path)
    desk.later(days=3, hours=2)
    assert [reminded(desk), reminded(desk)] == [1, 0]
    assert len(desk.letters("reminder-*.eml")) == 1
    other = started(tmp_path / "other")
    other.later(days=4, minutes=1)
    assert reminded(other) == 0


def test_a_deadline_that_has_moved_is_reminded_of_again(tmp_path: Path) -> None:
    desk = started(tmp_path)
    desk.later(days=2)
    assert reminded(desk) == 1
    done(desk.call("extend", "ur-1", "--by", "2d"))
    assert reminded(desk) == 0
    desk.later(days=2)
    assert reminded(desk) == 1


def test_no_reminder_of_what_was_told_just_now(tmp_path: Path) -> None:
    """A time shorter than the reminder's; more time than it, given after the reminder's time."""
    desk = started(tmp_path, "turn_time: 12h")
    desk.later(hours=1)
    assert reminded(desk) == 0
    desk.later(hours=11)
    assert reminded(desk) == 1


def test_none_while_the_clock_stands_for_dropped_seats_and_for_what_is_answered(
    tmp_path: Path,
) -> None:
    desk = started(tmp_path)
    desk.later(days=2)
    done(desk.call("pause", "ur-1"))
    assert reminded(desk) == 0
    done(desk.call("resume", "ur-1"))
    folder, game, _ = desk.load()
    folder.write_desk(game.desk._replace(dropped={"bull": START}))
    assert reminded(desk) == 0
    folder.write_desk(game.desk)
    desk.take(mail(orders(BULL, "bull"), "bruno", number=2))
    desk.turn()
    assert reminded(desk) == 0
    desk.policies(*PASS, "reminders: none")
    desk.later(days=3)
    assert reminded(desk) == 0


# -- calendars -----------------------------------------------------------------------------------


def test_the_letter_to_the_asked_seat_has_an_entry_for_calendars(tmp_path: Path) -> None:
    desk = started(tmp_path)
    (letter,) = desk.letters("0001-bull-*.eml")
    entry = event(letter)
    assert entry["METHOD"] == "PUBLISH"
    assert entry["DTSTART"] == "20260312T181000Z"
    assert entry["DTSTAMP"] == "20260309T181000Z"
    assert entry["STATUS"] == "CONFIRMED"
    assert entry["SUMMARY"] == "ur-1: answer 2.1"
    assert entry["UID"].endswith("@example.org")
    assert form_of(letter)
    for other in desk.letters("0000-*.eml"):
        assert event(other) == {}


def test_a_moved_deadline_updates_the_same_entry(tmp_path: Path) -> None:
    desk = started(tmp_path)
    entries = [event(desk.letters("0001-bull-*.eml")[0])]
    desk.later(minutes=5)
    done(desk.call("extend", "ur-1", "--by", "1d"))
    entries.append(event(desk.letters("extend-*-bull*.eml")[0]))
    assert event(desk.letters("extend-*-archer*.eml")[0]) == {}
    desk.later(minutes=5)
    done(desk.call("pause", "ur-1"))
    entries.append(event(desk.letters("pause-*-bull*.eml")[0]))
    assert len({each["UID"] for each in entries}) == 1
    numbers = [int(each["SEQUENCE"]) for each in entries]
    assert numbers == sorted(set(numbers))
    assert [each["STATUS"] for each in entries] == ["CONFIRMED", "CONFIRMED", "CANCELLED"]
    assert entries[1]["DTSTART"] == "20260313T181000Z"
    assert entries[2]["METHOD"] == "CANCEL"


def test_what_is_asked_no_more_is_taken_out_of_the_calendar_once(tmp_path: Path) -> None:
    desk = started(tmp_path)
    asked = event(desk.letters("0001-bull-*.eml")[0])
    desk.later(hours=1)
    desk.take(mail(orders(BULL, "bull"), "bruno", number=2))
    desk.turn()
    gone = event(desk.letters("0002-bull-*.eml")[0])
    assert gone["UID"] == asked["UID"]
    assert gone["STATUS"] == "CANCELLED"
    assert int(gone["SEQUENCE"]) > int(asked["SEQUENCE"])
    assert event(desk.letters("0002-archer-*.eml")[0])["STATUS"] == "CONFIRMED"
    desk.take(mail(orders("press: hello\nturn: 4\nactions: temple F5", "bull"), "bruno", number=3))
    desk.turn()
    later = [event(each) for each in desk.letters("0003-bull-*.eml")]
    assert later in ([], [{}])


def test_the_same_letter_has_the_same_bytes(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        desk = started(tmp_path / name)
        (path,) = (desk.game / "outbox").glob("0001-bull-*.eml")
        found.append(path.read_bytes())
    assert found[0] == found[1]
    assert b"text/calendar" in found[0]


def test_an_entry_holds_nothing_hidden(tmp_path: Path) -> None:
    desk = started(tmp_path)
    (letter,) = desk.letters("0001-bull-*.eml")
    text = " ".join(event(letter).values())
    assert not re.search(r"temple|farm|market|settlement|Bruno|Ada|ada@|bruno@", text)


def test_without_deadlines_there_are_no_entries(tmp_path: Path) -> None:
    desk = started(tmp_path, "late: pass")
    for letter in desk.letters():
        assert event(letter) == {}


def test_a_digest_holds_the_entries_of_its_letters(tmp_path: Path) -> None:
    desk = started(tmp_path)
    (path,) = (desk.game / "outbox").glob("0001-bull-*.eml")
    letter = bundle("bruno@example.org", [path.read_bytes()], START, START)
    entry, form = sorted(letter.forms, key=lambda file: file.name.endswith(".yaml"))
    assert entry.kind == "text/calendar; method=PUBLISH"
    assert "BEGIN:VEVENT" in entry.text
    assert form.text.startswith("game: ur-1")
    again = message_from_bytes(compose(letter, Addresses("orders@example.org")), policy=default)
    assert isinstance(again, EmailMessage)
    assert event(again) == event(desk.letters("0001-bull-*.eml")[0])
