"""The fixture of the sample mails: three games, four players, no board behind them."""

from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from engine.pieces import DYNASTIES
from pbem.labels import Takes
from pbem.mail.commands import Request
from pbem.mail.config import Limits
from pbem.mail.headers import parse_head, topmost_received
from pbem.mail.intake import judge_mail
from pbem.mail.rawstore import RawStore
from pbem.mail.seen import Memory
from pbem.mail.verdict import Verdict
from pbem.mail.world import Judgement, Seat
from pbem.orderfile import OrderFile
from pbem.problem import Problem
from pbem.seats.keys import key_hash

SERVER, MODERATOR = "orders@example.org", "gm@example.org"
KEY = "ur1-archer-7F3A"
SECRET = "the form is for its owner"
PLAYERS = {
    "ur-1": {"archer": "ada", "bull": "bruno", "pot": "chidi", "lion": "lena"},
    "ur-2": {"pot": "ada", "bull": "bruno"},
    "ur-3": {"archer": "ada", "lion": "lena"},
}
TURNS = {"ur-1": "7", "ur-2": "3", "ur-3": "10"}
DEADLINES = {"ur-1": datetime(2026, 3, 10, 20, tzinfo=UTC)}
NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)


@cache
def _key_hash() -> str:
    return key_hash(KEY)


@cache
def _seats() -> tuple[Seat, ...]:
    return tuple(
        Seat(
            game,
            dynasty,
            f"{players[dynasty]}@example.org",
            _key_hash() if (game, dynasty) == ("ur-1", "archer") else None,
        )
        for game, players in PLAYERS.items()
        for dynasty in DYNASTIES
        if dynasty in players
    )


class Fixture:
    """A world as INDEX.md describes it. `told` collects what was asked for whom."""

    server = SERVER
    moderator = MODERATOR
    authserv_id = "mx.example.org"
    limits = Limits()

    def __init__(self) -> None:
        self.told: list[Seat] = []
        self.full: set[str] = set()

    def seats(self, game: str) -> tuple[Seat, ...]:
        """Whatever the case."""
        return tuple(seat for seat in _seats() if seat.game == game.lower())

    def seats_of(self, address: str) -> tuple[Seat, ...]:
        """Whatever the case."""
        return tuple(seat for seat in _seats() if seat.address == address.lower())

    def deadline(self, seat: Seat) -> datetime | None:
        """Only ur-1 has one."""
        return DEADLINES.get(seat.game)

    def takes(self, game: str) -> Takes:
        """No turn was ever taken back."""
        assert game in TURNS
        return {}

    def due(self, seat: Seat) -> datetime | None:
        """The same: there is no grace."""
        return DEADLINES.get(seat.game)

    def judge(self, seat: Seat, file: OrderFile, data: bytes) -> Judgement:
        """Only the number of the turn is judged."""
        assert data
        self.told.append(seat)
        now = TURNS[seat.game]
        if file.turn in (None, now):
            return Judgement(still_open=("nothing",))
        message = f"turn {file.turn} is over: the game is at turn {now}"
        line = file.line_of("turn")
        return Judgement((Problem(line, f"turn: {file.turn}", message, f"turn: {now}"),))

    def form(self, seat: Seat) -> str:
        """A form that nobody else may see."""
        self.told.append(seat)
        return f"game: {seat.game}\nplayer: {seat.player}\n# {SECRET}"

    def fulfil(self, request: Request, seats: tuple[Seat, ...]) -> str:
        """Something that nobody else may see."""
        self.told.extend(seats)
        return f"{SECRET}: {request}"

    def may_answer(self, address: str) -> bool:
        """The cap is off, unless a test sets it."""
        return address not in self.full


class Office:
    """A store of raw mails and the memory that goes with it."""

    def __init__(self, folder: Path) -> None:
        self.store = RawStore(folder)
        self.memory = Memory()
        self.world = Fixture()

    def take(self, data: bytes, arrival: datetime | None = None) -> Verdict:
        """Store a mail, judge it, remember it."""
        when = arrival or topmost_received(parse_head(data[:70000])) or NOON
        mail = self.store.add(data, when)
        verdict = judge_mail(mail, self.world, self.memory)
        self.memory.add(verdict.entry)
        return verdict
