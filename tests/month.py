"""A month of many games: players of all kinds who write mails, a moderator who does only what
his digest says, a clock of our own. Everything goes through the commands and the mail.

The one thing that is not real is the mail server that takes our letters.
"""

import hashlib
import random
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import default
from email.utils import format_datetime
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from engine import questions as q
from engine.pieces import DYNASTIES, Dynasty
from engine.state import State
from pbem.chronicle import Chronicle
from pbem.clock import write_time
from pbem.labels import question_label
from pbem.mail.transport import Answer
from pbem.notation import write_order
from pbem.record import Record
from pbem.store import GameFolder
from tests.pbem.calls import Said, pbem
from tests.playouts import choose

BEGIN = datetime(2026, 3, 9, 6, tzinfo=UTC)
"""So that clocks go forward in America the day before, in Europe within the month."""

TICK = timedelta(hours=6)
OUTAGE = (timedelta(days=12, hours=6), timedelta(days=13, hours=8))
KINDS = ("quick", "quick", "slow", "slow", "vanished", "holiday", "wrong zone", "twice")
ZONES = ("UTC", "Europe/Lisbon", "America/New_York", "Asia/Kolkata")
POLICIES = (
    "turn_time: 3d\n  late: wait",
    "turn_time: 2d\n  question_time: 1d\n  grace: 12h\n  late: pass\n  days_off: sat sun",
    "turn_time: 2d\n  late: drop\n  misses: 2\n  hours_off: 22:00-07:00",
    "turn_time: 3d\n  late: stand-in\n  stand_in: Max <max@example.org>\n  anonymous: yes",
)
CONFIG = """schema: 1
rules: 1
addresses: {orders: orders@example.org, moderator: gm@example.org}
authserv_id: mx.example.org
out:
  way: smtp
  smtp: {host: mail.example.org}
limits: {answers_per_day: 0}
"""
LETTERS = ("", *["\n    letters: asked"] * 3)
"""Most players want to hear of a game when they are asked."""

MODERATOR = "gm@example.org"
OBEYED = ("resume", "refuse", "seat", "turn")
GARBAGE = (
    "game: {game}\nplayer: {seat}\nturn: 1\nactions: pass\n",  # from nobody we can trust
    "Hello, I would like to win.\n",
    "game: {game}\nplayer: {seat}\nactions: [[[[[[[[[[[[\n",
)


class Person(NamedTuple):
    """Somebody who plays, in many games."""

    name: str
    kind: str
    zone: str
    until: timedelta
    away: tuple[timedelta, timedelta] | None

    @property
    def address(self) -> str:
        """Where he reads his mail."""
        return f"{self.name}@example.org"


class Letter(NamedTuple):
    """A letter that has left: when, to whom, and what of it is looked at.

    `body`: the hash of all below its head. `calendar`: its entry for a calendar. `text`: only of
    letters to the moderator.
    """

    when: datetime
    address: str
    id: str
    subject: str
    game: str
    body: bytes
    calendar: str
    text: str = ""


def letter_of(data: bytes, address: str, when: datetime) -> Letter:
    """A letter as it travels."""
    head = BytesHeaderParser(policy=default).parsebytes(data)
    game = str(head["List-Id"] or "").partition(".")[0].removeprefix("<")
    body = hashlib.sha256(data.partition(b"\r\n\r\n")[2]).digest()
    calendar = text = ""
    if b"text/calendar" in data or address == MODERATOR:
        message = message_from_bytes(data, policy=default)
        assert isinstance(message, EmailMessage)
        text = text_of(message) if address == MODERATOR else ""
        parts = (p for p in message.walk() if p.get_content_type() == "text/calendar")
        calendar = next((bytes(p.get_payload(decode=True)).decode() for p in parts), "")
    subject, name = str(head["Subject"]), str(head["Message-ID"])
    return Letter(when, address, name, subject, game, body, calendar, text)


class Carrier:
    """Takes every letter."""

    def __init__(self, month: "Month") -> None:
        self.month = month

    def open(self) -> None:
        """Nothing to do."""

    def send(self, letter: Path, address: str, given: Callable[[], None]) -> Answer:
        """Keep it."""
        given()
        self.month.letters.append(letter_of(letter.read_bytes(), address, self.month.now))
        return Answer("sent")

    def close(self) -> None:
        """Nothing to do."""


class Month:
    """The world of the month."""

    def __init__(self, folder: Path, games: int, seed: int = 1) -> None:
        self.chance = random.Random(seed)
        self.games = folder / "games"
        self.games.mkdir(parents=True)
        (self.games / "pbem.yaml").write_text(CONFIG)
        (self.games / "_inbox").mkdir()
        self.now = BEGIN
        self.letters: list[Letter] = []
        self.mails = 0
        self.commands: list[str] = []
        self.digests: list[tuple[datetime, str]] = []
        self.due: dict[tuple[str, str], datetime] = {}
        self.seats: dict[tuple[str, int], dict[Dynasty, str]] = {}
        self.states: dict[str, tuple[str, Record]] = {}
        self.codes: Counter[int] = Counter()
        self.people = [self._person(number) for number in range(max(8, games))]
        self.names = [self._game(number) for number in range(games)]

    def _person(self, number: int) -> Person:
        kind = KINDS[number % len(KINDS)]
        gone = timedelta(days=self.chance.uniform(2, 20))
        first = timedelta(days=self.chance.randint(4, 18))
        return Person(
            name=f"p{number}",
            kind=kind,
            zone=ZONES[number % len(ZONES)],
            until=gone if kind == "vanished" else timedelta(days=999),
            away=(first, first + timedelta(days=6)) if kind == "holiday" else None,
        )

    def _game(self, number: int) -> str:
        name, chance = f"g{number}", self.chance
        players = chance.sample(self.people, chance.choice((2, 3, 4)))
        seats = [f"{d}={p.name} <{p.address}>" for d, p in zip(DYNASTIES, players, strict=False)]
        words = [word for seat in seats for word in ("--seat", seat)]
        said = self.call("new", name, *words, "--seed", name)
        assert said.code == 0, said
        path = self.games / name / "game.yaml"
        policy = f"{POLICIES[number % len(POLICIES)]}\n  zone: {ZONES[number // 4 % 4]}\n"
        text = path.read_text().replace(
            "    language: en", f"    language: en{chance.choice(LETTERS)}"
        )
        path.write_text(f"{text}policies:\n  {policy}")
        return name

    def call(self, *words: str) -> Said:
        """A command, at this time."""
        with patch("pbem.mail.transport.carrier_of", lambda _config: Carrier(self)):
            return pbem(*words, games=self.games, PBEM_NOW=write_time(self.now))

    def live(self, days: int) -> None:
        """So many days."""
        while self.now < BEGIN + timedelta(days=days):
            self._tick()

    def _tick(self) -> None:
        self.now += TICK
        passed = self.now - BEGIN
        self._write_mails()
        if OUTAGE[0] <= passed < OUTAGE[1]:
            return
        before = len(self.letters)
        self.codes[self.call("run").code] += 1
        for letter in self.letters[before:]:
            if letter.address == MODERATOR and "[te]" in letter.subject:
                self._moderate(letter)

    def _moderate(self, digest: Letter) -> None:
        """Read the digest and do what it says, and nothing else."""
        text = f"{digest.subject}\n{digest.text}"
        self.digests.append((self.now, text))
        for title in ("A decision is needed", "Nobody has acted for long"):
            for line in section(text, title):
                if words := wanted(line):
                    self._obey(words)

    def _obey(self, words: list[str]) -> None:
        fresh = f"s{len(self.commands)}"
        person = f"{fresh} <{fresh}@example.org>"
        words = [person if "ADDRESS" in word else word for word in words]
        self.commands.append(" ".join(words))
        self.people.append(Person(fresh, "quick", "UTC", timedelta(days=999), None))
        said = self.call(*words)
        assert said.code == 0, (words, said)

    def record(self, name: str) -> Record | None:
        """The newest run of a game; None once it is over and put away."""
        folder = self.games / name
        if not folder.exists():
            return None
        newest = max(path.name for path in (folder / "history").iterdir())
        known = self.states.get(name)
        if known is None or known[0] != newest:
            known = self.states[name] = (newest, GameFolder(folder).load_newest())
        return known[1]

    def _write_mails(self) -> None:
        """What the players, and others, have written since the last look."""
        for name in self.names:
            record = self.record(name)
            if record is not None and record.state.question is not None:
                self._answer(name, record.state)
        for person in self.people:
            if person.away and self._now_first(person.away[0] - timedelta(days=1)):
                first, last = ((BEGIN + each).date() for each in person.away)
                self._mail(person, f"away {first}..{last}\n", self.now - TICK / 2)
        if (self.now - BEGIN) % timedelta(days=1) == TICK:
            self._garbage()

    def _now_first(self, when: timedelta) -> bool:
        return BEGIN + when <= self.now < BEGIN + when + TICK

    def _answer(self, name: str, state: State) -> None:
        """The player who is asked writes when his time has come."""
        question = state.question
        assert question is not None
        person, label = self._person_at(name, question.player), question_label(state, {})
        since = self.now - TICK
        when = self.due.setdefault((name, label + person.name), since + self._delay(person))
        if when > self.now or self._silent(person, when):
            return
        del self.due[name, label + person.name]
        self._mail(person, self._orders(name, state), max(when, since + TICK / 8))

    def _person_at(self, name: str, seat: Dynasty) -> Person:
        """Who plays a seat now; who has taken over is looked up when the desk has changed."""
        path = self.games / name / "desk.yaml"
        stamp = (name, path.stat().st_mtime_ns if path.exists() else 0)
        if stamp not in self.seats:
            file = GameFolder(path.parent).load().file
            self.seats[stamp] = {each.dynasty: each.address or "" for each in file.seats}
        address = self.seats[stamp][seat]
        found = next((each for each in self.people if each.address == address), None)
        usual = Person(address.partition("@")[0], "quick", "UTC", timedelta(days=999), None)
        return found or usual  # the stand-in of the policy

    def _delay(self, person: Person) -> timedelta:
        """How long he takes."""
        if person.kind == "slow":
            return timedelta(hours=self.chance.uniform(24, 71))
        return timedelta(hours=self.chance.uniform(2, 30))

    def _silent(self, person: Person, when: datetime) -> bool:
        passed = when - BEGIN
        away = person.away is not None and person.away[0] <= passed < person.away[1]
        return away or passed > person.until

    def _orders(self, name: str, state: State) -> str:
        question = state.question
        assert question is not None
        order = write_order(choose(self.chance, state))
        head = f"game: {name}\nplayer: {question.player}\n"
        if isinstance(question, q.AskAction):
            second = "action: 2\n" if question.number == 2 else ""
            return f"{head}turn: {state.turn}\n{second}actions:\n  - {order}\n"
        return f"{head}answers: {question_label(state, {})} {order}\n"

    def _garbage(self) -> None:
        """One bad mail a day."""
        name = self.chance.choice(self.names)
        body = self.chance.choice(GARBAGE).format(game=name, seat="archer")
        sender = Person("mallory", "quick", "UTC", timedelta(), None)
        if self.chance.random() < 0.5:
            sender = self.chance.choice(self.people)
        self._mail(sender, body, self.now - TICK / 3, proven=False)

    def _mail(self, person: Person, body: str, when: datetime, *, proven: bool = True) -> None:
        copies = 2 if person.kind == "twice" else 1
        for copy in range(copies):
            self.mails += 1
            number = self.mails - copy  # the second time it is the very same mail
            claim = when + timedelta(hours=11) if person.kind == "wrong zone" else when
            head = (
                [
                    f"Authentication-Results: mx.example.org; dmarc=pass header.from=example.org"
                    f"; auth=pass smtp.auth={person.address}"
                ]
                if proven
                else []
            )
            head += [
                f"Received: from x by mx.example.org; {format_datetime(when)}",
                f"From: {person.name} <{person.address}>",
                "To: orders@example.org",
                "Subject: my orders",
                f"Date: {format_datetime(claim)}",
                f"Message-ID: <{number}.{person.name}@example.org>",
            ]  # fmt: skip
            data = "\r\n".join([*head, "", body]).encode()
            (self.games / "_inbox" / f"{self.mails:06}.eml").write_bytes(data)

    def folders(self) -> Iterator[GameFolder]:
        """All games, those put away too."""
        for name in self.names:
            path = self.games / name
            yield GameFolder(path if path.exists() else self.games / "_archive" / name)


def section(text: str, title: str) -> list[str]:
    """The lines of commands under a title of the digest."""
    found = re.split(r"\n(?=[A-Z][^\n]*\n\n)", text)
    lines = next((part for part in found if part.startswith(title)), "").splitlines()
    return [line.strip() for line in lines if line.strip().startswith("pbem ")]


def wanted(line: str) -> list[str]:
    """The command of a line that the moderator chooses: he trusts nobody whom he does not know,
    ends outages, gives seats to somebody else."""
    ways = [shlex.split(way) for way in re.split(r"; then | or ", line)]
    known = {way[1]: way[1:] for way in ways if way[0] == "pbem"}
    return next((known[name] for name in OBEYED if name in known), [])


def text_of(message: EmailMessage) -> str:
    """The text of a letter."""
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def runs_of(folder: GameFolder) -> Iterator[Record]:
    """All runs of a game that stand, the newest first."""
    newest = folder.load_newest()
    return Chronicle(folder, newest).backwards(newest.run)
