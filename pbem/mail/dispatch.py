"""Sending what waits: all outboxes, one run. Killed anywhere, the next run goes on."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from pbem import disk
from pbem.mail.config import OUTBOX, MailConfig
from pbem.mail.digest import bundle, digest_key, last_time
from pbem.mail.faults import Fault, ServerFault
from pbem.mail.letters import compose
from pbem.mail.outbox import Damaged, Entry, Outbox
from pbem.mail.pace import Pace
from pbem.mail.transport import Answer, Carrier
from pbem.store import ARCHIVE

CRASHED = "a run broke off while this letter was handed over"
TOO_OLD = "it waited for too long"
AGAIN_AFTER = timedelta(minutes=15)
_PACE = ".pace.yaml"


class Lying(NamedTuple):
    """A letter and the outbox it lies in."""

    box: Outbox
    entry: Entry


class Dispatched(NamedTuple):
    """What a run did. `later`, `failed`, `unsure` name letters with the reasons.

    `unsure` lists all of them, those of earlier runs too: somebody has to decide.
    """

    sent: int = 0
    bundled: int = 0
    waiting: int = 0
    later: tuple[Entry, ...] = ()
    failed: tuple[Entry, ...] = ()
    unsure: tuple[Lying, ...] = ()
    damaged: tuple[Damaged, ...] = ()
    busy: tuple[Path, ...] = ()
    fault: Fault | None = None


def dispatch(
    games: Path,
    folders: Iterable[Path],
    config: MailConfig,
    carrier: Carrier | None,
    clock: Callable[[], datetime],
) -> Dispatched:
    """Send what is due from the outboxes of these games and from the one of all games.

    The lock of the latter keeps a second run out. Without a carrier the letters stay.
    """
    common = games / OUTBOX
    common.mkdir(mode=disk.FOLDER_OWNER_ONLY, parents=True, exist_ok=True)
    run = Run(games, config, clock)
    with ExitStack() as stack:
        if run.take(common, stack):
            for folder in folders:
                run.take(folder / "outbox", stack)
            if carrier is not None:
                run.send_all(carrier)
        return run.result()


def outboxes(games: Path, folders: Iterable[Path]) -> list[Outbox]:
    """The outbox of all games, then those of these games, as far as there are any."""
    places = (games / OUTBOX, *(folder / "outbox" for folder in folders))
    return [Outbox(place) for place in places if place.is_dir()]


class Run:
    """One run over all outboxes."""

    def __init__(
        self,
        games: Path,
        config: MailConfig,
        clock: Callable[[], datetime],
    ) -> None:
        self._games = games
        self._config = config
        self._clock = clock
        self._boxes: dict[str, Outbox] = {}
        self._busy: list[Path] = []
        self._sent = self._bundled = 0
        self._later: list[Entry] = []
        self._failed: list[Entry] = []
        self._fault: Fault | None = None

    def take(self, place: Path, stack: ExitStack) -> bool:
        """Take an outbox for this run, and settle what a killed run left half done."""
        if not place.is_dir():
            return False
        box = Outbox(place)
        try:
            stack.enter_context(box.locked())
        except disk.Busy:
            self._busy.append(place)
            return False
        self._boxes[self._name_of(place)] = box
        for entry in box.entries():
            if entry.state == "sending":
                self._doubt(box, entry, CRASHED)
        return True

    def send_all(self, carrier: Carrier) -> None:
        """Make up the digests, then send what is due, oldest first."""
        self._mark_bundled()
        self._make_digests()
        now = self._clock()
        pace = Pace(self._games / OUTBOX / _PACE, self._config.limits.letters_per_hour, now)
        due = sorted(self._due(now), key=lambda lying: (lying.entry.written, lying.entry.key))
        try:
            for lying in due:
                if not self._too_old(lying) and pace.allows(lying.entry.address):
                    pace.count(lying.entry.address)
                    self._send(lying, carrier)
        except ServerFault as fault:
            self._fault = fault.fault
        finally:
            carrier.close()
            pace.save()

    def result(self) -> Dispatched:
        """What was done, and what is left."""
        left = [Lying(box, each) for box in self._boxes.values() for each in box.entries()]
        return Dispatched(
            self._sent,
            self._bundled,
            sum(lying.entry.state == "waiting" for lying in left),
            tuple(self._later),
            tuple(self._failed),
            tuple(lying for lying in left if lying.entry.state == "unsure"),
            tuple(damaged for box in self._boxes.values() for damaged in box.damaged),
            tuple(self._busy),
            self._fault,
        )

    def _due(self, now: datetime) -> list[Lying]:
        return [
            Lying(box, entry)
            for box in self._boxes.values()
            for entry in box.entries()
            if entry.state == "waiting" and entry.not_before <= now and self._may_go(entry)
        ]

    def _may_go(self, entry: Entry) -> bool:
        """A digest must not leave before all that it holds could be marked."""
        held = {each for each in entry.holds if each.rpartition("/")[0] not in self._boxes}
        return not self._daily(entry) and all(map(self._is_gone, held))

    def _is_gone(self, held: str) -> bool:
        """Whether a letter went to the archive with its game, which settles it before it goes."""
        name, _, key = held.rpartition("/")
        waits = self._games / ARCHIVE / name / f"{key}.yaml"
        return not (self._games / name).exists() and not waits.exists()

    def _daily(self, entry: Entry) -> bool:
        """Whether this letter goes out in a digest only."""
        readers = self._config.outgoing.digest_for
        return entry.kind == "report" and entry.address.lower() in readers

    def _too_old(self, lying: Lying) -> bool:
        """Give up a letter that could not be sent for days."""
        now = self._clock()
        if now - lying.entry.written <= timedelta(hours=self._config.limits.letter_hours):
            return False
        why = f"{TOO_OLD}; {lying.entry.why}" if lying.entry.why else TOO_OLD
        self._failed.append(lying.box.change(lying.entry, "failed", now, why))
        return True

    def _send(self, lying: Lying, carrier: Carrier) -> None:
        box, entry = lying

        def given() -> None:
            box.change(entry, "sending", self._clock())

        letter = box.letter(entry.key)
        if not letter.is_file():
            why = f"{letter} is missing"
            self._failed.append(box.change(entry, "failed", self._clock(), why))
            return
        self._settle(lying, carrier.send(letter, entry.address, given))

    def _settle(self, lying: Lying, answer: Answer) -> None:
        box, entry = lying
        now = self._clock()
        match answer.kind:
            case "sent":
                box.change(entry, "sent", now, answer.said)
                self._sent += 1
            case "never":
                self._failed.append(box.change(entry, "failed", now, answer.said))
            case "later":
                self._later.append(box.postpone(entry, now, answer.said))
            case "unsure":
                self._doubt(box, entry, answer.said)

    def _doubt(self, box: Outbox, entry: Entry, why: str) -> None:
        """Nobody knows whether this letter has left: hold it, or send it once more if wanted."""
        now = self._clock()
        if self._config.outgoing.unsure == "again":
            entry = entry._replace(tries=entry.tries + 1, not_before=now + AGAIN_AFTER)
            box.change(entry, "waiting", now, why)
        else:
            box.change(entry, "unsure", now, why)

    def _make_digests(self) -> None:
        """For each reader of digests with a letter from before the time of day, one letter."""
        now = self._clock()
        when = last_time(now, self._config.outgoing.digest_at)
        waiting: dict[str, list[Lying]] = {}
        for box in self._boxes.values():
            for entry in box.entries():
                if entry.state == "waiting" and self._daily(entry):
                    waiting.setdefault(entry.address.lower(), []).append(Lying(box, entry))
        for address, lying in waiting.items():
            if any(each.entry.written < when for each in lying):
                self._make_digest(address, lying, when)
        self._mark_bundled()

    def _make_digest(self, address: str, lying: list[Lying], when: datetime) -> None:
        box = self._boxes[self._name_of(self._games / OUTBOX)]
        key = digest_key(address, when)
        if box.has(key):
            return
        lying = sorted(lying, key=lambda each: (each.entry.written, each.entry.key))
        letters = [each.box.letter(each.entry.key).read_bytes() for each in lying]
        letter = bundle(lying[0].entry.address, letters, when, self._clock())
        holds = tuple(f"{self._name_of(each.box.folder)}/{each.entry.key}" for each in lying)
        entry = Entry(key, letter.address, "digest", letter.written, holds=holds)
        box.put(entry, compose(letter, self._config.addresses))

    def _mark_bundled(self) -> None:
        """The letters that a digest holds are settled with it, before it leaves."""
        for digest in self._boxes[self._name_of(self._games / OUTBOX)].entries():
            for held in digest.holds:
                self._bundle(held, digest.key)

    def _bundle(self, held: str, digest: str) -> None:
        name, _, key = held.rpartition("/")
        box = self._boxes.get(name)
        for entry in box.entries() if box else ():
            if box and entry.key == key and entry.state == "waiting":
                box.change(entry, "bundled", self._clock(), digest)
                self._bundled += 1

    def _name_of(self, place: Path) -> str:
        """An outbox as digests name it: under the games folder where it can be."""
        try:
            return str(place.resolve().relative_to(self._games.resolve()))
        except ValueError:
            return str(place.resolve())
