"""A deadline as an entry for calendars (iCalendar, RFC 5545; how it is updated: RFC 5546).

One event for a seat of a game, with an identity that stays: a later deadline moves it, and what
is asked no more takes it away. The library is loaded where there is a deadline to write only.
"""

import hashlib
from datetime import UTC, datetime

from pbem.language import _
from pbem.mail.appointments import Appointment
from pbem.mail.config import Addresses
from pbem.mail.letters import Attachment

_FIRST = datetime(2020, 1, 1, tzinfo=UTC)


def calendar_entry(appointment: Appointment, sender: Addresses) -> Attachment:
    """The file that lies with a letter. The same appointment, the same bytes."""
    from icalendar import Calendar, Event, vCalAddress

    game, player, question, until, written = appointment
    method = "CANCEL" if until is None else "PUBLISH"
    calendar, event = Calendar(), Event()
    calendar.add("PRODID", "-//pbem//Tigris & Euphrates by mail//EN")
    calendar.add("VERSION", "2.0")
    calendar.add("METHOD", method)
    event.add("UID", _identity(game, player, sender.domain))
    event.add("DTSTAMP", written)
    event.add("SEQUENCE", max(0, int((written - _FIRST).total_seconds())))
    event.add("ORGANIZER", vCalAddress(f"mailto:{sender.orders}"))
    if until is None:
        event.add("SUMMARY", _("%(game)s: no deadline", game=game))
    else:
        event.add("DTSTART", until)  # without an end it ends then, too
        event.add("SUMMARY", _("%(game)s: answer %(question)s", game=game, question=question))
    event.add("STATUS", "CANCELLED" if until is None else "CONFIRMED")
    event.add("TRANSP", "TRANSPARENT")
    calendar.add_component(event)
    text = calendar.to_ical().decode("utf-8")
    return Attachment(f"{game}-{player}.ics", text, f"text/calendar; method={method}")


def _identity(game: str, player: str, domain: str) -> str:
    """What tells this event from all others, as long as the game lasts."""
    mark = hashlib.sha256(f"{game.lower()} {player}".encode()).hexdigest()[:16]
    return f"deadline-{mark}@{domain}"
