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
    """A letter that answers the mail. `in_reply_to` and `references` keep it in the thread."""

    to: str
    audience: Audience
    subject: str
    text: str
    in_reply_to: str = ""
    references: str = ""


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
