"""Order files on their way: read, waiting, replaced, put away; nothing is lost (contract 2, 3)."""

import os
import shutil
from pathlib import Path

import pytest

from pbem.orderkey import hide_key
from tests.pbem.games import REVOLT, WAR, WAR_HANDS, Table, names, position, said, tree


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "games", players=3)


HEAD = "game: ur-1\nplayer: archer\n"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe\x00\x01\x80",
        bytes(range(256)),
        b"game: ur-1\n" * 30_000,
        b"- " * 5_000,
        b"game: ur-1\r\nplayer: archer\r\nturn: 1\r\nactions: king E1\r\n",
        HEAD.encode() + b"turn: 1\nactions: [king K2, temple E1]\n",
        b"%TAG ! tag:example.org,2026:\n--- !x\n&a [*a]",
    ],
    ids=["empty", "binary", "bytes", "huge", "deep", "crlf", "illegal", "tags"],
)
def test_what_cannot_be_used_is_kept_byte_for_byte(table: Table, data: bytes) -> None:
    table.put_bytes("archer.yaml", data)
    result = table.turn()
    assert [closed.sheet.player for closed in result.refused] == ["archer"]
    assert (table.orders(), table.received(), table.fates()) == (
        [],
        ["0001-archer.yaml"],
        ["refused"],
    )
    assert (table.path / "received/0001-archer.yaml").read_bytes() == data
    assert "refused, nothing of it is used" in said(table, "archer")
    assert table.turn().refused == ()


def test_line_ends_do_not_matter(table: Table) -> None:
    table.put_bytes(
        "archer.yaml", HEAD.replace("\n", "\r\n").encode() + b"turn: 1\r\nactions: king K2"
    )
    assert table.turn().decisions == 1


def test_numbers_run_over_all_seats(table: Table) -> None:
    table.play("archer", "turn: 1\nactions: pass all")
    table.put("lion", "press: Hi.")
    table.put("bull", "turn: 2\nactions: pass all")
    table.turn()
    assert table.received() == ["0001-archer.yaml", "0002-bull.yaml", "0003-lion.yaml"]


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("pot.yaml", HEAD, "belongs to no seat"),
        ("archer.yml", HEAD, "belongs to no seat"),
        ("Archer.yaml", HEAD, "belongs to no seat"),
        ("archer.yaml", "game: ur-2\nplayer: archer\nturn: 1\nactions: pass", "another game"),
        ("archer.yaml", "game: ur-1\nplayer: bull\nturn: 1\nactions: pass", "another player"),
    ],
)
def test_what_fits_no_seat_is_named_and_left_alone(
    table: Table, name: str, data: str, why: str
) -> None:
    for _ in range(2):
        table.put_bytes(name, data.encode())
        result = table.turn()
        assert [misfit.name for misfit in result.misfits] == [name]
        assert why in result.misfits[0].why
        assert (table.orders(), table.received(), result.run) == ([name], [], None)


def test_a_link_and_a_folder_are_left_alone(table: Table, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("game: ur-1")
    (table.path / "orders/archer.yaml").symlink_to(tmp_path / "secret")
    (table.path / "orders/bull.yaml").mkdir()
    os.mkfifo(table.path / "orders/lion.yaml")
    assert len(table.turn().misfits) == 3
    assert len(table.orders()) == 3


def test_the_name_of_the_game_in_any_case(table: Table) -> None:
    table.put_bytes("archer.yaml", b"Game:  UR-1\nPLAYER: Archer\nturn: 1\nactions: PASS  all\n")
    assert table.turn().decisions == 2


def test_a_misfit_leaves_what_waits_in_force(table: Table) -> None:
    table.play("bull", "turn: 2\nactions: pass all")
    table.put_bytes("bull.yaml", b"game: ur-2\nplayer: bull\nturn: 2\nactions: king K2\n")
    table.acts("archer", "pass all")
    assert table.asks == "3.1 lion"


def test_press_goes_to_all_once(table: Table) -> None:
    table.play("bull", "press: |\n  Fear  me,\n  all of you: now!\nnote: I am ill.")
    everybody = ("archer", "bull", "lion", "public", "moderator")
    for who in everybody:
        assert "bull (Ben) says:\n| Fear  me,\n| all of you: now!\n" in table.report(who)
        assert ("I am ill." in table.report(who)) == (who == "moderator")
    table.turn()
    assert "Fear" in table.report("lion")
    table.acts("archer", "pass all")
    assert not any("Fear" in table.report(who) for who in everybody)
    assert "I am ill." not in table.report("moderator")


def test_press_of_a_file_that_waits_goes_out_once(table: Table) -> None:
    table.play("bull", "turn: 2\nactions: king K2\npress: Soon!")
    assert table.record.press
    assert table.orders() == ["bull.yaml"]
    table.acts("archer", "pass all")
    assert not table.record.press
    assert table.orders() == []


def test_a_file_whose_press_went_out_was_of_some_use(table: Table) -> None:
    table.play("bull", "turn: 2\nactions: king K2\npress: Soon!")
    (table.path / "orders/bull.yaml").unlink()
    table.turn()
    assert "no more of it is used. What it brought before stands." in said(table, "bull")
    assert "nothing of it" not in table.report("bull")
    table.put("bull", "turn: 2\nactions: withdraw king\npress: Soon!")
    table.turn()
    table.acts("archer", "pass all")
    assert "does not fit it: no order is used:" in said(table, "bull")


def test_a_note_alone_makes_no_run_and_reaches_the_moderator(table: Table) -> None:
    assert table.play("bull", "note: I am ill.").run is None
    assert "bull (Ben): I am ill." in table.report("moderator")
    assert "I am ill." in table.again("moderator", 0)
    assert not any("ill" in table.report(who) for who in ("archer", "bull", "public"))


def test_a_note_that_waits_reaches_the_moderator_once(table: Table) -> None:
    table.play("bull", "turn: 2\nactions: king K2\nnote: I am ill.")
    table.acts("archer", "pass")
    assert "I am ill." in table.report("moderator")
    table.acts("archer", "pass", "pass")
    assert "I am ill." not in table.report("moderator")


def test_a_new_order_replaces_what_it_contains(table: Table) -> None:
    old = table.play("bull", "turn: 2\nactions: king K2, pass")
    assert old.run is None
    table.play("bull", "turn: 2\nactions: king J1, pass")
    assert table.fates() == ["replaced"]
    assert (table.orders(), table.waiting()) == (["bull.yaml"], ["bull.yaml"])
    table.acts("archer", "pass all")
    assert table.decisions()[2:] == ["2.1 king J1", "2.2 pass"]


def test_other_parts_go_on_waiting(tmp_path: Path) -> None:
    """Bull's next turn waits while bull answers, and what is sent for it later replaces it."""
    table = Table(tmp_path / "games", position(WAR, WAR_HANDS))
    ahead = table.put("bull", "turn: 2\nactions: king A1")
    table.turn()
    table.play("archer", "turn: 1\nactions:\n  - {tile: temple, at: F5, wars: green, support: 0}")
    table.play("bull", "answers: 1.4 support 0")
    assert (table.orders(), table.waiting()) == ([], ["bull-1.yaml"])
    for _ in range(2):
        assert table.turn().run is None
    assert (table.path / "waiting/bull-1.yaml").read_bytes() == ahead
    assert "withdrawn" not in table.fates()
    table.play("bull", "turn: 2\nactions: pass all")
    assert table.waiting() == ["bull.yaml"]
    assert table.fates()[-1] == "replaced"


def test_the_older_part_is_played_in_its_time(tmp_path: Path) -> None:
    table = Table(tmp_path / "games", position(REVOLT, {"archer": "r2", "bull": "r1 k1"}))
    table.play("bull", "turn: 2\nactions: pass all")
    table.acts("archer", "king J5")
    table.play("archer", "answers: 1.2 support 0")
    table.play("bull", "answers: 1.3 support 0")
    table.acts("archer", "king J5", "pass")
    assert table.decisions()[1:] == ["2.1 pass", "2.2 pass"]
    assert table.waiting() == table.orders() == []


def test_a_refused_file_replaces_nothing(table: Table) -> None:
    table.play("bull", "turn: 2\nactions: pass all")
    table.play("bull", "turn: 9\nactions: pass all")
    assert table.waiting() == ["bull-1.yaml"]
    table.acts("archer", "pass all")
    assert table.asks == "3.1 lion"


def test_a_file_that_is_taken_away_is_not_used_and_not_lost(table: Table) -> None:
    data = table.put("bull", "turn: 2\nactions: pass all")
    table.turn()
    (table.path / "orders/bull.yaml").unlink()
    assert table.turn().run is None
    assert (table.waiting(), table.fates()) == ([], ["withdrawn"])
    assert (table.path / "received/0001-bull.yaml").read_bytes() == data
    assert "taken out of orders/" in said(table, "bull")
    table.acts("archer", "pass all")
    assert table.asks == "2.1 bull"


def test_a_file_that_was_replaced_can_come_again(table: Table) -> None:
    first = table.put("bull", "turn: 2\nactions: king K2, pass")
    table.turn()
    table.put("bull", "turn: 2\nactions: king J1, pass\npress: No!")
    table.turn()
    assert table.fates() == ["replaced"]
    table.put_bytes("bull.yaml", first)
    table.turn()
    table.acts("archer", "pass all")
    assert table.decisions()[2:] == ["2.1 king K2", "2.2 pass"]


def test_three_actions_are_refused(table: Table) -> None:
    assert table.acts("archer", "pass", "pass", "pass").refused
    assert table.acts("archer", "pass", "pass all").decisions == 2


KEYS = [
    "key: Hush-7",
    "KEY:   'Hush-7'",
    "key: |\n  Hush-7\n  Hush-7",
    '"key": "Hush-7"',
    "key:Hush-7",
]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("orders", ["turn: 1\nactions: king K2", "turn: 1\nactions: king E1"])
def test_the_key_is_written_nowhere(table: Table, key: str, orders: str) -> None:
    data = table.put("archer", f"{key}\n{orders}\npress: Well.\nnote: Well.")
    table.turn()
    kept = {name: held for name, held in tree(table.path).items() if b"Hush" in held}
    assert kept in ({"received/0001-archer.yaml": data}, {"waiting/archer.yaml": data,
                                                          "orders/archer.yaml": data})  # fmt: skip


def test_the_key_in_one_line() -> None:
    assert hide_key("{game: a, key: Hush, player: bull}") == "{game: a, key: ???, player: bull}"
    assert hide_key("press: the key: is lost\nkeys: 3") == "press: the key: is lost\nkeys: 3"


def test_a_report_rendered_again_is_the_one_that_was_written(table: Table) -> None:
    everybody = ("archer", "bull", "lion", "public", "moderator")
    written: dict[int, dict[str, str]] = {}
    files = [
        ("bull", "turn: 2\nactions: king K2\nnote: I am ill.\npress: Hello!"),
        ("archer", "turn: 1\nactions: temple E1"),
        ("archer", "turn: 1\nactions: pass"),
        ("lion", "turn: 1\nactions: pass"),
        ("archer", "turn: 1\nactions: king J1"),
        ("archer", "turn: 1\nactions: pass, swap temple"),
        ("lion", "note: Me too."),
        ("bull", "turn: 2\nactions: king K2, pass\nnote: Well again."),
    ]
    for seat, text in files:
        table.play(seat, text)
        written[table.record.run] = {who: table.report(who) for who in everybody}
    assert len(written) > 3
    for run, texts in written.items():
        for who in ("archer", "bull", "lion", "public", "moderator"):
            assert table.again(who, run) == texts[who]


def test_reports_that_are_missing_are_written(table: Table) -> None:
    table.acts("archer", "pass")
    before = tree(table.path / "reports")
    (table.path / "reports/lion.txt").unlink()
    table.turn()
    assert tree(table.path / "reports") == before


def test_a_run_that_changes_nothing_writes_nothing(table: Table) -> None:
    table.play("bull", "turn: 2\nactions: pass all")
    before = {path: path.stat().st_mtime_ns for path in table.path.rglob("*") if path.is_file()}
    table.turn()
    after = {path: path.stat().st_mtime_ns for path in table.path.rglob("*") if path.is_file()}
    assert before == after
    assert names(table.path / "history") == ["0000.yaml"]


def test_news_begin_with_what_the_reader_decided_last(table: Table) -> None:
    table.put("bull", "turn: 2\nactions: pass all")
    table.acts("archer", "king K2", "pass")
    assert "Archer places the king on K2" in table.report("bull") or "K2" in table.report("bull")
    table.acts("lion", "king J1", "pass")
    bull = table.report("bull").partition("WHAT HAPPENED")[2].partition("\nMAP")[0]
    assert "Turn 2, bull" in bull
    assert "Turn 3, lion" in bull
    assert "Turn 1, archer" not in bull


def test_what_is_written_is_for_its_owner_only(table: Table) -> None:
    table.play("bull", "turn: 2\nactions: pass all")
    table.play("archer", "turn: 9\nactions: pass")
    table.acts("archer", "pass")
    for path in table.path.rglob("*"):
        open_to_others = path.stat().st_mode & 0o077
        assert path.parent.name == "orders" or not open_to_others, path


def test_folders_that_are_missing_are_made(table: Table) -> None:
    for name in ("orders", "received", "reports"):
        shutil.rmtree(table.path / name)
    assert table.turn().run is None
    (table.path / "orders").mkdir()
    assert table.acts("archer", "pass").decisions == 1
    assert table.received() == ["0001-archer.yaml"]


def test_a_position_in_the_middle_of_a_turn(tmp_path: Path) -> None:
    """What the first action was is not known, so that it may be written or left out."""
    for orders in ("action: 2\nactions: pass", "actions: king K2, pass", "actions: pass all"):
        table = Table(tmp_path / orders[:14], position(WAR, WAR_HANDS, more="action: 2"))
        table.play("archer", f"turn: 1\n{orders}")
        assert (table.decisions(), table.orders()) == (["1.1 pass"], [])
