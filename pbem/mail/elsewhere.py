"""Orders with the order key of a seat, from another address than that on file."""

from pbem.mail.answers import Item
from pbem.mail.case import Case, same_address
from pbem.mail.verdict import Alert
from pbem.mail.world import Why, why


def from_elsewhere(case: Case, items: list[Item]) -> tuple[Why, ...]:
    """The owner of a seat is told when his key comes from another address than his, and when
    the moderator has said that orders are his."""
    elsewhere = tuple(
        why("other_address", address=_shown_sender(case, item), game=item.standing.game)
        for item in items
        if item.standing.kind == "key" and not _at_home(item, case)
    )
    vouched = any(item.standing.kind == "vouched" for item in items)
    return (*elsewhere, *([why("vouched")] if vouched else []))


def _shown_sender(case: Case, item: Item) -> str:
    """The sender as the owner of a seat may know him, who may be another player."""
    seat = item.standing.seat
    return "" if seat is not None and seat.anonymous else case.sender


def _at_home(item: Item, case: Case) -> bool:
    seat = item.standing.seat
    return seat is not None and same_address(seat.address, case.sender)


def opponents(case: Case, items: list[Item]) -> tuple[Alert, ...]:
    """A seat's key in the mail of another player of the same game is worth a look."""
    found = tuple(
        seat
        for item in items
        if item.standing.kind == "key" and (seat := item.standing.seat) and not _at_home(item, case)
        if any(each.game == seat.game for each in case.own_seats)
    )
    return (Alert("key of another seat", found, case.sender),) if found else ()
