"""From a verdict to all that is to be done because of it, as values."""

from collections.abc import Iterator
from datetime import datetime

from pbem.mail import outbox
from pbem.mail.config import Addresses
from pbem.mail.deeds import Deeds, Placed, Posted, Returned
from pbem.mail.gamesworld import GamesWorld
from pbem.mail.letters import Letter, answer_key, compose
from pbem.mail.rawstore import RawMail
from pbem.mail.verdict import Reply, Verdict
from pbem.names import address_fault
from pbem.origin import from_mail
from pbem.wording import environment

NOTICE_KEY = "notice"


def consequences(
    mail: RawMail,
    verdict: Verdict,
    world: GamesWorld,
    addresses: Addresses,
    now: datetime,
    attempt: int,
) -> Deeds:
    """What follows from a verdict. `attempt`: how often the mail has been judged by now."""
    orders = tuple(
        Placed(o.seat.game, o.seat.player, from_mail(o.text, mail.number, mail.sha256).decode())
        for o in verdict.orders
    )
    unsent = [each for each in verdict.replies if address_fault(each.to)]
    notice = _notice(mail, verdict, unsent)
    replies = [(each, _names_of(each, world)) for each in verdict.replies if each not in unsent]
    letters = [*_answers(mail, replies, now, attempt)]
    answered = verdict.entry.answered
    to = addresses.moderator
    told = any(each.audience == "gm" for each in verdict.replies)
    if notice and to and not told and world.may_answer(to):
        letters.append(_to_moderator(mail, notice, to, now, attempt))
        answered += (to.lower(),)
    accepted = verdict.outcome in ("accept", "accept_warn")
    return Deeds(
        verdict.entry._replace(answered=answered),
        orders,
        tuple(world.wishes) if accepted else (),
        tuple(world.confirmed) if accepted else (),
        tuple(_returned(verdict, world, now)),
        tuple(_posted(letter, addresses) for letter in letters),
        notice,
    )


def _answers(
    mail: RawMail, replies: list[tuple[Reply, str]], now: datetime, attempt: int
) -> Iterator[Letter]:
    for part, (reply, name) in enumerate(replies, start=1):
        yield Letter(
            key=answer_key(mail.number, part) + _again(attempt),
            kind="notice" if reply.audience == "gm" else "answer",
            address=reply.to,
            name=name,
            subject=reply.subject,
            text=reply.text,
            written=now,
            thread=reply.thread,
        )


def _to_moderator(mail: RawMail, notice: str, to: str, now: datetime, attempt: int) -> Letter:
    subject, _, text = notice.partition("\n")
    return Letter(
        key=f"{NOTICE_KEY}-{mail.number:06d}{_again(attempt)}",
        kind="notice",
        address=to,
        name="",
        subject=subject,
        text=text.lstrip("\n"),
        written=now,
    )


def _again(attempt: int) -> str:
    """Another judgement on the same mail is another letter."""
    return f"-again-{attempt}" if attempt > 1 else ""


def _posted(letter: Letter, addresses: Addresses) -> Posted:
    entry = outbox.Entry(letter.key, letter.address, letter.kind, letter.written)
    return Posted(entry, compose(letter, addresses))


def _names_of(reply: Reply, world: GamesWorld) -> str:
    """What the reader is called, if he has a seat."""
    seats = world.seats_of(reply.to)
    return world.names(seats[0]) if seats else ""


def _returned(verdict: Verdict, world: GamesWorld, now: datetime) -> Iterator[Returned]:
    for bounce in verdict.bounces:
        games = {seat.game for seat in world.seats_of(bounce.address)} if bounce.permanent else ()
        for game in sorted(games):
            yield Returned(game, bounce.address, bounce.status, now)


def _notice(mail: RawMail, verdict: Verdict, unsent: list[Reply]) -> str:
    """What the moderator has to know, the subject first; "" if nothing. No orders stand in it."""
    if not verdict.alerts and not unsent:
        return ""
    template = environment().get_template("mail_alert.j2")
    return template.render(
        number=mail.number,
        arrival=mail.arrival,
        outcome=verdict.outcome,
        alerts=verdict.alerts,
        bounces=verdict.bounces,
        unsent=[each.to for each in unsent],
        held=bool(verdict.held),
    )
