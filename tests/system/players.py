"""A player with a mail program: reads his mailbox by IMAP, writes by SMTP, knows nothing of us."""

import time
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import format_datetime, make_msgid

from pbem.clock import now
from tests.system.mailservers import DOMAIN, PATIENCE, MailServer


class Player:
    """One user of the mail server."""

    def __init__(self, server: MailServer, user: str, name: str = "") -> None:
        self.server = server
        self.user = user
        self.name = name or user.capitalize()
        self.read = 0

    @property
    def address(self) -> str:
        """Where letters to the player go."""
        return self.server.address(self.user)

    def send(
        self,
        text: str,
        subject: str = "my orders",
        to: str = f"orders@{DOMAIN}",
        answers: EmailMessage | None = None,
        attached: str | None = None,
    ) -> str:
        """Write a mail, perhaps as an answer, perhaps with a file; returns its Message-ID."""
        mail = EmailMessage(policy=SMTP)
        mail["From"] = f"{self.name} <{self.address}>"
        mail["To"] = to
        mail["Subject"] = subject if answers is None else f"Re: {answers['Subject']}"
        mail["Date"] = format_datetime(now())
        mail["Message-ID"] = make_msgid(domain=DOMAIN)
        if answers is not None:
            mail["In-Reply-To"] = str(answers["Message-ID"])
            before = str(answers["References"] or "")
            mail["References"] = f"{before} {answers['Message-ID']}".strip()
        mail.set_content(text)
        if attached is not None:
            data = attached.encode()
            mail.add_attachment(data, "application", "yaml", filename="orders.yaml")
        self.server.submit(self.user, to, mail.as_bytes())
        return str(mail["Message-ID"])

    def letters(self, expected: int = 0) -> list[EmailMessage]:
        """All letters in the mailbox, oldest first; waits until `expected` are there."""
        return [_parsed(data) for data in self.server.messages(self.user, expected)]

    def new_letters(self, expected: int = 1) -> list[EmailMessage]:
        """The letters that came since the last look; waits until `expected` are there."""
        until = time.monotonic() + PATIENCE
        while True:
            letters = self.letters()
            if len(letters) - self.read >= expected or time.monotonic() > until:
                fresh, self.read = letters[self.read :], len(letters)
                return fresh
            time.sleep(0.05)


def form_of(letter: EmailMessage) -> str:
    """The order form that lies with a letter, "" if there is none."""
    for part in letter.walk():
        if part.get_content_type() == "application/yaml":
            return bytes(part.get_content()).decode()
    return ""


def text_of(letter: EmailMessage) -> str:
    """The text of a letter."""
    body = letter.get_body(("plain",))
    return str(body.get_content()).replace("\r\n", "\n") if body is not None else ""


def _parsed(data: bytes) -> EmailMessage:
    found = message_from_bytes(data, policy=default)
    assert isinstance(found, EmailMessage)
    return found
