"""The commands: exit codes, what they print, and that nothing ends in a traceback (contract 4)."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.cli.shell import app
from tests.pbem.calls import NOW, Said, pbem
from tests.pbem.games import REVOLT, WAR, WAR_HANDS, Table, names, position, said, tree

ROOT = Path(__file__).parents[2]
SEATS = ("--seat", "archer=Ana <ana@example.org>", "--seat", "bull=Ben")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return tmp_path / "games"


@pytest.fixture
def table(games: Path) -> Table:
    return Table(games)


def complaint(said: Said) -> str:
    return " ".join(said.err.split())


def test_new_makes_a_game(games: Path) -> None:
    done = pbem("new", "ur-9", *SEATS, "--seed", "x", "--option", "board=Advanced", games=games)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1] == (
        f"ur-9: waits for archer (Ana), 1.1, an action, since {NOW}"
    )
    assert names(games / "ur-9/reports") == [
        "archer.txt", "bull.txt", "moderator.txt", "public.txt",
    ]  # fmt: skip
    hands = [line for line in done.out.splitlines() if "temple" in line]
    assert hands == []


@pytest.mark.parametrize("word", ["yes", "true", "on", "ON", "no", "off"])
def test_a_switch_in_any_word(games: Path, word: str) -> None:
    assert pbem("new", "a", *SEATS, "--option", f"open_scoring={word}", games=games).code == 0
    shown = "yes" if word.lower() in ("yes", "true", "on") else "no"
    assert f"open_scoring: {shown}" in (games / "a/game.yaml").read_text()


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["new", "../x", *SEATS], "a game's name has letters"),
        (["new", "a\nb", *SEATS], "<U+000A>"),
        (["new", "", *SEATS], "the name of a game is empty"),
        (["new", "_x", *SEATS], "belong to the program"),
        (["new", "UR-1", *SEATS], "there is"),
        (["new", "b", "--seat", "archer=Ana"], "1 seat; two to four can play"),
        (["new", "b", *SEATS, "--seat", "bull=Bo"], "bull has more than one seat"),
        (["new", "b", *SEATS, "--seat", "cat=Bo"], "should be one of archer"),
        (["new", "b", *SEATS, "--seat", "lion=A\x1b[1mB"], "<U+001B>"),
        (["new", "b", *SEATS, "--seat", "lion=Bo <a b>"], "address"),
        (["new", "b", *SEATS, "--option", "board=round"], "board is one of standard, advanced"),
        (["new", "b", *SEATS, "--option", "colour=red"], "options are board"),
        (["new", "b", *SEATS, "--seed", "a\x01"], "a secret is plain text"),
        (["new", "b", *SEATS, "--position", "nowhere.yaml"], "No such file"),
        (["turn"], "name the games to advance, or say --all"),
        (["turn", "--all", "ur-1"], "name the games to advance, or say --all"),
        (["turn", "nowhere"], "`nowhere` is no game"),
        (["turn", "a/\udcff\n"], "<U+DCFF>"),
        (["status", "../../etc"], "is no game"),
        (["report", "ur-1", "--for", "cat"], "one of archer, bull"),
        (["report", "ur-1", "--for", "lion"], "lion does not play in ur-1"),
        (["report", "ur-1", "--for", "bull", "--at", "9"], "there is no run 9"),
        (["report", "ur-1", "--for", "bull", "--at", "-1"], "there is no run -1"),
        (["report", "ur-1", "--for", "bull", "--at", "x"], "valid integer"),
        (["report", "ur-1", "--for", "bull", "--format", "doc"], "one of text, html"),
        (["report", "ur-1"], "--for"),
        (["check", "ur-1", "nowhere.yaml"], "No such file"),
        (["check", "ur-1", "/"], "directory"),
        (["check", "ur-1"], "Missing argument"),
        (["undo", "ur-1"], "nothing to take back"),
        (["undo", "nowhere", "--yes"], "is no game"),
        (["replay", "nowhere"], "is no game"),
        (["juggle"], "No such command"),
        (["--games"], "--games"),
        (["status", "--loud"], "No such option"),
    ],
)
def test_wrong_use(games: Path, words: list[str], why: str) -> None:
    before = tree(games)
    done = pbem(*words, games=games)
    assert (done.code, done.out) == (2, "")
    assert why in complaint(done)
    done = pbem(*words, "--json", games=games)
    assert done.code == 2
    assert why in " ".join(str(done.data["problems"]).replace("\\n", " ").split())
    assert tree(games) == before
    assert not any(char in done.out for char in "\x1b\x01")


def test_commands_without_a_word(games: Path) -> None:
    assert pbem("--json").data["problems"]
    assert pbem("--help").code == 0
    assert pbem("--version").out.startswith("pbem ")
    assert pbem("status", games=games).code == 2
    assert "no such folder of games" in pbem("turn", "--all", games=games).err
    games.mkdir()
    for words in (["status"], ["turn", "--all"]):
        done = pbem(*words, games=games)
        assert (done.code, done.err) == (0, "")
        assert "there are no games in" in done.out


def test_quiet_prints_the_report_that_was_asked_for(table: Table, games: Path) -> None:
    done = pbem("report", "ur-1", "--for", "bull", "--quiet", games=games)
    assert done.out == table.report("bull")


def test_games_that_cannot_be_told_apart_are_named_and_not_played(
    table: Table, games: Path
) -> None:
    shutil.copytree(table.path, games / "UR-1")
    for words in (["turn", "--all"], ["status"], ["turn", "ur-1"], ["status", "UR-1"]):
        done = pbem(*words, games=games)
        assert (done.code, done.out) == (3, "")
        assert "have the same name" in complaint(done)
    done = pbem("turn", "--all", games=games)
    assert f"{games / 'ur-1'} and {games / 'UR-1'}" in done.err
    assert f"{games / 'UR-1'} and {games / 'ur-1'}" in done.err


def test_a_copied_game_needs_a_name_of_its_own(table: Table, games: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(table.path, games / "ur-2")
    done = pbem("turn", "--all", games=games)
    assert done.code == 3
    assert "a copied game needs a name of its own, write `game: ur-2` there" in done.err
    assert done.out.startswith("ur-1: waits for archer")
    text = (copy / "game.yaml").read_text().replace("game: ur-1", "game: ur-2")
    (copy / "game.yaml").write_text(text)
    assert pbem("turn", "--all", games=games).code == 0
    elsewhere = shutil.copytree(table.path, tmp_path / "saved")
    assert pbem("status", str(elsewhere)).code == 0


@pytest.mark.usefixtures("table")
def test_the_clock_must_be_a_time(games: Path) -> None:
    for wrong in ("yesterday", "2026-13-01", "0001-01-01T00:00:00+23:00"):
        done = pbem("status", games=games, PBEM_NOW=wrong)
        assert (done.code, "PBEM_NOW" in done.err) == (2, True)


@pytest.mark.usefixtures("table")
def test_the_games_folder_may_stand_anywhere(games: Path) -> None:
    right = pbem("status", games=games)
    assert right.out.startswith("ur-1: waits for archer")
    for words in (
        ["status", "--games", str(games)],
        [f"--games={games}", "status"],
        ["status", f"--games={games}", "ur-1"],
    ):
        assert pbem(*words) == right
    assert pbem("status", PBEM_GAMES=str(games)) == right
    assert pbem("status", "ur-1", games=games, PBEM_GAMES="/nowhere") == right
    assert pbem("status", str(games / "ur-1")) == right
    assert pbem("status", "UR-1", games=games) == right
    assert pbem("status", "ur-1", "ur-1", "--json", games=games).data["games"][0]["run"] == 0


def test_quiet_prints_problems_only(table: Table, games: Path) -> None:
    assert pbem("status", "--quiet", games=games) == Said(0, "", "")
    table.put("archer", "turn: 9\nactions: pass")
    done = pbem("--quiet", "turn", "ur-1", games=games)
    assert (done.code, done.out) == (1, "")
    assert "the order file of archer was refused" in done.err


def test_turn_tells_no_order_and_no_hand(table: Table, games: Path) -> None:
    table.put("archer", "turn: 1\nactions: temple E1\npress: Hush\nnote: Hush")
    table.put("bull", "turn: 2\nactions: swap green")
    for words in (["turn", "ur-1"], ["turn", "ur-1", "--json"]):
        done = pbem(*words, games=games)
        table.put("archer", "turn: 1\nactions: temple E1\npress: Hush\nnote: Hush")
        printed = done.out + done.err
        assert done.code == 1
        assert not [word for word in ("temple", "E1", "Hush", "swap", "TERRAIN") if word in printed]
    done = pbem("turn", "--all", "--json", games=games)
    assert done.data["problems"][0]["player"] == "archer"


def test_turn_says_what_it_did(table: Table, games: Path) -> None:
    table.put("archer", "turn: 1\nactions: pass all")
    done = pbem("turn", "ur-1", games=games)
    assert done.out == (
        f"ur-1: waits for bull (Ben), 2.1, an action, since {NOW}; run 1, 2 decisions\n"
    )
    assert pbem("turn", "ur-1", games=games).out.endswith("; nothing new\n")
    table.put("archer", "note: I am ill.")
    done = pbem("turn", "ur-1", games=games)
    assert "; a note from archer: see " in done.out
    assert "ill" not in done.out
    assert pbem("turn", "ur-1", games=games).out.endswith("; nothing new\n")


def test_a_misfit_is_named(table: Table, games: Path) -> None:
    table.put_bytes("cat\n.yaml", b"x")
    done = pbem("turn", "ur-1", games=games)
    assert done.code == 1
    assert "belongs to no seat" in done.err
    assert "cat<U+000A>.yaml" in done.err.replace("\n.yaml", "<U+000A>.yaml")
    assert table.orders() == ["cat\n.yaml"]


def test_status_says_since_when(table: Table, games: Path) -> None:
    table.put("archer", "turn: 1\nactions: pass")
    pbem("turn", "ur-1", games=games, PBEM_NOW="2026-04-01T10:00:00+02:00")
    table.put("bull", "press: Well?")
    pbem("turn", "ur-1", games=games, PBEM_NOW="2026-04-02T10:00:00")
    data = pbem("status", "--json", games=games).data
    assert data["games"][0]["since"] == "2026-04-01T08:00:00Z"
    assert "Since: Wednesday 1 April 2026, 08:00 UTC" in table.report("bull")


DAMAGE = {
    "broken yaml": ("history/0001.yaml", "kind: turn", "kind: [turn"),
    "unknown key": ("history/0001.yaml", "kind: turn", "kind: turn\nfoo: 1"),
    "unknown key of the game": ("game.yaml", "seats:", "colour: red\nseats:"),
    "other seats": ("game.yaml", "dynasty: bull", "dynasty: lion"),
    "other options": ("game.yaml", "open_scoring: no", "open_scoring: yes"),
    "a tile too many": ("history/0001.yaml", "    archer: r", "    archer: b1 r"),
    "another run": ("history/0001.yaml", "run: 1", "run: 2"),
    "a time before time": ("history/0001.yaml", "when: 2026-03-01T12:30:00Z",
                           "when: 0001-01-01T00:00:00+23:00"),
}  # fmt: skip


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_named_and_the_others_are_done(games: Path, what: str) -> None:
    broken, sound = Table(games, name="a-game"), Table(games, name="b-game")
    broken.acts("archer", "pass")
    name, old, new = DAMAGE[what]
    path = broken.path / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    before = tree(broken.path)
    for table in (broken, sound):
        table.put("archer", "turn: 1\nactions: temple E1")
    done = pbem("turn", "--all", games=games)
    assert done.code == 3
    assert f"a-game: {path}" in done.err
    assert "b-game: the order file of archer was refused" in done.err
    assert sound.received() == ["0001-archer.yaml"]
    assert {n: d for n, d in tree(broken.path).items() if n != "orders/archer.yaml"} == before
    for words in (["status"], ["replay", "a-game"], ["undo", "a-game", "--yes"],
                  ["report", "a-game", "--for", "bull"],
                  ["check", "a-game", str(path)]):  # fmt: skip
        assert pbem(*words, games=games).code == 3, words
        assert pbem(*words, "--json", games=games).data["problems"]


def test_a_run_that_is_missing(table: Table, games: Path) -> None:
    for _ in range(2):
        table.acts("archer", "pass all") if table.state.active == "archer" else None
        table.acts("bull", "pass all")
    (table.path / "history/0001.yaml").unlink()
    done = pbem("turn", "ur-1", games=games)
    assert (done.code, "0001.yaml: the file of this run is missing" in done.err) == (3, True)


def test_replay_names_the_first_run_that_differs(table: Table, games: Path) -> None:
    table.acts("archer", "pass", "king K2")
    table.acts("bull", "pass all")
    assert pbem("replay", "ur-1", games=games).out == ("ur-1: 3 runs, 4 decisions, all the same\n")
    path = table.path / "history/0001.yaml"
    unsealed = path.read_text().partition("seal:")[0]
    path.write_text(unsealed.replace("order: king K2", "order: king J1"))
    done = pbem("replay", "ur-1", "--json", games=games)
    assert done.code == 3
    assert done.data["games"][0]["differs"] == 1
    assert "run 1 is the first that differs" in str(done.data["problems"])
    why = "the decisions lead to another state than the stored one, in: board"
    assert why in str(done.data["problems"])
    path.write_text(path.read_text().replace("order: king J1", "order: king A1"))
    assert "(NO_TEMPLE)" in pbem("replay", "ur-1", games=games).err


def test_replay_of_a_game_from_a_position(games: Path) -> None:
    table = Table(games, position(WAR, WAR_HANDS))
    table.acts("archer", "temple F5")
    assert pbem("replay", "ur-1", games=games).code == 0


def check(table: Table, text: str) -> Said:
    before = {path: path.read_bytes() for path in table.path.rglob("*") if path.is_file()}
    data = f"game: {table.name}\nplayer: archer\n{text}\n".encode()
    done = pbem("check", table.name, "-", games=table.path.parent, stdin=data)
    path = table.path.parent / "a file.yaml"
    path.write_bytes(data)
    assert pbem("check", table.name, str(path), games=table.path.parent) == done
    again = pbem("check", table.name, "-", "--json", games=table.path.parent, stdin=data)
    assert again.code == done.code
    assert again.data["games"][0]["accepted"] == (done.code == 0)
    path.unlink()
    assert {p: p.read_bytes() for p in table.path.rglob("*") if p.is_file()} == before
    return done


def test_check_says_what_an_order_does(games: Path) -> None:
    table = Table(games, position(WAR, WAR_HANDS))
    done = check(table, "turn: 1\nactions: settlement E4, temple F5")
    assert done.code == 0
    assert "This file can be used." in done.out
    assert "Archer scores 1 black" in done.out
    assert "it joins two kingdoms" in done.out
    assert "What comes then depends on your answer." in done.out
    long = "turn: 1\nactions:\n  - {tile: temple, at: F5, wars: black, support: 1}"
    done = check(table, long)
    assert "War of the kings" in done.out
    assert "What comes then depends on the answer of bull." in done.out


def test_check_says_what_an_answer_does(games: Path) -> None:
    table = Table(games, position(WAR, WAR_HANDS))
    table.acts("archer", "temple F5")
    wars = "answers:\n  - question: 1.2\n    wars: black\n    support: win"
    done = check(table, wars)
    assert "Question 1.2: war black.\nQuestion 1.3: support 1.\n" in done.out
    assert "What comes then depends on the answer of bull." in done.out
    table.play("archer", wars)
    text = b"game: ur-1\nplayer: bull\nanswers: 1.4 support win\n"
    done = pbem("check", "ur-1", "-", games=games, stdin=text)
    assert "Question 1.4: support 1." in done.out
    assert "scores" in done.out
    facts = pbem("check", "ur-1", "-", "--json", games=games, stdin=text).data["games"][0]
    assert facts["answers"] == [{"question": "1.4", "order": "support 1"}]
    assert any("scores" in line for line in facts["answers_bring"])
    assert facts["answers_until"] == ""


def test_check_says_what_starts_a_revolt(games: Path) -> None:
    table = Table(games, position(REVOLT, {"archer": "r2 k1", "bull": "r1"}))
    assert "revolt" in check(table, "turn: 1\nactions: king J5").out.lower()


def test_check_knows_nothing_of_a_draw(table: Table) -> None:
    done = check(table, "turn: 1\nactions:\n  - swap 4 temple\n  - farm E1")
    assert done.code == 0
    assert "What comes then depends on your draw." in done.out
    assert "draws" not in done.out
    done = check(table, "turn: 1\nactions: pass all")
    assert "draw" not in done.out


def test_check_of_orders_ahead_and_of_faults(table: Table) -> None:
    assert "judged when turn 3 begins" in check(table, "turn: 3\nactions: pass").out
    done = check(table, "turn: 3\nactions:\n  - king\tK2")
    assert "line 5: a tab; read as if it were right" in done.out
    done = check(table, "turn: 1\nactions:\n  - tempel K2\nkey: Hush")
    assert done.code == 1
    assert "line 5: `tempel K2`: " in done.err
    assert ". Did you mean `temple K2`?" in done.err
    assert "  - temple K2" in done.out
    assert "Hush" not in done.out + done.err
    done = check(table, "turn: 1\nactions: temple E1")
    assert "(TERRAIN)" in done.err


@pytest.mark.usefixtures("table")
def test_check_of_a_file_for_another_game(games: Path) -> None:
    done = pbem("check", "ur-1", "-", games=games, stdin=b"game: x\nplayer: pot\npress: Hi\n")
    assert done.code == 1
    assert "this game is ur-1" in done.err
    assert "pot does not play here" in done.err


def test_every_command_answers_in_json(table: Table, games: Path) -> None:
    table.put("archer", "turn: 1\nactions: pass all")
    for words in (
        ["new", "ur-2", *SEATS], ["turn", "--all"], ["status"], ["report", "ur-1", "--for", "bull"],
        ["replay", "ur-1"], ["undo", "ur-1", "--yes"],
    ):  # fmt: skip
        done = pbem(*words, "--json", games=games)
        assert done.code == 0, done
        assert done.data["games"]
    text = pbem("report", "ur-1", "--for", "bull", "--json", games=games).data["games"][0]["text"]
    assert text == table.report("bull")


@pytest.mark.usefixtures("table")
def test_the_moderators_report_says_that_it_is_secret(games: Path) -> None:
    done = pbem("report", "ur-1", "--for", "Moderator", games=games)
    assert done.out.startswith("SECRET: for the moderator only.")


@pytest.mark.usefixtures("table")
def test_a_fault_of_the_program_is_one_line(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.commands.turn.take_turn", lambda *_: 1 // 0)
    done = pbem("turn", "ur-1", games=games)
    assert done.code == 3
    assert "a fault of this program, please report it: ZeroDivisionError in test_com" in done.err


def test_where_games_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    done = pbem("new", "a", *SEATS, games=tmp_path / "file")
    assert done.code == 3
    assert "File exists" in done.err


def test_in_a_shell(table: Table, games: Path) -> None:
    env = {**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "ascii", "PBEM_GAMES": str(games)}
    words = [sys.executable, "-m", "pbem"]
    table.put("archer", "press: Grüße an alle\N{EURO SIGN}")
    for more, code in ((["turn", "ur-1"], 0), (["report", "ur-1", "--for", "bull"], 0),
                       (["status", b"\xff\xfe"], 2), (["juggle"], 2)):  # fmt: skip
        done = subprocess.run(
            [*words, *more], cwd=ROOT, env=env, capture_output=True, timeout=60, check=False
        )
        assert done.returncode == code, done
        assert b"Traceback" not in done.stderr
        assert b"\x1b" not in done.stdout + done.stderr


def test_no_option_is_coloured() -> None:
    assert app.rich_markup_mode is None


VALID = [
    b"game: ur-1\nplayer: archer\nturn: 1\nactions:\n  - temple A1\n  - leader: king\n    at: K2\n"
    b"    support: 2\npress: |\n  Hello\n   there\nnote: hm\nkey: x\nend:\n",
    b"game: ur-1\nplayer: archer\nanswers:\n  - question: 1.1\n    support: {black: win+1}\n"
    b"    wars: black, red\n    monument: temple/farm\n    square: E5\n    leave: [K11, F10]\n",
    b"game: ur-1\nplayer: archer\nturn: 1\naction: 2\nactions: swap 2 temple, farm E1, pass all\n",
]


@pytest.mark.parametrize("number", [200, pytest.param(2000, marks=pytest.mark.slow)])
def test_no_file_ends_in_a_traceback(table: Table, games: Path, number: int) -> None:
    chance = random.Random(number)
    for count in range(number):
        table.put_bytes("archer.yaml", mutated(chance))
        if count % 20:
            table.turn()
            continue
        assert pbem("turn", "ur-1", "--json", games=games).code in (0, 1)
        data = mutated(chance)
        assert pbem("check", "ur-1", "-", "--json", games=games, stdin=data).code in (0, 1)
        pbem("undo", "ur-1", "--to", "0", "--yes", games=games)
    assert pbem("replay", "ur-1", games=games).code == 0
    assert said(table, "archer") is not None


def mutated(chance: random.Random) -> bytes:
    """Noise, or a valid file with some bytes changed, doubled, or left out."""
    if chance.random() < 0.1:
        return chance.randbytes(chance.randrange(200))
    data = bytearray(chance.choice(VALID))
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(data))
        piece = data[at : at + chance.randrange(12)]
        data[at : at + chance.randrange(6)] = chance.choice(
            [b"", bytes(piece), piece * 2, chance.randbytes(2), b"\n", b": ", b"- ", b"  ", b"7"]
        )
    return bytes(data)
