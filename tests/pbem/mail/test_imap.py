"""IMAP servers that know less than others, and mails that cannot be had: without a server."""

import imaplib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from pbem.mail import imapserver
from pbem.mail.config import Mailbox
from pbem.mail.faults import ServerFault
from pbem.mail.imap import ImapSource
from pbem.mail.imapserver import KEYWORD, Opened, put_away, waiting
from pbem.mail.servers import Login, Server

SERVER = Server("imap.example.org", 993, "tls", Login("orders", "X"))
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


class Client:
    """Remembers what it was asked, and has three mails."""

    def __init__(
        self, *capabilities: str, trouble: Callable[[str, int], None] | None = None
    ) -> None:
        self.capabilities = capabilities
        self.asked: list[tuple[str, Any]] = []
        self.trouble = trouble or (lambda _what, _uid: None)
        self.marked: set[int] = set()

    def has_capability(self, name: str) -> bool:
        return name in self.capabilities

    def search(self, criteria: list[str]) -> list[int]:
        self.asked.append(("search", criteria))
        return [uid for uid in (3, 1, 2) if uid not in self.marked]

    def fetch(self, uids: list[int], what: list[str]) -> dict[int, dict[bytes, Any]]:
        if what[0].startswith("BODY"):
            self.trouble("fetch", uids[0])
            return {uid: {b"BODY[]<0>": b"mail %d" % uid} for uid in uids}
        return {uid: {b"RFC822.SIZE": 6, b"INTERNALDATE": NOON} for uid in uids}

    def add_flags(self, uids: list[int], flags: list[bytes], *, silent: bool) -> None:
        assert silent
        self.trouble("mark", uids[0])
        self.asked.append(("flags", (uids, flags)))
        self.marked |= {*uids}

    def move(self, uids: list[int], folder: str) -> None:
        self.asked.append(("move", (uids, folder)))

    def copy(self, uids: list[int], folder: str) -> None:
        self.asked.append(("copy", (uids, folder)))

    def uid_expunge(self, uids: list[int]) -> None:
        self.asked.append(("expunge", uids))

    def logout(self) -> None:
        """Fine."""


@pytest.mark.parametrize(
    ("after", "keeps", "expected"),
    [
        ("mark", True, ["UNDELETED", "UNKEYWORD", "PbemStored"]),
        ("mark", False, ["UNDELETED", "UNSEEN"]),
        ("move", True, ["UNDELETED"]),
    ],
)
def test_which_mails_are_new(after: Any, keeps: bool, expected: list[str]) -> None:
    client = Client()
    assert waiting(Opened(client, Mailbox(SERVER, after=after), 1, keeps)) == [1, 2, 3]
    assert client.asked == [("search", expected)]


@pytest.mark.parametrize(
    ("after", "keeps", "capabilities", "expected"),
    [
        ("mark", True, (), [("flags", ([7], [b"\\Seen", KEYWORD]))]),
        ("mark", False, (), [("flags", ([7], [b"\\Seen"]))]),
        ("move", True, ("MOVE",), [("move", ([7], "Stored"))]),
        (
            "move",
            True,
            ("UIDPLUS",),
            [("copy", ([7], "Stored")), ("flags", ([7], [b"\\Deleted"])), ("expunge", [7])],
        ),
        ("move", True, (), [("copy", ([7], "Stored")), ("flags", ([7], [b"\\Deleted"]))]),
    ],
)
def test_how_a_mail_is_put_away(
    after: Any, keeps: bool, capabilities: tuple[str, ...], expected: list[tuple[str, Any]]
) -> None:
    client = Client(*capabilities)
    put_away(Opened(client, Mailbox(SERVER, after=after), 1, keeps), 7)
    assert client.asked == expected


def source(monkeypatch: pytest.MonkeyPatch, client: Client, *validities: int) -> ImapSource:
    """A source on this client; one validity for each connection, the last one for ever."""
    left = list(validities) or [1]

    def open_folder(mailbox: Mailbox) -> Opened:
        return Opened(client, mailbox, left.pop(0) if len(left) > 1 else left[0], True)

    monkeypatch.setattr(imapserver, "open_folder", open_folder)
    return ImapSource(Mailbox(SERVER), 100, pauses=(0, 0), sleep=lambda _: None)


def take(found: ImapSource) -> list[bytes]:
    """All mails, each done."""
    mails = []
    for mail in found.mails():
        assert mail.arrived == NOON
        mails.append(mail.data)
        mail.done()
    return mails


def once(what: str, uid: int, error: Exception) -> Callable[[str, int], None]:
    """Trouble with one mail, the first time only."""
    left = [error]

    def trouble(asked: str, number: int) -> None:
        if (asked, number) == (what, uid) and left:
            raise left.pop()

    return trouble


LOST = [imaplib.IMAP4.abort("gone"), ConnectionResetError(104, "reset"), TimeoutError("silent")]


@pytest.mark.parametrize("error", LOST)
@pytest.mark.parametrize("what", ["fetch", "mark"])
@pytest.mark.parametrize("uid", [1, 2, 3])
def test_a_connection_that_breaks_is_made_again(
    monkeypatch: pytest.MonkeyPatch, error: Exception, what: str, uid: int
) -> None:
    client = Client(trouble=once(what, uid, error))
    assert take(source(monkeypatch, client)) == [b"mail 1", b"mail 2", b"mail 3"]
    assert client.marked == {1, 2, 3}


def test_a_mailbox_that_was_made_anew_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(trouble=once("mark", 2, imaplib.IMAP4.abort("gone")))
    found = take(source(monkeypatch, client, 1, 2))
    assert found == [b"mail 1", b"mail 2", b"mail 3", b"mail 2"]


def test_a_mail_that_cannot_be_had_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(trouble=once("fetch", 2, imaplib.IMAP4.error("NO corrupt")))
    found = source(monkeypatch, client)
    assert take(found) == [b"mail 1", b"mail 3"]
    assert "1/2 cannot be read (NO corrupt)" in found.faults[0].sentence()


def test_a_mark_that_is_refused_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(trouble=once("mark", 2, imaplib.IMAP4.error("NO read-only")))
    found = source(monkeypatch, client)
    assert take(found) == [b"mail 1", b"mail 2", b"mail 3"]
    assert "did not let it be marked" in found.faults[0].sentence()


def test_a_server_that_breaks_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def trouble(_what: str, uid: int) -> None:
        if uid == 2:
            raise imaplib.IMAP4.abort("gone")

    with pytest.raises(ServerFault, match="was lost"):
        take(source(monkeypatch, Client(trouble=trouble)))
