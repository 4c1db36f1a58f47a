"""How time is counted: hours and days that do not count, changes of clocks, times made good."""

import random
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from pbem.clock.counting import Calendar, Interval, at_local
from pbem.clock.spans import Days, DaysOff, HoursOff, Span, read_days_off, read_hours_off, read_span

ZONES = ("Europe/Lisbon", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata")
# The Sundays of 2026 on which clocks are changed in these zones.
CHANGES = {
    "Europe/Lisbon": (date(2026, 3, 29), date(2026, 10, 25)),
    "America/New_York": (date(2026, 3, 8), date(2026, 11, 1)),
    "Australia/Lord_Howe": (date(2026, 4, 5), date(2026, 10, 4)),
    "Asia/Kolkata": (date(2026, 3, 29), date(2026, 10, 25)),
}
HOUR = timedelta(hours=1)


def local(text: str, zone: str, fold: int = 0) -> datetime:
    """A local time in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)


def changes() -> list[tuple[str, date]]:
    """Each zone with each of its changes."""
    return [(zone, day) for zone in ZONES for day in CHANGES[zone]]


def test_the_table_knows_when_clocks_are_changed() -> None:
    for zone, day in changes():
        night = [datetime.combine(day, time(hour), ZoneInfo(zone)).utcoffset() for hour in (0, 12)]
        assert (night[0] == night[1]) == (zone == "Asia/Kolkata")


@pytest.mark.parametrize(("zone", "day"), changes())
@pytest.mark.parametrize("hour", [0, 9, 18, 23])
@pytest.mark.parametrize("days", [1, 2, 7])
def test_a_span_of_days_keeps_its_hour_over_a_change(
    zone: str, day: date, hour: int, days: int
) -> None:
    begin = datetime.combine(day - timedelta(days=1), time(hour, 15), ZoneInfo(zone))
    until = Calendar(zone).after(begin.astimezone(UTC), Span(days)).astimezone(ZoneInfo(zone))
    assert (until.date(), until.time()) == (begin.date() + timedelta(days=days), time(hour, 15))


@pytest.mark.parametrize(("zone", "day"), changes())
def test_a_span_of_hours_is_counted_by_the_clock_over_a_change(zone: str, day: date) -> None:
    begin = datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)
    for hours in (1, 2, 3, 24, 36):
        assert Calendar(zone).after(begin, Span(0, hours)) == begin + hours * HOUR


def test_an_hour_that_is_not_there_and_one_that_is_there_twice() -> None:
    """The later moment is taken."""
    lisbon, york, howe = ZONES[:3]
    assert at_local(date(2026, 3, 29), time(1, 30), lisbon) == local("2026-03-29 02:30", lisbon)
    assert at_local(date(2026, 10, 25), time(1, 30), lisbon) == local(
        "2026-10-25 01:30", lisbon, fold=1
    )
    assert at_local(date(2026, 3, 8), time(2, 30), york) == local("2026-03-08 03:30", york)
    assert at_local(date(2026, 11, 1), time(1, 0), york) == local("2026-11-01 01:00", york, fold=1)
    assert at_local(date(2026, 10, 4), time(2, 15), howe) == local("2026-10-04 02:45", howe)
    assert at_local(date(2026, 4, 5), time(1, 45), howe) == local("2026-04-05 01:45", howe, fold=1)


@pytest.mark.parametrize(("zone", "day"), changes())
def test_hours_off_over_a_change_keep_their_hours(zone: str, day: date) -> None:
    """Nothing is counted from 22:00 to 07:00, however long that night is."""
    calendar = Calendar(zone, hours_off=HoursOff(time(22), time(7)))
    evening = at_local(day - timedelta(days=1), time(21), zone)
    assert calendar.after(evening, Span(0, 1)) == at_local(day, time(7), zone)
    assert calendar.after(evening, Span(0, 3)) == at_local(day, time(9), zone)
    assert not calendar.counts(at_local(day, time(3), zone))
    assert calendar.counts(at_local(day, time(7), zone))
    assert calendar.counted(evening, evening + timedelta(days=1)) <= 16 * HOUR


def test_days_off_are_skipped() -> None:
    calendar = Calendar("Europe/Lisbon", DaysOff(frozenset({5, 6}), (christmas(),)))
    friday = local("2026-03-27 18:00", "Europe/Lisbon")
    assert calendar.after(friday, Span(1)) == local("2026-03-30 18:00", "Europe/Lisbon")
    assert calendar.after(friday, Span(0, 7)) == local("2026-03-30 01:00", "Europe/Lisbon")
    saturday = local("2026-03-28 11:00", "Europe/Lisbon")
    assert calendar.after(saturday, Span(1)) == local("2026-03-31 00:00", "Europe/Lisbon")
    eve = local("2026-12-23 12:00", "Europe/Lisbon")
    assert calendar.after(eve, Span(2)) == local("2026-12-29 12:00", "Europe/Lisbon")


def christmas() -> Days:
    """Three days."""
    return Days(date(2026, 12, 24), date(2026, 12, 26))


def test_a_deadline_lies_where_time_counts() -> None:
    """What ends as the hours off begin ends after them."""
    calendar = Calendar(hours_off=HoursOff(time(22), time(7)))
    start = datetime(2026, 3, 2, 20, tzinfo=UTC)
    assert calendar.after(start, Span(0, 2)) == datetime(2026, 3, 3, 7, tzinfo=UTC)


def test_before_a_moment() -> None:
    """Days by the calendar, hours by the clock."""
    calendar = Calendar("Europe/Lisbon")
    monday = local("2026-03-30 12:00", "Europe/Lisbon")
    assert calendar.before(monday, Span(1)) == local("2026-03-29 12:00", "Europe/Lisbon")
    assert calendar.before(monday, Span(2)) == local("2026-03-28 12:00", "Europe/Lisbon")
    assert calendar.before(monday, Span(0, 48)) == local("2026-03-28 11:00", "Europe/Lisbon")
    assert calendar.before(monday, Span()) == monday


# -- what stops the clock ------------------------------------------------------------------------


def at(day: int, hour: int = 0) -> datetime:
    """A moment of March 2026; the 2nd is a Monday."""
    return datetime(2026, 3, day, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("stops", "until"),
    [
        ([], at(4, 12)),
        ([(at(3), at(3, 6))], at(4, 18)),
        ([(at(1), at(3))], at(5)),
        ([(at(1), at(2))], at(4, 12)),
        ([(at(4, 12), at(9))], at(4, 12)),
        ([(at(3), at(4)), (at(3, 12), at(5))], at(6, 12)),
        ([(at(3), at(4)), (at(5), at(6))], at(6, 12)),
        ([(at(4, 6), at(4, 18))], at(5)),
        ([(at(3), None)], None),
        ([(at(5), None)], at(4, 12)),
        ([(at(3), at(4)), (at(5), None)], None),
    ],
)
def test_time_that_was_lost_is_made_good(stops: list[Interval], until: datetime | None) -> None:
    """From Monday noon to Wednesday noon."""
    assert Calendar().made_good(at(2, 12), at(4, 12), stops) == until


def test_only_time_that_counts_can_be_lost() -> None:
    """A pause at night costs nothing; a pause of a day before a weekend is made good after it."""
    nights = Calendar(hours_off=HoursOff(time(22), time(7)))
    assert nights.made_good(at(2, 12), at(4, 12), [(at(2, 23), at(3, 5))]) == at(4, 12)
    assert nights.made_good(at(2, 12), at(4, 21), [(at(3, 12), at(3, 15))]) == at(5, 9)
    weekends = Calendar(days_off=DaysOff(frozenset({5, 6})))
    assert weekends.made_good(at(5, 12), at(6, 12), [(at(5, 12), at(6, 12))]) == at(9, 12)


# -- invented cases ------------------------------------------------------------------------------


def invented(chance: random.Random, zone: str) -> Calendar:
    """Any calendar of a zone."""
    weekdays = frozenset(chance.sample(range(7), chance.randrange(4)))
    dates = []
    for _ in range(chance.randrange(3)):
        first = date(2026, 1, 1) + timedelta(days=chance.randrange(365))
        dates.append(Days(first, first + timedelta(days=chance.randrange(12))))
    hours = HoursOff(time(chance.randrange(24), 30), time(chance.randrange(24)))
    if chance.randrange(2):
        hours = HoursOff()
    return Calendar(zone, DaysOff(weekdays, tuple(dates)), hours)


def invented_stops(chance: random.Random, about: datetime) -> list[Interval]:
    """Some times at which the clock stood still."""
    found: list[Interval] = []
    for _ in range(chance.randrange(4)):
        first = about + timedelta(hours=chance.randrange(-100, 200))
        found.append((first, first + timedelta(hours=chance.randrange(100))))
    return found


def reached(calendar: Calendar, since: datetime, span: Span, stops: list[Interval]) -> datetime:
    """The deadline."""
    until = calendar.made_good(since, calendar.after(since, span), stops)
    assert until is not None
    return until


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("seed", range(60))
def test_a_later_start_and_one_more_stop_never_make_a_deadline_earlier(
    zone: str, seed: int
) -> None:
    """It lies at a moment that counts. At a change of clocks a day has another length, so that
    of two starts in the days around it the later one may be behind by as much."""
    chance = random.Random(f"{zone} {seed}")
    calendar = invented(chance, zone)
    span = Span(chance.randrange(5), chance.randrange(50)) or Span(1)
    since = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=chance.randrange(365 * 24 * 60))
    stops = invented_stops(chance, since)
    until = reached(calendar, since, span, stops)
    assert until >= since + span.about - HOUR
    assert calendar.counts(until)
    for minutes in (1, 47, 500, 1441):
        later = reached(calendar, since + timedelta(minutes=minutes), span, stops)
        assert later >= until - (timedelta() if zone == "Asia/Kolkata" else HOUR)
    more = [*stops, *invented_stops(chance, since)]
    assert reached(calendar, since, span, more) >= until


@pytest.mark.parametrize("seed", range(40))
def test_what_is_counted_forward_has_been_counted(seed: int) -> None:
    chance = random.Random(seed)
    calendar = invented(chance, chance.choice(ZONES))
    start = datetime(2026, 3, 1, tzinfo=UTC) + timedelta(hours=chance.randrange(8000))
    left = timedelta(hours=chance.randrange(1, 200))
    assert calendar.counted(start, calendar.forward(start, left)) == left


def test_where_nothing_ever_counts_the_search_ends() -> None:
    never = Calendar(days_off=DaysOff(dates=(Days(date(2020, 1, 1), date(2999, 1, 1)),)))
    assert never.after(at(2), Span(2, 5)) > at(2)


# -- how it is written ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("3d", Span(3)), ("36h", Span(0, 36)), ("2d 12h", Span(2, 12)),
        ("2 days, 1 hour", Span(2, 1)),
        ("0", Span()), ("0h", Span()), ("3D", Span(3)), ("366d", Span(366)), ("1 d", Span(1)),
        ("", None), ("3", None), ("d", None), ("-1d", None), ("1h 2d", None), ("367d", None),
        ("9999d", None), ("3 weeks", None), ("1.5d", None), ("\u0663d", None),
    ],
)  # fmt: skip
def test_spans_as_people_write_them(text: str, span: Span | None) -> None:
    assert read_span(text) == span
    if span is not None:
        assert read_span(str(span)) == span


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("22:00-07:00", HoursOff(time(22), time(7))), ("22-7", HoursOff(time(22), time(7))),
        ("2200 to 0730", HoursOff(time(22), time(7, 30))),
        ("18:00-24:00", HoursOff(time(18), time())),
        ("none", HoursOff()), ("", HoursOff()),
        ("25-7", None), ("22:60-7", None), ("22", None), ("0-24", None), ("0-24:30", None),
        ("night", None),
    ],
)  # fmt: skip
def test_hours_off_as_people_write_them(text: str, hours: HoursOff | None) -> None:
    assert read_hours_off(text) == hours
    if hours is not None:
        assert read_hours_off(str(hours)) == hours


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("sat sun", DaysOff(frozenset({5, 6}))), ("Saturday, Sunday", DaysOff(frozenset({5, 6}))),
        ("fri 2026-12-24..2026-12-26", DaysOff(frozenset({4}), (christmas(),))),
        ("none", DaysOff()), ("satan", "satan"),
        ("2026-12-26..2026-12-24", "2026-12-26..2026-12-24"),
        ("2026-13-01", "2026-13-01"), ("someday", "someday"), ("mon-fri", "mon-fri"),
    ],
)  # fmt: skip
def test_days_off_as_people_write_them(text: str, days: DaysOff | str) -> None:
    assert read_days_off(text) == days
    if isinstance(days, DaysOff):
        assert read_days_off(str(days)) == days
