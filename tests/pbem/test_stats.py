"""`stats`: what is counted, for whom, and what is left out."""

import json
import shutil
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch
from xml.etree import ElementTree

import pytest

from pbem.clock.elapsed import elapsed
from pbem.deskfile import Handover, Stop
from pbem.gamefile import write_game
from pbem.health import Health, save_health
from pbem.overview.decided import past_of
from pbem.overview.heads import Decided, read_head
from pbem.policies import Person
from pbem.store import GameFolder
from pbem.turns import take_turn
from tests.pbem.calls import Said, pbem
from tests.pbem.games import WHEN, Table

EXAMPLE = GameFolder(Path(__file__).parents[2] / "games" / "ur-1")
HOUR = timedelta(hours=1)
NOW = "2026-03-05T12:00:00Z"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return tmp_path / "games"


def act(table: Table, seat: str, hours: float) -> None:
    """The turn of a seat, so many hours after the start of the game."""
    table.put(seat, f"turn: {table.state.turn}\nactions: pass all")
    assert take_turn(table.folder, WHEN + hours * HOUR).decisions == 2


def stats(games: Path, *words: str, now: str = NOW) -> dict[str, Any]:
    said = pbem("stats", *words, "--json", games=games, PBEM_NOW=now)
    assert said.code == 0, said
    found: dict[str, Any] = json.loads(said.out)["stats"]
    return found


def player(found: dict[str, Any], name: str) -> dict[str, Any]:
    one: dict[str, Any]
    (one,) = (each for each in found["players"] if each["player"] == name)
    return one


def by_default(table: Table, run: int) -> None:
    """Make as if the deadline had decided this run."""
    path = table.path / "history" / f"{run:04d}.yaml"
    path.write_text(path.read_text().replace("source: orders/bull.yaml", "source: deadline"))


@pytest.mark.parametrize("run", EXAMPLE.runs())
def test_a_head_read_quickly_is_the_record(run: int) -> None:
    record = EXAMPLE.load_run(run)
    with patch.object(GameFolder, "load_run", side_effect=AssertionError):
        head = read_head(EXAMPLE, run)
    assert head[:3] == record[:3]
    assert head.decisions == tuple(
        Decided(d.player, d.question, d.when, d.source) for d in record.decisions
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("decisions:\n  - question: 1.1", "decisions:\n  -\n    question: 1.1"),
        ("    player: archer\n", "    player: 'archer'\n"),
        ("kind: turn", "kind: 'turn'"),
        ("when: 2026-03-01T12:30:00Z", "when:   2026-03-01T12:30:00+00:00"),
    ],
)
def test_a_head_that_was_edited_is_read_as_well(games: Path, old: str, new: str) -> None:
    table = Table(games)
    table.acts("archer", "pass all")
    before = read_head(table.folder, 1)
    path = table.path / "history" / "0001.yaml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    assert read_head(table.folder, 1) == before


def test_a_long_head_is_read_whole(games: Path) -> None:
    table = Table(games)
    table.acts("archer", "pass all")
    path = table.path / "history" / "0001.yaml"
    text = path.read_text()
    one = text[text.index("  - question: 1.2") : text.index("state:")].split("closed_files")[0]
    path.write_text(text.replace(one, one * 100, 1))
    assert len(path.read_text()) > 16_000
    assert len(read_head(table.folder, 1).decisions) == 101


@pytest.mark.parametrize(
    ("stops", "hours"),
    [
        ([], 10),
        ([(2, 4)], 8),
        ([(-5, 1), (8, 20)], 7),
        ([(2, 6), (4, 8), (3, 5)], 4),
        ([(3, None)], 3),
        ([(-5, None), (2, 3)], 0),
        ([(20, 30), (-9, -8)], 10),
    ],
)
def test_time_in_which_the_clock_stood_still(
    stops: list[tuple[int, int | None]], hours: int
) -> None:
    stood = [Stop(WHEN + a * HOUR, None if b is None else WHEN + b * HOUR) for a, b in stops]
    assert elapsed(WHEN, WHEN + 10 * HOUR, stood) == hours * HOUR


def test_answer_times_moves_and_turns(games: Path) -> None:
    table = Table(games)
    for seat, hours in (("archer", 2), ("bull", 3), ("archer", 27), ("bull", 30)):
        act(table, seat, hours)
    found = stats(games)
    assert (found["turns"], found["moves"], found["games"]) == (4, 8, 1)
    assert found["days"] == {
        "2026-03-01": {"turns": 2, "moves": 4}, "2026-03-02": {"turns": 2, "moves": 4},
        "2026-03-03": {"turns": 0, "moves": 0}, "2026-03-04": {"turns": 0, "moves": 0},
        "2026-03-05": {"turns": 0, "moves": 0},
    }  # fmt: skip
    assert found["turns_a_day"] == 0.8
    archer, bull = (player(found, f"{seat}@example.org") for seat in ("archer", "bull"))
    assert (archer["median_hours"], archer["ninety_hours"], archer["moves"]) == (13, 24, 4)
    assert (bull["median_hours"], bull["ninety_hours"], bull["games"]) == (2, 3, 1)
    assert found["players"][0] == archer
    later = stats(games, "--since", "2026-03-02")
    assert (later["turns"], len(later["days"])) == (2, 4)


def test_orders_sent_ahead_are_moves_but_no_answers(games: Path) -> None:
    table = Table(games)
    table.put("bull", "turn: 2\nactions: pass all")
    act_both = table.put("archer", "turn: 1\nactions: pass all")
    assert act_both
    assert take_turn(table.folder, WHEN + 5 * HOUR).decisions == 4
    bull = player(stats(games), "bull@example.org")
    assert (bull["moves"], bull["median_hours"]) == (2, None)


def test_pauses_and_outages_do_not_count(games: Path) -> None:
    table = Table(games)
    act(table, "archer", 10)
    desk = table.folder.load_desk()
    table.folder.write_desk(desk._replace(pauses=(Stop(WHEN + HOUR, WHEN + 4 * HOUR, "ill"),)))
    assert stats(games)["median_hours"] == 7
    save_health(games, Health(outages=(Stop(WHEN + 3 * HOUR, WHEN + 6 * HOUR),)))
    assert stats(games)["median_hours"] == 5


def test_misses(games: Path) -> None:
    table = Table(games)
    for seat, hours in (("archer", 2), ("bull", 90), ("archer", 92), ("bull", 93)):
        act(table, seat, hours)
    by_default(table, 2)
    found = stats(games)
    bull = player(found, "bull@example.org")
    assert (bull["misses"], bull["moves"], bull["median_hours"]) == (1, 2, 1)
    assert (found["turns"], found["moves"]) == (4, 6)


def test_who_has_taken_over_is_counted_from_then_on(games: Path) -> None:
    table = Table(games)
    act(table, "archer", 2)
    act(table, "bull", 25)
    new = Person("Eve", "Eve@example.org")
    ben = Person("Ben", "bull@example.org")
    over = Handover("bull", new, 2, WHEN + 20 * HOUR, ben)
    table.folder.write_desk(table.folder.load_desk()._replace(handovers=(over,)))
    found = stats(games)
    assert player(found, "eve@example.org")["median_hours"] == 5
    assert [each["player"] for each in found["players"]] == [
        "eve@example.org", "archer@example.org",
    ]  # fmt: skip
    away = over._replace(instead=Person("Somebody", "else@example.org"))
    table.folder.write_desk(table.folder.load_desk()._replace(handovers=(away,)))
    assert player(stats(games), "bull@example.org")["moves"] == 2


def test_a_miss_is_his_who_missed_it_though_the_seat_was_given_away_in_that_second(
    games: Path,
) -> None:
    table = Table(games)
    act(table, "archer", 2)
    act(table, "bull", 3)
    by_default(table, 2)
    ben = Person("Ben", "bull@example.org")
    over = Handover("bull", Person("Eve", "eve@example.org"), 3, WHEN + 3 * HOUR, ben, run=2)
    table.folder.write_desk(table.folder.load_desk()._replace(handovers=(over,)))
    assert player(stats(games), "bull@example.org")["misses"] == 1


def test_an_anonymous_game_names_seats(games: Path) -> None:
    table = Table(games)
    file = table.folder.load_file()
    anonymous = file._replace(policies=file.policies._replace(anonymous=True))
    (table.path / "game.yaml").write_text(write_game(anonymous))
    act(table, "archer", 2)
    for words in ([], ["--json"], ["--format", "svg"]):
        said = pbem("stats", *words, games=games, PBEM_NOW="2026-04-01T00:00:00Z")
        assert not [w for w in ("Ana", "Ben", "example.org") if w in said.out]
    assert "archer@ur-1" in pbem("stats", games=games).out


def test_one_person_in_two_games_is_one(games: Path) -> None:
    for name in ("a", "b"):
        act(Table(games, name=name), "archer", 2)
    archer = player(stats(games), "archer@example.org")
    assert (archer["games"], archer["moves"]) == (2, 4)
    assert player(stats(games, "a"), "archer@example.org")["games"] == 1


def test_the_archive_counts_but_is_not_stalled(games: Path) -> None:
    for name in ("a", "b"):
        act(Table(games, name=name), "archer", 2)
    (games / "_archive").mkdir()
    shutil.move(games / "a", games / "_archive" / "a")
    found = stats(games, now="2026-03-20T00:00:00Z")
    assert (found["games"], found["turns"]) == (2, 2)
    assert [each["game"] for each in found["stalled"]] == ["b"]
    assert stats(games, "A")["games"] == 1


def test_stalled_games(games: Path) -> None:
    table, paused = Table(games, name="a"), Table(games, name="b")
    act(table, "archer", 24)
    paused.folder.write_desk(paused.folder.load_desk()._replace(pauses=(Stop(WHEN),)))
    assert stats(games)["stalled"] == []
    found = stats(games, now="2026-03-09T10:00:00Z")["stalled"]
    assert [(each["game"], each["since"]) for each in found] == [("b", "2026-03-01T12:30:00Z")]
    assert found[0]["remarks"] == ["clock stopped since 2026-03-01 12:30"]
    assert len(stats(games, "--stalled", "2d 12h")["stalled"]) == 2


def test_a_move_by_default_wakes_nobody(games: Path) -> None:
    table = Table(games)
    act(table, "archer", 1)
    act(table, "bull", 24 * 8)
    by_default(table, 2)
    (stalled,) = stats(games, now="2026-03-09T15:00:00Z")["stalled"]
    assert stalled["since"] == "2026-03-01T13:30:00Z"


def test_refusals_by_hazard(games: Path) -> None:
    table = Table(games)
    table.play("archer", "turn: 9\nactions: pass")
    lines = [
        {"number": 1, "outcome": "reject", "why": ["syntax", "key"]},
        {"number": 2, "outcome": "hold", "why": ["unproven"]},
        {"number": 3, "outcome": "reject", "why": ["syntax"]},
        {"number": 4, "outcome": "reject"},
        {"number": 2, "outcome": "accept"},
        {"number": 5, "outcome": "accept", "why": []},
    ]
    (games / "_mail").mkdir()
    dated = [
        json.dumps(each | {"arrival": f"2026-03-0{each['number']}T00:00:00Z"}) for each in lines
    ]
    text = "\n".join([*dated, "torn {", "[]", ""])
    (games / "_mail" / "ledger.jsonl").write_text(text)
    assert stats(games)["refusals"] == {"syntax": 2, "key": 1, "other": 1, "order file": 1}
    assert stats(games, "--since", "2026-03-02")["refusals"] == {"syntax": 1, "other": 1}
    assert stats(games, "ur-1")["refusals"] == {"order file": 1}


def test_the_table_is_for_people(games: Path) -> None:
    table = Table(games)
    act(table, "archer", 2)
    said = pbem("stats", games=games, PBEM_NOW="2026-03-20T00:00:00Z")
    lines = said.out.splitlines()
    assert lines[0] == "1 game: 1 turn, 2 moves in 20 days, 0.1 turns a day"
    assert lines[1] == "half of all answers within 2 h, 90 % within 2 h"
    for head in ("DAY ", "PLAYER ", "STALLED "):
        assert any(line.startswith(head) for line in lines)


@pytest.mark.parametrize("days", [1, 60, 300, 3000])
def test_the_picture(games: Path, days: int) -> None:
    table = Table(games)
    act(table, "archer", 2)
    act(table, "bull", 24 * days)
    svg = pbem("stats", "--format", "svg", games=games).out
    root = ElementTree.fromstring(svg)
    assert root.tag.endswith("svg")
    assert "Turns by " in svg
    outcome = json.loads(pbem("stats", "--format", "png", "--json", games=games).out)
    assert outcome["stats"]["png"].startswith("iVBOR")


def test_nothing_to_count(games: Path) -> None:
    games.mkdir()
    for form in ("table", "svg"):
        assert pbem("stats", "--format", form, games=games).code == 0
    Table(games)
    assert stats(games)["turns"] == 0
    assert past_of(GameFolder(games / "ur-1")).last is None


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--since", "yesterday"], "should be a day"),
        (["--stalled", "long"], "should be a time such as 7d"),
        (["--stalled", "0"], "should be a time such as 7d"),
        (["--format", "doc"], "one of table, svg, png"),
        (["nowhere"], "is no game"),
    ],
)
def test_wrong_use(games: Path, words: list[str], why: str) -> None:
    Table(games)
    said: Said = pbem("stats", *words, games=games)
    assert (said.code, said.out) == (2, "")
    assert why in said.err


def test_a_damaged_game_is_named_and_the_others_count(games: Path) -> None:
    for name in ("a", "b"):
        act(Table(games, name=name), "archer", 2)
    (games / "a" / "history" / "0001.yaml").write_text("x")
    said = pbem("stats", "--json", games=games)
    data = json.loads(said.out)
    assert (said.code, data["stats"]["games"]) == (3, 1)
    assert (
        date.fromisoformat(next(iter(data["stats"]["days"])))
        == datetime(2026, 3, 1, tzinfo=UTC).date()
    )
