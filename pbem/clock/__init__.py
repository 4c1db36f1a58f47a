"""The clock of the program: the one place that asks what time it is; beside it, deadlines."""

import os
from datetime import UTC, date, datetime
from typing import TypeVar

Day = TypeVar("Day", bound=date)

YEARS_SAID = range(1900, 3000)
"""Years of days that people may name. Others are mistakes, or meant to break what adds to them."""

YEARS_STORED = range(1000, 9000)
"""Years of times that are read: what is reckoned from the days that people name lies in them."""


def now() -> datetime:
    """The time in UTC, to the second; `PBEM_NOW` (ISO time, UTC unless it says so) sets it."""
    wanted = os.environ.get("PBEM_NOW")
    return read_time(wanted) if wanted else datetime.now(UTC).replace(microsecond=0)


def read_time(text: str) -> datetime:
    """A time as the files write it, such as `2026-03-01T12:30:00Z`; ValueError if it is none."""
    return in_utc(datetime.fromisoformat(text.strip()))


def in_utc(when: datetime) -> datetime:
    """A time in UTC, to the second, of a year that we count with; ValueError if it is of none."""
    when = _of(YEARS_STORED, when)
    when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    return when.replace(microsecond=0)


def read_day(text: str) -> date:
    """A day such as `2026-03-01`; ValueError if it is none, or of a year that we do not know."""
    return _of(YEARS_SAID, date.fromisoformat(text))


def write_time(when: datetime) -> str:
    """The time as the files write it; `read_time` reads it back."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _of(years: range, day: Day) -> Day:
    if day.year not in years:
        raise ValueError(f"{day.year} is no year to count with")
    return day
