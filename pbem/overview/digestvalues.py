"""The facts that the moderator's digest is made of. Nothing hidden is among them."""

from datetime import datetime
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem.deskfile import Stop
from pbem.policies import Late


class Bouncing(NamedTuple):
    """A seat whose letters come back; `address` is "" in an anonymous game."""

    game: str
    player: Dynasty
    address: str
    since: datetime
    status: str


class GameFacts(NamedTuple):
    """A game as far as the digest is concerned.

    `who`: who is waited for, `bull (Ben)`; "" if nobody. `since`: since when. `paused`: since
    when the moderator has stopped its clock. `replaceable`: the policy knows a stand-in for the
    seat. `orders_lie`: orders that the next turn will use. `reachable`: the seat has an address.
    """

    game: str
    who: str = ""
    player: Dynasty | None = None
    question: str = ""
    asks: str = ""
    since: datetime | None = None
    over: bool = False
    until: datetime | None = None
    judged: datetime | None = None
    late: Late = "wait"
    replaceable: bool = True
    paused: datetime | None = None
    unconfirmed: tuple[Dynasty, ...] = ()
    deserted: bool = False
    dropped: bool = False
    reachable: bool = True
    orders_lie: bool = False
    bouncing: tuple[Bouncing, ...] = ()


class DamagedGame(NamedTuple):
    """A game that cannot be looked at, and what is wrong with it."""

    game: str
    fault: str


class HeldMail(NamedTuple):
    """A mail that waits for the moderator, in one line, and the commands that end it."""

    number: int
    line: str
    broken: bool
    ends: tuple[str, ...]


class OddLetter(NamedTuple):
    """A letter that may have left or not (`unsure`), or that was given up. `to` may be hidden."""

    key: str
    to: str
    unsure: bool
    why: str


class Facts(NamedTuple):
    """All that the digest is made of. `since`: when the last one was made."""

    now: datetime
    since: datetime
    games: tuple[GameFacts, ...] = ()
    damaged: tuple[DamagedGame, ...] = ()
    mails: tuple[HeldMail, ...] = ()
    unjudged: int = 0
    arrived: int = 0
    letters: tuple[OddLetter, ...] = ()
    waiting: int = 0
    oldest: datetime | None = None
    moves: int = 0
    last_run: datetime | None = None
    outage: Stop | None = None
