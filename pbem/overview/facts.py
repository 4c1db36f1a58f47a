"""What may be known of a game without its secrets: whose move, until when, who sits where.

It is made for moderators, who may play too: no hand, no bag, no order. The same as plain data
(`write_facts`, `read_facts`) stands in the index of games.
"""

from collections.abc import Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.pieces import DYNASTIES, Dynasty
from pbem.clock import read_time, write_time
from pbem.clock.spans import Days
from pbem.deskfile import Bounced, Stop
from pbem.policies import Late


class Sitting(NamedTuple):
    """Who sits on a seat now."""

    dynasty: Dynasty
    name: str
    address: str | None


class Timing(NamedTuple):
    """The time for the open question: see `Deadline`."""

    since: datetime
    until: datetime | None
    judged: datetime | None


class Facts(NamedTuple):
    """A game as all may see it, and what its moderator knows of the people.

    `public`: as `summary` gives it. `ran`: when the newest run was. `timing`: None if nobody has
    to answer in a given time. `stopped`: what stops the clock now, a pause or an outage. `late`:
    the policy of that name; `replaceable`: it knows a stand-in for the seat that is asked.
    `bounced`: by address, in small letters.
    """

    public: Mapping[str, Any]
    seats: tuple[Sitting, ...]
    ran: datetime
    anonymous: bool = False
    timing: Timing | None = None
    stopped: Stop | None = None
    late: Late = "wait"
    replaceable: bool = True
    unconfirmed: tuple[Dynasty, ...] = ()
    dropped: Mapping[Dynasty, datetime] = MappingProxyType({})
    away: Mapping[Dynasty, tuple[Days, ...]] = MappingProxyType({})
    bounced: Mapping[str, Bounced] = MappingProxyType({})

    @property
    def game(self) -> str:
        """The name of the game."""
        return str(self.public["game"])

    @property
    def asked(self) -> Sitting | None:
        """Who has to answer; None once the game is over."""
        return next((s for s in self.seats if s.dynasty == self.public["waiting_for"]), None)

    def late_since(self, now: datetime) -> datetime | None:
        """When the time of the open question ended, if it has."""
        until = self.timing.until if self.timing else None
        return until if until is not None and until <= now else None

    def seats_of(self, address: str) -> tuple[Dynasty, ...]:
        """The seats with an address."""
        wanted = address.strip().lower()
        return tuple(s.dynasty for s in self.seats if (s.address or "").lower() == wanted)

    def coming_back(self) -> dict[Dynasty, Bounced]:
        """The seats whose letters come back."""
        found = ((s.dynasty, self.bounced.get((s.address or "").lower())) for s in self.seats)
        return {dynasty: bounced for dynasty, bounced in found if bounced is not None}


def who(facts: Facts) -> str:
    """Who is asked: his dynasty, and his name where that may be known."""
    asked = facts.asked
    if asked is None:
        return "-"
    return asked.dynasty if facts.anonymous else f"{asked.dynasty} ({asked.name})"


def write_facts(facts: Facts) -> dict[str, Any]:
    """The facts as plain data for JSON; `read_facts` reads it back."""
    return {
        "public": dict(facts.public),
        "seats": [list(each) for each in facts.seats],
        "ran": write_time(facts.ran),
        "anonymous": facts.anonymous,
        "timing": [_time(each) for each in facts.timing] if facts.timing else None,
        "stopped": _written_stop(facts.stopped),
        "late": facts.late,
        "replaceable": facts.replaceable,
        "unconfirmed": list(facts.unconfirmed),
        "dropped": {seat: write_time(when) for seat, when in facts.dropped.items()},
        "away": {
            seat: [[str(each.first), str(each.last)] for each in days]
            for seat, days in facts.away.items()
        },
        "bounced": {
            address: [write_time(each.since), each.status]
            for address, each in facts.bounced.items()
        },
    }


def read_facts(data: Mapping[str, Any]) -> Facts:
    """The facts in plain data; ValueError, KeyError or TypeError if they are none."""
    timing = data["timing"]
    return Facts(
        public=data["public"],
        seats=tuple(Sitting(_dynasty(d), name, address) for d, name, address in data["seats"]),
        ran=read_time(data["ran"]),
        anonymous=bool(data["anonymous"]),
        timing=_read_timing(*timing) if timing else None,
        stopped=_read_stop(data["stopped"]),
        late=data["late"],
        replaceable=bool(data["replaceable"]),
        unconfirmed=tuple(map(_dynasty, data["unconfirmed"])),
        dropped={_dynasty(seat): read_time(when) for seat, when in data["dropped"].items()},
        away={_dynasty(seat): _read_days(days) for seat, days in data["away"].items()},
        bounced={a: Bounced(read_time(when), code) for a, (when, code) in data["bounced"].items()},
    )


def _read_timing(since: str, until: str | None, judged: str | None) -> Timing:
    return Timing(read_time(since), _read(until), _read(judged))


def _read_days(days: list[list[str]]) -> tuple[Days, ...]:
    return tuple(Days(date.fromisoformat(a), date.fromisoformat(b)) for a, b in days)


def _written_stop(stop: Stop | None) -> list[str | None] | None:
    return [write_time(stop.since), _time(stop.until), stop.why] if stop else None


def _read_stop(data: list[Any] | None) -> Stop | None:
    return Stop(read_time(data[0]), _read(data[1]), data[2]) if data else None


def _time(when: datetime | None) -> str | None:
    return write_time(when) if when else None


def _read(text: str | None) -> datetime | None:
    return read_time(text) if text else None


def _dynasty(text: str) -> Dynasty:
    return DYNASTIES[DYNASTIES.index(text)]
