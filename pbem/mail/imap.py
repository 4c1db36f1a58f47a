"""Mail from an IMAP server, over TLS only.

IMAPClient speaks the protocol: small, maintained, without dependencies, answers as plain values.
A stored mail gets the keyword `PbemStored` and `\\Seen`, or is moved to a folder. The keyword
and not `\\Seen` decides what is new: a moderator may read the mailbox too. A server that keeps
no keywords is asked for unseen mails.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from pbem.mail.config import Mailbox
from pbem.mail.faults import (
    Fault,
    ServerFault,
    connection_fault,
    name_of,
    password_for,
    said,
    trust,
)
from pbem.mail.servers import Server
from pbem.mail.sources import Mail

KEYWORD = b"PbemStored"
PAUSES = (1.0, 4.0, 15.0, 30.0)
_SEEN = b"\\Seen"
_DELETED = b"\\Deleted"
_AT_ONCE = 100


_PASSING = ("refused", "lost", "silent", "protocol")


class State(NamedTuple):
    """What a mailbox is like: for the doctor."""

    waiting: int
    keeps_keywords: bool
    moves: bool


class Opened(NamedTuple):
    """A mailbox with its folder open. `keeps`: whether the server keeps our keyword."""

    client: Any
    mailbox: Mailbox
    validity: int
    keeps: bool


class ImapSource:
    """The mails of a mailbox that are not stored yet.

    If the server goes away in the middle, the source waits and goes on where it was.
    """

    def __init__(
        self,
        mailbox: Mailbox,
        limit: int,
        pauses: tuple[float, ...] = PAUSES,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = f"{name_of(mailbox.server)} {mailbox.folder}"
        self.faults: list[Fault] = []
        self._mailbox = mailbox
        self._limit = limit
        self._pauses = pauses
        self._sleep = sleep
        self._opened: Opened | None = None
        self._validity: int | None = None
        self._handed: set[int] = set()
        self._unmarked: set[int] = set()

    def mails(self) -> Iterator[Mail]:
        """The mails, oldest first; ServerFault if the server cannot be used."""
        pauses = list(self._pauses)
        while True:
            before = len(self._handed)
            try:
                yield from self._waiting(self._open())
                if not self._unmarked:
                    return
                fault = Fault("lost", self.name)
            except _lost() as error:
                fault = connection_fault(self._mailbox.server, error)
            except ServerFault as trouble:
                if self._validity is None or trouble.fault.kind not in _PASSING:
                    raise
                fault = trouble.fault
            finally:
                self._close()
            if len(self._handed) > before:
                pauses = list(self._pauses)
            if not pauses:
                raise ServerFault(fault)
            self._sleep(pauses.pop(0))

    def _open(self) -> Opened:
        opened = self._opened = open_folder(self._mailbox)
        if opened.validity != self._validity:
            self._handed, self._unmarked = set(), set()
            self._validity = opened.validity
        for uid in sorted(self._unmarked):
            self._mark(uid)
        return opened

    def _close(self) -> None:
        if self._opened is not None:
            close(self._opened)
            self._opened = None

    def _waiting(self, opened: Opened) -> Iterator[Mail]:
        new = [uid for uid in waiting(opened) if uid not in self._handed]
        for start in range(0, len(new), _AT_ONCE):
            some = new[start : start + _AT_ONCE]
            about = opened.client.fetch(some, ["RFC822.SIZE", "INTERNALDATE"])
            for uid in some:
                if uid in about:
                    yield from self._one(opened.client, uid, about[uid])

    def _one(self, client: Any, uid: int, about: dict[bytes, Any]) -> Iterator[Mail]:
        origin = f"{self.name} {self._validity}/{uid}"
        try:
            found = client.fetch([uid], [f"BODY.PEEK[]<0.{self._limit + 1}>"]).get(uid, {})
        except _lost():
            raise
        except _no() as error:
            found = {}
            self.faults.append(Fault("unreadable", origin, said(error)))
        self._handed.add(uid)
        data = next((value for key, value in found.items() if key.startswith(b"BODY[]")), None)
        if data is not None:
            whole = len(data) <= self._limit
            size = len(data) if whole else max(len(data), about.get(b"RFC822.SIZE", 0))
            arrived = _utc(about.get(b"INTERNALDATE"))
            yield Mail(data, size, arrived, origin, lambda: self._mark(uid))

    def _mark(self, uid: int) -> None:
        """Mark or move a stored mail; if the server is gone, when it is back."""
        self._unmarked.add(uid)
        if self._opened is None:
            return
        with suppress(*_lost()):
            try:
                put_away(self._opened, uid)
            except _lost():
                raise
            except _no() as error:
                self.faults.append(Fault("not_marked", f"{self.name} {uid}", said(error)))
            self._unmarked.discard(uid)


def connect(server: Server) -> Any:
    """A client that is connected and logged in; ServerFault if that fails."""
    from imapclient import IMAPClient  # type: ignore[import-untyped]  # it has no marker

    context = trust(server)
    login = server.login
    password = password_for(login) if login else ""
    try:
        tls = server.security == "tls"
        client = IMAPClient(
            server.host,
            port=server.port,
            ssl=tls,
            ssl_context=context if tls else None,
            timeout=server.timeout,
        )
        client.normalise_times = False
        if not tls:
            if not client.has_capability("STARTTLS"):
                raise ServerFault(Fault("no_starttls", name_of(server)))
            client.starttls(context)
        if login:
            _log_in(client, server, login.user, password)
    except OSError as error:
        raise ServerFault(connection_fault(server, error)) from None
    except _no() as error:
        kind = "lost" if isinstance(error, _lost()) else "protocol"
        raise ServerFault(Fault(kind, name_of(server), said(error))) from None
    return client


def _log_in(client: Any, server: Server, user: str, password: str) -> None:
    from imapclient.exceptions import LoginError  # type: ignore[import-untyped]

    try:
        if client.has_capability("AUTH=PLAIN"):
            client.plain_login(user, password)
        elif client.has_capability("LOGINDISABLED"):
            raise ServerFault(Fault("no_login", name_of(server), "LOGINDISABLED"))
        else:
            client.login(user, password)
    except LoginError as error:
        raise ServerFault(Fault("login", name_of(server), said(error))) from None


def open_folder(mailbox: Mailbox) -> Opened:
    """Connect and open the folder; the folder for stored mails is made if it is missing."""
    client = connect(mailbox.server)
    try:
        about = client.select_folder(mailbox.folder)
    except _lost() as error:
        raise ServerFault(connection_fault(mailbox.server, error)) from None
    except _no() as error:
        client.logout()
        raise ServerFault(Fault("no_folder", mailbox.folder, said(error))) from None
    kept = {bytes(flag).lower() for flag in about.get(b"PERMANENTFLAGS", ())}
    keeps = b"\\*" in kept or KEYWORD.lower() in kept
    opened = Opened(client, mailbox, about.get(b"UIDVALIDITY", 0), keeps)
    _make_target(opened)
    return opened


def _make_target(opened: Opened) -> None:
    if opened.mailbox.after == "mark":
        return
    target = opened.mailbox.stored
    try:
        if not opened.client.folder_exists(target):
            opened.client.create_folder(target)
    except _lost() as error:
        raise ServerFault(connection_fault(opened.mailbox.server, error)) from None
    except _no() as error:
        close(opened)
        raise ServerFault(Fault("no_target", target, said(error))) from None


def waiting(opened: Opened) -> list[int]:
    """The mails of the open folder that are not stored yet, oldest first."""
    criteria = ["UNDELETED"]
    if opened.mailbox.after == "mark":
        criteria += ["UNKEYWORD", KEYWORD.decode()] if opened.keeps else ["UNSEEN"]
    return sorted(opened.client.search(criteria))


def put_away(opened: Opened, uid: int) -> None:
    """Mark a stored mail, or move it, as the configuration wants it."""
    client, mailbox = opened.client, opened.mailbox
    if mailbox.after == "mark":
        client.add_flags([uid], [_SEEN, *([KEYWORD] if opened.keeps else [])], silent=True)
    elif client.has_capability("MOVE"):
        client.move([uid], mailbox.stored)
    else:
        client.copy([uid], mailbox.stored)
        client.add_flags([uid], [_DELETED], silent=True)
        if client.has_capability("UIDPLUS"):
            client.uid_expunge([uid])


def close(opened: Opened) -> None:
    """Say goodbye; if the server is gone already, that is all right."""
    with suppress(*_lost(), _no()):
        opened.client.logout()


def look(mailbox: Mailbox) -> State:
    """What the mailbox is like; ServerFault if anything is wrong. No mail is touched."""
    opened = open_folder(mailbox)
    try:
        moves = bool(opened.client.has_capability("MOVE"))
        return State(len(waiting(opened)), opened.keeps, moves)
    except _lost() as error:
        raise ServerFault(connection_fault(mailbox.server, error)) from None
    finally:
        close(opened)


def _lost() -> tuple[type[Exception], ...]:
    """What is raised when the connection is gone."""
    import imaplib

    return (imaplib.IMAP4.abort, OSError)


def _no() -> type[Exception]:
    """What is raised when the server says no."""
    import imaplib

    return imaplib.IMAP4.error


def _utc(when: datetime | None) -> datetime | None:
    return when.astimezone(UTC).replace(microsecond=0) if when and when.tzinfo else None
