"""What the readers of a report are told of the time to answer."""

from datetime import datetime
from typing import NamedTuple

from pbem.chronicle import Chronicle
from pbem.clock.deadline import deadline_of
from pbem.reportvalues import Standstill, Terms
from pbem.store import Game


class Timing(NamedTuple):
    """The fields of a `Report` on time: see there."""

    deadline: datetime | None = None
    terms: Terms | None = None
    standstill: Standstill | None = None


def timing(game: Game, chronicle: Chronicle) -> Timing:
    """How much time there is for the open question of a game; nothing if that is not limited."""
    deadline = deadline_of(game, chronicle)
    if deadline is None:
        return Timing()
    if stop := deadline.stopped:
        outage = stop not in game.desk.pauses
        return Timing(standstill=Standstill(stop.since, stop.why, outage))
    policies = game.file.policies
    there = policies.stand_in is not None
    terms = Terms(policies.late, policies.grace, policies.misses, there)
    return Timing(deadline.until, terms)
