"""What `mail out` and `mail doctor` print, without a server."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.mail.config import Incoming, Mailbox, MailConfig, Outgoing
from pbem.mail.doctor import examine
from pbem.mail.intray import sources_of
from pbem.mail.outbox import Entry, Outbox
from pbem.mail.sending import mail_decide, mail_doctor, mail_out
from pbem.mail.servers import Login, Server
from pbem.outcome import Settings

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
HEAD = "schema: 1\nrules: 1\naddresses: {orders: orders@example.org}\n"


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A games folder with one game and one letter."""
    monkeypatch.setenv("PBEM_NOW", "2026-03-10T13:00:00Z")
    (tmp_path / "ur-1").mkdir()
    (tmp_path / "ur-1" / "game.yaml").write_text("")
    box = Outbox(tmp_path / "ur-1" / "outbox")
    box.put(Entry("0001-archer-1.ur-1", "ada@example.org", "report", NOON), b"S: x\r\n\r\nx\r\n")
    return tmp_path


def test_letters_stay_where_no_way_is_named(games: Path) -> None:
    outcome = mail_out(Settings(games))
    assert outcome.code == 0
    assert outcome.lines[0].startswith("1 letter lies in the outboxes; `way` under `out`")


def test_a_command_takes_them(games: Path) -> None:
    (games / "pbem.yaml").write_text(HEAD + "out: {way: sendmail, sendmail: [/bin/true]}\n")
    outcome = mail_out(Settings(games))
    assert (outcome.code, outcome.lines) == (0, ["1 letter sent, 0 waiting"])


def test_a_command_that_fails(games: Path) -> None:
    (games / "pbem.yaml").write_text(HEAD + "out: {way: sendmail, sendmail: [/bin/false]}\n")
    outcome = mail_out(Settings(games))
    assert outcome.code == 0
    assert "0001-archer-1.ur-1 to ada@example.org: not taken now (exit code 1" in outcome.lines[1]


def test_a_letter_in_doubt_is_decided(games: Path) -> None:
    (games / "pbem.yaml").write_text(HEAD + "out: {way: sendmail, sendmail: [/bin/true]}\n")
    box = Outbox(games / "ur-1" / "outbox")
    box.change(box.entries()[0], "sending", NOON)
    outcome = mail_out(Settings(games))
    assert outcome.code == 1
    assert "pbem mail out --again 0001-archer-1.ur-1" in outcome.complaints[0]
    assert outcome.problems[0]["letter"] == "0001-archer-1.ur-1"
    assert mail_decide(Settings(games), "0001-archer-1.ur-1", again=True).code == 0
    assert mail_out(Settings(games)).lines == ["1 letter sent, 0 waiting"]
    assert mail_decide(Settings(games), "0001-archer-1.ur-1", again=False).code == 2


def test_a_pbem_yaml_that_is_not_sound(games: Path) -> None:
    (games / "pbem.yaml").write_text("schema: 1\nrules: 1\nlimit: 1\n")
    outcome = mail_out(Settings(games))
    assert outcome.code == 3
    assert "pbem.yaml, line 3: $.limit: unknown key" in outcome.complaints[0]
    assert json.loads(outcome.as_json())["ok"] is False
    assert [finding.well for finding in examine(games, [])] == [False]


def test_the_doctor_without_any_configuration(games: Path) -> None:
    outcome = mail_doctor(Settings(games))
    assert outcome.code == 0
    said = "\n".join(outcome.lines)
    assert "There is no pbem.yaml" in said
    assert "1 letter waiting" in said


def test_the_doctor_names_what_lies_wrong(games: Path) -> None:
    (games / "pbem.yaml").write_text(
        HEAD + "in: {maildir: [none]}\nout: {way: sendmail, sendmail: [/no/such/thing]}\n"
    )
    box = Outbox(games / "ur-1" / "outbox")
    box.change(box.entries()[0], "unsure", NOON)
    (games / "_inbox").write_text("no folder")
    outcome = mail_doctor(Settings(games))
    assert outcome.code == 1
    said = "\n".join(outcome.complaints)
    for expected in ("is no Maildir", "/no/such/thing cannot be run", "may have been sent or not"):
        assert expected in said
    assert "_inbox cannot be read" in said


def test_the_sources_of_a_configuration(tmp_path: Path) -> None:
    assert [source.name for source in sources_of(MailConfig(), tmp_path)] == [
        str(tmp_path / "_inbox")
    ]
    mailbox = Mailbox(Server("imap.example.org", 993, "tls", Login("o", "X")))
    config = MailConfig(incoming=Incoming((mailbox,), (tmp_path / "M",)), outgoing=Outgoing())
    names = [source.name for source in sources_of(config, tmp_path)]
    assert names[1:] == [str(tmp_path / "M"), "imap.example.org:993 INBOX"]
