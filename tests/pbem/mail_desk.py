"""A games folder that gets mail, and what comes out of it; commands are called in this process."""

import json
import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import yaml

from tests.pbem.calls import Said, pbem

NOW = "2026-03-09T18:10:00Z"
PASS = "mx.example.org; auth=pass smtp.auth="
CONFIG = """schema: 1
rules: 1
addresses: {orders: orders@example.org, moderator: gm@example.org}
authserv_id: mx.example.org
"""
SEATS = {"archer": "Ada <ada@example.org>", "bull": "Bruno <bruno@example.org>"}
FIRST = "turn: 1\nactions:\n  - king F4\n  - trader G3"


class Desk:
    """One games folder with a game of two, ur-1, and pbem.yaml."""

    def __init__(self, folder: Path, config: str = CONFIG) -> None:
        self.games = folder / "games"
        self.games.mkdir(parents=True)
        (self.games / "pbem.yaml").write_text(config)
        self.now = NOW
        self.mails = 0
        self.folder = folder

    @property
    def game(self) -> Path:
        """The folder of ur-1."""
        return self.games / "ur-1"

    def call(self, *words: str, stdin: bytes = b"") -> Said:
        """A command."""
        return pbem(*words, games=self.games, stdin=stdin, PBEM_NOW=self.now)

    def start(self, name: str = "ur-1", *more: str) -> Said:
        """Make the game."""
        seats = [word for d, who in SEATS.items() for word in ("--seat", f"{d}={who}")]
        said = self.call("new", name, *seats, "--seed", "x", *more)
        assert said.code == 0, said
        return said

    def take(self, *mails: bytes, code: int = 0) -> Said:
        """`mail in` with these mails, each in a file."""
        paths = []
        for data in mails:
            self.mails += 1
            path = self.folder / f"{self.mails}.eml"
            path.write_bytes(data)
            paths.append(str(path))
        said = self.call("mail", "in", *paths)
        assert said.code == code, said
        return said

    def turn(self) -> Said:
        """`turn --all`."""
        said = self.call("turn", "--all")
        assert said.code == 0, said
        return said

    def answers(self, pattern: str = "answer-*.eml") -> list[EmailMessage]:
        """The letters in the outbox of all games."""
        return [letter(path) for path in sorted((self.games / "_outbox").glob(pattern))]

    def letters(self, pattern: str = "*.eml", game: str = "ur-1") -> list[EmailMessage]:
        """The letters in the outbox of a game."""
        return [letter(path) for path in sorted((self.games / game / "outbox").glob(pattern))]

    def placed(self, seat: str = "archer") -> str:
        """What lies in orders/ for a seat."""
        path = self.game / "orders" / f"{seat}.yaml"
        return path.read_text() if path.exists() else ""

    def ledger(self) -> list[dict[str, Any]]:
        """The mails that were judged."""
        path = self.games / "_mail" / "ledger.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def desk(self) -> dict[str, Any]:
        """What desk.yaml says."""
        found: dict[str, Any] = yaml.safe_load((self.game / "desk.yaml").read_text())
        return found

    def key(self, seat: str = "archer") -> str:
        """The order key in the first letter of a seat."""
        (first,) = self.letters(f"0000-{seat}-1.*.eml")
        found = re.search(r"^key: (\S+)$", text_of(first), re.MULTILINE)
        assert found, text_of(first)
        return found[1]


def letter(path: Path) -> EmailMessage:
    """A letter in an outbox."""
    found = message_from_bytes(path.read_bytes(), policy=default)
    assert isinstance(found, EmailMessage)
    assert not found.defects
    return found


def text_of(message: EmailMessage) -> str:
    """The text of a letter."""
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def form_of(message: EmailMessage) -> str:
    """The order form that lies with a letter, "" if there is none."""
    for part in message.iter_attachments():
        if part.get_content_type() == "application/yaml":
            return bytes(part.get_content()).decode()
    return ""


def orders(body: str = FIRST, seat: str = "archer", game: str = "ur-1") -> str:
    """An order block."""
    return f"game: {game}\nplayer: {seat}\n{body}\n"


def mail(
    body: str,
    sender: str = "ada",
    *,
    number: int | str = 1,
    proven: bool = True,
    subject: str = "orders",
    when: str = "18:02:00",
    more: str = "",
) -> bytes:
    """A mail as our server stores it."""
    address = f"{sender}@example.org"
    head = [f"Authentication-Results: {PASS}{address}"] if proven else []
    head += [
        f"Received: from x by mx.example.org; Mon, 09 Mar 2026 {when} +0000",
        f"From: {sender.title()} <{address}>",
        "To: orders@example.org",
        f"Subject: {subject}",
        f"Date: Mon, 09 Mar 2026 {when} +0000",
        f"Message-ID: <{number}.{sender}@example.org>",
        *([more] if more else []),
    ]
    return ("\r\n".join(head) + "\r\n\r\n" + body).encode()
