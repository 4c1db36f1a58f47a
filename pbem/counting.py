"""How a time to answer is counted: over days and hours that do not count, and changes of clocks.

All moments are in UTC. Days are counted by the calendar of a zone, so that a deadline keeps its
hour when clocks are changed; where that hour is there twice, or not at all, the later moment is
taken. Hours are counted by the clock.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pbem.spans import Days, DaysOff, HoursOff, Span

_DAY = timedelta(days=1)
_MIDNIGHT = time()
_FURTHEST = timedelta(days=4 * 366)


class Away(NamedTuple):
    """Days on which somebody is away, in his own zone."""

    days: tuple[Days, ...] = ()
    zone: str = "UTC"


class Calendar(NamedTuple):
    """Which moments count."""

    zone: str = "UTC"
    days_off: DaysOff = DaysOff()
    hours_off: HoursOff = HoursOff()
    away: Away = Away()

    def counts(self, moment: datetime) -> bool:
        """Whether a moment counts."""
        local = moment.astimezone(ZoneInfo(self.zone))
        own = moment.astimezone(ZoneInfo(self.away.zone)).date()
        away = any(own in days for days in self.away.days)
        return not (away or local.date() in self.days_off or self._is_off(local.time()))

    def next_counted(self, moment: datetime) -> datetime:
        """The moment itself, or the first one after it that counts."""
        end = moment + _FURTHEST
        while not self.counts(moment) and moment < end:
            moment = self._next_edge(moment)
        return moment

    def after(self, moment: datetime, span: Span) -> datetime:
        """The moment at which so much time has been counted; it counts itself."""
        moment = self.next_counted(moment)
        local = moment.astimezone(ZoneInfo(self.zone))
        day, left = local.date(), span.days
        end = day + _FURTHEST
        while left and day < end:
            day += _DAY
            left -= self._day_counts(day, local.time())
        if span.days:
            moment = at_local(day, local.time(), self.zone)
        return self.next_counted(self._after_hours(moment, timedelta(hours=span.hours)))

    def _after_hours(self, moment: datetime, left: timedelta) -> datetime:
        end = moment + _FURTHEST
        while left and moment < end:
            moment = self.next_counted(moment)
            step = min(left, self._next_edge(moment) - moment)
            moment, left = moment + step, left - step
        return moment

    def _day_counts(self, day: date, at: time) -> bool:
        moment = at_local(day, at, self.zone)
        own = moment.astimezone(ZoneInfo(self.away.zone)).date()
        return day not in self.days_off and not any(own in days for days in self.away.days)

    def _is_off(self, at: time) -> bool:
        first, last = self.hours_off
        if first <= last:
            return first <= at < last
        return at >= first or at < last

    def _next_edge(self, moment: datetime) -> datetime:
        """The next moment at which counting may begin or end."""
        return min(edge for edge in self._edges(moment) if edge > moment)

    def _edges(self, moment: datetime) -> Iterator[datetime]:
        for zone, times in ((self.zone, (_MIDNIGHT, *self.hours_off)), (self.away.zone, ())):
            today = moment.astimezone(ZoneInfo(zone)).date()
            for day in (today, today + _DAY, today + 2 * _DAY):
                yield from (at_local(day, at, zone) for at in times or (_MIDNIGHT,))


def at_local(day: date, at: time, zone: str) -> datetime:
    """A time of day in a zone, in UTC; the later one if clocks are changed then."""
    local = datetime.combine(day, at.replace(fold=0), ZoneInfo(zone))
    return max(local.astimezone(UTC), local.replace(fold=1).astimezone(UTC))


def stopped_at(moment: datetime, stops: Iterable[tuple[datetime, datetime | None]]) -> bool:
    """Whether the clock stands still at a moment."""
    return any(a <= moment and (b is None or moment < b) for a, b in stops)


def shifted(
    since: datetime, until: datetime, stops: Iterable[tuple[datetime, datetime | None]]
) -> datetime | None:
    """`until`, later by as much of the time since `since` as the clock stood still.

    None if it stands still now, without an end.
    """
    for first, last in _merged(stops):
        if first >= until:
            break
        if last is None:
            return None
        if last > since:
            until += last - max(first, since)
    return until


def _merged(
    stops: Iterable[tuple[datetime, datetime | None]],
) -> list[tuple[datetime, datetime | None]]:
    """The same times, those that overlap as one."""
    found: list[tuple[datetime, datetime | None]] = []
    for first, last in sorted(stops, key=lambda stop: stop[0]):
        before = found[-1] if found else None
        if before is not None and (before[1] is None or first <= before[1]):
            end = None if last is None or before[1] is None else max(before[1], last)
            found[-1] = (before[0], end)
        else:
            found.append((first, last))
    return found
