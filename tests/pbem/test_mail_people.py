"""Hazards of robots, time, senders and size (44 to 82), and what follows from them."""

import time
from pathlib import Path

import pytest

from pbem.mail.headers import read_date
from pbem.mail.intake import judge_again, unjudged
from pbem.mail.rawstore import DamagedMail
from pbem.mail.seen import Memory, append, load
from pbem.seats.keys import key_fits, key_hash, new_key
from tests.pbem.mail_checks import accepted, refused, words_of
from tests.pbem.mail_maker import FAIL, ORDERS, OTHER, PASS, PLAIN, RECEIVED, mail, multipart
from tests.pbem.mail_world import KEY, SECRET, Office

SAMPLES = Path(__file__).parents[1] / "data" / "mail"
TYPE = "Content-Type:"
TEXT = f"{TYPE} {PLAIN}"
KEYED = ORDERS.replace("turn: 7", f"turn: 7\nkey: {KEY}")
QUOTE = "".join(f"> {line}\n" for line in OTHER.splitlines())


@pytest.fixture
def office(tmp_path: Path) -> Office:
    """A fresh store."""
    return Office(tmp_path / "mail")


def html(body: str) -> bytes:
    """A mail that holds HTML only."""
    return mail(body, kind='text/html; charset="utf-8"')


@pytest.mark.parametrize(
    ("data", "alert"),
    [
        (mail("Away.", subject="Abwesenheitsnotiz: dein Zug"), True),
        (mail("Away.", subject="Out of Office: re your move"), True),
        (mail(ORDERS, more=("X-Autoreply: yes",)), True),
        (mail(ORDERS, more=("Precedence: auto_reply",)), True),
        (mail(ORDERS, top=("Return-Path: <>",)), True),
        (mail(ORDERS, more=("X-PBEM-Loop: orders@example.org",)), True),
        (mail(ORDERS, sender="orders@example.org"), True),
        (mail("Click here", subject="Please confirm your message"), True),
        (mail("Delayed", sender="MAILER-DAEMON@example.org", subject="Warning"), True),
        (
            multipart((TEXT, "read"), ("Content-Type: message/disposition-notification", "a: b")),
            False,
        ),
        (multipart((TEXT, "ok"), ("Content-Type: text/calendar; method=REPLY", "BEGIN:V")), False),
    ],
)
def test_44_to_49_robots(office: Office, data: bytes, alert: bool) -> None:
    verdict = office.take(data)
    assert (verdict.outcome, verdict.replies, verdict.orders) == ("ignore", (), ())
    assert bool(verdict.alerts) == alert


def test_45_bounces_mark_the_address(office: Office) -> None:
    def bounce(action: str, status: str) -> bytes:
        fields = "Reporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; Ada@example.org\r\n"
        return multipart(
            (TEXT, "Sorry"),
            (
                "Content-Type: message/delivery-status",
                f"{fields}Action: {action}\r\nStatus: {status}",
            ),
            ("Content-Type: text/rfc822-headers", "Subject: your move"),
            kind="report",
        )

    (failed,) = office.take(bounce("failed", "5.1.1")).bounces
    assert (failed.address, failed.status, failed.permanent) == ("ada@example.org", "5.1.1", True)
    (delayed,) = office.take(bounce("delayed", "4.4.1")).bounces
    assert not delayed.permanent


def test_48_daily_cap(office: Office) -> None:
    office.world.full = {"ada@example.org"}
    verdict = office.take(mail())
    accepted(verdict)
    assert verdict.replies == ()
    assert [alert.kind for alert in verdict.alerts] == ["daily cap"]


def test_52_no_message_id(office: Office) -> None:
    data = mail(message_id=None)
    accepted(office.take(data), warned=False)
    assert office.take(b"Received: again\r\n" + data).outcome == "duplicate"
    later = mail(message_id=None, date="Mon, 09 Mar 2026 18:01:59 +0000")
    assert office.take(later).outcome != "duplicate"


def test_50_a_forged_copy_does_not_suppress_the_real_mail(office: Office) -> None:
    assert office.take(mail(results=FAIL, message_id="<same@example.org>")).outcome == "hold"
    accepted(office.take(mail(message_id="<same@example.org>")), warned=False)


def test_53_older_press_does_not_touch_newer_actions(office: Office) -> None:
    accepted(office.take(mail()))
    body = "game: ur-1\nplayer: archer\npress: hello\n"
    assert office.take(mail(body, date="Mon, 09 Mar 2026 17:00:00 +0000")).outcome == "accept"
    old = mail(OTHER, date="Mon, 09 Mar 2026 17:30:00 +0000")
    refused(office.take(old), "older", "18:02")


@pytest.mark.parametrize(
    "date",
    [None, "", "32 Foo 2026", "Mon, 09 Mar 2026 25:61:00 +9999", "Sat, 01 Jan 0000 00:00:00 +0000",
     "Fri, 31 Dec 9999 23:59:59 -2359", "Thu, 01 Jan 1970 00:00:00 +0000", "\x00", "1" * 400],
)  # fmt: skip
def test_55_dates(office: Office, date: str | None) -> None:
    accepted(office.take(mail(date=date)), warned=True)


def test_57_dates_are_aware() -> None:
    for text in ("Mon, 09 Mar 2026 18:02:00 -0000", "9 Mar 2026 18:02", "9 Mar 2026 18:02 GMT"):
        when = read_date(text)
        assert when is not None
        assert (when.hour, when.tzinfo is not None) == (18, True)


@pytest.mark.parametrize(
    ("results", "top"),
    [
        (None, ()),
        (FAIL, ()),
        (PASS.replace("mx.example.org", "mx.evil.org"), ()),
        (PASS.replace("mx.example.org", "mx.example.org.evil.org"), ()),
        (PASS, (f"Authentication-Results: {FAIL}",)),
        (PASS, (f"Received: {RECEIVED}", "Received: by mx.evil.org; now")),
        (PASS.replace("header.from=example.org", "header.from=evil.org"), ()),
        ("mx.example.org; none (dmarc=pass header.from=example.org)", ()),
        ('mx.example.org; spf=fail reason="x; dmarc=pass header.from=example.org"', ()),
        ("mx.example.org; dkim=pass header.d=evil.org; spf=pass smtp.mailfrom=ada@evil.org", ()),
        ("mx.example.org; auth=pass smtp.auth=bruno@example.org", ()),
    ],
)
def test_58_59_unproven(office: Office, results: str | None, top: tuple[str, ...]) -> None:
    verdict = office.take(mail(results=results, top=top))
    assert (verdict.outcome, verdict.orders) == ("hold", ())
    assert [reply.to for reply in verdict.replies] == ["ada@example.org"]
    assert verdict.alerts
    assert not office.world.told
    accepted(office.take(mail(KEYED, results=results, top=top)), warned=False)


@pytest.mark.parametrize(
    "results",
    [
        PASS,
        "MX.EXAMPLE.ORG 1; dmarc=pass (p=none) header.from=Example.org",
        "mx.example.org; dmarc=none header.from=example.org; dkim=pass header.d=example.org",
        'mx.example.org; dkim=fail header.d=a.org; dkim=pass header.i="@example.org"',
        "mx.example.org; spf=pass smtp.mailfrom=bounce@example.org",
        "mx.example.org; auth=pass smtp.auth=ada@example.org",
    ],
)
def test_58_proven(office: Office, results: str) -> None:
    accepted(office.take(mail(results=results)), warned=False)


def test_59_only_the_topmost_results_count(office: Office) -> None:
    top = (f"Authentication-Results: {PASS}",)
    accepted(office.take(mail(results=FAIL, top=top)), warned=False)


@pytest.mark.parametrize(
    ("sender", "more"),
    [
        ("ada@example.org", ("From: mallory@evil.example.org",)),
        ("ada@example.org", ("Subject: other",)),
        ("ada@example.org, mallory@example.org", ()),
    ],
)
def test_60_two_heads(office: Office, sender: str, more: tuple[str, ...]) -> None:
    verdict = office.take(mail(sender=sender, more=more))
    assert verdict.outcome == "hold"
    assert verdict.alerts
    assert {reply.to for reply in verdict.replies} <= {"ada@example.org"}


@pytest.mark.parametrize(
    "sender",
    ['"ada@example.org" <mallory@evil.example.org>', "=?utf-8?q?ada=40example=2Eorg=2C?= <m@a.org>",
     "ada@example.org.evil.example.org", "", None, "ada", "<>", "ada@example.org\x00"],
)  # fmt: skip
def test_58_disguised_senders(office: Office, sender: str | None) -> None:
    verdict = office.take(mail(sender=sender))
    assert verdict.orders == ()
    assert verdict.outcome == "hold"
    assert not office.world.told


@pytest.mark.parametrize("key", ["", "''", "wrong-key-000", "None", "ur1-archer-7f3a", " "])
def test_62_keys_that_do_not_fit(office: Office, key: str) -> None:
    body = ORDERS.replace("turn: 7", f"turn: 7\nkey: {key}")
    verdict = office.take(mail(body, results=FAIL))
    assert (verdict.outcome, verdict.orders) == ("hold", ())
    other = body.replace("archer", "bull")
    assert office.take(mail(other, results=FAIL)).outcome == "hold"


def test_62_an_unset_key_never_fits() -> None:
    assert not any(key_fits(key, None) for key in (None, "", "None"))
    assert not any(key_fits(key, "") for key in (None, ""))
    assert not key_fits("", key_hash("abcdef"))
    key = new_key()
    assert key_fits(f" {key} ", key_hash(key))
    assert key_hash(key) != key_hash(key)


def test_61_the_key_is_never_repeated(office: Office) -> None:
    for broken in (
        KEYED.replace("at: F4", "on: F4"),
        KEYED.replace("key:", "kye:"),
        KEYED.replace("key: ", "key:"),
        " ".join(KEYED.split()),
        f"key: {KEY}\n\n{KEYED}",
        KEYED + f"note: my key is {KEY}\n",
        "> " + KEYED.replace("\n", "\n> "),
        f"Hi\n-- \n{KEYED}",
        KEYED + KEYED.replace("F4", "C4"),
    ):
        for data in (
            mail(broken),
            mail(broken, results=FAIL, sender="work@example.org"),
            mail(broken, subject=f"temple F4 key: {KEY}"),
            mail(broken, encoding="quoted"),
        ):
            verdict = office.take(data)
            assert KEY not in words_of(verdict), words_of(verdict)
            assert not any(KEY in order.text for order in (*verdict.orders, *verdict.held))


def test_63_the_key_of_another_seat(office: Office) -> None:
    verdict = office.take(mail(KEYED, sender="bruno@example.org"))
    accepted(verdict, warned=True)
    assert verdict.alerts
    assert {r.to for r in verdict.replies} == {"bruno@example.org", "ada@example.org"}
    private = next(r for r in verdict.replies if r.to == "bruno@example.org")
    assert "F4" not in private.text


def test_64_reply_to_is_never_used(office: Office) -> None:
    verdict = office.take(mail(more=("Reply-To: mallory@evil.example.org",)))
    assert [reply.to for reply in verdict.replies] == ["ada@example.org"]


def test_66_mails_through_a_list(office: Office) -> None:
    listed = ("List-Id: <club.example.org>",)
    rewritten = '"Ada via Club" <club@example.org>'
    verdict = office.take(mail(sender=rewritten, more=listed))
    assert verdict.outcome == "hold"
    keyed = office.take(mail(KEYED, sender=rewritten, more=listed))
    accepted(keyed, warned=True)
    assert [reply.to for reply in (*verdict.replies, *keyed.replies)] == ["ada@example.org"] * 2
    assert office.take(mail("Newsletter", more=listed)).replies == ()


def test_67_too_much(office: Office) -> None:
    big = mail(ORDERS + "# " + "x" * 1_100_000)
    refused(office.take(big), "KB")
    refused(office.take(mail(more=tuple(f"X-{i}: {'y' * 900}" for i in range(100)))), "header")
    refused(office.take(multipart(*[(TEXT, "x")] * 150)), "parts")
    kind, body = PLAIN, ORDERS.encode()
    for i in range(40):
        head = f"--b{i}\r\nContent-Type: {kind}\r\n\r\n".encode()
        kind, body = f"multipart/mixed; boundary=b{i}", head + body + f"\r\n--b{i}--".encode()
    refused(office.take(mail(body, kind=kind, encoding=None)), "parts")
    refused(office.take(mail(ORDERS + "note: |\n" + "  xxxxxxxxxxx\n" * 6_000)), "KB")
    refused(office.take(mail("x\n" * 30_000)), "lines")


def test_67_nothing_takes_long(office: Office) -> None:
    hard = [
        "(" * 200_000,
        "> " * 100_000,
        "-" * 200_000 + "\n" + "_" * 200_000,
        "On 1 " * 40_000 + "wrote",
        ("From: a\n" * 18_000),
        "game: " + "x: " * 60_000,
        "<" * 200_000,
        "key: " * 40_000,
        "=?utf-8?q?" * 20_000,
        *(sign * 20_000 for sign in ("<!--", "<a ", "<a b='", "</", "<?", "<![CDATA[", "<a>&amp")),
    ]
    for text in hard:
        for data in (mail(text), html(text), mail(text, subject=text[:40_000].replace("\n", " "))):
            start = time.perf_counter()
            office.take(data)
            assert time.perf_counter() - start < 10


def test_67_long_addresses(office: Office) -> None:
    sender = ", ".join(["a@example.org"] * 2_000)
    assert office.take(mail(sender=sender)).outcome == "hold"
    assert office.take(mail(sender="(" * 30_000)).outcome == "hold"


@pytest.mark.parametrize("value", ["12E3", "0x7", "7.0", "07:00", "1_0", "!!int 7", "=", "~"])
def test_74_scalars_are_text(office: Office, value: str) -> None:
    refused(office.take(mail(ORDERS.replace("turn: 7", f"turn: {value}"))), "line 3")
    note = value if not value.startswith("!") else "x"
    accepted(office.take(mail(f"{ORDERS}note: {note}\n")), note=note)


def test_78_future_turns_are_for_the_judge(office: Office) -> None:
    refused(office.take(mail(ORDERS.replace("turn: 7", "turn: 11"))), "turn 11", "turn 7")


def test_80_a_mail_that_breaks_us_is_held(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(office.world, "judge", broken)
    verdict = office.take(mail())
    assert (verdict.outcome, verdict.replies) == ("hold", ())
    assert verdict.alerts[0].kind == "broken: RuntimeError"


# What is not in the list, and follows from it.


def test_unknown_games_and_players(office: Office) -> None:
    refused(office.take(mail(ORDERS.replace("ur-1", "ur-9"))), "no game ur-9", "ur-1, ur-2, ur-3")
    refused(office.take(mail(ORDERS.replace("ur-1", "ur-3").replace("archer", "bull"))), "ur-3")
    stranger = office.take(mail(ORDERS.replace("ur-1", "ur-9"), sender="x@example.org"))
    assert (stranger.outcome, stranger.replies) == ("hold", ())


def test_strangers_get_no_secrets(office: Office) -> None:
    bodies = (ORDERS, OTHER.replace("C4", "Z99"), "status", "report ur-1", "hello", KEYED[:60])
    for body in bodies:
        for sender in ("x@example.org", "ada@example.org"):
            results = PASS if sender.startswith("x") else FAIL
            verdict = office.take(mail(body, sender=sender, results=results))
            assert SECRET not in words_of(verdict)
            assert verdict.orders == ()
    assert not office.world.told


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.eml")), ids=lambda path: path.stem)
def test_no_sample_is_used_unproven(office: Office, path: Path) -> None:
    """The samples, if our server does not vouch for them: the games are not even asked."""
    verdict = office.take(path.read_bytes().replace(b"=pass", b"=fail"))
    if b"key: ur1-archer" not in path.read_bytes():
        assert verdict.orders == ()
        assert not office.world.told
        assert not verdict.outcome.startswith("accept")
    assert {reply.to for reply in verdict.replies} <= {
        "ada@example.org", "bruno@example.org", "a.archer.work@example.org",
    }  # fmt: skip


def test_orders_torn_apart_are_refused(office: Office) -> None:
    torn = "game: ur-1\nplayer: archer\nturn: 7\nnote: hi\n\nhere it comes\n\nactions:\n  - pass\n"
    refused(office.take(mail(torn)), "line 8", "apart")


def test_keys_may_stand_above_the_game(office: Office) -> None:
    rows = ORDERS.splitlines()
    body = "\n".join(["Hello", "", rows[1], rows[0], *rows[2:]])
    accepted(office.take(mail(body)), warned=False)


def test_end_stops_the_reading(office: Office) -> None:
    verdict = office.take(mail(f"{ORDERS}end:\nactions are fun: yes\n"))
    accepted(verdict, warned=False)
    assert "actions are fun" in words_of(verdict)


def test_commands(office: Office) -> None:
    verdict = office.take(mail("status ur-1\nreport ur-2 12\naway 2026-07-01 to 2026-07-14\n"))
    assert verdict.outcome == "accept"
    assert len(verdict.requests) == 3
    assert words_of(verdict).count(SECRET) == 3
    assert "HOW TO PLAY" in words_of(office.take(mail("Help!")))
    assert "HOW TO PLAY" in words_of(office.take(mail("", subject="Re: [ur-1] help")))
    refused(office.take(mail("away 2026-07-14..2026-07-01")), "before")
    assert office.take(mail("status", results=FAIL)).outcome == "hold"


def test_check_stores_nothing(office: Office) -> None:
    verdict = office.take(mail(f"check\n\n{ORDERS}"))
    assert (verdict.outcome, verdict.orders) == ("accept", ())
    assert "NOTHING WAS STORED" in words_of(verdict)


def test_the_receipt_is_proof(office: Office) -> None:
    office.take(mail(OTHER, date="Mon, 09 Mar 2026 17:00:00 +0000"))
    verdict = office.take(mail(f"Hello\n\n{ORDERS}\nBye\n{QUOTE}-- \nAda\n"))
    text = words_of(verdict)
    for words in (
        "18:02", verdict.entry.content, "leader: king\n    at: F5", "line 1: Hello",
        "line 12: Bye", "lines 13 to 18: quoted text", "signature", "Still open", "mail 1",
    ):  # fmt: skip
        assert words in text, text


def test_a_refused_file_can_be_sent_back(office: Office) -> None:
    verdict = office.take(mail(ORDERS.replace("at: F4", "on: F4").replace("king", "kign")))
    refused(verdict, "line 6", "line 7")
    again = words_of(verdict).partition("ready to be sent:")[2]
    accepted(office.take(mail(again)))


def test_store_and_ledger(office: Office, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    verdict = office.take(mail(f"Hi\n\n{ORDERS}"))
    append(ledger, verdict.entry)
    with ledger.open("ab") as file:
        file.write(b'{"number": 2, "arr')
    append(ledger, verdict.entry._replace(number=3))
    memory = load(ledger)
    assert [number in memory for number in (1, 2, 3)] == [True, False, True]
    entry = memory.same(verdict.entry.identity, verdict.entry.message_id, verdict.entry.content)
    assert entry == verdict.entry
    assert isinstance(memory.before(3), Memory)


def test_a_stranger_who_is_not_proven_is_never_answered(office: Office) -> None:
    for body in (
        "help",
        "status",
        "hello",
        "",
        "> " + ORDERS.replace("\n", "\n> "),
        "x" * 1_100_000,
    ):
        verdict = office.take(mail(body, sender="x@example.org", results=FAIL))
        assert (verdict.outcome, verdict.replies) == ("ignore", ()), body[:40]
    known = office.take(mail("x@", sender="x@example.org"))
    assert (known.outcome, [reply.to for reply in known.replies]) == ("reject", ["x@example.org"])


def test_judging_again_gives_the_same(office: Office) -> None:
    first = office.take(mail())
    office.take(mail(OTHER))
    again = judge_again(office.store, 1, office.world, office.memory)
    assert again == first
    assert unjudged(office.store, Memory()) == [1, 2]
    assert unjudged(office.store, office.memory) == []


def test_a_stored_mail_that_was_changed_is_noticed(office: Office) -> None:
    office.take(mail())
    (path,) = office.store.folder.glob("*/*.eml")
    path.write_bytes(b"x")
    with pytest.raises(DamagedMail):
        office.store.read(1)
    with pytest.raises(DamagedMail):
        office.store.read(2)
