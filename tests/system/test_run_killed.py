"""`pbem run` killed again and again while mails come and letters leave, and two runs at once."""

import random
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from engine import questions as q
from engine.advance import advance
from engine.orders import Order
from engine.pieces import Dynasty
from engine.state import State
from tests.folders import actions_file
from tests.playouts import choose
from tests.system.mailservers import DOMAIN, MailServer
from tests.system.office import Office, ended, ids, is_locked, watch
from tests.system.players import Player

pytestmark = pytest.mark.system

NAMES = ("ur", "uruk", "kish", "mari")
TURNS, KILLS, MOST_ROUNDS = 10, 15, 30


@pytest.fixture
def office(mail: MailServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Office:
    """Our side, with no game."""
    return Office(tmp_path, mail, monkeypatch)


class Script(NamedTuple):
    """A game as it goes if nothing disturbs it: a mail for each turn, and its end."""

    name: str
    players: dict[Dynasty, Player]
    mails: list[tuple[Dynasty, str]]
    end: State


class Storm:
    """Some games, their players, and what these have written up to now."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.chance = random.Random(5)
        people = [Player(office.server, office.server.fresh()) for _ in range(4)]
        self.people = people
        pairs = zip(people, people[1:] + people[:1], strict=True)
        self.scripts = [self._game(*game) for game in zip(NAMES, pairs, strict=True)]
        self.written: Counter[str] = Counter()
        self.mails = self.killed = 0

    def _game(self, name: str, pair: tuple[Player, Player]) -> Script:
        players: dict[Dynasty, Player] = {"archer": pair[0], "bull": pair[1]}
        seats = [w for s, p in players.items() for w in ("--seat", f"{s}={p.name} <{p.address}>")]
        self.office.call("new", name, *seats, "--seed", f"storm {name}")
        return scripted(self.chance, name, players, self.office.game(name).load().record.state)

    def turn(self, script: Script) -> int:
        """How many turns of a game are over."""
        return self.office.game(script.name).load_newest().state.turn - 1

    def over(self) -> bool:
        """Whether all that was written is played."""
        return all(self.turn(script) == TURNS for script in self.scripts)

    def write(self, scripts: list[Script]) -> None:
        """The players write: what is asked, and sometimes their next turn ahead."""
        for script in scripts:
            ahead = self.chance.random() < 0.3
            wanted = min(self.turn(script) + 1 + ahead, TURNS)
            for seat, text in script.mails[self.written[script.name] : wanted]:
                script.players[seat].send(text)
                self.mails += 1
            self.written[script.name] = max(wanted, self.written[script.name])

    def strike(self, took: float) -> None:
        """A run that is killed at any moment while mails come in."""
        begun = time.monotonic()
        running = self.office.start("run")
        end = begun + self.chance.uniform(0.1, 1.0) * took
        self.write(self.scripts[2:])
        time.sleep(max(0.0, end - time.monotonic()))
        self._kill(running)

    def hunt(self) -> None:
        """A run that is killed while nobody knows whether a letter has left."""
        running = self.office.start("run")
        watch(running, lambda: bool(self.office.letters("sending")))
        self._kill(running)

    def _kill(self, running: subprocess.Popen[str]) -> None:
        running.send_signal(signal.SIGKILL)
        said = ended(running)
        self.killed += said.code == -signal.SIGKILL
        assert said.code in (0, 1, -signal.SIGKILL), said

    def received(self, player: Player) -> Counter[str]:
        """How often each letter has come."""
        return Counter(ids(player.letters()))


def scripted(
    chance: random.Random, name: str, players: dict[Dynasty, Player], state: State
) -> Script:
    """Some turns in which no question is asked."""
    mails = []
    while state.turn <= TURNS:
        actions, after = quiet_turn(chance, state)
        mails.append((state.active, actions_file(name, state, actions)))
        state = after
    return Script(name, players, mails, state)


def quiet_turn(chance: random.Random, state: State) -> tuple[list[Order], State]:
    """Two actions of which neither asks anything, and what they lead to."""
    for _ in range(1000):
        first = choose(chance, state)
        middle = advance(state, state.active, first).state
        if not isinstance(middle.question, q.AskAction) or middle.turn != state.turn:
            continue
        second = choose(chance, middle)
        after = advance(middle, state.active, second).state
        if isinstance(after.question, q.AskAction) and after.turn == state.turn + 1:
            return [first, second], after
    raise AssertionError("there is no quiet turn")


def test_killed_again_and_again(office: Office) -> None:
    """Each letter comes once or is in doubt and named; no order is lost; the games are the same."""
    storm = Storm(office)
    begun = time.monotonic()
    office.run()
    took = time.monotonic() - begun
    for number in range(KILLS):
        office.later(minutes=10)
        storm.write(storm.scripts[:2])
        storm.hunt() if number % 3 == 2 else storm.strike(took)
    rounds = 0
    while not storm.over():
        rounds += 1
        assert rounds < MOST_ROUNDS, office.call("status").out
        office.later(minutes=10)
        storm.write(storm.scripts)
        office.run(codes=(0, 1))
    assert storm.killed > KILLS / 2
    games_are_the_same(storm)
    doubtful = settled(storm)
    assert doubtful
    each_letter_once(storm)


def games_are_the_same(storm: Storm) -> None:
    """The games stand where undisturbed ones would, by what came in mails, each used once."""
    for script in storm.scripts:
        folder = storm.office.game(script.name)
        assert folder.load_newest().state == script.end
        decisions = [each for run in folder.runs() for each in folder.load_run(run).decisions]
        assert all((each.source or "").startswith("mail ") for each in decisions)
        assert "all the same" in storm.office.call("replay", script.name).out


def settled(storm: Storm) -> int:
    """Letters in doubt are held and named by the digest; the moderator looks and decides each."""
    office = storm.office
    office.run(codes=(0, 1))
    doubtful = office.letters("unsure")
    assert office.letters("sending") == []
    digest = office.call("digest", "--all").out
    inboxes = {player.address: storm.received(player) for player in players(storm)}
    assert all(max(found.values(), default=1) == 1 for found in inboxes.values())
    for entry in doubtful:
        ways = f"pbem mail out --sent {entry.key} or pbem mail out --again {entry.key}"
        assert ways in digest
        there = f"<{entry.key}@{DOMAIN}>" in inboxes[entry.address]
        office.call("mail", "out", "--sent" if there else "--again", entry.key)
    office.later(minutes=10)
    office.run()
    return len(doubtful)


def players(storm: Storm) -> list[Player]:
    """All who get letters, the moderator too."""
    return [*storm.people, Player(storm.office.server, "gm")]


def each_letter_once(storm: Storm) -> None:
    """What left has come, once; whoever was asked was told; each mail was answered once."""
    office = storm.office
    assert office.letters("waiting", "sending", "unsure") == []
    sent = office.sent()
    for player in storm.people:
        mine = {key: times for (to, key), times in sent.items() if to == player.address}
        assert storm.received(player) == mine
    answers = [key for _, key in sent if key.startswith("<answer-")]
    assert len(answers) == storm.mails
    for script in storm.scripts:
        folder = office.game(script.name)
        for run in folder.runs():
            asked = folder.load_run(run).state.active
            key = f"<{run:04}-{asked}-1.{script.name}@{DOMAIN}>"
            assert sent[script.players[asked].address, key] == 1


def test_two_runs_at_once(office: Office) -> None:
    """One does it all, the other says so, does nothing, and exits with 1."""
    storm = Storm(office)
    storm.write(storm.scripts)
    office.server.settle()
    first = office.start("run")
    assert watch(first, lambda: is_locked(office.games / "_run" / ".lock"))
    before = files(office.games)
    said = office.call("run", codes=(1,))
    assert said.err == f"{office.games}: another run is at work, so this one did nothing\n"
    assert files(office.games) == before
    first.send_signal(signal.SIGCONT)
    done = ended(first)
    assert (done.code, done.err) == (0, "")
    assert "4 games: 4 advanced" in done.out
    office.later(hours=1)
    both = [office.start("run") for _ in range(2)]
    codes = sorted(ended(each).code for each in both)
    assert codes in ([0, 0], [0, 1])
    office.server.settle()
    each_letter_once(storm)


def files(folder: Path) -> dict[Path, bytes]:
    """All that lies in a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
