"""Times and spans in few letters, for tables and remarks on a screen."""

from datetime import datetime, timedelta

from pbem.clock import write_time


def minute(when: datetime) -> str:
    """A time to the minute, in UTC: `2026-03-01 12:30`."""
    return write_time(when)[:16].replace("T", " ")


def about(span: timedelta) -> str:
    """How long something took, in its largest units: `3 d 4 h`, `5 h`, `12 min`."""
    minutes = int(span.total_seconds()) // 60
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        return f"{days} d {hours} h" if hours and days < 10 else f"{days} d"
    return f"{hours} h" if hours else f"{minutes} min"
