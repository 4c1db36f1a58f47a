"""The moderator refuses a mail that was held: what follows, and whom it is told."""

from datetime import datetime

from pbem.lines import one_line
from pbem.mail import outbox
from pbem.mail.config import Addresses
from pbem.mail.deeds import Deeds, Posted
from pbem.mail.gamesworld import GamesWorld
from pbem.mail.letters import Letter, answer_key, compose
from pbem.mail.rawstore import RawMail
from pbem.mail.ruling import VOUCHED
from pbem.mail.seen import Entry
from pbem.names import address_fault
from pbem.wording import environment

REFUSED = "refused"
"""The outcome of such a mail in the ledger."""

_PROVEN = "proven:"


def refusal(
    mail: RawMail,
    entry: Entry,
    because: str,
    world: GamesWorld,
    addresses: Addresses,
    now: datetime,
    attempt: int,
) -> Deeds:
    """All that is to be done. Nothing of the mail itself is told: it may not be the reader's."""
    seats = [f"{each.player} in {each.game}" for each in entry.named]
    page = environment().get_template("mail_refused.j2").render(
        number=mail.number, arrival=mail.arrival, seats=seats, because=because,
        content=entry.content,
    )  # fmt: skip
    subject, _, text = page.partition("\n")
    letters = [
        Letter(
            key=f"{answer_key(mail.number, part)}-again-{attempt}",
            kind="answer",
            address=to,
            name=_name_of(to, world),
            subject=one_line(subject, 120),
            text=text.strip("\n") + "\n",
            written=now,
        )
        for part, to in enumerate(_readers(entry, world), start=1)
    ]
    done = entry._replace(outcome=REFUSED, answered=tuple(each.address for each in letters))
    posted = (
        Posted(outbox.Entry(each.key, each.address, each.kind, each.written), data)
        for each in letters
        for data in [compose(each, addresses)]
    )
    return Deeds(done, letters=tuple(posted))


def _readers(entry: Entry, world: GamesWorld) -> list[str]:
    """The sender if it is proven who he is, else the addresses on file of the seats named."""
    if entry.identity.startswith(_PROVEN) and VOUCHED not in entry.why:
        found = [entry.identity.removeprefix(_PROVEN)]
    else:
        found = [
            (seat.address or "").lower()
            for each in entry.named
            for seat in world.seats(each.game)
            if seat.player == each.player
        ]
    return [to for to in dict.fromkeys(found) if to and not address_fault(to)]


def _name_of(address: str, world: GamesWorld) -> str:
    seats = world.seats_of(address)
    return world.names(seats[0]) if seats else ""
