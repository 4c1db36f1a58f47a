"""The head of a mail: who, to whom, when, which thread. Whatever stands there, nothing raises."""

import re
from datetime import datetime, timedelta
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import compat32
from email.utils import getaddresses, parsedate_to_datetime
from typing import NamedTuple

from pbem.clock import in_utc
from pbem.lines import one_line

_ONCE = ("from", "subject", "sender")
_ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]\\]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.?")
_ID = re.compile(r"<[^<>\s]{1,240}>")
_AHEAD = timedelta(minutes=15)
_BEHIND = timedelta(days=7)
_LONGEST = 250
_MANY = 200


class Sent(NamedTuple):
    """When the sender says that he sent it, never later than it arrived. `oddity`: what is wrong
    with the claim: `none`, `unreadable`, `ahead` or `behind`."""

    when: datetime
    oddity: str = ""
    claim: str = ""


class Head(NamedTuple):
    """The head of a mail. `repeated`: headers that may stand only once and stand twice."""

    message: "Message[str, str]"
    sender: str | None
    subject: str
    message_id: str
    thread: tuple[str, ...]
    recipients: tuple[str, ...]
    repeated: tuple[str, ...]

    def values(self, name: str) -> list[str]:
        """All headers of this name, from the top."""
        return values(self.message, name)


def parse(data: bytes) -> "Message[str, str]":
    """The whole mail."""
    return BytesParser(policy=compat32).parsebytes(_trimmed(data))


def parse_head(data: bytes) -> "Message[str, str]":
    """Only the head of a mail, of one that is too large to be read."""
    return BytesHeaderParser(policy=compat32).parsebytes(_trimmed(data))


def _trimmed(data: bytes) -> bytes:
    return data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")


def read_head(message: "Message[str, str]") -> Head:
    """What the head says."""
    senders = addresses(message, "from")
    repeated = [name for name in _ONCE if len(values(message, name)) > 1]
    if len(senders) > 1 and "from" not in repeated:
        repeated.append("from")
    subject = next(iter(values(message, "subject")), "")
    ids = _ID.findall(" ".join(values(message, "message-id")))
    before = _ID.findall(" ".join(values(message, "references")))
    return Head(
        message,
        sender=senders[0] if len(senders) == 1 else None,
        subject=one_line(decoded(subject), _LONGEST),
        message_id=ids[0] if ids else "",
        thread=(*before[-20:], *ids[:1]),
        recipients=(*addresses(message, "to"), *addresses(message, "cc")),
        repeated=tuple(repeated),
    )


def values(message: "Message[str, str]", name: str) -> list[str]:
    """All headers of this name as text, from the top."""
    return [str(value) for value in message.get_all(name, [])]


def addresses(message: "Message[str, str]", name: str) -> list[str]:
    """The addresses in a header, in small letters; names and comments are left out."""
    found: list[str] = []
    try:
        pairs = getaddresses(values(message, name)[:_MANY])
    except (ValueError, IndexError, RecursionError):
        return found
    for _, address in pairs:
        address = address.strip().lower()
        if _ADDRESS.fullmatch(address) and address not in found:
            found.append(address.rstrip("."))
    return found


def decoded(text: str) -> str:
    """A header with its encoded words decoded; as it stands if that cannot be done."""
    try:
        return str(make_header(decode_header(text)))
    except (ValueError, LookupError, MessageError, AssertionError):
        return text


def sent_at(head: Head, arrival: datetime) -> Sent:
    """When the mail was sent, as far as the sender can be believed."""
    claims = head.values("date")
    claim = one_line(claims[0], 80) if claims else ""
    if not claims:
        return Sent(arrival, "none")
    when = read_date(claims[0]) if len(claims) == 1 else None
    if when is None:
        return Sent(arrival, "unreadable", claim)
    if when > arrival + _AHEAD:
        return Sent(arrival, "ahead", claim)
    if when < arrival - _BEHIND:
        return Sent(arrival, "behind", claim)
    return Sent(min(when, arrival), "", claim)


def read_date(text: str) -> datetime | None:
    """A date as mails write it, in UTC; None if it cannot be read."""
    try:
        when = in_utc(parsedate_to_datetime(text))
    except (TypeError, ValueError, IndexError, OverflowError, AttributeError):
        return None
    return when


def topmost_received(message: "Message[str, str]") -> datetime | None:
    """When the last server took the mail in, as its `Received` says; None if there is none.

    It is to be believed only of mails that came through our own server.
    """
    for line in values(message, "received")[:1]:
        return read_date(line.rpartition(";")[2].strip())
    return None
