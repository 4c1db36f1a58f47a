"""What happens once the time to answer, and its grace, is over: the policy `late` of a game.

A deadline that nobody was told of is not judged.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.clock.bydefault import by_default
from pbem.clock.deadline import Deadline, deadline_of
from pbem.policies import Person
from pbem.seats.seating import person_of
from pbem.store import Game

Follows: TypeAlias = Literal["pass", "drop", "stand-in"]
"""It is decided for the seat; the seat is dropped; it is given to the stand-in."""


class Late(NamedTuple):
    """A seat whose time is over, the question that it has not answered, and what follows."""

    player: Dynasty
    question: str
    follows: Follows


def late_seat(
    game: Game,
    chronicle: Chronicle,
    now: datetime,
    excused: Collection[tuple[str, Dynasty]] = (),
) -> Late | None:
    """Who has let his time go by, if anything follows from it now.

    `excused`: seats, with the name of their game, for which something else has to be decided
    first: a mail of theirs is held.
    """
    found = deadline_of(game, chronicle)
    if found is None or found.judged is None or found.judged > now:
        return None
    if (game.file.game, found.player) in excused:
        return None
    follows = _follows(game, chronicle, found)
    return Late(found.player, found.question, follows) if follows else None


def limit_of(game: Game, chronicle: Chronicle, player: Dynasty) -> datetime | None:
    """Until when orders of a seat have to arrive, grace included; None if that is not limited."""
    found = deadline_of(game, chronicle)
    if found is None or found.player != player or not _follows(game, chronicle, found):
        return None
    return found.judged


def misses_of(game: Game, chronicle: Chronicle, seat: Dynasty) -> int:
    """How many deadlines in a row a seat has missed up to now.

    An answer of its own ends the row, and a new player begins with none. All that is decided for
    a seat in one run is one miss.
    """
    begins = max((each.when for each in game.desk.handovers if each.seat == seat), default=None)
    runs = set()
    for record, decision in chronicle.decisions_of(seat, chronicle.newest.run):
        if by_default(decision.source) is None or (begins and record.when < begins):
            break
        runs.add(record.run)
    return len(runs)


def stand_in_for(game: Game, seat: Dynasty) -> Person | None:
    """Who could take over a seat: the stand-in, unless he plays in the game already."""
    person = game.file.policies.stand_in
    if person is None or person_of(game.file.seat(seat)) == person:
        return None
    theirs = {each.address.lower() for each in game.file.seats if each.address}
    return None if (person.address or "").lower() in theirs else person


def _follows(game: Game, chronicle: Chronicle, found: Deadline) -> Follows | None:
    """What follows once a deadline is over; None: the game waits."""
    policies, told = game.file.policies, game.desk.announced
    if told is None or told.question != found.question:
        return None
    match policies.late:
        case "wait":
            return None
        case "stand-in":
            return "stand-in" if stand_in_for(game, found.player) else None
        case "drop":
            last = misses_of(game, chronicle, found.player) + 1 >= policies.misses
            return "drop" if last else "pass"
        case "pass":
            return None if _nobody_plays(game, chronicle) else "pass"


def _nobody_plays(game: Game, chronicle: Chronicle) -> bool:
    """Whether the last decision of each seat was made for it: then a person has to look.

    Else a game whose players have all gone would pass, and write to them, for ever.
    """
    return all(
        seat in game.desk.dropped or misses_of(game, chronicle, seat) for seat in game.file.players
    )
