"""A seat passes on to somebody else: what he gets, what the old player may no more, who is told."""

import re
from pathlib import Path

import pytest

from pbem.policies import Person
from pbem.seats.handover import hand_over
from pbem.store import GameFolder
from tests.pbem.games import names
from tests.pbem.mail_desk import Desk, letter, mail, orders, text_of

EVE = "Eve <eve@example.org>"
LATER = "2026-03-11T09:00:00Z"


class Killed(BaseException):
    """The program was killed."""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A game in which archer has played; bull is asked, and has a turn of his own waiting."""
    made = Desk(tmp_path)
    made.start()
    made.take(mail(orders()))
    made.turn()
    return made


def give(desk: Desk, seat: str = "bull", person: str = EVE, code: int = 0) -> str:
    """Give a seat."""
    desk.now = LATER
    said = desk.call("seat", "ur-1", seat, "--give", person)
    assert said.code == code, said
    return said.out + said.err


def key_in(message: str) -> str:
    """The order key that a letter tells."""
    found = re.search(r"^key: (\S+)$", message, re.MULTILINE)
    assert found
    return found[1]


def to(desk: Desk, who: str) -> list[str]:
    """The keys of the letters that lie in the outbox for an address."""
    return [
        path.stem
        for path in sorted((desk.game / "outbox").glob("*.eml"))
        if str(letter(path)["To"].addresses[0].addr_spec) == f"{who}@example.org"
    ]


def test_the_new_player_gets_all_that_the_seat_knows(desk: Desk) -> None:
    report = (desk.game / "reports" / "bull.txt").read_text()
    said = give(desk)
    (new,) = desk.letters("seat-1-bull.ur-1.eml")
    text = text_of(new)
    assert new["To"] == "Eve <eve@example.org>"
    assert re.search(r"Hand: .*", report)[0] in text  # type: ignore[index]
    assert "YOUR MOVE in ur-1" in text
    assert "board: standard" in text
    assert "HOW TO PLAY BY MAIL" in text
    key = key_in(text)
    assert key not in said
    desk.take(
        mail(f"{orders('turn: 2', 'bull')}key: {key}\nactions: pass, pass", "zoe", proven=False)
    )
    assert desk.ledger()[-1]["outcome"] == "accept_warn"


def test_the_old_player_is_told_and_may_no_more(desk: Desk) -> None:
    old_key = desk.key("bull")
    give(desk)
    (told,) = desk.letters("passed-1-bull.ur-1.eml")
    assert told["To"] == "Bruno <bruno@example.org>"
    assert "played by somebody else" in text_of(told)
    assert "Hand" not in text_of(told)
    assert to(desk, "bruno") == ["passed-1-bull.ur-1"]
    body = orders("turn: 2\nactions: pass, pass", "bull")
    desk.take(mail(body, "bruno", number=11), code=1)
    desk.take(mail(body + f"key: {old_key}\n", "bruno", number=12, proven=False), code=1)
    desk.take(mail("report ur-1", "bruno", number=13), code=1)
    desk.take(mail("status", "bruno", number=14), code=1)
    assert [each["outcome"] for each in desk.ledger()[1:]] == ["hold", "hold", "reject", "reject"]
    for answer in desk.answers():
        if "bruno" in str(answer["To"]):
            assert "ur-1, turn" not in text_of(answer)
            assert "YOUR MOVE" not in text_of(answer)
    assert not desk.placed("bull")


def test_letters_that_wait_for_the_old_player_do_not_leave(desk: Desk) -> None:
    assert to(desk, "bruno") == ["0000-bull-1.ur-1", "0001-bull-1.ur-1"]
    give(desk)
    failed = names(desk.game / "outbox" / "failed")
    assert [name for name in failed if name.endswith(".eml")] == [
        "0000-bull-1.ur-1.eml",
        "0001-bull-1.ur-1.eml",
    ]
    state = (desk.game / "outbox" / "failed" / "0001-bull-1.ur-1.yaml").read_text()
    assert "passed on to somebody else" in state
    assert to(desk, "ada") == ["0000-archer-1.ur-1", "0001-archer-1.ur-1"]


def test_orders_that_wait_are_taken_back(desk: Desk) -> None:
    desk.take(mail(orders("turn: 3\nactions: pass\nnote: for the moderator", "archer"), number=5))
    desk.turn()
    assert desk.placed("archer")
    give(desk, "archer")
    assert not desk.placed("archer")
    assert names(desk.game / "waiting") == []
    assert names(desk.game / "received")[-1].endswith("-archer.yaml")
    report = (desk.game / "reports" / "archer.txt").read_text()
    assert "WAIT" not in report
    (new,) = desk.letters("seat-1-archer.ur-1.eml")
    assert "for the moderator" not in text_of(new)
    desk.take(mail(orders("turn: 2\nactions: pass, pass", "bull"), "bruno", number=6))
    said = desk.turn()
    assert "waits for archer (Eve), 3.1" in said.out


def test_what_the_old_player_was_told_of_his_files_is_not_for_the_new_one(desk: Desk) -> None:
    path = desk.game / "orders" / "bull.yaml"
    path.write_text("game: ur-1\nplayer: bull\nturn: 2\nactions: swap 9 temple\nnote: my secret\n")
    assert desk.call("turn", "ur-1").code == 1
    assert "my secret" in (desk.game / "reports" / "bull.txt").read_text()
    give(desk)
    assert "my secret" not in (desk.game / "reports" / "bull.txt").read_text()
    (new,) = desk.letters("seat-1-bull.ur-1.eml")
    assert "my secret" not in text_of(new)
    path.write_text("game: ur-1\nplayer: bull\nturn: 2\nactions: swap 9 temple\nnote: hers\n")
    assert desk.call("turn", "ur-1").code == 1
    assert "hers" in (desk.game / "reports" / "bull.txt").read_text()


def test_the_others_hear_it_with_the_next_report(desk: Desk) -> None:
    give(desk)
    desk.take(mail(orders("turn: 2\nactions: pass, pass", "bull"), "eve", number=7))
    desk.turn()
    for who in ("archer", "public"):
        report = (desk.game / "reports" / f"{who}.txt").read_text()
        assert "NEW PLAYERS" in report
        assert "- Eve plays bull from turn 2 on." in report
    page = desk.call("report", "ur-1", "--for", "archer", "--format", "html").out
    assert "Eve plays bull from turn 2 on." in page
    (new,) = desk.letters("0002-archer-1.ur-1.eml")
    assert "Eve plays bull" in text_of(new)


def test_to_the_same_person_it_is_refused(desk: Desk) -> None:
    give(desk)
    before = names(desk.game / "outbox")
    assert "already" in give(desk, person="Eva <EVE@example.org>", code=1)
    assert "already" in give(desk, "archer", "Ada <ada@example.org>", code=1)
    assert names(desk.game / "outbox") == before


def test_it_can_be_given_back(desk: Desk) -> None:
    give(desk)
    give(desk, person="Bruno <bruno@example.org>")
    (back,) = desk.letters("seat-2-bull.ur-1.eml")
    key = key_in(text_of(back))
    assert to(desk, "eve") == ["passed-2-bull.ur-1"]
    desk.take(mail(orders("turn: 2\nactions: pass, pass", "bull"), "bruno", number=8))
    assert desk.ledger()[-1]["outcome"] == "accept"
    assert key


def test_a_killed_handover_is_finished_by_the_same_command(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it is killed: the end is as if it had not been, and no key is lost."""
    steps = (
        "pbem.mail.handover.lay_brief",
        "pbem.seats.handover.write_reports",
        "pbem.mail.handover.render",
    )
    for number, step in enumerate(steps):
        person = f"P{number} <p{number}@example.org>"

        def killed(*_: object, **__: object) -> None:
            raise Killed

        with monkeypatch.context() as patched:
            patched.setattr(step, killed)
            with pytest.raises(Killed):
                desk.call("seat", "ur-1", "bull", "--give", person)
        give(desk, person=person)
        new = desk.letters(f"seat-{number + 1}-bull.ur-1.eml")
        assert len(new) == 1
        assert len(desk.desk()["handovers"]) == number + 1
        body = orders(f"key: {key_in(text_of(new[0]))}\nturn: 2\nactions: pass", "bull")
        desk.take(mail(body, "someone", number=100 + number, proven=False))
        assert desk.ledger()[-1]["outcome"] == "accept_warn"


def test_a_seat_tells_who_plays_it_and_nothing_secret(desk: Desk) -> None:
    said = desk.call("seat", "ur-1", "bull")
    assert said.code == 0
    assert said.out.splitlines() == [
        "ur-1: bull (Bruno) plays from the start",
        "letters: 2 waiting",
    ]
    give(desk)
    said = desk.call("seat", "ur-1", "bull")
    assert said.out.splitlines() == [
        f"ur-1: bull (Eve) plays since turn 2, {LATER}",
        "before: Bruno, until turn 2",
        "letters: 1 waiting",
    ]
    assert desk.call("seat", "ur-1", "pot").code == 2
    assert desk.call("seat", "ur-1", "bull", "--give", "a@b@c").code == 2


def test_what_belonged_to_the_old_player_leaves_the_desk(desk: Desk) -> None:
    desk.take(mail("away 2026-07-01 to 2026-07-14", "bruno", number=9))
    path = desk.game / "desk.yaml"
    path.write_text(
        path.read_text()
        + "bounced:\n  - {address: bruno@example.org, since: 2026-03-01T00:00:00Z, status: 5.1.1}\n"
        + "dropped:\n  bull: 2026-03-02T00:00:00Z\n"
    )
    give(desk)
    found = desk.desk()
    assert not {"away", "bounced", "dropped"} & found.keys()
    assert found["handovers"][0]["person"] == EVE


def test_somebody_without_an_address_gets_no_key_yet(desk: Desk) -> None:
    said = give(desk, person="Eve")
    assert "pbem key ur-1 bull" in said
    assert "bull" not in desk.desk()["keys"]
    assert desk.call("key", "ur-1", "bull").code == 0


def test_a_killed_handover_to_somebody_without_an_address_is_finished_too(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr("pbem.seats.handover.write_reports", killed)
        with pytest.raises(Killed):
            desk.call("seat", "ur-1", "bull", "--give", "Eve")
    assert to(desk, "bruno") == ["0000-bull-1.ur-1", "0001-bull-1.ur-1"]
    give(desk, person="Eve")
    assert to(desk, "bruno") == ["passed-1-bull.ur-1"]
    assert len(desk.desk()["handovers"]) == 1
    give(desk, person="Eve", code=1)


def test_who_played_which_turns(desk: Desk) -> None:
    """A turn that two have shared stands with both."""
    from pbem.chronicle import Chronicle
    from pbem.seats.people import played_by

    desk.take(mail(orders("turn: 2\nactions: pass", "bull"), "bruno", number=20))
    desk.turn()
    give(desk)
    desk.take(mail(orders("turn: 2\naction: 2\nactions: pass", "bull"), "eve", number=21))
    desk.take(mail(orders("turn: 3\nactions: pass all", "archer"), "ada", number=22))
    desk.turn()
    desk.take(mail(orders("turn: 4\nactions: pass all", "bull"), "eve", number=23))
    desk.turn()
    game = GameFolder(desk.game).load()
    found = played_by(
        game, Chronicle(GameFolder(desk.game), game.record), "public", game.record.run
    )
    assert [(each.player, each.name, each.turns) for each in found] == [
        ("archer", "Ada", ("1", "3")),
        ("bull", "Bruno", ("2",)),
        ("bull", "Eve", ("2", "4")),
    ]


def test_a_template_with_a_mistake_changes_nothing(desk: Desk) -> None:
    own = desk.games / "_templates"
    own.mkdir()
    (own / "report.txt.j2").write_text("{% if %}")
    before = (desk.game / "desk.yaml").read_bytes()
    assert "report.txt.j2" in give(desk, code=1)
    assert (desk.game / "desk.yaml").read_bytes() == before


def test_a_stand_in_takes_over_in_code(desk: Desk) -> None:
    """As `run` does it: the game that comes back has the new player."""
    from datetime import UTC, datetime

    folder = GameFolder(desk.game)
    with folder.locked():
        person = Person("Sam", "sam@example.org")
        game = hand_over(folder, folder.load(), "bull", person, datetime(2026, 3, 12, tzinfo=UTC))
    assert game.file.seat("bull").name == "Sam"
    assert folder.load().file.seat("bull").name == "Sam"


def test_the_deadline_goes_from_one_calendar_to_the_other(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start("ur-1", "--policy", "turn_time=3d")
    give(desk, "archer")
    entries = {
        what: next(
            part.get_content()
            for part in desk.letters(f"{what}-1-archer.ur-1.eml")[0].walk()
            if part.get_content_type() == "text/calendar"
        )
        for what in ("seat", "passed")
    }
    assert "DTSTART:20260314T090000Z" in entries["seat"]
    assert "METHOD:CANCEL" in entries["passed"]
    (uid,) = {re.findall(r"UID:(\S+)", text)[0] for text in entries.values()}
    assert uid
