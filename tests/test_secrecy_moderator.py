"""What a moderator reads may be read by one who plays too, and what a letter says by anybody else.

The same folder of games is made with other hidden things: hands, bag, points, orders that wait,
the text of a held mail. Everything runs in both, deadlines too. What the commands print, the
notices, the letters to those who cannot know of it must be the same, byte for byte.
"""

import os
import random
import re
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.policy import default
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from engine import questions as q
from engine.advance import advance
from engine.legal import legal_orders
from engine.orders import Exchange, Order, PlaceTile
from engine.pieces import Dynasty
from engine.state import State
from pbem.labels import next_own_turn
from pbem.notation import write_order
from pbem.store import GameFolder
from tests.folders import NAMES, make_game
from tests.pbem.calls import pbem
from tests.pbem.games import tree
from tests.playouts import choose, start
from tests.redeal import deal_anew

CONFIG = """schema: 1
rules: 1
addresses: {orders: orders@example.org, moderator: gm@example.org}
authserv_id: mx.example.org
limits: {answers_per_day: 0, outage_hours: 0}
"""
OBSERVER = "eve@example.org"
STAND_IN = "Max <max@example.org>"
PASSES = "turn_time: 2d\n  late: pass"
OTHERS = (q.AskAttack, q.AskWar, q.AskMonument, q.AskTreasure)
"""The questions that no other game of the folder begins with."""

FULL_BAG = 60
"""So many tiles in the bag: no game ends in the test."""

NEAR = 30
"""So many tiles of the bag stay for one who may draw them."""

AROUND = 200
"""So many letters of a difference are told."""

BEGIN = "2026-03-09T18:00:00Z"
MAILED = "2026-03-09T18:10:00Z"
DEEDS = "2026-03-09T18:20:00Z"
TIMES = ("2026-03-10T18:30:00Z", "2026-03-11T19:00:00Z", "2026-03-12T18:30:00Z",
         "2026-03-13T20:00:00Z")  # fmt: skip
"""A day before deadlines, and when they are over."""


class Sample(NamedTuple):
    """A game of the folder: where it stands, its policies, and the reader who is no secret."""

    name: str
    state: State
    policies: str
    viewer: Dynasty


class Hidden(NamedTuple):
    """What is hidden in one of the folders: how it is dealt, and what is sent ahead."""

    viewer: str
    deal: int
    ahead: tuple[str, str] | None
    mailed: str
    held: str


ONE = Hidden("public", 0, ("pass, pass", "pass"), "pass, pass", "actions: pass, pass")
OTHER = Hidden(
    "public",
    1,
    ahead=("\n  - withdraw king\n  - king K2", "withdraw king"),
    mailed="\n  - withdraw trader\n  - withdraw priest",
    held="actions: withdraw king, pass\nnote: quite another one",
)
FOR_A_SEAT = OTHER._replace(viewer="seat", deal=2)
NOTHING_AHEAD = ONE._replace(ahead=None)


def samples() -> list[Sample]:
    """A game of two, anonymous; one of four; one with each kind of question; a war."""
    found = []
    for name, kind, seats, policies in (
        ("duo", q.AskAction, 2, "turn_time: 6d\n  late: pass\n  anonymous: yes"),
        ("quad", q.AskAction, 4, "turn_time: 3d\n  late: drop\n  misses: 1"),
        ("stand", q.AskAction, 3, f"turn_time: 3d\n  late: stand-in\n  stand_in: {STAND_IN}"),
        ("war", q.AskDefence, 3, "turn_time: 6d\n  late: pass"),
        ("gone", q.AskDefence, 2, "turn_time: 2d\n  late: drop\n  misses: 1"),
        *((f"q-{kind.__name__[3:].lower()}", kind, 2, PASSES) for kind in OTHERS),
    ):
        state = _standing(name, kind, seats)
        viewer = state.active if name == "gone" else _asked(state)
        if name in ("duo", "quad"):
            viewer = _after(state, len(state.players) // 2)
        found.append(Sample(name, state, f"{policies}\n  observers: {OBSERVER}", viewer))
    return found


def _standing(name: str, kind: type, seats: int) -> State:
    """A state on the way through a game by chance that asks this; the turn goes on after it."""
    for number in range(500):
        chance, state = random.Random(f"{name} {number}"), start(number)
        if len(state.players) != seats or state.options.open_scoring:
            continue
        for step in range(60):
            asked = state.question
            first = any(isinstance(each, q.EndAction) and each.number == 1 for each in state.agenda)
            fits = isinstance(asked, q.AskAction) and asked.number == 1 and step > 12
            fits = fits or (not isinstance(asked, q.AskAction) and first)
            if isinstance(asked, kind) and fits and len(state.bag) > FULL_BAG:
                return state
            assert asked is not None
            state = advance(state, asked.player, choose(chance, state)).state
    raise AssertionError(f"no {kind}")


def _asked(state: State) -> Dynasty:
    assert state.question is not None
    return state.question.player


def _after(state: State, steps: int) -> Dynasty:
    """Who plays so many turns later."""
    at = state.players.index(state.active)
    return state.players[(at + steps) % len(state.players)]


def dealt(sample: Sample, hidden: Hidden) -> State:
    """Where the game stands, with other hidden things."""
    if not hidden.deal:
        return sample.state
    chance = random.Random(f"{sample.name} {hidden}")
    if hidden.viewer == "public":
        return deal_anew(chance, sample.state, "public")
    return deal_anew(chance, sample.state, sample.viewer, fixed=frozenset(range(NEAR)))


def common(sample: Sample) -> Order:
    """An action that is legal whatever is hidden, one that places a tile if there is one."""
    ways = [list(legal_orders(dealt(sample, each))) for each in (ONE, OTHER, FOR_A_SEAT)]
    both = [each for each in ways[0] if all(each in way for way in ways[1:])]
    chance = random.Random(sample.name)
    tiles = [each for each in both if isinstance(each, PlaceTile)]
    return chance.choice(tiles or [each for each in both if not isinstance(each, Exchange)])


class Side:
    """One of the folders, and all that was said and written in it for those who cannot know."""

    def __init__(self, place: Path, games: list[Sample], hidden: Hidden) -> None:
        self.place, self.samples, self.hidden = place, games, hidden
        self.seen: dict[str, str | bytes] = {}
        self.now = BEGIN
        (place / "games" / "_inbox").mkdir(parents=True)
        (place / "games" / "pbem.yaml").write_text(CONFIG)
        self.folders = {each.name: self._make(each) for each in games}

    def _make(self, sample: Sample) -> GameFolder:
        folder = make_game(self.place / "games", sample.name, dealt(sample, self.hidden))
        with (folder.path / "game.yaml").open("a") as file:
            file.write(f"policies:\n  {sample.policies}\n")
        return folder

    def call(self, *words: str) -> None:
        """A command; what it prints is kept."""
        before = Path.cwd()
        os.chdir(self.place)
        try:
            said = pbem(*words, games=Path("games"), PBEM_NOW=self.now)
        finally:
            os.chdir(before)
        assert said.code in (0, 1), (words, said)
        told = re.sub(r"[0-9.]+ GB are free", "room", f"{said.code}\n{said.out}\n{said.err}")
        self.seen[f"{len(self.seen)}: {self.now} {' '.join(words)}"] = told

    def look(self) -> None:
        """All commands that look."""
        quad = self.samples[1].state
        for words in (
            ("run", "--dry-run"), ("status",), ("status", "--late"), ("digest",), ("doctor",),
            ("stats",), ("inbox",), ("trace", "quad", str(quad.turn), quad.active),
        ):  # fmt: skip
            self.call(*words)
            if self.now == TIMES[-1]:
                self.call(*words, "--json")

    def mail(self, number: int, player: Dynasty, text: str, *, proven: bool) -> None:
        """A mail that lies there when the next run comes."""
        address = f"{NAMES[player].lower()}@example.org"
        head = [f"Authentication-Results: mx.example.org; auth=pass smtp.auth={address}"]
        head = head if proven else []
        head += [
            "Received: from x by mx.example.org; Mon, 09 Mar 2026 18:05:00 +0000",
            f"From: {NAMES[player]} <{address}>",
            "To: orders@example.org",
            "Subject: orders",
            "Date: Mon, 09 Mar 2026 18:05:00 +0000",
            f"Message-ID: <{number}@example.org>",
        ]
        data = "\r\n".join([*head, "", text]).encode()
        (self.place / "games" / "_inbox" / f"{number}.eml").write_bytes(data)

    def letters(self, seats: bool) -> Iterator[tuple[str, bytes]]:
        """The letters to the readers from whom this is hidden, and to the moderator."""
        for sample in self.samples:
            readers = {OBSERVER}
            if seats:
                readers.add(f"{NAMES[sample.viewer].lower()}@example.org")
            yield from _letters(self.place / "games" / sample.name / "outbox", readers)
        yield from _letters(self.place / "games" / "_outbox", {"gm@example.org"})

    def files(self, seats: bool) -> dict[str, bytes]:
        """The letters, the notices, the public reports."""
        games = self.place / "games"
        found = {str(path): data for path, data in self.letters(seats)}
        for name, data in tree(games / "_mail" / "notices").items():
            found[f"notices/{name}"] = data
        for sample in self.samples:
            path = games / sample.name / "reports" / "public.txt"
            if path.exists():
                found[f"{sample.name} public"] = path.read_bytes()
        return found


def _letters(box: Path, readers: set[str]) -> Iterator[tuple[str, bytes]]:
    for path in sorted(box.glob("*.eml")):
        data = path.read_bytes()
        to = str(message_from_bytes(data, policy=default)["To"])
        if any(reader in to for reader in readers):
            yield f"{box.parent.name} {path.name}", data


def live(side: Side) -> None:
    """Some days in a folder: letters, orders, orders ahead, deeds of the moderator, deadlines."""
    side.call("run")
    side.now = MAILED
    _send(side)
    side.call("run", "--dry-run")
    side.call("run", "--dry-run", "--json")
    side.call("run", "--json")
    side.call("turn", "--all")
    side.look()
    side.now = DEEDS
    _deeds(side)
    side.call("turn", "--all", "--json")
    for moment in TIMES:
        side.now = moment
        if moment == TIMES[1]:
            side.call("run", "--dry-run")
        side.call("run")
    side.look()
    quad = side.samples[1]
    side.call("seat", "quad", _after(quad.state, 3), "--give", "Kim <kim@example.org>")
    side.call("undo", "quad", "--to", "0", "--because", "a slip")
    side.call("run")
    side.call("status")


def _send(side: Side) -> None:
    """The orders of the turn that is played, orders ahead, a mail that is held."""
    duo, quad, _, war, gone = side.samples[:5]
    for sample in (duo, quad):
        state = sample.state
        orders = f"turn: {state.turn}\nactions:\n  - {write_order(common(sample))}\n  - pass\n"
        _put(side, sample, state.active, orders)
    if side.hidden.ahead:
        turn, action = side.hidden.ahead
        for sample, player in ((quad, _after(quad.state, 3)), (gone, _asked(gone.state))):
            ahead = next_own_turn(sample.state, player)
            _put(side, sample, player, f"turn: {ahead}\nactions: {turn}\n")
        orders = f"turn: {war.state.turn}\naction: 2\nactions: {action}\n"
        _put(side, war, war.state.active, orders)
    last = _after(quad.state, 3)
    text = f"game: quad\nplayer: {last}\nturn: {quad.state.turn + 3}\n"
    side.mail(2, last, f"{text}{side.hidden.held}\n", proven=False)
    side.mail(3, duo.viewer, "Hello, I would like to win.\n", proven=True)


def _put(side: Side, sample: Sample, player: Dynasty, text: str) -> None:
    path = side.folders[sample.name].inbox / f"{player}.yaml"
    path.write_text(f"game: {sample.name}\nplayer: {player}\n{text}")


def _deeds(side: Side) -> None:
    """What a moderator does."""
    quad, stand, war = side.samples[1:4]
    side.call("pause", "duo", "--because", "a storm")
    side.call("resume", "duo")
    side.call("extend", "war", "--by", "1d", "--because", "a feast")
    away = next(each for each in war.state.players if each != war.viewer)
    side.call("away", "war", away, "2026-04-10..2026-04-12")
    side.call("seat", "stand", _after(stand.state, 1), "--give", "Zoe <zoe@example.org>")
    side.call("seat", "quad", quad.viewer)
    side.call("note", "war", "The gods are just.")
    first = quad.state.active
    text = f"game: quad\nplayer: {first}\nturn: {quad.state.turn + 4}\n"
    side.mail(1, first, f"{text}actions: {side.hidden.mailed}\n", proven=True)


def differences(one: Side, other: Side, *, seats: bool) -> list[str]:
    """Where the two tell different things, with the lines that differ."""
    found = []
    texts = [{**side.seen, **side.files(seats)} for side in (one, other)]
    for name in dict.fromkeys([*texts[0], *texts[1]]):
        left, right = (str(text.get(name, "nothing")) for text in texts)
        if left != right:
            at = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
            near = slice(max(0, at - AROUND), at + AROUND)
            found.append(f"{name}: {left[near]!r} / {right[near]!r}")
    return found


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Hidden], Side]:
    """What has happened in a folder; each is lived through once."""
    games, place = samples(), tmp_path_factory.mktemp("sides")

    @cache
    def lived(hidden: Hidden) -> Side:
        side = Side(place / str(len(list(place.iterdir()))), games, hidden)
        with patch("os.fsync"):
            live(side)
        return side

    return lived


def test_what_is_hidden_is_different(sides: Callable[[Hidden], Side]) -> None:
    """What the moderator alone may read differs, and so do the orders that wait."""
    one, other = (tree(sides(hidden).place / "games") for hidden in (ONE, OTHER))
    for sample in sides(ONE).samples:
        report = f"{sample.name}/reports/moderator.txt"
        assert one[report] != other[report]
    waits = [name for name in one if "/waiting/" in name]
    assert waits
    assert all(one[name] != other[name] for name in waits)
    assert not any("/waiting/" in name for name in tree(sides(NOTHING_AHEAD).place / "games/war"))


@pytest.mark.parametrize("other", [OTHER, FOR_A_SEAT], ids=["public", "seat"])
def test_what_is_hidden_does_not_show(other: Hidden, sides: Callable[[Hidden], Side]) -> None:
    found = differences(sides(ONE), sides(other), seats=other.viewer == "seat")
    assert not found, "\n\n".join(found)


def test_who_has_sent_orders_ahead_does_not_show(sides: Callable[[Hidden], Side]) -> None:
    found = differences(sides(ONE), sides(NOTHING_AHEAD), seats=True)
    assert not found, "\n\n".join(found)
