"""One mail a day for those who want it: all reports that wait for an address, in one letter."""

import hashlib
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import NamedTuple

from pbem.mail.letters import MOVE_HEADER, Attachment, Letter
from pbem.mail.say import say
from pbem.wording import environment

_FILES = ("application/yaml", "text/calendar")


class Page(NamedTuple):
    """What a digest takes from one letter."""

    game: str
    name: str
    subject: str
    text: str
    forms: tuple[Attachment, ...]
    mine: bool


def last_time(now: datetime, minutes: int) -> datetime:
    """The last time that digests left: `minutes` after midnight UTC, today or yesterday."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    when = today + timedelta(minutes=minutes)
    return when if when <= now else when - timedelta(days=1)


def digest_key(address: str, when: datetime) -> str:
    """The key of the digest of an address at a time."""
    mark = hashlib.sha256(address.lower().encode()).hexdigest()[:12]
    return f"digest-{when:%Y%m%dT%H%M}-{mark}"


def bundle(address: str, letters: list[bytes], when: datetime, now: datetime) -> Letter:
    """The letter that stands for all of them, which come oldest first.

    The newest letter of each game says whether a move is waited for, and its form counts.
    Games that wait for the reader come first.
    """
    pages = [_page(data) for data in letters]
    newest = {page.game: page for page in pages}
    games = sorted(newest.values(), key=lambda page: not page.mine)
    moves = sum(page.mine for page in games)
    in_order = [page for game in games for page in pages if page.game == game.game]
    template = environment().get_template("mail_digest.txt.j2")
    return Letter(
        key=digest_key(address, when),
        kind="digest",
        address=address,
        name=pages[0].name,
        subject=say("mail_subject.j2", "digest", len(games), moves),
        text=template.render(games=games, pages=in_order, moves=moves),
        written=now,
        forms=tuple(form for page in games for form in page.forms),
        mine=moves > 0,
    )


def _page(data: bytes) -> Page:
    message = message_from_bytes(data, policy=default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    text = str(body.get_content()) if body is not None else ""
    person = message["To"].addresses[0].display_name
    forms = tuple(_file(part) for part in message.walk() if part.get_content_type() in _FILES)
    subject = " ".join(str(message["Subject"]).split())
    game = str(message["List-Id"] or message["Message-ID"])
    return Page(game, person, subject, text, forms, MOVE_HEADER in message)


def _file(part: EmailMessage) -> Attachment:
    """A file that lies with a letter, as it was."""
    name = part.get_filename() or "orders.yaml"
    text = bytes(part.get_payload(decode=True) or b"").decode()
    if part.get_content_type() == "application/yaml":
        return Attachment(name, text)
    return Attachment(name, text, f"text/calendar; method={part.get_param('method')}")
