"""Letters through a real server: each arrives once, whatever breaks on the way."""

import json
import random
import re
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.mail.config import Addresses, Limits, MailConfig, Outgoing
from pbem.mail.dispatch import Dispatched, dispatch
from pbem.mail.letters import Attachment, Letter, Picture, compose, report_key, subject, thread_of
from pbem.mail.outbox import Entry, Outbox
from pbem.mail.transport import carrier_of
from tests.system.mailservers import MailServer
from tests.system.players import Player, form_of, text_of

pytestmark = pytest.mark.system

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
US = Addresses("orders@example.org", "Tigris und Süd", "gm@example.org", "orders@example.org")
OUR = US._replace(domain="example.org")
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d494844520000000100000001080600000"
    "01f15c4890000000d49444154789c6360f8cf500f0003860180c2d4f4aa0000000049454e44ae426082"
)

# Sends what waits, and is killed at the given moment of the given letter.
SENDER = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from pbem.mail.config import Addresses, MailConfig, Outgoing
from pbem.mail.dispatch import dispatch
from pbem.mail.outbox import Outbox
from pbem.mail.servers import Login, Server
from pbem.mail import transport
games, port, crt, user, secret, kill_at, kill_when = sys.argv[1:]
server = Server("localhost", int(port), "starttls", Login(user, None, Path(secret)), Path(crt), 10)
config = MailConfig(Addresses("orders@example.org"), outgoing=Outgoing("smtp", server))
count = 0
def die():
    os.kill(os.getpid(), signal.SIGKILL)
change = Outbox.change
def watched(box, entry, state, now, why=""):
    global count
    count += state == "sending"
    mine = count == int(kill_at)
    if mine and (state, kill_when) in (("sending", "before sending"), ("sent", "before sent")):
        die()
    result = change(box, entry, state, now, why)
    if mine and (state, kill_when) in (("sending", "after sending"), ("sent", "after sent")):
        die()
    return result
Outbox.change = watched
now = datetime(2026, 3, 10, 14, tzinfo=UTC)
carrier = transport.carrier_of(config)
print(dispatch(Path(games), [Path(games) / "ur-1"], config, carrier, lambda: now).sent)
"""


def config(mail: MailServer, **more: object) -> MailConfig:
    """Letters go to this server."""
    outgoing = Outgoing("smtp", mail.smtp("orders"))._replace(**more)  # type: ignore[arg-type]
    return MailConfig(OUR, outgoing=outgoing, limits=Limits())


def letter(run: int, address: str, game: str = "ur-1") -> Letter:
    """A letter with all that letters have."""
    return Letter(
        key=report_key(game, run, "archer"),
        kind="report",
        address=address,
        name="Ada Ärcher \N{LION FACE}",
        subject=subject(game, str(run), "yours" if run % 2 else "bull (Bruno)"),
        text=f"Report of run {run}: zurück am Fluß\n.\n..dots\nFrom here on\n" + "x" * 2000 + "\n",
        written=NOON + timedelta(minutes=run),
        game=game,
        html=f'<p>Run {run}</p><img src="cid:board" alt="board">',
        pictures=(Picture("board", PNG, "the board"),),
        forms=(Attachment(f"{game}-archer.yaml", f"game: {game}\nturn: {run}\nnote: ü\n"),),
        thread=thread_of(game, run, "archer", "example.org"),
    )


def put(games: Path, letters: list[Letter]) -> None:
    """Lay letters into the outbox of the game."""
    box = Outbox(games / "ur-1" / "outbox")
    for each in letters:
        box.put(Entry(each.key, each.address, each.kind, each.written), compose(each, OUR))


def send(games: Path, mail: MailServer, now: datetime = NOON, **more: object) -> Dispatched:
    """One run of `pbem mail out`."""
    wanted = config(mail, **more)
    return dispatch(games, [games / "ur-1"], wanted, carrier_of(wanted), lambda: now)


def runs(mail: MailServer, box: str, expected: int) -> list[int]:
    """The runs whose letters arrived, in order of arrival."""
    mail.settle()
    found = Player(mail, box).letters(expected)
    return sorted(int(re.findall(r"run (\d+)", text_of(each))[0]) for each in found)


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_letter_arrives_as_it_was_written(
    mail: MailServer, box: str, tmp_path: Path, security: str
) -> None:
    """Text, HTML, picture, form, names: nothing is changed on the way."""
    address = mail.address(box)
    put(tmp_path, [letter(0, address)])
    done = send(tmp_path, mail, server=mail.smtp("orders", security))
    assert (done.sent, done.waiting, done.fault) == (1, 0, None)
    (data,) = mail.messages(box, 1)
    assert compose(letter(0, address), OUR) in data
    (got,) = Player(mail, box).letters()
    assert got["To"].addresses[0].display_name == "Ada Ärcher \N{LION FACE}"
    assert got["Return-Path"] == "<orders@example.org>"
    assert text_of(got).startswith("Report of run 0: zurück am Fluß\n.\n..dots\nFrom here on\n")
    assert form_of(got) == "game: ur-1\nturn: 0\nnote: ü\n"
    assert got.defects == []


def test_another_reader_finds_threads_and_pictures(
    mail: MailServer, tmp_path: Path, box: str
) -> None:
    """notmuch, which shares no code with us, sees two games as two threads, in full."""
    address = mail.address(box)
    put(tmp_path, [letter(run, address) for run in range(4)])
    put(tmp_path, [letter(run, address, "ur.2") for run in (0, 3, 7)])
    assert send(tmp_path, mail, now=NOON + timedelta(hours=1)).sent == 7
    mail.messages(box, 7)
    notmuch = Notmuch(tmp_path / "notmuch", mail.maildir(box))
    assert sorted(notmuch.lines("count", "*")) == ["7"]
    threads = notmuch.lines("search", "--output=threads", "*")
    sizes = [len(notmuch.lines("search", "--output=messages", thread)) for thread in threads]
    assert sorted(sizes) == [3, 4]
    for run, game in ((3, "ur-1"), (7, "ur.2")):
        key = report_key(game, run, "archer")
        found = json.loads(notmuch.run(*SHOW, f"id:{key}@example.org"))
        parts = {part["content-type"]: part for part in leaves(found)}
        assert parts["image/png"]["content-id"] == f"board.{key}@example.org"
        assert f"Run {run}" in notmuch.part(key, parts["text/html"]["id"]).decode()
        assert notmuch.part(key, parts["image/png"]["id"]) == PNG
        assert b"turn: %d\n" % run in notmuch.part(key, parts["application/yaml"]["id"])
        headers = message_of(found)["headers"]
        assert headers["Subject"] == subject(game, str(run), "yours")
        assert "Ada Ärcher \N{LION FACE}" in headers["To"]


SHOW = ("show", "--format=json", "--entire-thread=false", "--include-html")


class Notmuch:
    """The mail reader notmuch over a copy of a Maildir."""

    def __init__(self, folder: Path, maildir: Path) -> None:
        folder.mkdir()
        self._config = folder / "config"
        subprocess.run(["cp", "-r", str(maildir), str(folder / "mail")], check=True)
        lines = ["[database]", f"path={folder}/mail", "[user]", "name=x", "primary_email=x@y"]
        self._config.write_text("\n".join([*lines, "[maildir]", "synchronize_flags=false", ""]))
        self.run("new")

    def run(self, *words: str) -> bytes:
        """What the command prints."""
        whole = ["notmuch", f"--config={self._config}", *words]
        return subprocess.run(whole, check=True, capture_output=True).stdout

    def lines(self, *words: str) -> list[str]:
        """What it prints, in lines."""
        return self.run(*words).decode().split()

    def part(self, key: str, number: int) -> bytes:
        """A part of a message, decoded."""
        return self.run("show", f"--part={number}", "--format=raw", f"id:{key}@example.org")


def message_of(found: object) -> dict[str, dict[str, str]]:
    """The message in what `notmuch show` prints."""
    while isinstance(found, list):
        found = next(each for each in found if each and each != [None, []])
    assert isinstance(found, dict)
    return found


def leaves(found: object) -> list[dict[str, Any]]:
    """All parts of a message that hold no other parts."""
    if isinstance(found, list):
        return [leaf for each in found for leaf in leaves(each)]
    if not isinstance(found, dict):
        return []
    inner = [found.get("content"), found.get("body")]
    if isinstance(found.get("content-type"), str) and not isinstance(found.get("content"), list):
        return [found]
    return leaves([each for each in inner if isinstance(each, list)])


KILLS = ("before sending", "after sending", "before sent", "after sent")


@pytest.mark.parametrize("when", KILLS)
def test_killed_while_sending(mail: MailServer, box: str, tmp_path: Path, when: str) -> None:
    """No letter is sent twice, none is lost: one at most is in doubt, and is named."""
    put(tmp_path, [letter(run, mail.address(box)) for run in range(5)])
    words = [
        sys.executable, "-c", SENDER, str(tmp_path), str(mail.smtp_port), str(mail.certificate),
        "orders", str(mail.password_file("orders")),
    ]  # fmt: skip
    killed = subprocess.run([*words, "3", when], check=False, capture_output=True)
    assert killed.returncode == -9, killed.stderr
    done = send(tmp_path, mail, now=NOON + timedelta(minutes=20))
    doubtful = [lying.entry.key for lying in done.unsure]
    in_doubt = when in ("after sending", "before sent")
    assert doubtful == ([report_key("ur-1", 2, "archer")] if in_doubt else [])
    arrived = [0, 1, 3, 4] if when == "after sending" else [0, 1, 2, 3, 4]
    assert runs(mail, box, len(arrived)) == arrived
    assert send(tmp_path, mail, now=NOON + timedelta(minutes=40)).sent == 0
    assert runs(mail, box, len(arrived)) == arrived


def test_killed_at_random_moments(mail: MailServer, box: str, tmp_path: Path) -> None:
    """Killed again and again by the clock: each letter comes once, or is named as in doubt."""
    expected = list(range(60))
    put(tmp_path, [letter(run, mail.address(box)) for run in expected])
    words = [
        sys.executable, "-c", SENDER, str(tmp_path), str(mail.smtp_port), str(mail.certificate),
        "orders", str(mail.password_file("orders")), "0", "",
    ]  # fmt: skip
    dice = random.Random(4)
    kills = 0
    for _ in range(12):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        try:
            process.wait(dice.uniform(0.3, 0.8))
        except subprocess.TimeoutExpired:
            process.kill()
            kills += 1
        process.wait()
    done = send(tmp_path, mail, now=NOON + timedelta(hours=3))
    mail.settle()
    came = runs(mail, box, len(expected) - len(done.unsure))
    assert kills
    assert len(came) == len(set(came))
    doubtful = {int(lying.entry.key[:4]) for lying in done.unsure}
    assert set(came) | doubtful == set(expected)
    assert len(doubtful) <= kills


def test_in_doubt_once_more_if_wanted(mail: MailServer, box: str, tmp_path: Path) -> None:
    """Whoever prefers a letter twice to a letter lost sets `unsure: again`."""
    put(tmp_path, [letter(0, mail.address(box))])
    outbox = Outbox(tmp_path / "ur-1" / "outbox")
    outbox.change(outbox.entries()[0], "sending", NOON)
    assert send(tmp_path, mail, unsure="again").sent == 0
    assert send(tmp_path, mail, now=NOON + timedelta(minutes=16), unsure="again").sent == 1
    assert runs(mail, box, 1) == [0]


def test_the_server_goes_away_in_the_middle(mail: MailServer, box: str, tmp_path: Path) -> None:
    """What was sent stays sent, the rest goes with the next run."""
    put(tmp_path, [letter(run, mail.address(box)) for run in range(6)])
    wanted = config(mail)
    carrier = carrier_of(wanted)
    assert carrier is not None
    plain, count = carrier.send, 0

    def breaking(path: Path, address: str, given: object) -> object:
        nonlocal count
        count += 1
        if count == 3:
            mail.stop_smtp()
        return plain(path, address, given)  # type: ignore[arg-type]

    carrier.send = breaking  # type: ignore[method-assign,assignment]
    try:
        done = dispatch(tmp_path, [tmp_path / "ur-1"], wanted, carrier, lambda: NOON)
    finally:
        mail.start_smtp()
    assert done.sent == 2
    assert done.fault is not None
    assert "refuses the connection" in done.fault.sentence()
    assert send(tmp_path, mail, now=NOON + timedelta(minutes=10)).sent == 4
    assert runs(mail, box, 6) == list(range(6))


def test_a_restart_between_two_letters_is_not_noticed(
    mail: MailServer, box: str, tmp_path: Path
) -> None:
    """A stale connection is made again."""
    put(tmp_path, [letter(run, mail.address(box)) for run in range(4)])
    wanted = config(mail)
    carrier = carrier_of(wanted)
    assert carrier is not None
    plain, count = carrier.send, 0

    def breaking(path: Path, address: str, given: object) -> object:
        nonlocal count
        count += 1
        if count == 3:
            mail.stop_smtp()
            mail.start_smtp()
        return plain(path, address, given)  # type: ignore[arg-type]

    carrier.send = breaking  # type: ignore[method-assign,assignment]
    done = dispatch(tmp_path, [tmp_path / "ur-1"], wanted, carrier, lambda: NOON)
    assert (done.sent, done.fault) == (4, None)
    assert runs(mail, box, 4) == list(range(4))


def test_an_address_that_does_not_exist(mail: MailServer, box: str, tmp_path: Path) -> None:
    """It is named with what the server said; the other letters go."""
    unknown = letter(1, "nobody@example.org")
    put(tmp_path, [letter(0, mail.address(box)), unknown, letter(2, mail.address(box))])
    done = send(tmp_path, mail)
    assert done.sent == 2
    (failed,) = done.failed
    assert failed.address == "nobody@example.org"
    assert "550" in failed.why
    assert (tmp_path / "ur-1" / "outbox" / "failed" / f"{unknown.key}.eml").exists()


def test_a_wrong_password_stops_the_run(mail: MailServer, box: str, tmp_path: Path) -> None:
    """Nothing is tried again and again: the letters wait."""
    put(tmp_path, [letter(run, mail.address(box)) for run in range(3)])
    secret = tmp_path / "secret"
    secret.write_text("wrong\n")
    secret.chmod(0o600)
    server = mail.smtp("orders")
    assert server.login
    done = send(tmp_path, mail, server=server._replace(login=server.login._replace(file=secret)))
    assert (done.sent, done.waiting, done.later) == (0, 3, ())
    assert done.fault is not None
    assert done.fault.kind == "login"
    assert send(tmp_path, mail).sent == 3


def test_the_sendmail_command_of_postfix(mail: MailServer, box: str, tmp_path: Path) -> None:
    """The same letter by the command."""
    put(tmp_path, [letter(0, mail.address(box))])
    command = ("/usr/sbin/sendmail", "-C", str(mail.folder / "postfix"), "-i")
    wanted = MailConfig(OUR, outgoing=Outgoing("sendmail", None, command))
    done = dispatch(tmp_path, [tmp_path / "ur-1"], wanted, carrier_of(wanted), lambda: NOON)
    assert (done.sent, done.failed, done.later) == (1, (), ())
    assert runs(mail, box, 1) == [0]
    (got,) = Player(mail, box).letters()
    assert form_of(got) == "game: ur-1\nturn: 0\nnote: ü\n"


def test_letters_per_second(mail: MailServer, box: str, tmp_path: Path) -> None:
    """A figure, and a stop for what hangs."""
    begun = time.monotonic()
    put(tmp_path, [letter(run, mail.address(box)) for run in range(100)])
    written = time.monotonic() - begun
    begun = time.monotonic()
    assert send(tmp_path, mail, now=NOON + timedelta(hours=3)).sent == 100
    sent = time.monotonic() - begun
    print(f"letters per second: written {100 / written:.0f}, sent {100 / sent:.0f}")  # noqa: T201
    assert written + sent < 60
    mail.settle()
