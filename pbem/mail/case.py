"""One mail on the table: everything that is known of it before it is judged."""

from typing import NamedTuple

from pbem.mail.commands import ConfirmWanted, Request, requests
from pbem.mail.headers import Head, Sent
from pbem.mail.parts import Contents
from pbem.mail.rawstore import RawMail
from pbem.mail.reading import Candidate, Reading
from pbem.mail.robots import from_list
from pbem.mail.seen import Memory
from pbem.mail.sender import Secrets, proven
from pbem.mail.world import Seat, Why, World, why
from pbem.seats.keys import key_fits


class Leave(NamedTuple):
    """What the moderator has decided for one mail: he has `vouched` for its sender; its orders
    count as if they had come `in_time`."""

    vouched: bool = False
    in_time: bool = False


NO_LEAVE = Leave()


class Case(NamedTuple):
    """A mail with what its head and its texts say."""

    mail: RawMail
    head: Head
    sent: Sent
    content: str
    world: World
    memory: Memory
    proven: bool
    contents: Contents = Contents(())
    reading: Reading = Reading()
    secrets: Secrets = Secrets(())
    requests: tuple[Request, ...] = ()
    leave: Leave = NO_LEAVE

    @property
    def sender(self) -> str:
        """The address in From; "" if there is not just one."""
        return self.head.sender or ""

    @property
    def own_seats(self) -> tuple[Seat, ...]:
        """The seats with the sender's address on file, whether he is proven or not."""
        return self.world.seats_of(self.sender) if self.sender else ()

    @property
    def identity(self) -> str:
        """Who sent it, for telling mails apart."""
        return f"{'proven' if self.proven else 'claimed'}:{self.sender}"

    @property
    def mail_id(self) -> str:
        """The Message-ID; the date where there is none."""
        return self.head.message_id or f"date {self.sent.claim}"

    @property
    def listed(self) -> bool:
        """Whether it came through a mailing list."""
        return from_list(self.head)


def open_case(
    mail: RawMail, head: Head, sent: Sent, content: str, world: World, memory: Memory
) -> Case:
    """A mail of which only the head was read."""
    return Case(mail, head, sent, content, world, memory, proven(head, world.authserv_id))


def with_texts(case: Case, contents: Contents, reading: Reading) -> Case:
    """The mail with its texts read."""
    texts = [variant for text in contents.texts for variant in text.variants]
    secrets = Secrets(
        (*texts, *contents.inner, case.head.subject),
        [each.file.key for each in reading.candidates],
    )
    wanted = requests(case.head.subject, reading.prose)
    return case._replace(contents=contents, reading=reading, secrets=secrets, requests=wanted)


class Standing(NamedTuple):
    """On what ground orders are taken: the seat they name, and why its sender may order for it.

    `own`: the proven owner. `key`: the order key fits. `other`: the proven owner of another seat
    of this game. `vouched`: the moderator says that it is the owner. `nobody`: a proven player
    names a game or seat that there is not. `unproven`.
    """

    kind: str
    seat: Seat | None
    game: str


def standing(candidate: Candidate, case: Case) -> Standing:
    """Who sent these orders, as far as it is proven."""
    seats = case.world.seats(candidate.game) if candidate.game else ()
    game = seats[0].game if seats else ""
    seat = _seat_among(seats, candidate)
    if seat is not None and case.proven and same_address(seat.address, case.sender):
        return Standing("own", seat, game)
    if seat is not None and key_fits(candidate.key, seat.key_hash):
        return Standing("key", seat, game)
    if not (case.proven or case.leave.vouched):
        return Standing("unproven", seat, game)
    if any(same_address(each.address, case.sender) for each in seats):
        return Standing("other" if seat else "nobody", seat, game)
    if case.leave.vouched and seat is not None:
        return Standing("vouched", seat, game)
    return Standing("nobody" if not seats and case.own_seats else "unproven", seat, game)


def named_seat(candidate: Candidate, case: Case) -> Seat | None:
    """The seat that these orders name, whoever sent them; None if there is none."""
    return _seat_among(case.world.seats(candidate.game) if candidate.game else (), candidate)


def _seat_among(seats: tuple[Seat, ...], candidate: Candidate) -> Seat | None:
    return next((each for each in seats if each.player == candidate.player), None)


def confirmed_by_key(case: Case) -> tuple[Seat, ...]:
    """The seats that a mail confirms, and asks nothing else, whose order key stands in it, be it
    in the quoted invitation."""
    games = [each.game for each in case.requests if isinstance(each, ConfirmWanted)]
    if len(games) < len(case.requests):
        return ()
    seats = (seat for game in games if game for seat in case.world.seats(game))
    return tuple(seat for seat in seats if case.secrets.fit(seat.key_hash))


def same_address(one: str | None, other: str | None) -> bool:
    """Whether two addresses are the same; case does not matter, and none is not the same."""
    return bool(one) and bool(other) and (one or "").lower() == (other or "").lower()


def oddities(case: Case) -> list[Why]:
    """What the sender should know of his mail, and what does not stop it."""
    found = list(case.reading.warnings)
    if case.sent.oddity in ("ahead", "behind"):
        found.append(why("clock", claim=case.sent.claim, arrival=case.mail.arrival))
    elif case.sent.oddity:
        found.append(why("no_date", claim=case.sent.claim))
    if case.memory.with_id(case.identity, case.head.message_id):
        found.append(why("same_id"))
    for each in case.reading.candidates:
        for repair in each.file.repairs:
            found.append(why("repair", place=each.place, line=repair.line, what=repair.what))
    return found


def copied_to(case: Case, seats: list[Seat]) -> list[Why]:
    """Opponents who got a copy of the orders; in an anonymous game nobody is told who they are."""
    found = []
    for seat in seats:
        if seat.anonymous:
            continue
        others = [
            each.player
            for each in case.world.seats(seat.game)
            if each.player != seat.player
            and not same_address(each.address, seat.address)
            and any(same_address(each.address, to) for to in case.head.recipients)
        ]
        if others:
            found.append(why("copied", players=others, game=seat.game))
    return found
