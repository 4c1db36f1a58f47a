"""The values that a report is made of."""

from datetime import datetime
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem.clock.spans import Span
from pbem.policies import Late
from pbem.wording import Told


class Press(NamedTuple):
    """What a player says to all."""

    player: Dynasty
    text: str


class Happening(NamedTuple):
    """An event; `depth` 0 starts something, 1 follows from it and from what is told above."""

    depth: int
    event: Told


class TurnNews(NamedTuple):
    """What happened in one turn: its label such as `7` or `7b`, and whose it was."""

    label: str
    player: Dynasty
    happenings: tuple[Happening, ...]


class Absence(NamedTuple):
    """Somebody did not answer a question in time, and it was decided for him.

    `dropped`: from then on nobody plays his seat. `decided`: what kind of order it was, as in
    `kind` of `engine.orders`. `what`: the colour that was chosen, or the square. `former`: it was
    somebody who has given up the seat since.
    """

    player: Dynasty
    question: str
    dropped: bool
    decided: str
    what: str = ""
    former: bool = False


class Unplayed(NamedTuple):
    """A seat that nobody played any more from a turn on, `9` or `9b`."""

    player: Dynasty
    since: str


class Played(NamedTuple):
    """Which turns somebody played; `name` is None in an anonymous game."""

    player: Dynasty
    name: str | None
    turns: tuple[str, ...]


class Terms(NamedTuple):
    """What happens after a deadline and its grace; after `misses` in a row if that is to drop.

    `stand_in`: whether there is one.
    """

    late: Late
    grace: Span
    misses: int
    stand_in: bool


class Standstill(NamedTuple):
    """The clock stands still: since when, and why if that was said. `outage`: for all games."""

    since: datetime
    why: str
    outage: bool


class NewPlayer(NamedTuple):
    """A seat has passed on in a turn; `name` is None in an anonymous game."""

    player: Dynasty
    name: str | None
    turn: str
