"""What is to be said of a game besides whose move it is: late, paused, unreachable, away."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from pbem.clock import write_time
from pbem.overview.facts import Facts


def remarks(facts: Facts, now: datetime) -> list[str]:
    """Remarks for the moderator, the most urgent first; nothing hidden is in them."""
    return [*_of_time(facts, now), *_of_people(facts, now)]


def _of_time(facts: Facts, now: datetime) -> Iterator[str]:
    late = facts.late_since(now)
    if facts.public["over"]:
        yield f"over since {minute(facts.public['since'])}"
        return
    if late:
        yield f"late for {about(now - late)}"
    if facts.stopped:
        why = f" ({facts.stopped.why})" if facts.stopped.why else ""
        yield f"clock stopped since {minute(write_time(facts.stopped.since))}{why}"
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


def minute(time: str) -> str:
    """A time as the files write it, to the minute: `2026-03-01 12:30` in UTC."""
    return time[:16].replace("T", " ")


def about(span: timedelta) -> str:
    """How long something took, in its largest units: `3 d 4 h`, `5 h`, `12 min`."""
    minutes = int(span.total_seconds()) // 60
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        return f"{days} d {hours} h" if hours and days < 10 else f"{days} d"
    return f"{hours} h" if hours else f"{minutes} min"
