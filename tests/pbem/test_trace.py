"""`trace`: the whole way of an order, for disputes."""

import hashlib
import json
import shutil
from typing import Any

from tests.pbem.mail_desk import Desk, mail, orders
from tests.pbem.test_inbox import PASS

BULL = "turn: 2\nactions: priest I6, farmer J7"


def steps(desk: Desk, turn: str = "1", seat: str = "archer", code: int = 0) -> list[dict[str, Any]]:
    """What `trace --json` tells."""
    said = desk.call("trace", "ur-1", turn, seat, "--json")
    assert said.code == code, said
    (page,) = json.loads(said.out)["games"]
    found: list[dict[str, Any]] = page["steps"]
    return found


def test_from_raw_mail_to_execution(desk: Desk) -> None:
    data = mail(f"Hello!\n\n{orders()}")
    desk.take(data)
    desk.now = "2026-03-09T19:00:00Z"
    desk.turn()
    found = steps(desk)
    assert [each["step"] for each in found] == ["mail", "letter", "file", "decision", "decision"]
    sha256 = hashlib.sha256(data).hexdigest()
    first, letter, file, *decisions = found
    assert (first["mail"], first["sha256"], first["whole"]) == (1, sha256, True)
    assert (first["message_id"], first["when"]) == ("<1.ada@example.org>", "2026-03-09T18:02:00Z")
    assert (letter["letter"], letter["state"]) == ("answer-000001-1", "waiting")
    assert (file["file"], file["fate"], file["mail"]) == (
        "received/0001-archer.yaml", "used", "mail 1"
    )  # fmt: skip
    assert [(d["order"], d["source"], d["fits"]) for d in decisions] == [
        ("king F4", "mail 1", True),
        ("trader G3", "mail 1", True),
    ]
    page = desk.call("trace", "ur-1", "1", "archer").out
    assert page.startswith("This page shows what archer ordered in ur-1, turn 1.\n")
    for words in (
        "ada@example.org (proven)",
        "as it was stored",
        "judged: accepted",
        "run 1: question 1.1: king F4",
        "its hash fits",
        "dated Mon, 09 Mar 2026",
    ):
        assert words in page, page
    (raw,) = (desk.games / "_mail" / "raw").rglob("*.eml")
    raw.write_bytes(data + b"x")
    told = [step.get("fits", step.get("whole")) for step in steps(desk, code=3)]
    assert told == [False, None, None, False, False]


def test_refused_and_held_mails_are_told_with_why(desk: Desk) -> None:
    desk.take(mail(orders("turn: 1\nactions:\n  - king A1")), code=1)
    desk.take(mail(orders(), proven=False, number=2, when="18:03:00"), code=1)
    desk.call("release", "2")
    desk.take(mail(orders(BULL, "bull"), "bruno", number=3, when="18:04:00"))
    judged = [each["judged"] for each in steps(desk) if each["step"] == "mail"]
    assert judged == [
        [{"outcome": "reject", "why": ["illegal:NO_TEMPLE"]}],
        [{"outcome": "hold", "why": ["unproven"]}, {"outcome": "accept", "why": ["vouched"]}],
    ]
    assert [each["mail"] for each in steps(desk, "2", "bull") if each["step"] == "mail"] == [3]
    assert steps(desk, "2", "bull")[-1]["fate"] == "lies there for the next turn"
    page = desk.call("trace", "ur-1", "1", "archer").out
    assert "judged: held: it is not proven who sent it; then accepted (vouched)" in page
    assert "ada@example.org (not proven), dated" in page  # that somebody vouched is no proof
    proven = [each["proven"] for each in steps(desk) if each["step"] == "mail"]
    assert proven == [True, False]


def test_files_put_there_by_hand_are_told(desk: Desk) -> None:
    folder = desk.game / "orders"
    folder.mkdir(exist_ok=True)
    (folder / "archer.yaml").write_text(orders("turn: 1\nactions: king A1"))
    desk.call("turn", "--all")
    (folder / "archer.yaml").write_text(orders(PASS))
    desk.turn()
    refused, used, *decisions = steps(desk)
    assert (refused["fate"], used["fate"], used["mail"]) == ("refused", "used", None)
    assert [each["fits"] for each in decisions] == [True, True]
    assert "its sender was told:" in desk.call("trace", "ur-1", "1", "archer").out
    next((desk.game / "received").glob("0002-*")).write_text("game: x\n")
    assert [s["fits"] for s in steps(desk, code=3) if s["step"] == "decision"] == [False, False]


def test_a_turn_that_was_taken_back(desk: Desk) -> None:
    desk.take(mail(orders()))
    desk.turn()
    desk.take(mail(orders(BULL, "bull"), "bruno", number=2))
    desk.call("undo", "ur-1", "--to", "0", "--yes")
    desk.take(mail(orders("turn: 1b\nactions: pass all"), number=3, when="18:05:00"))
    desk.turn()
    every = [(e["question"], e["undone"]) for e in steps(desk) if e["step"] == "decision"]
    assert every == [("1.1", True), ("1.2", True), ("1b.1", False), ("1b.2", False)]
    again = [e["question"] for e in steps(desk, "1b") if e["step"] == "decision"]
    assert again == ["1b.1", "1b.2"]
    (file,) = [e for e in steps(desk, "2", "bull") if e["step"] == "file"]
    assert file["fate"] == "set aside by an undo"


def test_mails_of_a_game_that_was_imported(desk: Desk) -> None:
    desk.take(mail(orders()))
    desk.turn()
    kept = desk.game / "mails"
    kept.mkdir()
    (raw,) = (desk.games / "_mail" / "raw").rglob("*.eml")
    shutil.copy(raw, kept / "000001.eml")
    shutil.move(desk.games / "_mail" / "ledger.jsonl", kept / "ledger.jsonl")
    shutil.rmtree(desk.games / "_mail")
    first, _, *decisions = steps(desk)
    assert (first["step"], first["whole"]) == ("mail", True)
    assert [each["fits"] for each in decisions] == [True, True]


def test_nothing_is_kept_and_wrong_use(desk: Desk) -> None:
    said = desk.call("trace", "ur-1", "9", "bull")
    assert (said.code, "Nothing is kept of it" in said.out) == (0, True)
    assert desk.call("trace", "ur-1", "x", "bull").code == 2
    assert desk.call("trace", "ur-1", "1", "lion").code == 2
    assert desk.call("trace", "ur-9", "1", "bull").code == 2


def test_other_seats_are_not_told(desk: Desk) -> None:
    """Nothing of the orders of bull stands on the page of archer."""
    desk.take(mail(orders()), mail(orders(BULL, "bull"), "bruno", number=2))
    desk.turn()
    page = desk.call("trace", "ur-1", "1", "archer").out
    assert ("priest" in page, "bruno" in page) == (False, False)


def test_in_an_anonymous_game_no_address_is_told(desk: Desk) -> None:
    path = desk.game / "game.yaml"
    path.write_text(f"{path.read_text()}policies:\n  anonymous: yes\n")
    desk.take(mail(orders()))
    desk.turn()
    said = desk.call("trace", "ur-1", "1", "archer").out
    said += desk.call("trace", "ur-1", "1", "archer", "--json").out
    assert ("example.org" in said, "Ada" in said, "its sender (proven)" in said) == (
        False, False, True
    )  # fmt: skip
