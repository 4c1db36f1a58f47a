"""Mails are stored, judged in the order in which they came, and what follows from each is done.

The steps: the raw mail is stored; its source is told; it is judged; what follows is written down
(`deeds`); orders are laid into orders/, absences and bounces noted on the desk, letters laid into
the outbox; last of all the mail is entered in the ledger. Killed anywhere, the next run goes on.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from pbem import disk
from pbem.clock import now
from pbem.clock.away import set_leave
from pbem.deskfile import Bounced
from pbem.mail import deeds as written
from pbem.mail.arrival import arrival_of
from pbem.mail.case import Case, Leave
from pbem.mail.config import OUTBOX, MailConfig
from pbem.mail.consequences import consequences
from pbem.mail.deeds import Deeds
from pbem.mail.gamesworld import GamesWorld
from pbem.mail.intake import judge_again, judge_mail, read_mail, unjudged
from pbem.mail.ledger import FOLDER, LEDGER, NOTICES
from pbem.mail.outbox import Outbox
from pbem.mail.rawstore import RawMail, RawStore
from pbem.mail.refusing import refusal
from pbem.mail.seen import Entry, Memory, append, load
from pbem.mail.sources import Source
from pbem.mail.verdict import Verdict
from pbem.overtaken import Overtaken, run_before
from pbem.placing import place, was_placed
from pbem.seats.confirming import confirm

OVERTAKEN = "overtaken"
"""The code of a held mail whose question was decided before it was released."""


class Done(NamedTuple):
    """What became of a mail, and whether this run has judged it or only finished it."""

    entry: Entry
    finished: bool = False


class NewerOrders(Exception):
    """A mail that is judged again would undo what a later one has set; `number` is that one."""

    def __init__(self, number: int) -> None:
        super().__init__(f"mail {number} is newer")
        self.number = number


class NotUsable(Exception):
    """Orders that are refused now, though they may have been right when they came."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(f"mail {verdict.entry.number}: its orders are refused")
        self.verdict = verdict


class Office:
    """The mails of one games folder."""

    def __init__(
        self, games: Path, config: MailConfig, clock: Callable[[], datetime] = now
    ) -> None:
        self.folder = games / FOLDER
        self.store = RawStore(self.folder / "raw")
        self._ledger = self.folder / LEDGER
        self._outbox = Outbox(games / OUTBOX)
        self._config = config
        self._clock = clock
        self._memory = Memory()
        self._world = GamesWorld(games, config, self._memory)

    def take(self, source: Source) -> int:
        """Store all mails of a source; how many they were."""
        number, stored = 0, self._stored_last()
        for mail in source.mails():
            if mail.data != stored:
                arrival = arrival_of(mail, self._config.authserv_id, self._clock())
                self.store.add(mail.data, arrival)
            mail.done()
            number += 1
        return number

    def _stored_last(self) -> bytes | None:
        """The mail that was stored last, if it was not judged: a run may have been killed before
        it could tell the source that it has it."""
        last = self.store.last()
        if not last or load(self._ledger).entry(last) is not None:
            return None
        mail = self.store.look(last)
        return mail.data if mail else None

    @contextmanager
    def open(self) -> Iterator[None]:
        """Only one program judges mails at a time; Busy if another does for long."""
        disk.make_folder(self.folder)
        with disk.awaited(self.folder):
            disk.sweep(self.folder)
            self._memory = load(self._ledger)
            self._world.knows(self._memory)
            yield

    def finish(self) -> Iterator[Done]:
        """Do what a killed run has written down and left undone."""
        for name in sorted(disk.names_in(self.folder / "work")):
            if name.endswith(".json") and not name.startswith("."):
                deeds = written.read(self.folder / "work" / name)
                if self._memory.entry(deeds.entry.number) == deeds.entry:
                    (self.folder / "work" / name).unlink()
                    continue
                with self._world.at_work(deeds.entry.arrival):
                    self._carry_out(deeds, again=True)
                yield Done(deeds.entry, finished=True)

    def waiting(self) -> list[int]:
        """The stored mails that were not judged yet, in order."""
        return unjudged(self.store, self._memory)

    def judge(self, number: int) -> Done:
        """Judge a mail and do what follows."""
        mail = self.store.read(number)
        with self._world.at_work(mail.arrival):
            return self._settle(mail, judge_mail(mail, self._world, self._memory), again=False)

    def judge_again(self, number: int, leave: Leave, *, or_stay: bool = False) -> Done:
        """Judge a stored mail anew; NewerOrders if a later one has set the same parts.

        `or_stay`: NotUsable, and nothing is changed, if its orders are refused.
        """
        mail = self.store.read(number)
        with self._world.at_work(mail.arrival):
            verdict = self._again(mail, leave)
            if or_stay and verdict.outcome == "reject":
                raise NotUsable(verdict)
            for order in verdict.entry.orders:
                newer = self._memory.newest(order.game, order.player, _timed(order.parts))
                if newer is not None and newer.number > number:
                    raise NewerOrders(newer.number)
            return self._settle(mail, verdict, again=True)

    def foresee(self, number: int, leave: Leave) -> Verdict:
        """What would become of a stored mail; nothing is changed."""
        mail = self.store.read(number)
        with self._world.at_work(mail.arrival):
            return self._again(mail, leave)

    def read(self, mail: RawMail) -> Case:
        """What is written in a mail; it may be one that breaks us."""
        with self._world.at_work(mail.arrival):
            return read_mail(mail, self._world)

    def refuse(self, number: int, because: str) -> Done:
        """The moderator refuses a mail that was held; the one whose seat it names hears why."""
        mail, entry = self.store.read(number), self._memory.entry(number)
        assert entry is not None
        with self._world.at_work(mail.arrival):
            attempt = self._memory.times[number] + 1
            addresses = self._config.addresses
            deeds = refusal(mail, entry, because, self._world, addresses, self._clock(), attempt)
            return self._do(deeds, again=False)

    def overtaken(self, number: int) -> Overtaken | None:
        """The first game in which what a held mail orders was decided without it."""
        mail = self.store.read(number)
        with self._world.at_work(mail.arrival):
            for each in read_mail(mail, self._world).reading.candidates:
                seats = self._world.seats(each.game) if each.game else ()
                for seat in seats:
                    if seat.player == each.player:
                        chronicle = self._world.look(seat.game).chronicle
                        back = run_before(chronicle, seat.player, each.file, mail.arrival)
                        if back is not None:
                            return Overtaken(seat.game, back)
        return None

    def leave_held(self, entry: Entry) -> None:
        """Enter that a mail stays held, and why now; nobody hears of it."""
        append(self._ledger, entry)
        self._memory.add(entry)

    def latest(self) -> list[Entry]:
        """What became of every mail in the end."""
        return self._memory.latest()

    def entry(self, number: int) -> Entry | None:
        """What became of a mail, None if it was not judged yet."""
        return self._memory.entry(number)

    def _again(self, mail: RawMail, leave: Leave) -> Verdict:
        before = self._memory.before(mail.number)
        self._world.knows(before)
        try:
            return judge_again(self.store, mail.number, self._world, before, leave)
        finally:
            self._world.knows(self._memory)

    def _settle(self, mail: RawMail, verdict: Verdict, *, again: bool) -> Done:
        attempt = self._memory.times[mail.number] + 1
        addresses = self._config.addresses
        deeds = consequences(mail, verdict, self._world, addresses, self._clock(), attempt)
        return self._do(deeds, again=again)

    def _do(self, deeds: Deeds, *, again: bool) -> Done:
        written.write(self._work(deeds.entry.number), deeds)
        self._carry_out(deeds, again=again)
        return Done(deeds.entry)

    def _carry_out(self, deeds: Deeds, *, again: bool) -> None:
        """Do what is written down. `again`: some of it may have been done before."""
        for order in deeds.orders:
            held, data = self._world.hold(order.game), order.text.encode()
            if not (again and was_placed(held.folder, order.player, data)):
                place(held.folder, held.game, order.player, data)
        self._change_desks(deeds)
        for each in deeds.confirmed:
            held = self._world.hold(each.game)
            confirm(held.folder, held.folder.load(), [each.player], self._clock())
        for letter in deeds.letters:
            self._outbox.put(letter.entry, letter.data)
        self._note(deeds)
        append(self._ledger, deeds.entry)
        self._memory.add(deeds.entry)
        self._work(deeds.entry.number).unlink()

    def _note(self, deeds: Deeds) -> None:
        """What the moderator has to know of a mail; of one that is dealt with nothing is left."""
        path = self.folder / NOTICES / f"{deeds.entry.number:06}.txt"
        if deeds.notice:
            disk.make_folder(path.parent)
            disk.write_over(path, deeds.notice.encode(), sync=True)
        else:
            path.unlink(missing_ok=True)

    def _change_desks(self, deeds: Deeds) -> None:
        """Note who is away, and which addresses letters come back from.

        A template with a mistake stops nothing: the next `turn` names it and writes the reports.
        """
        for wish in deeds.wishes:
            held = self._world.hold(wish.game)
            game = held.game._replace(desk=held.folder.load_desk())
            set_leave(held.folder, game, held.chronicle, wish.player, wish.days, self._clock())
        for each in deeds.returned:
            folder = self._world.hold(each.game).folder
            desk = folder.load_desk()
            if each.address not in desk.bounced:
                bounced = {**desk.bounced, each.address: Bounced(each.when, each.status)}
                folder.write_desk(desk._replace(bounced=bounced))

    def _work(self, number: int) -> Path:
        return self.folder / "work" / f"{number:06}.json"


def _timed(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The parts of which the newest alone is in force."""
    return tuple(part for part in parts if part in ("actions", "answers"))
