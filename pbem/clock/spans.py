"""Lengths of time as people write them, `2d 12h`, and the days and hours that do not count."""

import re
from collections.abc import Iterable
from datetime import date, time, timedelta
from typing import NamedTuple

from pbem.clock import read_day

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
LONGEST_DAYS = 366

_SPAN = re.compile(
    r"(?:(?P<days>\d{1,4}) ?d(?:ays?)?)?,? ?(?:(?P<hours>\d{1,5}) ?h(?:ours?)?)?", re.ASCII
)
_HOURS = re.compile(r"(\d{1,2})(?::?(\d{2}))? ?(?:-|to|\.\.) ?(\d{1,2})(?::?(\d{2}))?", re.ASCII)


class Span(NamedTuple):
    """Days by the calendar, which end at the hour at which they began, and hours by the clock."""

    days: int = 0
    hours: int = 0

    def __bool__(self) -> bool:
        """Whether it is longer than nothing."""
        return bool(self.days or self.hours)

    def __str__(self) -> str:
        """As `read_span` reads it."""
        days = [f"{self.days}d"] if self.days else []
        return " ".join([*days, *([f"{self.hours}h"] if self.hours or not days else [])])

    @property
    def about(self) -> timedelta:
        """How long it is if no clock is changed meanwhile."""
        return timedelta(days=self.days, hours=self.hours)


class Days(NamedTuple):
    """From one day to another, both included."""

    first: date
    last: date

    def __contains__(self, day: object) -> bool:
        """Whether a day is one of these."""
        return isinstance(day, date) and self.first <= day <= self.last

    def __str__(self) -> str:
        """As `read_days_off` reads it."""
        return str(self.first) if self.first == self.last else f"{self.first}..{self.last}"


class DaysOff(NamedTuple):
    """Days that do not count: days of the week (0 is Monday), and dates."""

    weekdays: frozenset[int] = frozenset()
    dates: tuple[Days, ...] = ()

    def __contains__(self, day: object) -> bool:
        """Whether a day does not count."""
        if not isinstance(day, date):
            return False
        return day.weekday() in self.weekdays or any(day in days for days in self.dates)

    def __str__(self) -> str:
        """As `read_days_off` reads it."""
        return " ".join(
            [*(WEEKDAYS[each] for each in sorted(self.weekdays)), *map(str, self.dates)]
        )


class HoursOff(NamedTuple):
    """Hours of each day that do not count, from the first time on, before the second one.

    They may go over midnight. Both times the same: none.
    """

    first: time = time()
    last: time = time()

    def __str__(self) -> str:
        """As `read_hours_off` reads it; "" if there are none."""
        return f"{self.first:%H:%M}-{self.last:%H:%M}" if self.first != self.last else ""


def read_span(text: str) -> Span | None:
    """A length of time such as `3d`, `36h`, `2d 12h`; None if it is none."""
    if text.strip() == "0":
        return Span()
    found = _SPAN.fullmatch(" ".join(text.lower().split()))
    if found is None or not (found["days"] or found["hours"]):
        return None
    span = Span(int(found["days"] or 0), int(found["hours"] or 0))
    return span if span.about <= timedelta(days=LONGEST_DAYS) else None


def read_days(text: str) -> Days | None:
    """A day, or days such as `2026-12-24..2026-12-26`; None if it is neither."""
    first, _, last = text.partition("..")
    try:
        days = Days(read_day(first), read_day(last or first))
    except ValueError:
        return None
    return days if days.first <= days.last else None


def read_days_off(text: str) -> DaysOff | str:
    """Days that do not count: `sat sun 2026-12-24..2026-12-26`; or the word that is none."""
    weekdays: set[int] = set()
    dates: list[Days] = []
    for word in text.lower().replace(",", " ").split():
        name = word.removesuffix("s")
        if name in (*WEEKDAYS, *_NAMES):
            weekdays.add(WEEKDAYS.index(name[:3]))
        elif days := read_days(word):
            dates.append(days)
        elif word not in ("none", "no"):
            return word
    return DaysOff(frozenset(weekdays), tuple(dates))


def read_hours_off(text: str) -> HoursOff | None:
    """Hours that do not count, such as `22:00-07:00`; None if they are none."""
    if text.strip().lower() in ("", "none", "no"):
        return HoursOff()
    found = _HOURS.fullmatch(text.strip().lower())
    try:
        hours = HoursOff(*_times(found.groups())) if found else None
    except ValueError:
        return None
    return hours if hours and hours.first != hours.last else None


def _times(numbers: Iterable[str | None]) -> tuple[time, time]:
    """Two times of day from hour, minute, hour, minute; ValueError if they are none.

    The second one may be 24:00, the end of the day.
    """
    hour, minute, last_hour, last_minute = (int(each or 0) for each in numbers)
    if (last_hour, last_minute) == (24, 0):
        last_hour = 0
    return time(hour, minute), time(last_hour, last_minute)
