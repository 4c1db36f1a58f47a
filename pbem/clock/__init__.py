"""The clock of the program: the one place that asks what time it is; beside it, deadlines."""

import os
from datetime import UTC, datetime


def now() -> datetime:
    """The time in UTC, to the second; `PBEM_NOW` (ISO time, UTC unless it says so) sets it."""
    wanted = os.environ.get("PBEM_NOW")
    return read_time(wanted) if wanted else datetime.now(UTC).replace(microsecond=0)


def read_time(text: str) -> datetime:
    """A time as the files write it, such as `2026-03-01T12:30:00Z`; ValueError if it is none."""
    when = datetime.fromisoformat(text.strip())
    try:
        when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except OverflowError:
        raise ValueError(text) from None
    return when.replace(microsecond=0)


def write_time(when: datetime) -> str:
    """The time as the files write it; `read_time` reads it back."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
