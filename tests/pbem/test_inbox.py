"""What needs a person: the inbox, and that every mail in it ends with one command."""

import json
import shutil
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from pbem.mail import intake
from pbem.mail.gamesworld import GamesWorld
from pbem.mail.inbox import held_late
from tests.pbem.games import tree
from tests.pbem.mail_desk import FIRST, Desk, mail, orders, text_of
from tests.pbem.test_kill import Killer

PASS = "turn: 1\nactions: pass all"
FORWARD = (
    "Look:\n\n---------- Forwarded message ----------\nFrom: Ada <ada@example.org>\n\n"
    + orders().replace("\n", "\n")
)


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """All orders of today come after the deadline."""
    until = datetime(2026, 3, 9, 12, tzinfo=UTC)
    monkeypatch.setattr(GamesWorld, "deadline", lambda _self, _seat: until)


def to(desk: Desk, pattern: str = "answer-*.eml") -> list[str]:
    """Whom answers went to."""
    return [each["To"].addresses[0].addr_spec for each in desk.answers(pattern)]


def notices(desk: Desk) -> list[str]:
    """The notices that lie there."""
    folder = desk.games / "_mail" / "notices"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def held(desk: Desk) -> list[int]:
    """The numbers in the inbox."""
    (page,) = desk.call("inbox", "--json").data["games"]
    return [each["mail"] for each in page["mails"]]


def test_an_empty_inbox(desk: Desk) -> None:
    said = desk.call("inbox")
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == [
        "since Sunday 8 March 2026, 18:10 UTC: 0 accepted, 0 refused (answered), 0 held, "
        "0 robots, 0 broken"
    ]


def test_only_what_needs_a_person_is_listed(desk: Desk) -> None:
    desk.take(mail("status\n", number=2), mail("I am away", number=3, more="X-Autoreply: yes"))
    desk.take(mail(orders(), proven=False, number=4), mail("hello", number=5), code=1)
    said = desk.call("inbox")
    assert said.out.splitlines() == [
        "since Sunday 8 March 2026, 18:10 UTC: 1 accepted, 1 refused (answered), 1 held, "
        "1 robots, 0 broken",
        "3: Monday 9 March 2026, 18:02 UTC, from ada@example.org (not proven), for ur-1 archer: "
        "it is not proven who sent it",
        "    pbem inbox show 3; then pbem release 3 or pbem refuse 3 --because '..'",
        "1 notice asks for no decision (of mail 2): pbem inbox show NUMBER; then pbem inbox done "
        "NUMBER, or --all",
    ]
    later = desk.call("inbox", "--since", "2026-03-09T18:05:00Z").out
    assert later.startswith("since Monday 9 March 2026, 18:05 UTC: 0 accepted, 0 refused")
    assert desk.call("inbox", "--since", "soon").code == 2


def test_release_ends_a_mail_that_is_not_proven(desk: Desk) -> None:
    desk.take(mail(orders(), proven=False), code=1)
    assert (held(desk), notices(desk)) == ([1], ["000001.txt"])
    said = desk.call("release", "1")
    assert (said.code, said.out) == (0, "mail 1 ur-1 archer: accepted\n")
    assert "king" in desk.placed()
    assert (held(desk), notices(desk)) == ([], [])
    again = desk.call("release", "1")
    assert (again.code, again.err) == (1, "mail 1 is not held: it was accepted\n")
    assert desk.call("release", "9").code == 2
    assert desk.ledger()[-1]["why"] == ["vouched"]


def test_release_takes_orders_from_an_address_that_is_on_no_file(desk: Desk) -> None:
    """The receipt goes to the address on file, and to nobody else."""
    desk.take(mail(orders(), "ada.at.work"), code=1)
    said = desk.call("release", "1")
    assert "mail 1 ur-1 archer: accepted with a remark" in said.out
    assert "king" in desk.placed()
    assert to(desk, "answer-*-again-2.eml") == ["ada@example.org"]
    (receipt,) = desk.answers("answer-*-again-2.eml")
    assert "the moderator has looked at it" in " ".join(text_of(receipt).split())


def test_release_never_lets_a_player_order_for_another(desk: Desk) -> None:
    desk.take(mail(orders(), "bruno", proven=False), code=1)
    said = desk.call("release", "1")
    assert (said.code, desk.placed()) == (1, "")
    assert "mail 1: refused" in said.err
    assert held(desk) == []


def test_release_ends_two_senders_and_forwarded_orders(desk: Desk) -> None:
    desk.take(mail(orders(), more="From: Eve <eve@example.org>"), code=1)
    desk.take(mail(FORWARD, number=2, subject="Fwd: orders"), code=1)
    assert [each["why"] for each in desk.ledger()] == [["two_headers"], ["forwarded"]]
    assert desk.call("release", "1").code == 0
    assert "king" in desk.placed()
    assert desk.call("release", "2").code == 0
    assert held(desk) == []


def test_a_mail_that_breaks_the_judge(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("x")

    with monkeypatch.context() as patch:
        patch.setattr(intake, "robot", broken)
        desk.take(mail(orders()), code=1)
        said = desk.call("inbox")
        assert "1 broken" in said.out
        assert "this program failed on it (KeyError)" in said.out
        assert desk.call("release", "1").code == 1
    assert "IF IT WERE RELEASED: accepted" in desk.call("inbox", "show", "1").out
    assert desk.call("release", "1").code == 0
    assert "king" in desk.placed()


def test_refuse_tells_the_address_on_file_once(desk: Desk) -> None:
    desk.take(mail(orders(), "mallory", proven=False), code=1)
    assert desk.call("refuse", "1", "--because", " ").code == 2
    said = desk.call("refuse", "1", "--because", "Ada says it was not hers.")
    assert (said.code, said.out) == (0, "mail 1: refused; told: ada@example.org\n")
    (letter,) = desk.answers("answer-000001-1-again-2.eml")
    assert "| Ada says it was not hers." in text_of(letter)
    assert "king" not in text_of(letter)
    assert desk.placed() == ""
    assert (held(desk), notices(desk)) == ([], [])
    again = desk.call("refuse", "1", "--because", "x")
    assert (again.code, again.err) == (1, "mail 1 is not held: you have refused it\n")
    assert "1 refused" in desk.call("inbox").out


@pytest.mark.usefixtures("late")
def test_late_orders_are_admitted(desk: Desk) -> None:
    desk.take(mail(orders()), code=1)
    assert "it came after the deadline" in desk.call("inbox").out
    assert held_late(desk.games) == {("ur-1", "archer")}
    number = len(desk.answers())
    said = desk.call("release", "1")
    assert said.code == 1
    assert "it ends with pbem admit-late 1 or pbem refuse 1" in said.err
    assert len(desk.answers()) == number
    assert desk.call("admit-late", "1").code == 0
    assert "king" in desk.placed()
    assert held_late(desk.games) == frozenset()
    assert desk.call("admit-late", "1").code == 1


@pytest.mark.usefixtures("late")
def test_late_orders_are_refused_by_the_moderator(desk: Desk) -> None:
    desk.take(mail(orders()), code=1)
    said = desk.call("refuse", "1", "--because", "Late for the third time.")
    assert said.out == "mail 1: refused; told: ada@example.org\n"


@pytest.mark.usefixtures("late")
def test_not_proven_and_late_takes_two_commands(desk: Desk) -> None:
    desk.take(mail(orders(), proven=False), code=1)
    wrong = desk.call("admit-late", "1")
    assert (wrong.code, "pbem release 1" in wrong.err) == (1, True)
    assert "Released it would still be held" in desk.call("inbox", "show", "1").out
    said = desk.call("release", "1")
    assert (said.code, "pbem admit-late 1" in said.err) == (1, True)
    assert desk.call("admit-late", "1").code == 0
    assert "king" in desk.placed()


def decided_without(desk: Desk) -> None:
    """The turn of archer is played while his mail is held."""
    (desk.game / "orders").mkdir(exist_ok=True)
    (desk.game / "orders" / "archer.yaml").write_text(orders(PASS))
    desk.now = "2026-03-09T19:00:00Z"
    desk.turn()


@pytest.mark.usefixtures("late")
def test_admitted_too_late_the_undo_is_named_and_then_it_works(desk: Desk) -> None:
    desk.take(mail(orders()), code=1)
    decided_without(desk)
    said = desk.call("admit-late", "1")
    assert said.code == 1
    assert "pbem undo ur-1 --to 0 --yes, then pbem admit-late 1" in said.err
    assert held(desk) == [1]
    assert desk.call("undo", "ur-1", "--to", "0", "--yes").code == 0
    assert desk.call("admit-late", "1").code == 0
    assert "turn: 1b" in desk.placed()
    desk.turn()
    run = (desk.game / "history" / "0003.yaml").read_text()
    assert ("question: 1b.1" in run, "order: king F4" in run) == (True, True)


def test_released_too_late_the_undo_is_named_and_then_it_works(desk: Desk) -> None:
    desk.take(mail(orders(), proven=False), code=1)
    decided_without(desk)
    assert "pbem undo ur-1 --to 0 --yes" in desk.call("inbox", "show", "1").out
    said = desk.call("release", "1")
    assert "pbem undo ur-1 --to 0 --yes, then pbem admit-late 1" in said.err
    assert (held(desk), notices(desk)) == ([1], ["000001.txt"])
    assert held_late(desk.games) == {("ur-1", "archer")}
    desk.call("undo", "ur-1", "--to", "0", "--yes")
    assert desk.call("admit-late", "1").code == 0
    assert "turn: 1b" in desk.placed()


def test_released_but_illegal_it_is_refused_with_the_reasons(desk: Desk) -> None:
    desk.take(mail(orders("turn: 1\nactions:\n  - king A1"), proven=False), code=1)
    said = desk.call("release", "1")
    assert (said.code, held(desk)) == (1, [])
    assert desk.ledger()[-1]["why"] == ["illegal:NO_TEMPLE", "vouched"]
    (told,) = desk.answers("answer-*-again-2.eml")
    assert "king A1" in text_of(told)
    assert "king" not in said.out + said.err


def test_newer_orders_stay_and_the_way_out_is_named(desk: Desk) -> None:
    desk.take(mail(orders(), proven=False), code=1)
    desk.take(mail(orders(PASS), number=2, when="18:05:00"))
    said = desk.call("release", "1")
    assert (said.code, "pbem refuse 1" in said.err) == (1, True)
    assert desk.call("refuse", "1", "--because", "You have sent newer ones.").code == 0
    assert "pass" in desk.placed()


def test_show_shows_all_and_says_so(desk: Desk) -> None:
    desk.take(mail(f"Hi!\n\n{orders()}", proven=False), code=1)
    before = tree(desk.games)
    said = desk.call("inbox", "show", "1")
    assert said.code == 0
    assert said.out.startswith("This page shows orders and who sent them.")
    (raw,) = (desk.games / "_mail" / "raw").rglob("*.eml")
    for words in (
        f"File:       {raw}, {raw.stat().st_size} bytes",
        f"SHA-256:    {raw.name.split('.')[2]}",
        "From:       ada@example.org (not proven)",
        "Judged:     held: it is not proven who sent it",
        "Ends with:  pbem release 1 or pbem refuse 1 --because '..'",
        "| Hi!",
        "| turn: 1",
        "IF IT WERE RELEASED: accepted",
        "Archer places the king on F4.",
    ):
        assert words in said.out, said.out
    assert {k: v for k, v in tree(desk.games).items() if ".lock" not in k} == before
    (facts,) = desk.call("inbox", "show", "1", "--json").data["games"]
    assert (facts["released"], facts["mail"]) == ("accept", 1)
    assert "king" in facts["orders"][0]


def test_show_tells_no_order_key(desk: Desk) -> None:
    key = desk.key()
    desk.take(mail(orders(f"key: {key}\n{FIRST}"), proven=False))
    said = desk.call("inbox", "show", "1")
    assert (said.code, key in said.out) == (0, False)


def test_a_stored_mail_that_was_changed_is_named(desk: Desk) -> None:
    desk.take(mail(orders(), proven=False), code=1)
    (raw,) = (desk.games / "_mail" / "raw").rglob("*.eml")
    raw.write_bytes(b"x")
    for words in (("inbox", "show", "1"), ("release", "1"), ("refuse", "1", "--because", "x")):
        said = desk.call(*words)
        assert (said.code, "is not what was stored" in said.err) == (3, True)


def test_notices_without_a_decision_are_put_away(desk: Desk) -> None:
    desk.take(mail("I am away.\n", more="Auto-Submitted: auto-replied"))
    desk.take(mail(orders(), proven=False, number=2), code=1)
    assert notices(desk) == ["000001.txt", "000002.txt"]
    assert desk.call("inbox", "done").code == 2
    assert desk.call("inbox", "done", "2").code == 1
    assert desk.call("inbox", "done", "1").code == 0
    assert notices(desk) == ["000002.txt"]
    assert desk.call("inbox", "done", "1").code == 2
    assert desk.call("inbox", "done", "--all").code == 0
    assert notices(desk) == ["000002.txt"]


def test_in_an_anonymous_game_no_address_is_told(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    path = desk.game / "game.yaml"
    path.write_text(f"{path.read_text()}policies:\n  anonymous: yes\n")
    desk.take(mail(orders(), proven=False), mail(orders(), "eve", number=2), code=1)
    said = desk.call("inbox")
    assert "from the address on file (not proven), for ur-1 archer" in said.out
    assert "from another address than that on file (proven)" in said.out
    assert "example.org" not in said.out + desk.call("inbox", "--json").out


def test_the_ledger_says_why(desk: Desk) -> None:
    desk.take(mail("nothing\n"), mail(orders("turn: 9\nactions: pass"), number=2), code=1)
    desk.take(mail(orders("turn: 1\nactions: kign F4"), number=3, when="18:03:00"), code=1)
    desk.take(mail("Away", number=4, more="Auto-Submitted: auto-replied"))
    assert [each["why"] for each in desk.ledger()] == [
        ["no_orders"], ["turn"], ["syntax"], ["auto-reply"]
    ]  # fmt: skip
    assert desk.ledger()[1]["named"] == [{"game": "ur-1", "player": "archer", "parts": ["actions"]}]


def test_lines_of_an_older_ledger_are_read(desk: Desk) -> None:
    desk.take(mail(orders(), proven=False), code=1)
    path = desk.games / "_mail" / "ledger.jsonl"
    old = [{k: v for k, v in each.items() if k not in ("why", "named")} for each in desk.ledger()]
    path.write_text("".join(json.dumps(each) + "\n" for each in old))
    assert "its notice says why" in desk.call("inbox").out
    assert desk.call("release", "1").code == 0


@pytest.mark.usefixtures("late")
@pytest.mark.parametrize(
    "words", [("admit-late", "1"), ("refuse", "1", "--because", "No.")], ids=["admit", "refuse"]
)
def test_killed_anywhere_the_next_run_ends_it(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    desk.take(mail(orders()), code=1)
    kill_and_repeat(desk, tmp_path, monkeypatch, words)


def test_a_release_that_is_killed(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.take(mail(orders(), proven=False), code=1)
    kill_and_repeat(desk, tmp_path, monkeypatch, ("release", "1"))


def kill_and_repeat(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """The mail is dealt with once, or it is still held and the command can be given again."""
    good = desk.games
    shutil.copytree(good, tmp_path / "undisturbed")
    with monkeypatch.context() as patch:
        killer = Killer(patch)
        desk.games = tmp_path / "undisturbed"
        number = killer.moments(partial(desk.call, *words))
        right = tree(desk.games)
        for moment in range(1, number + 1, 2):
            desk.games = tmp_path / f"killed-{moment}"
            shutil.copytree(good, desk.games)
            killer.kill(moment, partial(desk.call, *words))
            desk.call("mail", "in")
            if held(desk):
                desk.call(*words)
            assert tree(desk.games) == right, moment
