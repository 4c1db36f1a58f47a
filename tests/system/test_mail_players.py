"""Players with mail programs of their own, and what our server vouches for."""

from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.mail.config import load_config
from pbem.mail.dispatch import dispatch
from pbem.mail.headers import parse_head, read_head
from pbem.mail.intray import sources_of
from pbem.mail.letters import Attachment, Letter, answer_key, compose
from pbem.mail.outbox import Entry, Outbox
from pbem.mail.sender import proven
from pbem.mail.transport import carrier_of
from tests.system.mailservers import AUTHSERV_ID, DOMAIN, MailServer
from tests.system.players import Player, form_of, text_of

pytestmark = pytest.mark.system

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
FORGED = b"From: ada@example.org\r\nTo: orders@example.org\r\nSubject: x\r\n\r\ngame: ur-1\r\n"


def desk(games: Path) -> list[str]:
    """A desk in the place of ours: stores nothing, answers each mail, says who was proven."""
    config = load_config(games)
    box = Outbox(games / "_outbox")
    said: list[str] = []
    for source in sources_of(config, games):
        for number, mail in enumerate(source.mails(), start=len(said) + 1):
            head = read_head(parse_head(mail.data))
            good = proven(head, AUTHSERV_ID)
            said.append(f"{head.sender} {'proven' if good else 'unproven'}")
            if good and head.sender:
                reply = Letter(
                    key=answer_key(number + 100 * len(list(box.folder.rglob("*.eml")))),
                    kind="answer",
                    address=head.sender,
                    name="",
                    subject=f"Re: {head.subject}",
                    text="Understood.\n",
                    written=NOON,
                    forms=(Attachment("orders.yaml", "game: ur-1\n"),),
                    thread=head.thread,
                )
                entry = Entry(reply.key, reply.address, reply.kind, reply.written)
                box.put(entry, compose(reply, config.addresses))
            mail.done()
    done = dispatch(games, [], config, carrier_of(config), lambda: NOON)
    assert done.fault is None
    return said


def test_four_players_write_and_are_answered(mail: MailServer, tmp_path: Path) -> None:
    """Three rounds; each player's mails and our answers are one thread; a restart between."""
    (tmp_path / "pbem.yaml").write_text(mail.pbem_yaml())
    players = [Player(mail, user) for user in ("ada", "bruno", "chidi", "lena")]
    roots: dict[str, str] = {}
    answers: dict[str, EmailMessage] = {}
    for turn in range(3):
        for player in players:
            sent = player.send(f"game: ur-1\nturn: {turn}\n", answers=answers.get(player.user))
            roots.setdefault(player.user, sent)
        mail.settle()
        if turn == 1:
            mail.restart()
        assert sorted(desk(tmp_path)) == sorted(f"{player.address} proven" for player in players)
        for player in players:
            (letter,) = player.new_letters()
            assert text_of(letter) == "Understood.\n"
            assert form_of(letter) == "game: ur-1\n"
            assert str(letter["References"]).split()[0] == roots[player.user]
            assert str(letter["From"]).endswith(f"<orders@{DOMAIN}>")
            answers[player.user] = letter
    assert desk(tmp_path) == []


def test_who_logged_in_as_another_is_not_believed(mail: MailServer, tmp_path: Path) -> None:
    """The server vouches for the login, not for what From says."""
    (tmp_path / "pbem.yaml").write_text(mail.pbem_yaml())
    desk(tmp_path)
    mail.submit("mallory", f"orders@{DOMAIN}", FORGED)
    own = b"Authentication-Results: mx.example.org; auth=pass smtp.auth=ada@example.org\r\n"
    mail.submit("mallory", f"orders@{DOMAIN}", own + FORGED)
    mail.submit("ada", f"orders@{DOMAIN}", FORGED)
    mail.settle()
    assert sorted(desk(tmp_path)) == [
        "ada@example.org proven",
        "ada@example.org unproven",
        "ada@example.org unproven",
    ]
