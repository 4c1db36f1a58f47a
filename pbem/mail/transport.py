"""How a letter leaves: by an SMTP server over TLS, or by the `sendmail` command.

`given` is called just before the other side may take the letter for complete. A letter whose
hand-over broke off before that was not sent; one that broke off after it may have been.
"""

import base64
import re
import smtplib
import socket
import ssl
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from pbem.mail.config import MailConfig
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

_DOT = re.compile(rb"^\.", re.MULTILINE)
_READY, _DONE = 354, 250
_ACCEPTED = (250, 251)
_LOGGED_IN = (235, 503)
_TEMPORARY_CODES = range(400, 500)
_COMMAND_SECONDS = 120
# sysexits.h: what a sendmail command says when trying again cannot help.
_HOPELESS = {64: "usage", 65: "data", 67: "no such user", 68: "no such host", 77: "not allowed"}


class Answer(NamedTuple):
    """What became of a letter, and what the other side said."""

    kind: Literal["sent", "later", "never", "unsure"]
    said: str = ""


class Carrier(Protocol):
    """A way to send letters."""

    def open(self) -> None:
        """Get ready; ServerFault if it cannot be used now."""

    def send(self, letter: Path, address: str, given: Callable[[], None]) -> Answer:
        """Send one letter to one address; ServerFault if it was not even begun."""
        ...

    def close(self) -> None:
        """Say goodbye."""


def carrier_of(config: MailConfig) -> Carrier | None:
    """The way that the configuration names; None if letters stay in their folder."""
    outgoing, bounces = config.outgoing, config.addresses.bounces
    if outgoing.way == "smtp" and outgoing.server is not None:
        return SmtpCarrier(outgoing.server, bounces)
    return SendmailCarrier(outgoing.command, bounces) if outgoing.way == "sendmail" else None


class SmtpCarrier:
    """One connection to an SMTP server; a lost one is made again with the next letter."""

    def __init__(self, server: Server, sender: str) -> None:
        self._server = server
        self._sender = sender
        self._smtp: smtplib.SMTP | None = None

    def open(self) -> None:
        """Connect, and log in if there is a login."""
        if self._smtp is None:
            self._smtp = connect(self._server)

    def send(self, letter: Path, address: str, given: Callable[[], None]) -> Answer:
        """Send one letter, over a fresh connection if the old one has gone stale."""
        self._refresh()
        assert self._smtp is not None
        smtp, handed = self._smtp, False

        def now_given() -> None:
            nonlocal handed
            given()
            handed = True

        try:
            return _transact(smtp, self._sender, address, letter.read_bytes(), now_given)
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            return Answer("unsure" if handed else "later", said(error))

    def close(self) -> None:
        """Say goodbye; a server that is gone already is no fault."""
        if self._smtp is not None:
            with suppress(OSError, smtplib.SMTPException):
                self._smtp.quit()
        self._smtp = None

    def _refresh(self) -> None:
        """Make sure of a connection with nothing under way."""
        if self._smtp is not None:
            try:
                if self._smtp.rset()[0] == _DONE:
                    return
            except (OSError, smtplib.SMTPException):
                pass
            self._drop()
        self.open()

    def _drop(self) -> None:
        if self._smtp is not None:
            self._smtp.close()
        self._smtp = None


def _transact(
    smtp: smtplib.SMTP, sender: str, address: str, data: bytes, given: Callable[[], None]
) -> Answer:
    size = [f"SIZE={len(data)}"] if smtp.has_extn("size") else []
    code, reply = smtp.mail(sender, size)
    if code == _DONE:
        code, reply = smtp.rcpt(address)
    if code in _ACCEPTED:
        code, reply = smtp.docmd("DATA")
    if code != _READY:
        return _refusal(code, reply)
    smtp.send(_DOT.sub(b"..", data) + (b"" if data.endswith(b"\r\n") else b"\r\n"))
    given()
    smtp.send(b".\r\n")
    code, reply = smtp.getreply()
    return Answer("sent", said(reply)) if code == _DONE else _refusal(code, reply)


def _refusal(code: int, reply: bytes) -> Answer:
    """What a refusal means; a code below zero is no answer at all."""
    if code < 0:
        raise smtplib.SMTPServerDisconnected(said(reply) or "no answer")
    text = f"{code} {said(reply)}"
    return Answer("later" if code in _TEMPORARY_CODES else "never", text)


def connect(server: Server) -> smtplib.SMTP:
    """A connection that is encrypted and logged in; ServerFault if that fails."""
    context = trust(server)
    password = password_for(server.login) if server.login else ""
    smtp: smtplib.SMTP | None = None
    try:
        if server.security == "tls":
            smtp = smtplib.SMTP_SSL(
                server.host, server.port, timeout=server.timeout, context=context
            )
        else:
            smtp = smtplib.SMTP(server.host, server.port, timeout=server.timeout)
        _begin(smtp, server, context, password)
        # The last dot travels alone: without this it waits 40 ms for the server's kernel.
        smtp.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # type: ignore[union-attr]
        return smtp
    except (OSError, smtplib.SMTPException, ServerFault) as error:
        if smtp is not None:
            smtp.close()
        if isinstance(error, ServerFault):
            raise
        raise ServerFault(_smtp_fault(server, error)) from None


def _begin(smtp: smtplib.SMTP, server: Server, context: ssl.SSLContext, password: str) -> None:
    smtp.ehlo_or_helo_if_needed()
    if server.security == "starttls":
        if not smtp.has_extn("starttls"):
            raise ServerFault(Fault("no_starttls", name_of(server)))
        smtp.starttls(context=context)
        smtp.ehlo()
    if server.login:
        _log_in(smtp, server.login.user, password)


def _log_in(smtp: smtplib.SMTP, user: str, password: str) -> None:
    """One try: `login` of the library would try a wrong password once for each mechanism."""
    if "PLAIN" in smtp.esmtp_features.get("auth", "").upper().split():
        credentials = f"\0{user}\0{password}".encode()
        word = base64.b64encode(credentials).decode()
        code, reply = smtp.docmd("AUTH", f"PLAIN {word}")
        if code not in _LOGGED_IN:
            raise smtplib.SMTPAuthenticationError(code, reply)
    else:
        smtp.login(user, password)


def _smtp_fault(server: Server, error: Exception) -> Fault:
    where = name_of(server)
    match error:
        case smtplib.SMTPAuthenticationError(smtp_code=code, smtp_error=reply):
            passing = code in _TEMPORARY_CODES
            return Fault("lost" if passing else "login", where, f"{code} {said(reply)}")
        case smtplib.SMTPNotSupportedError():
            return Fault("no_login", where, said(error))
        case smtplib.SMTPServerDisconnected(__context__=TimeoutError()):
            return Fault("silent", where, str(server.timeout))
        case smtplib.SMTPServerDisconnected():
            return Fault("lost", where, said(error))
        case smtplib.SMTPResponseException(smtp_code=code, smtp_error=reply):
            return Fault("protocol", where, f"{code} {said(reply)}")
        case smtplib.SMTPException():
            return Fault("protocol", where, said(error))
        case _:
            return connection_fault(server, error)


class SendmailCarrier:
    """A command that takes a letter on its standard input, as every mail server brings one.

    It reads the file of the letter itself: if we are killed, it still gets the letter whole.
    """

    def __init__(self, command: tuple[str, ...], sender: str) -> None:
        self._command = command
        self._sender = sender

    def open(self) -> None:
        """Nothing to do: each letter is a call of its own."""

    def close(self) -> None:
        """Nothing to do."""

    def send(self, letter: Path, address: str, given: Callable[[], None]) -> Answer:
        """Send one letter. The words go to the command as they are, no shell reads them."""
        words = [*self._command, "-f", self._sender, "--", address]
        with letter.open("rb") as file:
            given()
            try:
                done = subprocess.run(
                    words, stdin=file, capture_output=True, timeout=_COMMAND_SECONDS, check=False
                )
            except subprocess.TimeoutExpired:
                return Answer("unsure", f"no end after {_COMMAND_SECONDS} seconds")
            except OSError as error:
                return Answer("later", said(error.strerror or error))
        if not done.returncode:
            return Answer("sent")
        reason = said(done.stderr) or _HOPELESS.get(done.returncode, "no reason given")
        text = f"exit code {done.returncode}: {reason}"
        return Answer("never" if done.returncode in _HOPELESS else "later", text)
