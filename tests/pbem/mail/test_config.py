"""pbem.yaml: what may stand in it, and what is said of the rest."""

import os
from pathlib import Path

import pytest

from pbem.mail.config import MailConfig, Unusable, load_config, read_config
from pbem.mail.faults import Fault, ServerFault, password_for
from pbem.mail.servers import Login, Server

WHOLE = """\
schema: 1
rules: 1
addresses:
  orders: Orders@Example.org
  name: Ur by mail
  moderator: gm@example.org
  bounces: bounces@example.org
  domain: te.example.org
authserv_id: mx.example.org
in:
  maildir: [Mail/orders]
  imap:
    - host: imap.example.org
      user: orders
      password_env: PBEM_IMAP
      folder: Orders
      after: move
      stored: Done
    - {host: two.example.org, security: starttls, user: o, password_file: secret}
out:
  way: smtp
  smtp:
    host: smtp.example.org
    user: orders
    password_file: secret
    certificates: ca.pem
    timeout_seconds: 20
  sendmail: [/usr/sbin/sendmail, -i]
  unsure: again
  digest:
    at: 06:30
    for: [Ada@Example.org]
limits:
  mail_bytes: 2000000
  order_bytes: 1000
  parts: 10
  depth: 5
  answers_per_day: 0
  letters_per_hour: 30
  letter_hours: 48
"""
GAMES = Path("/games")


def messages(text: str) -> list[str]:
    """What is wrong, each with its line."""
    config, problems = read_config(text, GAMES)
    assert (config is None) == bool(problems)
    return [f"{problem.line}: {problem.message}" for problem in problems]


def test_a_whole_file() -> None:
    config, problems = read_config(WHOLE, GAMES)
    assert problems == ()
    assert config is not None
    assert config.addresses.orders == "Orders@Example.org"
    assert config.addresses.domain == "te.example.org"
    assert config.authserv_id == "mx.example.org"
    assert config.incoming.maildirs == (GAMES / "Mail/orders",)
    one, two = config.incoming.mailboxes
    assert one.server == Server("imap.example.org", 993, "tls", Login("orders", "PBEM_IMAP"))
    assert (one.folder, one.after, one.stored) == ("Orders", "move", "Done")
    assert (two.server.port, two.server.security, two.after) == (143, "starttls", "mark")
    out = config.outgoing
    assert out.server == Server(
        "smtp.example.org",
        587,
        "starttls",
        Login("orders", None, GAMES / "secret"),
        GAMES / "ca.pem",
        20,
    )
    assert (out.way, out.unsure, out.digest_at) == ("smtp", "again", 390)
    assert out.digest_for == {"ada@example.org"}
    assert config.limits == (2_000_000, 1000, 10, 5, 0, 30, 48, 6)


def test_everything_may_be_left_out(tmp_path: Path) -> None:
    assert load_config(tmp_path) == MailConfig()
    assert read_config("schema: 1\nrules: 1\n", tmp_path) == (MailConfig(), ())
    assert MailConfig().outgoing.way == "folder"


def test_the_domain_is_that_of_the_address() -> None:
    config, _ = read_config("schema: 1\nrules: 1\naddresses: {orders: o@Example.ORG}\n", GAMES)
    assert config is not None
    assert config.addresses.domain == "example.org"
    assert config.addresses.bounces == "o@Example.ORG"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("schema: 1", "schema: 2", "1: $.schema: 2 is newer than this program knows"),
        ("orders: Orders@Example.org", "ordres: x", "4: $.addresses.ordres: unknown key"),
        ("orders: Orders@Example.org", "ordres: x", "$.addresses: `orders` is missing"),
        ("Orders@Example.org", "Ana <ana@example.org>", "4: $.addresses.orders: `Ana <ana@"),
        ("te.example.org", "te_example", "8: $.addresses.domain: `te_example` is no domain"),
        ("authserv_id: mx.example.org", "authserv_id: mx example", "9: $.authserv_id: `mx exa"),
        ("host: imap.example.org", "host: imap example", "13: $.in.imap[0].host: `imap example`"),
        ("host: imap.example.org", "port: 0", "$.in.imap[0].port: `0` should be a whole number"),
        ("host: imap.example.org", "port: 1", "$.in.imap[0]: `host` is missing"),
        ("      password_env: PBEM_IMAP\n", "", "$.in.imap[0].user: a login needs `password_env`"),
        ("password_env: PBEM_IMAP", "password: hush", "$.in.imap[0].password: no password stands"),
        ("password_env: PBEM_IMAP", "password_env: h u", "this should be the name of a variable"),
        ("after: move", "after: delete", "17: $.in.imap[0].after: `delete` should be one of"),
        ("after: move", "after: mark", "mails are moved to a folder only with `after: move`"),
        ("stored: Done", "stored: Orders", "cannot be moved to the folder that they come from"),
        ("security: starttls", "security: none", "19: $.in.imap[1].security: `none` should be"),
        ("user: o,", "", "$.in.imap[1]: `user` is missing: nobody may look"),
        ("    user: orders\n    password_f", "    password_f", "a password without a user is no"),
        ("way: smtp", "way: pigeon", "21: $.out.way: `pigeon` should be one of"),
        ("/usr/sbin/sendmail, -i", "sendmail -i", "`sendmail -i` should be a path that begins"),
        ("unsure: again", "unsure: maybe", "$.out.unsure: `maybe` should be one of hold, again"),
        ("06:30", "24:00", "31: $.out.digest.at: `24:00` should be a time of day in UTC"),
        ("Ada@Example.org]", "Ada]", "$.out.digest.for: `Ada`: an address has one `@`"),
        ("parts: 10", "parts: 0", "36: $.limits.parts: `0` should be a whole number"),
        ("parts: 10", "pars: 10", "36: $.limits.pars: unknown key; known are mail_bytes"),
        ("limits:", "limit: 1\nlimits:", "33: $.limit: unknown key"),
        ("limits:", "in: {}\nlimits:", "the key in stands here and on line 10"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, expected: str) -> None:
    assert old in WHOLE
    found = messages(WHOLE.replace(old, new, 1))
    assert any(expected in message for message in found), found
    assert not any("hush" in message for message in found)


def test_letters_that_leave_need_a_sender() -> None:
    text = "schema: 1\nrules: 1\nout: {way: sendmail}\n"
    assert messages(text) == ["1: $: `addresses` is missing: letters that leave need a sender"]


def test_a_server_that_letters_go_to_must_be_named() -> None:
    text = "schema: 1\nrules: 1\naddresses: {orders: o@example.org}\nout: {way: smtp}\n"
    assert "4: $.out.way: `smtp` is missing" in messages(text)[0]


@pytest.mark.parametrize("text", ["", "x", "- 1", "in: 3", "in: [", "out: {smtp: 1}", "&a b: *a"])
def test_whatever_it_is_nothing_is_raised(text: str) -> None:
    assert messages(text)


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "pbem.yaml").write_text("schema: 1\nrules: 1\nx: 1\n")
    with pytest.raises(Unusable) as caught:
        load_config(tmp_path)
    assert caught.value.path == tmp_path / "pbem.yaml"
    assert caught.value.problems[0].line == 3
    (tmp_path / "pbem.yaml").unlink()
    (tmp_path / "pbem.yaml").mkdir()
    with pytest.raises(Unusable):
        load_config(tmp_path)


def test_a_password_out_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_TEST", "hush")
    assert password_for(Login("o", "PBEM_TEST")) == "hush"
    monkeypatch.delenv("PBEM_TEST")
    with pytest.raises(ServerFault, match=r"The variable PBEM_TEST.*is not set"):
        password_for(Login("o", "PBEM_TEST"))


def test_a_password_out_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("häsh word\r\n")
    path.chmod(0o600)
    assert password_for(Login("o", None, path)) == "häsh word"
    path.chmod(0o400)
    assert password_for(Login("o", None, path)) == "häsh word"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o610, 0o666])
def test_a_file_that_others_can_open_is_not_used(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "secret"
    path.write_text("hush")
    path.chmod(mode)
    with pytest.raises(ServerFault, match=r"can be read by others.*chmod 600") as caught:
        password_for(Login("o", None, path))
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"\n", b"a\nb\n", b"\xff", b"x" * 2000])
def test_a_file_that_holds_no_password(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "secret"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(ServerFault, match="one line with the password"):
        password_for(Login("o", None, path))


def test_no_file_at_all(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    for path in (tmp_path / "absent", tmp_path, tmp_path / "pipe"):
        with pytest.raises(ServerFault, match="is no file that can be read"):
            password_for(Login("o", None, path))


def test_each_fault_has_a_sentence() -> None:
    from pbem.wording import environment

    module = environment().get_template("mail_faults.j2").module
    kinds = [name for name in dir(module) if not name.startswith("_")]
    assert len(kinds) > 20
    for kind in kinds:
        sentence = Fault(kind, "WHERE", "DETAIL").sentence()
        assert "WHERE" in sentence
        assert "\n" not in sentence
