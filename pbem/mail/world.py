"""What the intake of mail may ask about the games, and the values it speaks in.

The product answers from game folders, a test from a few lines. Nothing of it may be asked for
anybody but a proven seat, except who sits where.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from engine.pieces import Dynasty
from pbem.labels import Takes
from pbem.mail.commands import Request
from pbem.mail.config import Limits
from pbem.orderfile import OrderFile
from pbem.problem import Problem


class Seat(NamedTuple):
    """A seat of a game: the name of the game as it is written there, address and key on file.

    `anonymous`: no player of the game may learn the address of another.
    """

    game: str
    player: Dynasty
    address: str | None = None
    key_hash: str | None = None
    anonymous: bool = False


class Judgement(NamedTuple):
    """What `judge` says of orders that can be read, on the view of their writer.

    No `problems`: they are accepted. `foreseen` is what certainly happens, `until` what the rest
    depends on, `still_open` what the player has yet to send.
    """

    problems: tuple[Problem, ...] = ()
    foreseen: tuple[str, ...] = ()
    until: str = ""
    still_open: tuple[str, ...] = ()


class Why(NamedTuple):
    """A reason, for the reader: the macro of `mail_reasons.j2` that says it, and its facts."""

    code: str
    facts: Mapping[str, Any]


def why(code: str, **facts: Any) -> Why:
    """A reason with its facts."""
    return Why(code, facts)


class World(Protocol):
    """What the intake of mail may ask."""

    @property
    def server(self) -> str:
        """The address that orders are sent to, ours."""

    @property
    def moderator(self) -> str | None:
        """The moderator's address, if there is one."""

    @property
    def authserv_id(self) -> str | None:
        """The name with which our own mail server signs `Authentication-Results`."""

    @property
    def limits(self) -> Limits:
        """How much is too much."""

    def seats(self, game: str) -> tuple[Seat, ...]:
        """The seats of the game of this name, whatever its case; none if there is no such game."""

    def seats_of(self, address: str) -> tuple[Seat, ...]:
        """The seats of all games with this address on file, whatever its case."""

    def deadline(self, seat: Seat) -> datetime | None:
        """Until when orders of this seat have to arrive; None if late ones are taken too."""

    def due(self, seat: Seat) -> datetime | None:
        """Until when this seat should answer; orders that come later are late, grace or not."""

    def takes(self, game: str) -> Takes:
        """How often turns of a game were taken back."""

    def judge(self, seat: Seat, file: OrderFile, data: bytes) -> Judgement:
        """Legality, and whether turn and questions are the right ones. Proven seats only."""

    def form(self, seat: Seat) -> str:
        """The order form of this seat, filled in, "" if it has none now. Proven seats only."""

    def fulfil(self, request: Request, seats: tuple[Seat, ...]) -> str:
        """The text that answers a request (report, status, rules, away). Proven seats only."""

    def may_answer(self, address: str) -> bool:
        """Whether this address has not had all its answers of the day yet."""
