"""What is to be said of a game besides whose move it is: late, paused, unreachable, away."""

from collections.abc import Iterator
from datetime import datetime

from pbem.clock import read_time
from pbem.clock.short import about, minute
from pbem.overview.facts import Facts


def remarks(facts: Facts, now: datetime) -> list[str]:
    """Remarks for the moderator, the most urgent first; nothing hidden is in them."""
    return [*_of_time(facts, now), *_of_people(facts, now)]


def _of_time(facts: Facts, now: datetime) -> Iterator[str]:
    late = facts.late_since(now)
    if facts.public["over"]:
        yield f"over since {minute(read_time(facts.public['since']))}"
        return
    if late:
        yield f"late for {about(now - late)}"
    if facts.stopped:
        why = f" ({facts.stopped.why})" if facts.stopped.why else ""
        yield f"clock stopped since {minute(facts.stopped.since)}{why}"
    if facts.unconfirmed:
        yield f"not confirmed: {' '.join(facts.unconfirmed)}"


def _of_people(facts: Facts, now: datetime) -> Iterator[str]:
    if facts.dropped:
        yield f"dropped: {' '.join(facts.dropped)}"
    if facts.public["over"]:
        return
    if back := facts.coming_back():
        yield f"letters come back: {' '.join(back)}"
    for seat, days in facts.away.items():
        if here := next((each for each in days if now.date() in each), None):
            yield f"{seat} is away until {here.last}"
