"""Whether orders come in time: too late, or within the grace, as they arrived at our server."""

from collections.abc import Iterator

from pbem.mail.answers import Item
from pbem.mail.case import Case
from pbem.mail.world import Seat, Why, why


def too_late(case: Case, items: list[Item]) -> list[Seat]:
    """The seats whose orders came when something has to follow already, and the moderator has
    not let them pass."""
    if case.leave.in_time:
        return []
    found = []
    for seat in filter(None, map(_seat, items)):
        until = case.world.deadline(seat)
        if until is not None and case.mail.arrival > until:
            found.append(seat)
    return found


def in_grace(case: Case, items: list[Item]) -> Iterator[Why]:
    """Orders that are late, but not too late: they are taken, and their writer is told."""
    for seat in filter(None, map(_seat, items)):
        due, arrival = case.world.due(seat), case.mail.arrival
        if due is not None and arrival > due:
            yield why("after_deadline", game=seat.game, deadline=due, arrival=arrival)


def _seat(item: Item) -> Seat | None:
    """Whose orders it holds, if it holds any; press and notes are never late."""
    file = item.candidate.file
    timed = file.actions is not None or file.answers is not None
    return item.standing.seat if timed else None
