"""Mail from a real server: everything arrives, once, whatever breaks on the way."""

import hashlib
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pbem.mail.config import Mailbox
from pbem.mail.faults import ServerFault
from pbem.mail.imap import ImapSource
from pbem.mail.imapserver import look, open_folder
from pbem.mail.sources import FileSource, Mail, MaildirSource, Source
from tests.system.mailservers import MailServer

pytestmark = pytest.mark.system

MILLION = 1_000_000
SAMPLES = Path(__file__).parents[1] / "data" / "mail"

# Stores what comes under the hash of its body, as the intake does, and can be killed anywhere.
KEEPER = """
import hashlib, os, signal, sys
from pathlib import Path
from pbem import disk
from pbem.mail.config import Mailbox
from pbem.mail.imap import ImapSource
from pbem.mail.servers import Login, Server
port, crt, user, secret, store, after, kill_at, kill_when = sys.argv[1:]
server = Server("localhost", int(port), "tls", Login(user, None, Path(secret)), Path(crt), 10)
for number, mail in enumerate(ImapSource(Mailbox(server, after=after), 1_000_000).mails(), 1):
    if number == int(kill_at) and kill_when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    name = hashlib.sha256(mail.data.partition(b"\\r\\n\\r\\n")[2]).hexdigest()
    target = Path(store) / name
    if not target.exists():
        disk.write_new(target, mail.data)
    with open(Path(store) / "log", "a") as log:
        log.write(name + chr(10))
    if number == int(kill_at) and kill_when == "between":
        os.kill(os.getpid(), signal.SIGKILL)
    mail.done()
    if number == int(kill_at) and kill_when == "after":
        os.kill(os.getpid(), signal.SIGKILL)
"""


def samples() -> list[Path]:
    """All sample mails."""
    found = sorted(SAMPLES.glob("*.eml"))
    assert found, f"no sample mails in {SAMPLES}"
    return found


def source(server: MailServer, user: str, **options: str) -> ImapSource:
    """The mails of a user."""
    mailbox = Mailbox(server.imap(user), **options)  # type: ignore[arg-type]
    return ImapSource(mailbox, MILLION, pauses=(0.1, 0.5, 1, 2, 4, 8))


def take(found: Source) -> list[Mail]:
    """All mails, each done as soon as it came."""
    mails = []
    for mail in found.mails():
        mails.append(mail)
        mail.done()
    return mails


def plain(number: int) -> bytes:
    """A mail with a number."""
    return f"From: ada@example.org\r\nSubject: {number}\r\n\r\nmail {number}\r\n".encode()


def deliver(server: MailServer, user: str, numbers: range) -> None:
    """Mails with these numbers to a user."""
    for number in numbers:
        server.submit("ada", server.address(user), plain(number))
    server.settle()


def numbers(mails: list[Mail]) -> list[int]:
    """The numbers of such mails, sorted."""
    return sorted(int(mail.data.rpartition(b"mail ")[2]) for mail in mails)


def test_every_sample_mail_travels_through_the_real_servers(mail: MailServer, box: str) -> None:
    """The body arrives byte for byte, all headers with it."""
    sent = list(FileSource(samples(), MILLION).mails())
    assert len(sent) >= 58
    for each in sent:
        mail.submit("ada", mail.address(box), each.data)
    mail.settle()
    got = take(source(mail, box))
    assert len(got) == len(sent)
    came = [(body(each.data), head(each.data)) for each in got]
    for each in sent:
        twin = next((one for one in came if same(each.data, one)), None)
        assert twin, each.origin
        came.remove(twin)
    assert all(each.arrived is not None and each.size == len(each.data) for each in got)
    assert take(source(mail, box)) == []


def same(sent: bytes, came: tuple[bytes, set[bytes]]) -> bool:
    """Whether this is the mail that was sent."""
    return came[0] == body(sent) and head(sent) <= came[1]


def body(data: bytes) -> bytes:
    """The body, with the line ends of the mail protocol."""
    return lf(data).partition(b"\n\n")[2].replace(b"\n", b"\r\n")


def head(data: bytes) -> set[bytes]:
    """The headers, unfolded, without what servers add or take off."""
    text = re.sub(rb"\n[ \t]+", b" ", lf(data).partition(b"\n\n")[0])
    return {line for line in text.split(b"\n") if not line.startswith(b"Return-Path:")}


def lf(data: bytes) -> bytes:
    """With LF only."""
    return data.replace(b"\r\n", b"\n")


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_both_ways_of_encryption(mail: MailServer, box: str, security: str) -> None:
    """TLS from the start, and STARTTLS."""
    deliver(mail, box, range(2))
    found = ImapSource(Mailbox(mail.imap(box, security)), MILLION)
    assert numbers(take(found)) == [0, 1]


def test_marked_mails_stay_and_may_be_read_by_people(mail: MailServer, box: str) -> None:
    """Our keyword counts, not whether somebody has looked at a mail."""
    deliver(mail, box, range(3))
    opened = open_folder(Mailbox(mail.imap(box)))
    opened.client.add_flags(opened.client.search("ALL"), [b"\\Seen"])
    opened.client.logout()
    assert numbers(take(source(mail, box))) == [0, 1, 2]
    assert look(Mailbox(mail.imap(box))).waiting == 0
    assert len(mail.messages(box)) == 3


def test_moved_mails_lie_in_the_other_folder(mail: MailServer, box: str) -> None:
    """The folder is made if need be, and nothing is deleted."""
    deliver(mail, box, range(3))
    assert numbers(take(source(mail, box, after="move"))) == [0, 1, 2]
    assert mail.messages(box) == []
    assert numbers(take(source(mail, box, folder="Stored"))) == [0, 1, 2]


def test_a_mail_that_was_not_stored_comes_again(mail: MailServer, box: str) -> None:
    """Without `done` nothing is marked."""
    deliver(mail, box, range(2))
    assert numbers(list(source(mail, box).mails())) == [0, 1]
    assert numbers(take(source(mail, box))) == [0, 1]


def test_a_huge_mail_is_cut_but_its_size_is_told(mail: MailServer, box: str) -> None:
    """Only one byte more than the limit is fetched."""
    data = plain(1) + b"x" * 70 + b"\r\n" + (b"y" * 70 + b"\r\n") * 1000
    mail.submit("ada", mail.address(box), data)
    mail.settle()
    (found,) = list(ImapSource(Mailbox(mail.imap(box)), 5000).mails())
    assert len(found.data) == 5001
    assert found.size > len(data)


def test_a_restart_in_the_middle_of_fetching(mail: MailServer, box: str) -> None:
    """The source waits for the server, marks what it could not mark, and goes on."""
    deliver(mail, box, range(8))
    found = []
    for each in source(mail, box).mails():
        found.append(each)
        if len(found) == 3:
            mail.stop_imap()
        each.done()
        if len(found) == 3:
            mail.start_imap()
        if len(found) == 6:
            each.done()
            mail.stop_imap()
            mail.start_imap()
    assert numbers(found) == list(range(8))
    assert take(source(mail, box)) == []


def test_a_restart_with_the_last_mail_unmarked(mail: MailServer, box: str) -> None:
    """The mark is made up for when the server is back."""
    deliver(mail, box, range(2))
    found = []
    for each in source(mail, box).mails():
        found.append(each)
        if len(found) == 2:
            mail.stop_imap()
            each.done()
            mail.start_imap()
        else:
            each.done()
    assert numbers(found) == [0, 1]
    assert take(source(mail, box)) == []


def test_the_maildir_that_dovecot_fills(mail: MailServer, box: str) -> None:
    """Read on the disk; the server sees the marks."""
    deliver(mail, box, range(3))
    found = MaildirSource(mail.maildir(box), MILLION)
    assert numbers(take(found)) == [0, 1, 2]
    assert list(found.mails()) == []
    opened = open_folder(Mailbox(mail.imap(box)))
    assert opened.client.search(["UNSEEN"]) == []
    opened.client.logout()


@pytest.mark.parametrize("after", ["mark", "move"])
@pytest.mark.parametrize("when", ["before", "between", "after"])
def test_killed_while_storing(
    mail: MailServer, box: str, tmp_path: Path, when: str, after: str
) -> None:
    """Killed before, between storing and marking, after: nothing lost, nothing stored twice."""
    deliver(mail, box, range(5))
    words = [
        sys.executable, "-c", KEEPER, str(mail.imap_port), str(mail.certificate), box,
        str(mail.password_file(box)), str(tmp_path), after,
    ]  # fmt: skip
    killed = subprocess.run([*words, "3", when], check=False)
    assert killed.returncode == -9
    subprocess.run([*words, "0", ""], check=True)
    stored = {path.name for path in tmp_path.iterdir()} - {"log"}
    expected = {hashlib.sha256(f"mail {number}\r\n".encode()).hexdigest() for number in range(5)}
    assert stored == expected
    log = (tmp_path / "log").read_text().split()
    assert len(log) == (6 if when == "between" else 5)
    assert take(source(mail, box, after=after)) == []


def test_a_wrong_password_is_told_at_once(mail: MailServer, box: str, tmp_path: Path) -> None:
    """No second try: providers lock accounts."""
    (tmp_path / "secret").write_text("wrong\n")
    (tmp_path / "secret").chmod(0o600)
    server = mail.imap(box)
    assert server.login
    login = server.login._replace(file=tmp_path / "secret")
    found = ImapSource(Mailbox(server._replace(login=login)), MILLION, sleep=never)
    with pytest.raises(ServerFault, match="refuses the login") as caught:
        list(found.mails())
    assert "wrong" not in str(caught.value)


def test_a_server_that_is_down_is_told_at_once(mail: MailServer, box: str) -> None:
    """The next run tries again."""
    mail.stop_imap()
    try:
        found = ImapSource(Mailbox(mail.imap(box)), MILLION, sleep=never)
        with pytest.raises(ServerFault, match="refuses the connection"):
            list(found.mails())
    finally:
        mail.start_imap()


def never(seconds: float) -> None:
    """Nobody may wait here."""
    raise AssertionError(f"waited {seconds} seconds")


def test_mails_read_per_second(mail: MailServer, box: str, record_property: object) -> None:
    """A figure, and a stop for what hangs."""
    deliver(mail, box, range(100))
    begun = time.monotonic()
    assert len(take(source(mail, box))) == 100
    assert time.monotonic() - begun < 30
    assert callable(record_property)
    record_property("mails_per_second", round(100 / (time.monotonic() - begun)))
