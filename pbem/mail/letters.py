"""A letter as a value, and the bytes that mail programs read. The same letter, the same bytes."""

import re
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from pbem.lines import clean
from pbem.mail import headlines, mime
from pbem.mail.config import Addresses
from pbem.mail.say import say

MOVE_HEADER = "X-PBEM-Move"
"""Says `yours` where the reader is to move: for filters, and for the digest."""

LOOP_HEADER = "X-PBEM-Loop"
"""Stands in every letter of ours, with our address: what comes back with it is never answered."""

Kind: TypeAlias = Literal["report", "answer", "notice", "digest"]
"""Reports tell what happened, answers answer a mail, notices are for the moderator; a digest
holds a day's reports."""


class Picture(NamedTuple):
    """A PNG picture; the HTML names it as `cid:` and its name."""

    name: str
    data: bytes
    description: str = ""


class Attachment(NamedTuple):
    """A file beside the letter: an order form, an entry for a calendar."""

    name: str
    text: str
    kind: str = "application/yaml"


class Letter(NamedTuple):
    """One letter to one person.

    `key` is its identity without the domain: the same key is the same letter. `thread` are the
    identities it belongs to, the oldest first, the one it answers last. `game` is None if it
    belongs to no single game. `mine`: whether the reader is to move.
    """

    key: str
    kind: Kind
    address: str
    name: str
    subject: str
    text: str
    written: datetime
    game: str | None = None
    html: str | None = None
    pictures: tuple[Picture, ...] = ()
    forms: tuple[Attachment, ...] = ()
    thread: tuple[str, ...] = ()
    mine: bool = False


def report_key(game: str, run: int, reader: str, version: int = 1) -> str:
    """The key of the letter that tells a reader of a run."""
    return f"{run:04d}-{reader}-{version}.{dotless(game)}"


def answer_key(mail: int, part: int = 1) -> str:
    """The key of the letter that answers a mail, by its running number."""
    return f"answer-{mail:06d}-{part}"


def identity(key: str, domain: str) -> str:
    """The Message-ID of a letter."""
    return f"<{key}@{domain}>"


def thread_of(game: str, run: int, reader: str, domain: str) -> tuple[str, ...]:
    """The thread that a letter on a run belongs to: the letter on the start of the game.

    That one stands for the whole thread, so that a letter that was lost breaks nothing.
    """
    return () if run == 0 else (identity(report_key(game, 0, reader), domain),)


def dotless(game: str) -> str:
    """The name of a game where dots part things: no name of a game holds a plus."""
    return game.replace(".", "+")


def subject(game: str, label: str, move: str, *, corrected: bool = False) -> str:
    """The subject of a letter on a game; `move` is `yours`, `over`, or who is waited for."""
    return say("mail_subject.j2", "report", game, label, move, corrected)


def compose(letter: Letter, sender: Addresses) -> bytes:
    """The letter as it travels, with CRLF. ValueError if its address is none."""
    body = _body(letter, sender).written()
    return f"{_head(letter, sender)}MIME-Version: 1.0\r\n{body}".encode("ascii")


def _head(letter: Letter, sender: Addresses) -> str:
    automatic = "auto-replied" if letter.kind == "answer" else "auto-generated"
    lines = [
        headlines.mailbox("From", sender.name, sender.orders),
        headlines.mailbox("To", letter.name, letter.address),
        headlines.text("Subject", letter.subject),
        headlines.date(letter.written),
        headlines.one("Message-ID", identity(letter.key, sender.domain)),
        headlines.identities("In-Reply-To", letter.thread[-1:]),
        headlines.identities("References", letter.thread),
        headlines.one("Auto-Submitted", automatic),
        headlines.one("X-Auto-Response-Suppress", "All"),
        headlines.one(LOOP_HEADER, sender.orders),
    ]
    if letter.mine:
        lines.append(headlines.one(MOVE_HEADER, "yours"))
    if letter.game is not None:
        label = dotless(letter.game).lower()
        lines.append(headlines.one("List-Id", f"<{label}.{sender.domain}>"))
    return "".join(lines)


def _body(letter: Letter, sender: Addresses) -> mime.Part:
    body = mime.text(clean(letter.text), "plain")
    if letter.html is not None:
        page = _page(letter, letter.html, sender)
        body = mime.together("alternative", letter.key, body, page)
    if letter.forms:
        forms = (mime.attached(*form) for form in letter.forms)
        body = mime.together("mixed", letter.key, body, *forms)
    return body


def _page(letter: Letter, html: str, sender: Addresses) -> mime.Part:
    """The HTML, with its pictures beside it."""
    if not letter.pictures:
        return mime.text(html, "html")
    parts = []
    for each in letter.pictures:
        place = f"{each.name}.{letter.key}@{sender.domain}"
        html = re.sub(rf"cid:{re.escape(each.name)}(?![\w.@+-])", f"cid:{place}", html)
        parts.append(mime.picture(each.name, each.data, place, each.description))
    return mime.together("related", letter.key, mime.text(html, "html"), *parts)
