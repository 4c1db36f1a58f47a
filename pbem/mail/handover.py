"""The letters of a seat that passes on: to the new player, to the old one, and none any more of
those that waited for the old one."""

import re
from collections.abc import Iterator
from datetime import datetime

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.clock.deadline import deadline_of
from pbem.language import speaking
from pbem.mail.appointments import Appointment
from pbem.mail.briefs import lay_brief
from pbem.mail.inviting import invite
from pbem.mail.letters import Attachment, dotless
from pbem.mail.outbox import NOT_HIS, Entry, Outbox, State
from pbem.optiontext import write_options
from pbem.reporting import report_of
from pbem.reports import order_form, render
from pbem.seats.people import number_of
from pbem.seats.unconfirmed import unconfirmed
from pbem.store import Game, GameFolder
from pbem.wording import environment

PASSED = "passed"
SEAT = "seat"


def tell_both(
    folder: GameFolder, before: Game, given: Game, seat: Dynasty, key: str | None, now: datetime
) -> None:
    """Stop what waits for the old player and tell both; `before` and `given`: who had it, has it.

    The caller holds the outbox.
    """
    number = number_of(given.desk, seat)
    old, new = before.file.seat(seat), given.file.seat(seat)
    stop_letters(folder, seat, new.address, now)
    if old.address and (old.address.lower() != (new.address or "").lower()):
        with speaking(old.language, old.zone):
            page = _page("mail_passed.j2", game=given.file.game, player=seat)
        gone = _appointment(folder, given, seat, now, his=False)
        lay_brief(
            folder, before, seat, f"{PASSED}-{number}", page, now, appointment=gone, once=True
        )
    if key is None:
        return
    if unconfirmed(given):
        invite(folder, given, seat, key, now, what=f"{SEAT}-{number}")
        return
    report = report_of(given, Chronicle(folder, given.record), seat, given.record.run)
    text, form = render(report), order_form(report)
    with speaking(new.language, new.zone):
        page = _page(
            "mail_seat.j2",
            game=given.file.game,
            player=seat,
            report=text,
            key=key,
            options=write_options(given.file.options),
            policies=given.file.policies,
            help=environment().get_template("mail_help.j2").render(),
        )
    forms = (Attachment(f"{given.file.game}-{seat}.yaml", form),) if form else ()
    what, his = f"{SEAT}-{number}", _appointment(folder, given, seat, now, his=True)
    lay_brief(folder, given, seat, what, page, now, forms=forms, appointment=his, once=True)


def _appointment(
    folder: GameFolder, given: Game, seat: Dynasty, now: datetime, *, his: bool
) -> Appointment | None:
    """For the calendar of who has the seat now, or of who had it: the deadline, or no more."""
    if given.file.policies.turn_time is None:
        return None
    found = deadline_of(folder.load(), Chronicle(folder, given.record))
    if found is None or found.player != seat:
        return None
    until = found.until if his else None
    return Appointment(given.file.game, seat, found.question, until, now)


def is_settled(folder: GameFolder, game: Game, seat: Dynasty) -> bool:
    """Whether whoever has a seat now was told, and nothing waits for his predecessor."""
    number, address = number_of(game.desk, seat), game.file.seat(seat).address
    if letters_left(folder, seat, address):
        return False
    if address is None:
        return True
    key = f"{SEAT}-{number}-{seat}.{dotless(game.file.game)}"
    box = Outbox(folder.outbox)
    box.tidy(key)  # a run that was killed may have left a half of it
    return box.has(key)


def stop_letters(folder: GameFolder, seat: Dynasty, address: str | None, now: datetime) -> None:
    """Letters of a seat that wait for another address than this one do not leave any more."""
    box = Outbox(folder.outbox)
    for entry in letters_left(folder, seat, address):
        box.change(entry, "failed", now, NOT_HIS)


def letters_left(folder: GameFolder, seat: Dynasty, address: str | None) -> list[Entry]:
    """Letters of a seat that wait for another address than this one, private ones."""
    return [
        entry
        for entry in Outbox(folder.outbox).entries()
        if is_of(entry.key, seat)
        and entry.address.lower() != (address or "").lower()
        and not entry.key.startswith(PASSED)
    ]


def letters_of(folder: GameFolder, seat: Dynasty, address: str) -> Iterator[State]:
    """Where each letter of a game stands that went to a seat at this address."""
    box = Outbox(folder.outbox)
    for place in (box.folder, box.folder / "sent", box.folder / "failed"):
        for entry in Outbox(place).entries():
            if is_of(entry.key, seat) and entry.address.lower() == address.lower():
                yield entry.state


def is_of(key: str, seat: Dynasty) -> bool:
    """Whether a letter in the outbox of a game is one to this seat, by its key."""
    return re.search(rf"-{seat}(?:-\d+)?\.", key) is not None


def _page(template: str, **values: object) -> str:
    return environment().get_template(template).render(**values)
