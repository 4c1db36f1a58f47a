"""An IMAP server: connecting, opening a folder, marking. Over TLS only.

IMAPClient speaks the protocol: small, maintained, without dependencies, answers as plain values.
"""

import ssl
from contextlib import suppress
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

KEYWORD = b"PbemStored"
_SEEN = b"\\Seen"
_DELETED = b"\\Deleted"


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


def connect(server: Server) -> Any:
    """A client that is connected and logged in; ServerFault if that fails."""
    context = trust(server)
    password = password_for(server.login) if server.login else ""
    client = None
    try:
        client = _greet(server, context)
        if server.security == "starttls":
            if not client.has_capability("STARTTLS"):
                raise ServerFault(Fault("no_starttls", name_of(server)))
            client.starttls(context)
        if server.login:
            _log_in(client, server, server.login.user, password)
    except (OSError, no(), ServerFault) as error:
        if client is not None:
            _leave(client)
        if isinstance(error, ServerFault):
            raise
        raise ServerFault(_fault(server, error)) from None
    return client


def _greet(server: Server, context: ssl.SSLContext) -> Any:
    from imapclient import IMAPClient  # type: ignore[import-untyped]  # it has no marker

    tls = server.security == "tls"
    client = IMAPClient(
        server.host,
        port=server.port,
        ssl=tls,
        ssl_context=context if tls else None,
        timeout=server.timeout,
    )
    client.normalise_times = False
    return client


def _fault(server: Server, error: Exception) -> Fault:
    """Why a connection did not come about."""
    if isinstance(error, OSError):
        return connection_fault(server, error)
    kind = "lost" if isinstance(error, lost()) else "protocol"
    return Fault(kind, name_of(server), said(error))


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
    except lost() as error:
        raise ServerFault(connection_fault(mailbox.server, error)) from None
    except no() as error:
        _leave(client)
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
    except lost() as error:
        raise ServerFault(connection_fault(opened.mailbox.server, error)) from None
    except no() as error:
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
    _leave(opened.client)


def _leave(client: Any) -> None:
    try:
        client.logout()
    except (*lost(), no()):
        with suppress(*lost(), no()):
            client.shutdown()


def look(mailbox: Mailbox) -> State:
    """What the mailbox is like; ServerFault if anything is wrong. No mail is touched."""
    opened = open_folder(mailbox)
    try:
        moves = bool(opened.client.has_capability("MOVE"))
        return State(len(waiting(opened)), opened.keeps, moves)
    except lost() as error:
        raise ServerFault(connection_fault(mailbox.server, error)) from None
    finally:
        close(opened)


def lost() -> tuple[type[Exception], ...]:
    """What is raised when the connection is gone."""
    import imaplib

    return (imaplib.IMAP4.abort, OSError)


def no() -> type[Exception]:
    """What is raised when the server says no."""
    import imaplib

    return imaplib.IMAP4.error
