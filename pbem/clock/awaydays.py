"""Days on which a player is away: how many he may take, in one definition for mail and command.

Days of a calendar year count, for a seat of a game; a day that is booked twice counts once. What
has gone by cannot be booked; what is cancelled comes back as far as it lies ahead.
"""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pbem.clock.spans import Days

_DAY = timedelta(days=1)


class NotBooked(NamedTuple):
    """Days that cannot be booked. `year` None: they have gone by; else of that year so many are
    `wanted` that are not booked yet, and so many `left`."""

    year: int | None = None
    wanted: int = 0
    left: int = 0


def today_in(zone: str, now: datetime) -> date:
    """The day it is in a zone."""
    return now.astimezone(ZoneInfo(zone)).date()


def ahead_of(wanted: Days, today: date) -> Days | None:
    """What lies ahead of some days, today included; None if they have all gone by."""
    return None if wanted.last < today else Days(max(wanted.first, today), wanted.last)


def book(
    booked: tuple[Days, ...], wanted: Days, today: date, budget: int
) -> tuple[Days, ...] | NotBooked:
    """All days that are booked then; or why these cannot be."""
    ahead = ahead_of(wanted, today)
    if ahead is None:
        return NotBooked()
    every = together((*booked, ahead))
    for year in range(ahead.first.year, ahead.last.year + 1):
        before, after = days_of(booked, year), days_of(every, year)
        if before < after and after > budget:
            return NotBooked(year, after - before, max(0, budget - before))
    return every


def cancel(booked: tuple[Days, ...], today: date) -> tuple[Days, ...]:
    """What stays booked of days when those ahead are taken back: the days up to today."""
    return tuple(Days(d.first, min(d.last, today)) for d in booked if d.first <= today)


def together(days: Iterable[Days]) -> tuple[Days, ...]:
    """The same days in order, those that overlap or touch as one."""
    found: list[Days] = []
    for each in sorted(days):
        if found and each.first <= found[-1].last + _DAY:
            found[-1] = Days(found[-1].first, max(found[-1].last, each.last))
        else:
            found.append(each)
    return tuple(found)


def days_of(booked: Iterable[Days], year: int) -> int:
    """How many of these days are in a year."""
    return sum(_lengths(booked, date(year, 1, 1), date(year, 12, 31)))


def _lengths(booked: Iterable[Days], first: date, last: date) -> Iterator[int]:
    for each in together(booked):
        yield max(0, (min(each.last, last) - max(each.first, first)).days + 1)
