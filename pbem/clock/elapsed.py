"""How long something took while the clock of a game ran."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from pbem.deskfile import Stop


def elapsed(since: datetime, until: datetime, stops: Iterable[Stop]) -> timedelta:
    """The time between two moments, without that in which the clock stood still."""
    stood, reached = timedelta(), since
    for stop in sorted(stops, key=lambda each: each.since):
        first = max(stop.since, reached)
        last = until if stop.until is None else min(stop.until, until)
        if last > first:
            stood += last - first
            reached = last
    return max(until - since - stood, timedelta())
