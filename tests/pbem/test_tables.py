"""Many games from one list: dealt or named, all checked first, made once."""

from functools import partial
from pathlib import Path

import pytest
import yaml

from pbem.tables import Tables, read_tables
from tests.pbem.calls import Said, pbem
from tests.pbem.games import names, tree
from tests.pbem.test_kill import Killer

PEOPLE = ("Ana", "Ben", "Lea", "Max", "Pia", "Ute", "Zoe")
NAMED = """
options: {board: advanced}
policies: {turn_time: 3d, zone: Europe/Lisbon}
tables:
  - name: final
    seats:
      lion: Lea <lea@example.org>
      archer: {name: Ana, address: ana@example.org, language: pt, zone: Asia/Tokyo,
               map: list, hints: yes, letters: all}
    seed: hush
  - name: rest
    seats: {bull: Ben, pot: Pia <pia@example.org>, Archer: Max}
    options: {open_scoring: yes}
    policies: {zone: UTC, late: pass}
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return tmp_path / "games"


def waiting(seats: int = 3, seed: str = "", people: tuple[str, ...] = PEOPLE) -> str:
    """A list of people that wait for a table."""
    lines = [f"  - {who} <{who.lower()}@example.org>" for who in people]
    head = f"name: cup-{{number}}\nseats: {seats}\n"
    return "\n".join([head + (f"seed: {seed}\n" if seed else "") + "players:", *lines, ""])


def made(games: Path, text: str, *more: str) -> Said:
    """`new --from` with this list."""
    path = games.parent / "list.yaml"
    path.write_text(text)
    return pbem("new", "--from", str(path), *more, games=games)


def file_of(games: Path, name: str) -> dict[str, object]:
    """What stands in the game.yaml of a game."""
    found: dict[str, object] = yaml.safe_load((games / name / "game.yaml").read_text())
    return found


def good(text: str) -> Tables:
    found, problems = read_tables(text.encode())
    assert found is not None, problems
    return found


def sitting(text: str) -> list[list[str]]:
    """Who sits at which table, and at the end who has none."""
    found = good(text)
    tables = [[seat.name for seat in table.file.seats] for table in found.tables]
    return [*tables, [each.name for each in found.left]]


def test_tables_that_are_named(games: Path) -> None:
    said = made(games, NAMED)
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[-1] == "2 games made, 0 there already"
    final, rest = file_of(games, "final"), file_of(games, "rest")
    assert final["seats"] == [
        {"dynasty": "lion", "name": "Lea", "address": "lea@example.org", "language": "en"},
        {"dynasty": "archer", "name": "Ana", "address": "ana@example.org", "language": "pt",
         "zone": "Asia/Tokyo", "map": "list", "hints": True, "letters": "all"},
    ]  # fmt: skip
    assert final["policies"] == {"turn_time": "3d", "zone": "Europe/Lisbon"}
    assert rest["policies"] == {"turn_time": "3d", "late": "pass"}
    assert "board: advanced\n" in (games / "rest/game.yaml").read_text()
    assert "open_scoring: yes\n" in (games / "rest/game.yaml").read_text()
    assert "open_scoring: no\n" in (games / "final/game.yaml").read_text()
    assert "secret: hush\n" in (games / "final/history/0000.yaml").read_text()
    assert [name for name in names(games / "final/outbox") if name.endswith(".eml")] == [
        "0000-archer-1.final.eml", "0000-lion-1.final.eml",
    ]  # fmt: skip
    assert pbem("turn", "--all", games=games).out.splitlines()[1].startswith("rest: waits for bull")


def test_players_are_dealt_in_the_order_of_the_list_or_of_the_lots(games: Path) -> None:
    assert sitting(waiting()) == [["Ana", "Ben", "Lea"], ["Max", "Pia", "Ute"], ["Zoe"]]
    assert sitting(waiting(4)) == [["Ana", "Ben", "Lea", "Max"], ["Pia", "Ute", "Zoe"]]
    lots = sitting(waiting(seed="spring"))
    assert lots not in (sitting(waiting()), sitting(waiting(seed="fall")))
    assert lots == sitting(waiting(seed="spring", people=PEOPLE[::-1]))
    assert sorted(name for table in lots for name in table) == sorted(PEOPLE)
    seats = good(waiting(4)).tables[0].file.seats
    assert [seat.dynasty for seat in seats] == ["archer", "bull", "lion", "pot"]
    said = made(games, waiting())
    assert said.out.splitlines()[-1] == "without a table, as too few are left over: Zoe"
    assert names(games) == [".lock", "cup-1", "cup-2"]


def test_a_list_grows_and_what_is_there_stays(games: Path) -> None:
    assert made(games, waiting(people=PEOPLE[:4])).code == 0
    pbem("archive", "cup-1", "--unfinished", games=games)
    before = tree(games)
    said = made(games, waiting(people=PEOPLE[:6]), "--json")
    assert [each["game"] for each in said.data["games"]] == ["cup-2"]
    assert {name: data for name, data in tree(games).items() if name in before} == before
    said = made(games, waiting(people=PEOPLE[:6]))
    assert said.out == "0 games made, 2 there already\n"


def test_another_game_of_that_name_is_refused_and_nothing_is_made(games: Path) -> None:
    seats = ("--seat", "archer=Ana <ana@example.org>", "--seat", "bull=Ben <ben@example.org>")
    assert pbem("new", "CUP-2", *seats, games=games).code == 0
    (games / "cup-3").mkdir()
    before = tree(games)
    text = waiting(2, people=PEOPLE[:6])
    said = made(games, text)
    assert (said.code, said.out) == (1, "")
    one, two = said.err.splitlines()
    assert one.endswith(
        f"there is {games / 'CUP-2'} already, with other seats; choose another name"
    )
    assert "line 3: cup-3: there is" in two
    assert tree(games) == before
    assert made(games, text.replace("cup", "cap")).code == 0
    assert (
        "with other options"
        in made(games, text.replace("cup", "cap") + "options: {board: advanced}").err
    )


def test_a_dry_run_tells_and_does_nothing(games: Path) -> None:
    said = made(games, waiting(), "--dry-run")
    assert (said.code, said.out) == (0, (
        "game             seats in turn order\n"
        "cup-1  new       archer Ana, bull Ben, lion Lea\n"
        "cup-2  new       archer Max, bull Pia, lion Ute\n"
        "2 games to be made, 0 there already; nothing was done\n"
        "without a table, as too few are left over: Zoe\n"
    ))  # fmt: skip
    assert not games.exists()
    made(games, waiting(people=PEOPLE[:3]))
    before = tree(games)
    said = made(games, waiting(), "--dry-run", "--json")
    assert [(each["game"], each["new"]) for each in said.data["games"]] == [
        ("cup-1", False), ("cup-2", True),
    ]  # fmt: skip
    assert tree(games) == before


FAULTS = """options: {board: round}
policies: {turn_time: 3x}
tables:
  - name: ../x
    seats: {archer: Ana <ana>, cat: Ben}
  - name: one
    seats: {archer: Ana, bull: {name: Ben, zone: Mars, colour: red}}
  - name: ONE
    seats: {archer: "", bull: Ben}
    policies: {grace: 1h}
    seed: ""
colour: red
"""


def test_every_fault_is_named_with_its_line(games: Path) -> None:
    said = made(games, FAULTS)
    assert (said.code, said.out, games.exists()) == (1, "", False)
    found = said.err.splitlines()
    for part in (
        "line 1: $.options.board: `round` should be one of", "line 2: $.policies.turn_time: `3x`",
        "line 4: $.tables[0].name: `../x`", "line 5: $.tables[0].seats.archer: `ana`: an address",
        "line 5: $.tables[0].seats: `cat` should be one of", "line 4: $.tables[0].seats: 1 seat;",
        "line 7: $.tables[1].seats.bull.zone: `Mars`", "line 7: $.tables[1].seats.bull.colour: unk",
        "line 8: $.tables: `ONE` is the name of another table too, in line 6",
        "line 9: $.tables[2].seats.archer: the name of a player is empty",
        "line 10: $.tables[2].policies.grace: it needs `turn_time`",
        "line 11: $.tables[2].seed: should be", "line 12: $.colour: unknown key; known are",
    ):  # fmt: skip
        assert [line for line in found if part in line], part
    assert len(found) == 13
    assert [line for line in found if "list.yaml, line " not in line] == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (waiting().replace("{number}", ""), "should hold {number} once"),
        (waiting().replace("cup-", "_x"), "names that begin with `_`"),
        (waiting(5), "should be a whole number from 2 to 4"),
        (waiting() + "  - ana <ANA@example.org>\n", "ana@example.org stands in line 4 already"),
        (waiting() + "  - Bob\n", "line 11: $.players[7]: who waits for a table needs an address"),
        (waiting() + "tables: []\n", "either `tables` or `players`"),
        (NAMED + waiting(), "either `tables` or `players`"),
        ("schema: 9\nplayers: []\nname: a{number}", "$.schema"),
        ("tables: x", "should be a list"),
        ("tables: [x]", "$.tables[0]"),
        ("", "either `tables` or `players`"),
        ("tables: [", "line 1"),
    ],
)
def test_what_a_list_may_not_say(games: Path, text: str, why: str) -> None:
    said = made(games, text)
    assert (said.code, said.out) == (1, "")
    assert why in said.err


def test_wrong_use(games: Path) -> None:
    seats = ("--seat", "archer=Ana", "--seat", "bull=Ben")
    path = games.parent / "list.yaml"
    path.write_text(waiting())
    for words in (
        ["new"], ["new", "x"], ["new", *seats], ["new", "x", *seats, "--dry-run"],
        ["new", "x", "--from", str(path)], ["new", "--from", str(path), "--policy", "late=pass"],
        ["new", "--from", str(games / "none.yaml")], ["new", "--from", str(games.parent)],
        ["new", "x", *seats, "--policy", "late=never"], ["new", "x", *seats, "--policy", "late"],
        ["new", "x", *seats, "--policy", "turn_time=3d", "--policy", "turn_time=4d"],
        ["new", "x", *seats, "--policy", "grace=1h"], ["new", "x", *seats, "--policy", "a=b"],
    ):  # fmt: skip
        said = pbem(*words, games=games)
        assert (said.code, said.out, games.exists()) == (2, "", False), words
        assert said.err


def test_policies_on_the_command_line(games: Path) -> None:
    seats = ("--seat", "archer=Ana", "--seat", "bull=Ben")
    words = ("turn_time=3d", "late = drop", "anonymous=yes", "stand_in=Eve <eve@example.org>")
    given = [part for word in words for part in ("--policy", word)]
    assert pbem("new", "x", *seats, *given, games=games).code == 0
    assert file_of(games, "x")["policies"] == {
        "turn_time": "3d", "late": "drop", "stand_in": "Eve <eve@example.org>", "anonymous": True,
    }  # fmt: skip


def test_killed_half_way_and_run_again_all_are_there_once(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = waiting(2, people=PEOPLE[:4])
    with monkeypatch.context() as patch:
        killer = Killer(patch)
        moments = killer.moments(partial(made, games, text))
        for moment in range(1, moments + 1, 11):
            victim = tmp_path / f"killed-{moment}"
            killer.kill(moment, partial(made, victim, text))
            before = tree(victim / "cup-1")
            assert made(victim, text).code == 0
            assert before in ({}, tree(victim / "cup-1"))
            assert [name for name in names(victim) if name[0] != "."] == ["cup-1", "cup-2"]
            assert pbem("replay", "cup-2", games=victim).code == 0
