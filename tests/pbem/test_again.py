"""Going back and playing again from the stored orders: `undo --again`."""

from pathlib import Path

import pytest

from engine.pieces import COLOURS, TILE
from pbem.record import read_record, write_record
from tests.pbem.calls import Said, pbem
from tests.pbem.edits import deal_otherwise
from tests.pbem.games import REVOLT, WAR, WAR_HANDS, Table, names, position, said, three_runs, tree
from tests.pbem.mail_desk import Desk, text_of

EVERYBODY = ("archer", "bull", "public", "moderator")
WHY = "A slip of mine: sorry!"


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Three runs; archer is to act."""
    return three_runs(tmp_path / "games")


def again(table: Table, *words: str, yes: bool = True, because: str = WHY) -> Said:
    call = ["undo", table.name, *words, "--again", *(["--yes"] if yes else [])]
    return pbem(*call, "--because", because, games=table.path.parent)


def test_it_wants_a_reason_that_can_be_told(table: Table) -> None:
    done = pbem("undo", table.name, "--again", "--yes", games=table.path.parent)
    assert (done.code, "--again needs --because" in done.err) == (2, True)
    done = again(table, because="x" * 2001)
    assert (done.code, "at most 2000" in done.err) == (2, True)
    done = again(table, because="bell \x07")
    assert (done.code, "U+0007" in done.err) == (2, True)
    assert table.record.run == 3


def test_it_says_first_what_it_would_do(table: Table) -> None:
    before = tree(table.path)
    done = again(table, "--to", "0", yes=False)
    assert (done.code, done.out) == (1, "")
    assert "takes back runs 1 to 3" in done.err
    assert "4 of 4 decisions would be played again (as 1b.1 archer to 2b.2 bull)" in done.err
    assert "the state would be the same" in done.err
    assert "swap" not in done.err
    assert "say --yes" in done.err
    assert tree(table.path) == before


def test_all_is_played_again_in_one_run(table: Table) -> None:
    before = table.state
    olds = [each for run in (2, 3) for each in table.folder.load_run(run).decisions]
    done = again(table, "--to", "1")
    assert done.code == 0, done
    assert "runs 2 to 3 taken back, 2 of 2 decisions played again" in done.out
    assert "the state is the same" in done.out
    record = table.record
    assert (record.run, record.kind, record.undo_to, record.again) == (4, "undo", 1, "all")
    assert (record.because, record.state) == (WHY, before)
    assert [each._replace(question="") for each in record.decisions] == [
        each._replace(question="") for each in olds
    ]
    assert table.decisions() == ["2b.1 king B1", "2b.2 pass"]
    assert table.asks == "3b.1 archer"
    assert names(table.path / "history") == ["0000.yaml", "0001.yaml", "0004.yaml"]
    assert read_record(write_record(record)) == (record, ())
    done = pbem("replay", "ur-1", games=table.path.parent)
    assert (done.code, done.out) == (0, "ur-1: 3 runs, 4 decisions, all the same\n")


def test_every_report_of_that_run_is_headed_corrected(table: Table) -> None:
    again(table, "--to", "1")
    for who in EVERYBODY:
        text = table.report(who)
        assert "CORRECTED: this report takes the place of earlier ones." in " ".join(text.split())
        assert f"| {WHY}" in text
        flat = " ".join(text.split())
        assert "The moderator took back runs 2 to 3. All decisions taken back were played" in flat
        assert "Turn 2b, bull" in text
    assert table.report("bull").startswith("CORRECTED")
    games = table.path.parent
    html = pbem("report", "ur-1", "--for", "bull", "--format", "html", games=games).out
    assert "CORRECTED" in html
    assert WHY in html
    data = pbem("report", "ur-1", "--for", "bull", "--format", "json", games=games).out
    assert f'"corrected": "{WHY}"' in data
    table.play("archer", "turn: 3b\nactions: pass")
    for who in EVERYBODY:
        assert "CORRECTED" not in table.report(who)
    assert f"The reason: {WHY}" in " ".join(table.report("bull").split())


def test_the_letters_say_so_in_the_subject(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    (desk.game / "orders").mkdir(exist_ok=True)
    path = desk.game / "orders/archer.yaml"
    path.write_text("game: ur-1\nplayer: archer\nturn: 1\nactions: king F4, pass\n")
    desk.turn()
    desk.call("undo", "ur-1", "--again", "--because", WHY, "--yes")
    letters = desk.letters("0002-*.eml")
    assert [letter["Subject"] for letter in letters] == [
        "CORRECTED: ur-1, turn 2b: waiting for bull (Bruno)",
        "CORRECTED: ur-1, turn 2b: YOUR MOVE",
    ]
    assert all(WHY in text_of(letter) for letter in letters)


def swapped(table: Table) -> str:
    """Bull exchanges all his tiles of one colour, archer goes on; the letter of the colour."""
    hand = table.state.seat("bull").hand
    colour = next(c for c in COLOURS if hand.of(c))
    table.acts("bull", f"swap {hand.of(colour)} {TILE[colour]}", "pass")
    table.acts("archer", "pass")
    return "rbgk"[COLOURS.index(colour)]


def test_what_no_longer_fits_stops_it_and_its_writer_is_asked_anew(tmp_path: Path) -> None:
    table = Table(tmp_path / "games")
    table.acts("archer", "king K2", "pass")
    letter = swapped(table)
    order = table.folder.load_run(2).decisions[0].order
    deal_otherwise(table, 1, "bull", letter)
    broken = pbem("report", "ur-1", "--for", "public", "--at", "2", games=table.path.parent)
    assert (broken.code, broken.out) == (3, "")
    assert "do not fit the state of run 1: question 2.1: NOT_IN_HAND" in broken.err
    assert "`undo --to 1 --again`" in broken.err
    assert order not in broken.err
    done = again(table, "--to", "1", yes=False)
    told = "0 of 3 decisions would be played again, but 2.1 of bull does not fit any more"
    assert told in done.err
    assert "NOT_IN_HAND" not in done.err
    done = again(table, "--to", "1")
    assert done.code == 0
    assert order not in done.out
    assert table.asks == "2b.1 bull"
    assert (table.record.again, table.record.decisions) == ("2.1", ())
    mine = said(table, "bull")
    assert f"What you decided at question 2.1, {order}, does not fit the mended game" in mine
    assert "You are asked anew: 2b.1." in mine
    for who in ("archer", "public"):
        flat = " ".join(table.report(who).split())
        assert "the one at question 2.1 and those after it were not" in flat
        assert order not in flat
        assert "CORRECTED" in flat
    assert pbem("replay", "ur-1", games=table.path.parent).code == 0
    table.play("bull", "turn: 2b\nactions: pass all")
    assert table.asks == "3b.1 archer"


def test_answers_in_a_war_find_their_questions(tmp_path: Path) -> None:
    table = Table(tmp_path / "games", position(WAR, WAR_HANDS))
    table.play("archer", "turn: 1\nactions:\n  - {tile: temple, at: F5, wars: black, support: 1}")
    table.play("bull", "answers: 1.4 support 2")
    before = table.record
    labels = [*table.decisions(1), *table.decisions(2)]
    assert again(table, "--to", "0").code == 0
    assert table.decisions() == [line.replace("1.", "1b.", 1) for line in labels]
    assert table.state == before.state


def test_undo_takes_back_what_was_played_again_too(table: Table) -> None:
    again(table, "--to", "1")
    done = pbem("undo", "ur-1", "--yes", games=table.path.parent)
    assert done.code == 0
    assert table.asks == "2c.1 bull"
    assert table.state == table.folder.load_run(1).state
    assert pbem("replay", "ur-1", games=table.path.parent).code == 0


def test_again_and_again(table: Table) -> None:
    again(table, "--to", "1")
    table.play("archer", "turn: 3b\nactions: pass")
    before = table.state
    done = again(table, "--to", "0")
    assert "5 of 5 decisions played again" in done.out
    assert table.state == before
    assert table.asks == "3c.2 archer"
    assert pbem("replay", "ur-1", games=table.path.parent).code == 0


def test_a_turn_that_goes_on_after_it_is_the_same_turn(table: Table) -> None:
    assert again(table, "--to", "2").code == 0
    table.play("archer", "turn: 3b\nactions: pass, king J1")
    assert table.asks == "4.1 bull"
    assert pbem("replay", "ur-1", games=table.path.parent).code == 0


def test_files_for_turns_that_keep_their_name_stay_and_others_go(table: Table) -> None:
    kept = table.put("bull", "turn: 4\nactions: pass all")
    table.turn()
    gone = table.put("archer", "turn: 3\nactions: king J1, pass")
    assert again(table, "--to", "2").code == 0
    assert table.orders() == ["bull.yaml"]
    assert table.waiting() == ["bull.yaml"]
    assert (table.path / "orders/bull.yaml").read_bytes() == kept
    assert gone in tree(table.path / "undone").values()
    assert "not in force any more" in said(table, "archer")
    assert "not in force any more" not in table.report("bull")
    assert "YOUR ORDERS THAT WAIT" in table.report("bull")
    table.play("archer", "turn: 3b\nactions: pass all")
    assert table.decisions() == ["3b.1 pass", "3b.2 pass", "4.1 pass", "4.2 pass"]


def test_a_plain_undo_tells_its_reason(table: Table) -> None:
    done = pbem("undo", "ur-1", "--yes", "--because", "Asked for.", games=table.path.parent)
    assert done.code == 0
    for who in EVERYBODY:
        flat = " ".join(table.report(who).split())
        assert "The moderator took back run 3." in flat
        assert "The reason: Asked for." in flat
        assert "CORRECTED" not in flat


def test_a_revolt_is_not_taken_for_another_question(tmp_path: Path) -> None:
    table = Table(tmp_path / "games", position(REVOLT, {"archer": "r3", "bull": "r2"}))
    table.play("archer", "turn: 1\nactions:\n  - {leader: king, at: J5, support: 2}")
    assert table.asks.endswith("bull")
    table.play("bull", f"answers: {table.asks.split()[0]} support 1")
    assert again(table, "--to", "0").code == 0
    assert table.decisions()[0] == "1b.1 king J5"
    assert len(table.decisions()) == 3


def test_a_deadline_that_was_announced_is_kept(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start("ur-1", "--policy", "turn_time=3d")
    desk.call("act", "ur-1", "archer", "king F4, trader G3")
    desk.call("extend", "ur-1", "--by", "4d")
    promised = desk.desk()["announced"]["until"]
    desk.call("undo", "ur-1", "--to", "0", "--again", "--yes", "--because", "A slip.")
    assert desk.desk()["announced"]["question"] == "2b.1"
    assert desk.desk()["announced"]["until"] == promised
    assert (
        "Answer by: Monday 16 March 2026, 18:10 UTC"
        in (desk.game / "reports" / "bull.txt").read_text()
    )
