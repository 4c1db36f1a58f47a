"""Four players play twenty turns of a game by mail alone, over real servers.

Ours are processes as cron calls them: `pbem mail in`, `pbem turn --all`, `pbem mail out`. Some are
killed; the servers are restarted in the middle, and once they are away when letters are to go.
"""

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from email.message import EmailMessage
from pathlib import Path

import pytest

from engine import questions as q
from engine.advance import advance
from engine.orders import Order
from engine.pieces import Dynasty
from engine.setup import new_game
from engine.state import State
from pbem.mail.outbox import Outbox
from pbem.notation import write_order
from pbem.position import write_state
from pbem.store import GameFolder
from tests.folders import whole_turn
from tests.playouts import choose
from tests.system.mailservers import DOMAIN, MailServer
from tests.system.players import Player, form_of
from tests.system.test_mail_out import Notmuch

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
TURNS = 20
SEATS: dict[Dynasty, str] = {
    "archer": "ada", "bull": "bruno", "lion": "lena", "pot": "chidi",
}  # fmt: skip
EARLIER = 14
MOST_ROUNDS = 250
RESTART_AT, AWAY_AT = 8, 12
LOOP = (("mail", "in"), ("turn", "--all"), ("mail", "out"))


class Host:
    """Our side: a games folder and the commands."""

    def __init__(self, folder: Path, server: MailServer) -> None:
        self.games = folder / "games"
        self.games.mkdir()
        (self.games / "pbem.yaml").write_text(server.pbem_yaml())
        self.server = server
        self.chance = random.Random(7)
        self.killed = self.answers = 0

    @property
    def state(self) -> State:
        """Where the game stands."""
        return GameFolder(self.games / "ur-1").load().record.state

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start a command as cron would."""
        return subprocess.Popen(
            [sys.executable, "-m", "pbem", "--games", str(self.games), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def call(self, *words: str) -> str:
        """Let a command end; it may have refused something."""
        running = self.start(*words)
        out, err = running.communicate(timeout=120)
        assert running.returncode in (0, 1), (words, running.returncode, out, err)
        return out + err

    def kill(self, *words: str) -> None:
        """Start a command and kill it soon."""
        running = self.start(*words)
        time.sleep(self.chance.uniform(0.1, 0.8))
        running.send_signal(signal.SIGKILL)
        running.communicate(timeout=120)
        self.killed += running.returncode == -signal.SIGKILL

    def round(self, *, kill: bool) -> None:
        """Mail in, turn, mail out; each may be killed, and is called again then."""
        for words in LOOP:
            if kill:
                self.kill(*words)
            self.call(*words)
        self.decide()
        self.server.settle()

    def decide(self) -> None:
        """The moderator says of letters in doubt whether they have arrived."""
        for folder in (self.games / "_outbox", self.games / "ur-1" / "outbox"):
            for entry in Outbox(folder).entries():
                if entry.state in ("sending", "unsure"):
                    self.server.settle()
                    found = self.server.messages(entry.address.partition("@")[0])
                    there = any(f"<{entry.key}@{DOMAIN}>".encode() in data for data in found)
                    self.call("mail", "out", "--sent" if there else "--again", entry.key)


class Bot(Player):
    """A player who fills in the form that lies with his letters."""

    def __init__(self, server: MailServer, user: str, host: Host) -> None:
        super().__init__(server, user)
        self.host = host
        self.right = ""
        self.mistakes = self.twice = self.refused = 0

    def look(self) -> bool:
        """Read what came and answer; whether a mail was sent."""
        sent = False
        for letter in self.new_letters(0):
            if "Orders not accepted" in str(letter["Subject"]):
                self.refused += 1
                self.send(self.right, answers=letter)
                sent = True
            elif letter["X-PBEM-Move"] == "yours" and self._is_open(form_of(letter)):
                self._answer(letter)
                sent = True
        return sent

    def _is_open(self, form: str) -> bool:
        """Whether the form is for the question that is open now: a letter may be older."""
        state = self.host.state
        question = state.question
        if question is None:
            return False
        asked = re.search(r"question: (\d+)\.(\d+)", form)
        if asked:
            return (int(asked[1]), int(asked[2])) == (state.turn, state.serial)
        number = 2 if "action: 2" in form else 1
        turn = re.search(r"turn: (\d+)", form)
        acting = isinstance(question, q.AskAction) and question.number == number
        return bool(turn and int(turn[1]) == state.turn and acting)

    def _answer(self, letter: EmailMessage) -> None:
        chance, state, form = self.host.chance, self.host.state, form_of(letter)
        acting = isinstance(state.question, q.AskAction) and state.question.number == 1
        orders = whole_turn(chance, state) if acting else [choose(chance, state)]
        self.right = filled(form, orders)
        self.host.answers += 1
        kind = self.host.answers % 5
        if kind == 1:
            self.mistakes += 1
            wrong = re.sub(
                r"^(  - |    support: ).*", r"\1king Z99", self.right, count=1, flags=re.M
            )
            self.send(wrong if wrong != self.right else "Where do I write?", answers=letter)
        elif kind == 2:
            self.twice += 1
            for _ in range(2):
                self.send(self.right, answers=letter)
        elif kind == 3:
            self.send("See the file.\n", answers=letter, attached=self.right)
        else:
            quoted = "".join(f"> {line}\n" for line in form.splitlines())
            self.send(
                f"Hello,\n\n{self.right}\nBest\n\nOn Monday you wrote:\n{quoted}", answers=letter
            )


def filled(form: str, orders: list[Order]) -> str:
    """The form with these orders in the place of its question marks, comments left out."""
    lines = [line for line in form.splitlines() if not line.startswith("#")]
    if "actions:" in lines:
        at = lines.index("  - ???")
        lines[at : at + 1] = [f"  - {write_order(order)}" for order in orders]
        return "\n".join(lines) + "\n"
    word, _, rest = write_order(orders[0]).partition(" ")
    first, _, square = rest.partition(" ")
    values = {word: rest if word != "monument" else first, "square": square}
    text = []
    for line in lines:
        key = line.strip().partition(":")[0]
        value = values.get(key, "") if line.endswith("???") else ""
        if not line.endswith("???"):
            text.append(line)
        elif value:
            text.append(line.replace("???", value))
    return "\n".join(text) + "\n"


def middle(chance: random.Random) -> State:
    """A game of four in which conflicts are near, at the start of a turn."""
    state = new_game(tuple(SEATS), "twenty turns")
    while state.turn < EARLIER or not isinstance(state.question, q.AskAction):
        assert state.question is not None
        state = advance(state, state.question.player, choose(chance, state)).state
    assert state.question.number == 1
    return state


@pytest.fixture
def host(mail: MailServer, tmp_path: Path) -> Host:
    """Our side, with a new game of four."""
    made = Host(tmp_path, mail)
    people = {seat: f"{user.title()} <{user}@{DOMAIN}>" for seat, user in SEATS.items()}
    seats = [word for seat, who in people.items() for word in ("--seat", f"{seat}={who}")]
    position = tmp_path / "position.yaml"
    position.write_text(write_state(middle(made.chance)))
    made.call("new", "ur-1", *seats, "--seed", "twenty turns", "--position", str(position))
    made.call("mail", "out")
    mail.settle()
    return made


def test_twenty_turns_by_mail_alone(host: Host, mail: MailServer, tmp_path: Path) -> None:
    bots = [Bot(mail, user, host) for user in SEATS.values()]
    restarted = away = False
    rounds, first = 0, host.state.turn
    while host.state.turn < first + TURNS and not host.state.over:
        rounds += 1
        assert rounds < MOST_ROUNDS, host.call("status") + host.call("mail", "out")
        for bot in bots:
            bot.look()
        mail.settle()
        if not restarted and host.state.turn >= first + RESTART_AT:
            restarted = True
            mail.restart()
        if not away and host.state.turn >= first + AWAY_AT:
            away = True
            mail.stop_smtp()
            said = host.call("mail", "in") + host.call("turn", "--all") + host.call("mail", "out")
            assert "refuses the connection" in said, said
            mail.start_smtp()
        host.round(kill=host.chance.random() < 0.25)
    assert host.state.turn >= first + TURNS
    assert restarted
    assert away
    assert host.killed > 3
    assert sum(bot.mistakes for bot in bots) > 2
    assert sum(bot.twice for bot in bots) > 2
    assert sum(bot.refused for bot in bots) > 0
    check_the_game(host)
    for bot in bots:
        check_mailbox(bot, tmp_path / f"notmuch-{bot.user}")


def check_the_game(host: Host) -> None:
    """The game is sound, every decision came from a mail, and nothing is left over."""
    assert "all the same" in host.call("replay", "ur-1")
    folder = GameFolder(host.games / "ur-1")
    decisions = [each for run in folder.runs() for each in folder.load_run(run).decisions]
    assert len(decisions) >= 2 * TURNS
    assert sum(each.order.startswith("support") for each in decisions) >= 4
    raw = {path.name.split(".")[2] for path in (host.games / "_mail" / "raw").rglob("*.eml")}
    for each in decisions:
        assert (each.source or "").startswith("mail "), each
        assert each.sha256 in raw
    assert not list((host.games / "_mail" / "work").iterdir())
    assert not list(host.games.rglob("outbox/*.eml"))


def check_mailbox(bot: Player, folder: Path) -> None:
    """Nothing came twice, and an independent reader sees one thread."""
    letters = bot.letters()
    ids = Counter(str(letter["Message-ID"]) for letter in letters)
    assert [each for each, times in ids.items() if times > 1] == []
    assert all(letter.defects == [] for letter in letters)
    notmuch = Notmuch(folder, bot.server.maildir(bot.user))
    assert notmuch.lines("count", "*") == [str(len(letters))]
    threads = notmuch.lines("search", "--output=threads", "*")
    assert len(threads) == 1, threads
