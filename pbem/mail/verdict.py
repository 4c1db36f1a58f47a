"""What becomes of a mail, as values: nothing is sent, stored or changed here."""

from typing import Literal, NamedTuple, TypeAlias

from pbem.mail.commands import Request
from pbem.mail.robots import Bounce
from pbem.mail.seen import Entry
from pbem.mail.world import Seat
from pbem.orderfile import OrderFile

Outcome: TypeAlias = Literal["accept", "accept_warn", "reject", "hold", "ignore", "duplicate"]
Audience: TypeAlias = Literal["sender", "registered", "gm"]


class Order(NamedTuple):
    """Orders to be stored for a seat: `text` in normal form, the key taken out."""

    seat: Seat
    file: OrderFile
    text: str


class Reply(NamedTuple):
    """A letter that answers the mail. `thread` are the Message-IDs it belongs to, the one it
    answers last."""

    to: str
    audience: Audience
    subject: str
    text: str
    thread: tuple[str, ...] = ()


class Alert(NamedTuple):
    """Something for the moderator: what kind, which seats, which address. No orders in it."""

    kind: str
    seats: tuple[Seat, ...] = ()
    address: str = ""


class Verdict(NamedTuple):
    """The judgement on one mail. `held` are the orders that wait for the moderator: what
    `release` would store."""

    outcome: Outcome
    entry: Entry
    orders: tuple[Order, ...] = ()
    held: tuple[Order, ...] = ()
    replies: tuple[Reply, ...] = ()
    alerts: tuple[Alert, ...] = ()
    requests: tuple[Request, ...] = ()
    bounces: tuple[Bounce, ...] = ()
