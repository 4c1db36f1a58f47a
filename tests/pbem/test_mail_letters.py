"""Letters of reports: who gets one of a run, what is in it, and that none is laid twice."""

import re
from functools import partial
from pathlib import Path

import pytest

from engine.pieces import Dynasty
from engine.view import Viewer
from pbem.chronicle import Chronicle
from pbem.clock.spans import Days
from pbem.deskfile import Bounced, DeskFile, read_desk, write_desk
from pbem.gamefile import read_game, write_game
from pbem.mail.letters import Picture
from pbem.mail.pages import Page
from pbem.mail.post import post
from pbem.reporting import readers, report_of, report_text, write_reports
from pbem.seats.keys import key_fits, key_hash, keys_hidden, new_key
from tests.pbem.games import WAR, WAR_HANDS, WHEN, Table, position, tree
from tests.pbem.mail_desk import Desk, form_of, letter, text_of
from tests.pbem.test_kill import Killer

PNG = b"\x89PNG"


def prefer(table: Table, seat: str, letters: str) -> None:
    """Write a preference into game.yaml, as the moderator does."""
    path = table.path / "game.yaml"
    text = path.read_text()
    path.write_text(
        text.replace(f"- dynasty: {seat}\n", f"- dynasty: {seat}\n    letters: {letters}\n")
    )


def policy(table: Table, line: str) -> None:
    """Add a policy to game.yaml."""
    path = table.path / "game.yaml"
    path.write_text(f"{path.read_text()}policies:\n  {line}\n")


def readers_of(table: Table, run: int) -> list[str]:
    """Who has got a letter of a run."""
    names = (path.name for path in (table.path / "outbox").glob(f"{run:04}-*.eml"))
    return sorted(re.sub(r"^\d+-(.*?)-\d+\..*", r"\1", name) for name in names)


def test_the_asked_one_hears_at_once_the_others_at_the_end_of_a_turn(tmp_path: Path) -> None:
    table = Table(tmp_path, players=3)
    assert readers_of(table, 0) == ["archer", "bull", "lion"]
    table.acts("archer", "king F4")
    assert readers_of(table, 1) == ["archer"]
    table.acts("archer", "king F4", "trader G3")
    assert readers_of(table, 2) == ["archer", "bull", "lion"]


def test_after_a_conflict_all_hear_of_it(tmp_path: Path) -> None:
    table = Table(tmp_path, position(WAR, WAR_HANDS, players=3))
    table.play("archer", "turn: 1\nactions:\n  - {tile: temple, at: F5, wars: green, support: 0}")
    assert readers_of(table, 1) == ["bull"]
    table.play("bull", "answers: 1.4 support 0")
    assert readers_of(table, 2) == ["archer", "bull", "lion"]


def test_press_reaches_all(tmp_path: Path) -> None:
    table = Table(tmp_path, players=3)
    table.play("lion", "press: Hear me.")
    assert readers_of(table, 1) == ["archer", "bull", "lion"]


@pytest.mark.parametrize(
    ("wish", "runs"), [("asked", [0]), ("turn", [0, 2]), ("all", [0, 1, 2]), ("none", [])]
)
def test_a_seat_chooses_more_or_less(tmp_path: Path, wish: str, runs: list[int]) -> None:
    table = Table(tmp_path, players=3)
    for path in (table.path / "outbox").iterdir():
        path.unlink()
    prefer(table, "lion", wish)
    write_reports(table.folder, table.folder.load(), Chronicle(table.folder, table.record))
    table.acts("archer", "king F4")
    table.acts("archer", "king F4", "trader G3")
    assert [run for run in range(3) if "lion" in readers_of(table, run)] == runs


def test_observers_and_the_moderator_if_they_want(tmp_path: Path) -> None:
    (tmp_path / "pbem.yaml").write_text(
        "schema: 1\nrules: 1\naddresses: {orders: o@example.org, moderator: gm@example.org}\n"
    )
    table = Table(tmp_path, players=2)
    policy(table, "observers: eve@example.org, max@example.org\n  moderator_letters: all")
    table.acts("archer", "king F4")
    assert readers_of(table, 1) == ["archer", "moderator"]
    table.acts("archer", "king F4", "trader G3")
    found = {str(letter(path)["To"]): text_of(letter(path))
             for path in (table.path / "outbox").glob("0002-*.eml")}  # fmt: skip
    assert "SECRETS" in found["gm@example.org"]
    assert table.report("public").strip() in found["eve@example.org"]
    assert found["max@example.org"] == found["eve@example.org"]


def test_a_letter_holds_report_form_and_thread(tmp_path: Path) -> None:
    table = Table(tmp_path, players=2)
    table.acts("archer", "king F4")
    (path,) = (table.path / "outbox").glob("0001-archer*.eml")
    found = letter(path)
    assert text_of(found).startswith(table.report("archer").rstrip())
    assert form_of(found) in table.report("archer")
    assert "action: 2" in form_of(found)
    assert (found["Subject"], found["X-PBEM-Move"]) == ("ur-1, turn 1: YOUR MOVE", "yours")
    assert found["In-Reply-To"] == "<0000-archer-1.ur-1@pbem.invalid>"


def test_undo_tells_every_seat(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    (desk.game / "orders" / "archer.yaml").write_text(
        "game: ur-1\nplayer: archer\nturn: 1\nactions: king F4\n"
    )
    desk.turn()
    assert desk.call("undo", "ur-1", "--yes").code == 0
    assert len(desk.letters("0002-*.eml")) == 2
    assert all("took back" in text_of(each) for each in desk.letters("0002-*.eml"))


def test_a_refused_file_brings_its_writer_a_letter(tmp_path: Path) -> None:
    table = Table(tmp_path, players=2)
    table.acts("archer", "king A1")
    assert readers_of(table, 0) == ["archer", "archer", "bull"]
    (path,) = (table.path / "outbox").glob("0000-archer-2.*.eml")
    assert "was refused" in text_of(letter(path))


def test_a_page_and_pictures_can_come_with_it(tmp_path: Path) -> None:
    table = Table(tmp_path, players=2)
    for path in (table.path / "outbox").iterdir():
        path.unlink()
    game = table.folder.load()
    chronicle = Chronicle(table.folder, game.record)
    reports = {v: report_of(game, chronicle, v, 0) for v in readers(game)}
    texts = {v: report_text(game, chronicle, v) for v in readers(game)}
    page = Page('<html><body><img src="cid:board"></body></html>', (Picture("board", PNG),))
    pages: dict[Viewer, Page] = dict.fromkeys(readers(game), page)
    keys: dict[Dynasty, str] = {"archer": new_key(), "bull": new_key()}
    post(table.folder, game, chronicle, reports, texts, keys=keys, pages=pages)
    (path,) = (table.path / "outbox").glob("0000-archer*.eml")
    found = letter(path)
    html = found.get_body(("html",))
    assert html is not None
    assert f"\nkey: {keys['archer']}\n" in html.get_content().replace("\r\n", "\n")
    assert keys["archer"] in text_of(found)
    assert keys["bull"] not in path.read_text()
    assert keys["archer"].encode() not in keys_hidden(path.read_bytes())
    assert [
        part.get_content() for part in found.walk() if part.get_content_type() == "image/png"
    ] == [PNG]


def test_nobody_with_an_address_no_letter(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert desk.call("new", "plain", "--seat", "archer=Ana", "--seat", "bull=Ben").code == 0
    assert not (desk.games / "plain" / "outbox").exists()
    assert not (desk.games / "plain" / "desk.yaml").exists()


def test_new_is_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Desk(tmp_path / "warm").start()
    counted = Desk(tmp_path / "counted")
    with monkeypatch.context() as patch:
        killer = Killer(patch)
        moments = killer.moments(counted.start)
        for moment in range(1, moments + 1, 3):
            victim = Desk(tmp_path / f"killed-{moment}")
            killer.kill(moment, partial(victim.start))
            if not victim.game.exists():
                victim.start()
            assert len(victim.letters()) == 2
            assert key_fits(victim.key("bull"), victim.desk()["keys"]["bull"])


def test_letters_of_a_killed_turn_come_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path, players=2)
    table.acts("archer", "king F4")
    with monkeypatch.context() as patch:
        killer = Killer(patch)
        table.put("archer", "turn: 1\nactions: king F4, trader G3")
        before = len(list((table.path / "outbox").iterdir()))
        moment = 1
        while not (table.path / "history" / "0002.yaml").exists():
            killer.kill(moment, table.turn)
            moment += 1
        assert len(list((table.path / "outbox").iterdir())) == before
    table.acts("bull", "priest I6")
    assert readers_of(table, 2) == ["archer", "bull"]
    assert readers_of(table, 3) == ["bull"]


def test_a_key_is_made_told_once_and_the_old_one_is_void(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    old = desk.key()
    said = desk.call("key", "ur-1", "archer")
    assert (said.code, "--new" in said.err) == (1, True)
    assert key_fits(old, desk.desk()["keys"]["archer"])
    said = desk.call("key", "ur-1", "archer", "--new")
    assert said.code == 0
    made = re.findall(r"[A-Z2-9]{5}(?:-[A-Z2-9]{5}){3}", said.out)
    assert len(made) == 1
    stored = desk.desk()["keys"]["archer"]
    assert key_fits(made[0], stored)
    assert not key_fits(old, stored)
    (told,) = desk.letters("key-*.eml")
    assert f"\nkey: {made[0]}\n" in text_of(told)
    assert told["References"] == "<0000-archer-1.ur-1@example.org>"
    holding = [name for name, data in tree(desk.games).items() if made[0].encode() in data]
    assert len(holding) == 1
    assert desk.call("key", "ur-1", "lion").code == 2
    assert desk.call("key", "ur-9", "lion").code == 2


def test_the_desk_is_written_and_read_strictly() -> None:
    stored = key_hash("x")
    day = WHEN.date()
    desk = DeskFile(
        {"archer": stored}, {"bull": (Days(day, day),)}, {"a@example.org": Bounced(WHEN, "5.1.1")}
    )
    assert read_desk(write_desk(desk)) == (desk, ())
    bad = (
        "schema: 1\nrules: 1\nkeys: {archer: secret, cat: x}\n"
        "away: {bull: {first: 2026-07-02, last: 2026-07-01, x: y}, lion: {first: no}}\n"
        "bounced:\n  - {address: nobody, since: never}\n"
    )
    found, problems = read_desk(bad)
    assert found is None
    text = "\n".join(each.message for each in problems)
    for part in ("$.keys.archer", "$.keys.cat", "before", "$.away.lion.first", "since", "address"):
        assert part in text, part
    assert "secret" not in text


def test_preferences_are_written_and_read_strictly() -> None:
    text = (
        "schema: 1\nrules: 1\ngame: x\nseats:\n  - {dynasty: archer, name: A, letters: all}\n"
        "  - {dynasty: bull, name: B}\npolicies:\n  observers: e@example.org\n"
    )
    game, problems = read_game(text)
    assert game is not None, problems
    assert (game.seats[0].letters, game.seats[1].letters) == ("all", "turn")
    assert game.policies.observers == ("e@example.org",)
    assert read_game(write_game(game)) == (game, ())
    for wrong in (text.replace("all", "some"), text.replace("e@example.org", "e@example.org, eve")):
        assert read_game(wrong)[0] is None
