"""Reminders before a deadline, to the seat that is asked: each once, and the newest one only.

A deadline that has moved is another one, and is reminded of again.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.clock.deadline import Deadline, calendar_of, deadline_of
from pbem.clock.spans import Span
from pbem.clock.telling import page_of
from pbem.language import speaking
from pbem.mail.appointments import Appointment
from pbem.mail.briefs import lay_brief
from pbem.mail.letters import Attachment
from pbem.reporting import report_of, speaking_in
from pbem.reports import order_form
from pbem.store import Game, GameFolder

KEY = "reminder"
"""The keys of all reminders begin with it."""

_STALE = timedelta(days=1)


class Due(NamedTuple):
    """A reminder whose time has come: so long before the deadline."""

    at: datetime
    before: Span


def remind(folder: GameFolder, game: Game, chronicle: Chronicle, now: datetime) -> int:
    """Lay the reminder that is due; how many there are new. The folder is held by the caller."""
    deadline = deadline_of(game, chronicle)
    if deadline is None or deadline.until is None:
        return 0
    due = due_reminder(game, deadline, now)
    if due is None or not game.file.seat(deadline.player).address:
        return 0
    with speaking_in(game, folder):
        return int(_write(folder, game, chronicle, deadline, deadline.until, due, now))


def due_reminder(game: Game, deadline: Deadline, now: datetime) -> Due | None:
    """The newest reminder whose time has come: not before the seat was told of this deadline, and
    not later than a day after its time."""
    if deadline.until is None:
        return None
    told, calendar = deadline.since, calendar_of(game, deadline.player)
    if game.desk.announced and game.desk.announced.when:
        told = max(told, game.desk.announced.when)
    spans = game.file.policies.reminders
    every = [Due(calendar.before(deadline.until, span), span) for span in spans]
    come = max((due for due in every if due.at <= now), default=None)
    return come if come and come.at > told and now - come.at <= _STALE else None


def reminder_key(question: str, until: datetime, before: Span) -> str:
    """What tells reminders apart: the deadline, and how long before it."""
    span = str(before).replace(" ", "")
    return f"{KEY}-{question}-{until:%Y%m%dT%H%M%S}-{span}"


def _write(
    folder: GameFolder,
    game: Game,
    chronicle: Chronicle,
    deadline: Deadline,
    until: datetime,
    due: Due,
    now: datetime,
) -> bool:
    player, seat = deadline.player, game.file.seat(deadline.player)
    with speaking(seat.language, seat.zone):
        kind = "overdue" if now >= until else KEY
        page = page_of(game, chronicle, player, kind)
        return lay_brief(
            folder,
            game,
            player,
            reminder_key(deadline.question, until, due.before),
            page,
            now,
            forms=_forms(game, chronicle, player),
            appointment=Appointment(game.file.game, player, deadline.question, until, now),
            once=True,
        )


def _forms(game: Game, chronicle: Chronicle, player: Dynasty) -> tuple[Attachment, ...]:
    """The order form, as a file."""
    form = order_form(report_of(game, chronicle, player, chronicle.newest.run))
    name = f"{game.file.game}-{player}.yaml"
    return (Attachment(name, form),) if form else ()
