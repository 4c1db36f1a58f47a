"""Before the first turn all confirm: by mail, by their orders, or the moderator does it."""

from pathlib import Path

import pytest

from tests.pbem.games import names
from tests.pbem.mail_desk import CONFIG, Desk, mail, orders, text_of


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A game that waits until all have confirmed."""
    made = Desk(tmp_path)
    made.start("ur-1", "--confirm")
    return made


def report(desk: Desk, who: str = "archer") -> str:
    """The newest report of somebody."""
    return (desk.game / "reports" / f"{who}.txt").read_text()


def test_the_invitation_says_what_is_played(desk: Desk) -> None:
    (invited,) = desk.letters("invite-archer.ur-1.eml")
    assert invited["Subject"] == "confirm ur-1"
    text = text_of(invited)
    for part in ("archer (Ada)", "bull (Bruno)", "board: standard", "no deadlines", "key: "):
        assert part in text
    assert names(desk.game / "outbox") == [
        f"invite-{seat}.ur-1.{end}" for seat in ("archer", "bull") for end in ("eml", "yaml")
    ]
    assert "THE GAME HAS NOT BEGUN" in report(desk)
    assert "missing: archer, bull" in " ".join(report(desk).split())
    assert "missing" in desk.call("report", "ur-1", "--for", "bull", "--format", "html").out
    assert "have not confirmed yet: archer, bull" in desk.call("status").out


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Re: confirm ur-1", "Yes!\n\n> confirm that\n"),
        ("AW: confirm ur-1", ""),
        ("hello", "confirm ur-1\n"),
        ("hello", "Confirm.\n"),
    ],
)
def test_a_reply_confirms(desk: Desk, subject: str, body: str) -> None:
    desk.take(mail(body, subject=subject))
    assert list(desk.desk()["confirmed"]) == ["archer"]
    (answer,) = desk.answers()
    assert "You have confirmed that you play archer in ur-1" in text_of(answer)
    assert "bull" in text_of(answer)
    assert "missing: bull." in " ".join(report(desk).split())
    assert "have not confirmed yet: bull" in desk.turn().out


def test_the_last_one_begins_the_game(desk: Desk) -> None:
    desk.take(mail("confirm"))
    desk.now = "2026-03-10T10:00:00Z"
    assert desk.letters("0000-*.eml") == []
    desk.take(mail("confirm ur-1", "bruno", number=2))
    assert "the game begins" in text_of(desk.answers()[-1])
    (first,) = desk.letters("0000-archer-1.ur-1.eml")
    assert first["Subject"] == "ur-1, turn 1: YOUR MOVE"
    assert "NOT BEGUN" not in text_of(first)
    assert len(desk.letters("0000-*.eml")) == 2
    assert "waits for archer (Ada), 1.1" in desk.turn().out
    assert len(desk.letters("0000-*.eml")) == 2


def test_orders_confirm_and_wait(desk: Desk) -> None:
    desk.take(mail(orders()))
    said = desk.turn()
    assert "have not confirmed yet: bull" in said.out
    assert desk.placed()
    assert names(desk.game / "history") == ["0000.yaml"]
    assert list(desk.desk()["confirmed"]) == ["archer"]
    assert desk.call("seat", "ur-1", "bull", "--confirm").code == 0
    assert "waits for bull (Bruno), 2.1" in desk.turn().out
    assert not desk.placed()


def test_the_moderator_confirms_once(desk: Desk) -> None:
    assert "waits" not in desk.call("seat", "ur-1", "bull", "--confirm").out
    again = desk.call("seat", "ur-1", "bull", "--confirm")
    assert again.code == 1
    assert "has confirmed already" in again.err
    assert desk.call("seat", "ur-1", "archer", "--confirm").code == 0
    assert len(desk.letters("0000-*.eml")) == 2
    assert desk.call("seat", "ur-1", "bull", "--confirm", "--give", "Eve").code == 2


def test_robots_and_strangers_confirm_nothing(desk: Desk) -> None:
    away = mail("I am away", subject="Re: confirm ur-1", more="Auto-Submitted: auto-replied")
    desk.call("mail", "in", "-", stdin=away)
    desk.call("mail", "in", "-", stdin=mail("confirm", "bruno", proven=False, number=3))
    desk.call("mail", "in", "-", stdin=mail("confirm ur-1", "zoe", number=4))
    assert "confirmed" not in desk.desk()
    assert desk.call("mail", "in", "--again", "2", "--admit").code == 0
    assert list(desk.desk()["confirmed"]) == ["bull"]


def test_the_key_in_the_quoted_invitation_is_proof(tmp_path: Path) -> None:
    desk = Desk(tmp_path, CONFIG.replace("authserv_id: mx.example.org\n", ""))
    desk.start("ur-1", "--confirm")
    (invited,) = desk.letters("invite-archer.ur-1.eml")
    quoted = "".join(f"> {line}\n" for line in text_of(invited).splitlines())
    wrong = quoted.replace("key: ", "key: X")
    desk.call("mail", "in", "-", stdin=mail(f"OK\n\n{wrong}", subject="Re: confirm ur-1"))
    assert "confirmed" not in desk.desk()
    desk.take(mail(f"OK\n\n{quoted}", subject="Re: confirm ur-1", number=2))
    assert list(desk.desk()["confirmed"]) == ["archer"]
    assert desk.answers()[-1]["To"] == "Ada <ada@example.org>"


def test_a_killed_start_is_finished_by_turn(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last confirmation stands on the desk, but no letter was laid."""
    desk.call("seat", "ur-1", "archer", "--confirm")
    with monkeypatch.context() as patched:
        patched.setattr("pbem.seats.confirming.write_reports", lambda *_: None)
        desk.call("seat", "ur-1", "bull", "--confirm")
    assert desk.letters("0000-*.eml") == []
    desk.turn()
    assert len(desk.letters("0000-*.eml")) == 2
    assert "NOT BEGUN" not in report(desk)


def test_a_seat_that_passes_on_confirms_anew(desk: Desk) -> None:
    desk.take(mail("confirm"))
    assert desk.call("seat", "ur-1", "archer", "--give", "Eve <eve@example.org>").code == 0
    assert "confirmed" not in desk.desk()
    (invited,) = desk.letters("seat-1-archer.ur-1.eml")
    assert invited["Subject"] == "confirm ur-1"
    assert invited["To"] == "Eve <eve@example.org>"
    desk.take(mail("confirm ur-1", "eve", number=5))
    assert list(desk.desk()["confirmed"]) == ["archer"]


def test_a_game_that_has_begun_does_not_wait_again(desk: Desk) -> None:
    desk.take(mail("confirm"))
    desk.take(mail("confirm", "bruno", number=2))
    assert desk.call("seat", "ur-1", "bull", "--give", "Eve <eve@example.org>").code == 0
    (new,) = desk.letters("seat-1-bull.ur-1.eml")
    assert "NOT BEGUN" not in text_of(new)
    assert "waits for archer (Ada), 1.1" in desk.call("status").out


def test_a_game_that_asks_for_nothing_says_so(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    desk.take(mail("confirm ur-1"))
    assert "nothing left to confirm" in text_of(desk.answers()[-1])


def test_the_invitation_tells_the_question_of_time() -> None:
    """The policies in words."""
    from pbem.clock.spans import Span, read_days_off
    from pbem.policies import Policies
    from pbem.wording import say

    off = read_days_off("sat sun 2026-12-24..2026-12-26")
    assert not isinstance(off, str)
    policies = Policies(Span(3), Span(1), off, grace=Span(0, 12), late="drop", anonymous=True)
    text = say("_policies.j2", "rules", ["board: standard"], policies)
    assert text.splitlines() == [
        "The options of the game (a mail with a line such as `rules board` brings what it means):",
        "- board: standard",
        "",
        "Time to answer in your own turn: 3 days.",
        "Time to answer a question out of turn: 1 day.",
        "Days that do not count: Saturday, Sunday, 2026-12-24 to 2026-12-26 (UTC).",
        "Nothing happens yet for a grace of 12 hours after a deadline.",
        "Who does not answer in time passes and supports with nothing; after 3 times in a row "
        "nobody plays his seat any more.",
        "You may be away for 21 days a year; say so by mail, in a line such as: "
        "away 2026-07-01 to 2026-07-14",
        "The players are known by their dynasties only; please keep it so.",
    ]


def test_an_invitation_tells_a_single_miss_and_no_days_away() -> None:
    from pbem.clock.spans import Span
    from pbem.policies import Policies
    from pbem.wording import say

    policies = Policies(Span(1, 12), late="drop", misses=1, away_days=0)
    assert say("_policies.j2", "rules", [], policies).splitlines()[-2:] == [
        "Time to answer in your own turn: 1 day and 12 hours.",
        "Who does not answer in time passes, and nobody plays his seat any more.",
    ]
