"""The world that mails are judged in: the games on the disk.

A game is held from the moment at which a mail asks for it until all that follows from the mail
is done, so that no run of `turn` comes in between.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from pbem.chronicle import Chronicle
from pbem.disk import PATIENCE
from pbem.foreseen import foresee
from pbem.judge import judge
from pbem.labels import Takes
from pbem.language import _
from pbem.mail.commands import Request
from pbem.mail.config import Limits, MailConfig
from pbem.mail.directory import Directory
from pbem.mail.fulfil import Confirmed, Wishes, fulfil
from pbem.mail.seen import Memory
from pbem.mail.world import Judgement, Seat
from pbem.orderfile import OrderFile
from pbem.orderkey import without_key
from pbem.problem import Problem
from pbem.reporting import report_of
from pbem.reports import order_form
from pbem.sheets import Sheet, Situation
from pbem.store import Game, GameFolder
from pbem.tidings import actions_wait


class Held(NamedTuple):
    """A game that is held while a mail is judged."""

    folder: GameFolder
    game: Game
    chronicle: Chronicle
    situation: Situation


class GamesWorld:
    """Answers the intake of mail from game folders."""

    def __init__(self, games: Path, config: MailConfig, memory: Memory) -> None:
        self.directory = Directory(games)
        self.wishes: list[Wishes] = []
        self.confirmed: list[Confirmed] = []
        self._config = config
        self._memory = memory
        self._stack = ExitStack()
        self._held: dict[str, Held] = {}
        self._day = date.min

    @property
    def server(self) -> str:
        """The address that orders are sent to."""
        return self._config.addresses.orders

    @property
    def moderator(self) -> str | None:
        """The moderator's address."""
        return self._config.addresses.moderator

    @property
    def authserv_id(self) -> str | None:
        """The name of our mail server."""
        return self._config.authserv_id

    @property
    def limits(self) -> Limits:
        """How much is too much."""
        return self._config.limits

    @contextmanager
    def at_work(self, arrival: datetime) -> Iterator[None]:
        """One mail is judged, and what follows from it is done."""
        self._day, self.wishes, self.confirmed = arrival.date(), [], []
        self.directory.look_again()
        with ExitStack() as stack:
            self._stack, self._held = stack, {}
            yield

    def hold(self, game: str) -> Held:
        """The game, held until the mail is done with; Busy, Damage, or KeyError if it is gone."""
        if game not in self._held:
            folder = self._folder(game)
            self._stack.enter_context(folder.locked(PATIENCE))
            self._held[game] = _loaded(folder)
        return self._held[game]

    def look(self, game: str) -> Held:
        """The game as it stands, not held if nothing else has needed that."""
        return self._held.get(game) or _loaded(self._folder(game))

    def _folder(self, game: str) -> GameFolder:
        folder = self.directory.folder(game)
        if folder is None:
            raise KeyError(game)
        return folder

    def seats(self, game: str) -> tuple[Seat, ...]:
        """The seats of a game."""
        return self.directory.seats(game)

    def seats_of(self, address: str) -> tuple[Seat, ...]:
        """The seats with an address."""
        return self.directory.seats_of(address)

    def deadline(self, seat: Seat) -> datetime | None:
        """Until when, grace included, if something follows from being late."""
        held = self.look(seat.game)
        if held.game.file.policies.turn_time is None:
            return None
        from pbem.clock.lateness import limit_of

        return limit_of(held.game, held.chronicle, seat.player)

    def due(self, seat: Seat) -> datetime | None:
        """The deadline of the open question, if it is put to this seat."""
        held = self.look(seat.game)
        if held.game.file.policies.turn_time is None:
            return None
        from pbem.clock.deadline import deadline_of

        found = deadline_of(held.game, held.chronicle)
        return found.until if found and found.player == seat.player else None

    def takes(self, game: str) -> Takes:
        """What the newest run says."""
        return self.hold(game).game.record.turn_takes

    def judge(self, seat: Seat, file: OrderFile, data: bytes) -> Judgement:
        """What `check` says of these orders."""
        held = self.hold(seat.game)
        sheet = Sheet(seat.player, file, "", "", data)
        problems = _in_archive(held, file) or judge(sheet, held.situation)
        if problems:
            return Judgement(tuple(map(without_key, problems)))
        found = foresee(sheet, held.situation)
        lines = found.lines if found.waits is None else (actions_wait(found.waits), *found.lines)
        return Judgement((), lines, found.until, found.still_open)

    def form(self, seat: Seat) -> str:
        """The order form of the newest report."""
        held = self.look(seat.game)
        return order_form(report_of(held.game, held.chronicle, seat.player, held.game.record.run))

    def fulfil(self, request: Request, seats: tuple[Seat, ...]) -> str:
        """The text that answers a request; what it changes is noted."""
        text, wishes = fulfil(request, seats, self._look, self.wishes)
        self.wishes += [each for each in wishes if isinstance(each, Wishes)]
        self.confirmed += [each for each in wishes if isinstance(each, Confirmed)]
        return text

    def may_answer(self, address: str) -> bool:
        """Whether this address may have another answer on the day the mail arrived."""
        most = self.limits.answers_per_day
        return not most or self._memory.answers_to(address, self._day) < most

    def knows(self, memory: Memory) -> None:
        """What was judged before, from now on."""
        self._memory = memory

    def names(self, seat: Seat) -> str:
        """What the player of a seat is called."""
        return self.look(seat.game).game.file.seat(seat.player).name

    def _look(self, game: str) -> tuple[Game, Chronicle]:
        held = self.look(game)
        return held.game, held.chronicle


def _in_archive(held: Held, file: OrderFile) -> tuple[Problem, ...]:
    """Whatever is sent for a game in the archive: it would never be read."""
    if not held.folder.archived:
        return ()
    message = _("the game is in the archive: it is over, or was broken off; it takes nothing more")
    return (Problem(file.line_of("game"), f"game: {file.game}", message),)


def _loaded(folder: GameFolder) -> Held:
    game = folder.load()
    chronicle = Chronicle(folder, game.record)
    return Held(folder, game, chronicle, chronicle.situation(game.desk.dropped))
