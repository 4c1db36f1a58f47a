"""What of the mail needs a person: the mails that are held, and how each of them ends."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem.mail.intake import BROKEN
from pbem.mail.ledger import FOLDER, LEDGER
from pbem.mail.office import OVERTAKEN
from pbem.mail.ruling import VOUCHED
from pbem.mail.seen import Entry, StoredOrders, load

HELD = "hold"
LATE = "late"
_REASONS = {
    "unproven": "it is not proven who sent it",
    "unproven_request": "it is not proven who sent it",
    LATE: "it came after the deadline",
    OVERTAKEN: "what it is for was decided before it was released",
    "forwarded": "its orders stand inside a forwarded mail",
    "two_headers": "it has two senders or two subjects",
}
_KINDS = {
    "accept": "accepted", "accept_warn": "accepted", "reject": "refused", "refused": "refused",
    "ignore": "robots", "duplicate": "repeated",
}  # fmt: skip


class Item(NamedTuple):
    """A mail that waits for the moderator. `ends`: the commands of which one ends it."""

    number: int
    arrival: datetime
    sender: str
    proven: bool
    seats: tuple[StoredOrders, ...]
    why: str
    broken: bool
    ends: tuple[str, ...]


class Inbox(NamedTuple):
    """`counts`: what became of the mails that came since a time; `items`: what waits now."""

    since: datetime | None
    counts: dict[str, int]
    items: tuple[Item, ...]


def inbox_of(latest: Iterable[Entry], since: datetime | None) -> Inbox:
    """What needs a person among the mails that were judged, and how many others there were."""
    counts = Counter(dict.fromkeys(("accepted", "refused", "held", "robots", "repeated"), 0))
    items = []
    for entry in latest:
        if entry.outcome == HELD:
            items.append(item_of(entry))
        elif since is None or entry.arrival >= since:
            counts[_KINDS.get(entry.outcome, entry.outcome)] += 1
    counts["broken"] = sum(each.broken for each in items)
    counts["held"] = len(items) - counts["broken"]
    return Inbox(since, dict(counts), tuple(items))


def item_of(entry: Entry) -> Item:
    """A mail that is held, as the moderator is told of it."""
    proven, _, sender = entry.identity.partition(":")
    return Item(
        entry.number,
        entry.arrival,
        sender,
        proven == "proven" and VOUCHED not in entry.why,
        entry.named,
        reason(entry),
        any(code.startswith(BROKEN) for code in entry.why),
        ends(entry),
    )


def reason(entry: Entry) -> str:
    """Why a mail is held, in words."""
    for code in entry.why:
        if code.startswith(BROKEN):
            return f"this program failed on it ({code.removeprefix(BROKEN)}), please report it"
        if code in _REASONS:
            return _REASONS[code]
    return "its notice says why"


def ends(entry: Entry) -> tuple[str, ...]:
    """The commands of which one ends a mail that is held."""
    way = "admit-late" if late(entry) else "release"
    refuse = f"pbem refuse {entry.number} --because '..'"
    return (f"pbem {way} {entry.number}", refuse)


def late(entry: Entry) -> bool:
    """Whether only the time stands between the orders of a held mail and the game."""
    return entry.outcome == HELD and bool({LATE, OVERTAKEN} & {*entry.why})


def held_late(games: Path) -> frozenset[tuple[str, Dynasty]]:
    """The seats, by game, with late orders on which the moderator has yet to decide."""
    latest = load(games / FOLDER / LEDGER).latest()
    return frozenset(
        (each.game, each.player) for entry in latest if late(entry) for each in entry.named
    )
