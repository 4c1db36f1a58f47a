"""Whether deadlines may be judged now: the program was there, and its clock makes sense.

What went wrong on our side must not punish players.
"""

from datetime import datetime, timedelta
from enum import Enum
from typing import NamedTuple

from pbem.deskfile import Stop
from pbem.health import Health

WHY = "the program was not there"


class Finding(Enum):
    """What a run finds when it begins."""

    WELL = "well"
    BACK = "the clock went back"
    OUTAGE = "outage"


class Watch(NamedTuple):
    """How things stand, and the health as it is to be stored."""

    health: Health
    finding: Finding

    @property
    def may_judge(self) -> bool:
        """Whether deadlines may be judged."""
        return self.finding is Finding.WELL


def watched(health: Health, now: datetime, limit: timedelta) -> Watch:
    """Look at the clock and at the time since the last run; a limit of 0 finds no outage.

    An outage goes on until the moderator ends it: `resume --all`.
    """
    if health.last is not None and now < health.last:
        return Watch(health, Finding.BACK)
    if health.outage is not None:
        return Watch(health, Finding.OUTAGE)
    if health.last is not None and limit and now - health.last > limit:
        outage = Stop(health.last, None, WHY)
        return Watch(health._replace(outages=(*health.outages, outage)), Finding.OUTAGE)
    return Watch(health, Finding.WELL)
