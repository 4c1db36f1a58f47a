"""How a time to answer is counted: over days and hours that do not count, and changes of clocks.

All moments are in UTC. Days are counted by the calendar of a zone, so that a deadline keeps its
hour when clocks are changed; where that hour is there twice, or not at all, the later moment is
taken. Hours are counted by the clock.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from pbem.clock.spans import DaysOff, HoursOff, Span

Interval: TypeAlias = tuple[datetime, datetime | None]
"""From one moment on, before another; without an end if that is None."""

_DAY = timedelta(days=1)
_NOTHING = timedelta()
_MIDNIGHT = time()
_FURTHEST = timedelta(days=4 * 366)
"""Where nothing counts for so long, the search for a moment that does is given up."""


class Calendar(NamedTuple):
    """Which moments count."""

    zone: str = "UTC"
    days_off: DaysOff = DaysOff()
    hours_off: HoursOff = HoursOff()

    def counts(self, moment: datetime) -> bool:
        """Whether a moment counts."""
        return self._off_until(moment) is None

    def next_counted(self, moment: datetime) -> datetime:
        """The moment itself, or the first one after it that counts."""
        end = moment + _FURTHEST
        while moment < end and (edge := self._off_until(moment)):
            moment = edge
        return moment

    def after(self, moment: datetime, span: Span) -> datetime:
        """The moment at which so much time has been counted; it counts itself."""
        moment = self.next_counted(moment)
        if span.days:
            moment = self._days_after(moment, span.days)
        return self.forward(moment, timedelta(hours=span.hours))

    def before(self, moment: datetime, span: Span) -> datetime:
        """So long before a moment, whatever counts: days by the calendar, hours by the clock."""
        if span.days:
            local = moment.astimezone(ZoneInfo(self.zone))
            moment = at_local(local.date() - span.days * _DAY, local.time(), self.zone)
        return moment - timedelta(hours=span.hours)

    def forward(self, moment: datetime, left: timedelta) -> datetime:
        """The moment after so much time that counts; it counts itself."""
        end = moment + _FURTHEST + left
        moment = self.next_counted(moment)
        while left and moment < end:
            step = min(left, self._next_edge(moment) - moment)
            moment, left = self.next_counted(moment + step), left - step
        return moment

    def counted(self, first: datetime, last: datetime) -> timedelta:
        """How much time counts between two moments."""
        found, moment = _NOTHING, self.next_counted(first)
        while moment < last:
            edge = min(last, self._next_edge(moment))
            found += edge - moment
            moment = self.next_counted(edge)
        return found

    def made_good(
        self, since: datetime, until: datetime, stops: Iterable[Interval]
    ) -> datetime | None:
        """`until`, later by as much counted time as the clock stood still since `since`.

        None if it stands still now, without an end.
        """
        until = self.next_counted(until)
        for first, last in _merged(stops):
            if first >= until:
                break
            if last is None:
                return None
            if last > since:
                until = self.forward(until, self.counted(max(first, since), last))
        return until

    def _days_after(self, moment: datetime, left: int) -> datetime:
        """So many days that count later, at the same hour."""
        local = moment.astimezone(ZoneInfo(self.zone))
        day, end = local.date(), local.date() + _FURTHEST + left * _DAY
        while left and day < end:
            day += _DAY
            left -= day not in self.days_off
        return at_local(day, local.time(), self.zone)

    def _off_until(self, moment: datetime) -> datetime | None:
        """When the day or the hours off end in which a moment lies; None if it counts."""
        today = moment.astimezone(ZoneInfo(self.zone)).date()
        if today in self.days_off:
            return at_local(today + _DAY, _MIDNIGHT, self.zone)
        for first, last in self._hours_off(today - _DAY, today):
            if first <= moment < last:
                return last
        return None

    def _next_edge(self, moment: datetime) -> datetime:
        """The next moment at which something may begin that does not count."""
        today = moment.astimezone(ZoneInfo(self.zone)).date()
        days = (today, today + _DAY, today + 2 * _DAY)
        edges = [at_local(day, _MIDNIGHT, self.zone) for day in days]
        edges += [first for first, _ in self._hours_off(*days)]
        return min(edge for edge in edges if edge > moment)

    def _hours_off(self, *days: date) -> Iterator[tuple[datetime, datetime]]:
        """The hours off that begin on these days."""
        first, last = self.hours_off
        for day in days if first != last else ():
            end = day if first < last else day + _DAY
            yield at_local(day, first, self.zone), at_local(end, last, self.zone)


def at_local(day: date, at: time, zone: str) -> datetime:
    """A time of day in a zone, in UTC; the later one if clocks are changed then."""
    local = datetime.combine(day, at.replace(fold=0), ZoneInfo(zone))
    return max(local.astimezone(UTC), local.replace(fold=1).astimezone(UTC))


def _merged(stops: Iterable[Interval]) -> list[Interval]:
    """The same times, those that overlap as one."""
    found: list[Interval] = []
    for first, last in sorted(stops, key=lambda stop: stop[0]):
        before = found[-1] if found else None
        if before is not None and (before[1] is None or first <= before[1]):
            end = None if last is None or before[1] is None else max(before[1], last)
            found[-1] = (before[0], end)
        else:
            found.append((first, last))
    return found
