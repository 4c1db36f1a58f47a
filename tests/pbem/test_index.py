"""The index of games: it is never older than the files, and never in the way."""

import json
import os
import shutil
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from unittest.mock import patch

import pytest

from pbem.clock.spans import Days, Span
from pbem.deskfile import Bounced, Stop
from pbem.gamefile import write_game
from pbem.health import Health, save_health
from pbem.overview import gathering
from pbem.overview.facts import Facts, read_facts, write_facts
from pbem.overview.gathering import load_facts
from pbem.overview.index import FILE, index_of
from pbem.policies import Policies
from pbem.store import GameFolder
from tests.pbem.calls import pbem
from tests.pbem.games import Table

WHEN = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return tmp_path / "games"


@pytest.fixture
def table(games: Path) -> Table:
    return Table(games)


def looked_up(folder: GameFolder) -> tuple[Facts, int]:
    """The facts from the index, and how many games were loaded for it."""
    with patch("pbem.overview.gathering.load_facts", wraps=gathering.load_facts) as loads:
        with index_of(folder.path.parent) as index:
            facts = index.facts(folder)
        return facts, loads.call_count


def hand_edit(table: Table) -> None:
    """Another name in game.yaml, equally long."""
    path = table.path / "game.yaml"
    path.write_text(path.read_text().replace("Ana", "Eva"))


def same_size(table: Table) -> None:
    """Another time in the newest run, equally long, with the old time of writing."""
    path = max((table.path / "history").iterdir())
    about = path.stat()
    path.write_text(path.read_text().replace("when: 2026-03-01T12:30", "when: 2026-03-01T12:31"))
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


def older_run(table: Table) -> None:
    """The run that put the question, behind one that only says something to all."""
    table.play("archer", "press: Hello")
    looked_up(table.folder)
    path = table.path / "history" / "0000.yaml"
    path.write_text(path.read_text().replace("when: 2026-03-01T12:30", "when: 2026-03-01T12:31"))


def desk(table: Table) -> None:
    told = table.folder.load_desk()._replace(dropped={"bull": WHEN})
    table.folder.write_desk(told)


def undo(table: Table) -> None:
    table.acts("archer", "pass")
    looked_up(table.folder)
    assert pbem("undo", "ur-1", "--yes", games=table.path.parent).code == 0


def outage(table: Table) -> None:
    save_health(table.path.parent, Health(outages=(Stop(WHEN),)))


CHANGES: dict[str, Callable[[Table], object]] = {
    "a run": lambda table: table.acts("archer", "pass"),
    "an undo": undo,
    "press alone": lambda table: table.play("archer", "press: Hello"),
    "the desk": desk,
    "game.yaml by hand": hand_edit,
    "a run by hand, no longer and no newer": same_size,
    "an older run by hand": older_run,
    "an outage": outage,
}


@pytest.mark.parametrize("what", CHANGES)
def test_every_change_is_seen(table: Table, what: str) -> None:
    before, _ = looked_up(table.folder)
    assert looked_up(table.folder) == (before, 0)
    CHANGES[what](table)
    after, _ = looked_up(table.folder)
    assert after == load_facts(table.folder)[0]
    assert after != before
    assert looked_up(table.folder) == (after, 0)


def test_only_the_changed_game_is_loaded(games: Path) -> None:
    tables = [Table(games, name=f"ur-{number}") for number in range(3)]
    for table in tables:
        looked_up(table.folder)
    tables[1].acts("archer", "pass")
    assert [looked_up(table.folder)[1] for table in tables] == [0, 1, 0]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"shape": 0}', '{"shape":2,"outages":[],"games":{"ur-1":{}}}',
             '{"shape":2,"outages":[],"games":{"ur-1":{"looks":{},"facts":{"public":1}}}}',
             "[" * 99_999],
)  # fmt: skip
def test_a_damaged_index_is_made_anew(table: Table, games: Path, text: str) -> None:
    right, _ = looked_up(table.folder)
    whole = (games / FILE).read_bytes()
    (games / FILE).write_text(text)
    assert looked_up(table.folder) == (right, 1)
    assert (games / FILE).read_bytes() == whole


def test_a_game_that_is_gone_drops_out(games: Path) -> None:
    for number in (1, 2):
        looked_up(Table(games, name=f"ur-{number}").folder)
    shutil.rmtree(games / "ur-1")
    assert pbem("status", games=games).code == 0
    assert list(json.loads((games / FILE).read_text())["games"]) == ["ur-2"]


def test_the_index_is_closed_to_others_and_tells_no_secret(table: Table, games: Path) -> None:
    table.put("archer", "turn: 1\nactions: temple E1\npress: Hush\nnote: Hush")
    pbem("turn", "ur-1", games=games)
    looked_up(table.folder)
    assert (games / FILE).stat().st_mode & 0o777 == 0o600
    text = (games / FILE).read_text()
    hand = table.state.seats[0].hand
    assert not [w for w in ("temple", "E1", "Hush", "hand", "bag", "a seed") if w in text], hand


def test_an_index_that_cannot_be_written_is_left(table: Table, games: Path) -> None:
    (games / FILE).mkdir()
    (games / "_index.1.json").write_text("of a program that was killed")
    facts, _ = looked_up(table.folder)
    assert facts == load_facts(table.folder)[0]
    assert pbem("status", games=games).code == 0
    assert sorted(path.name for path in games.iterdir()) == [".lock", FILE, "ur-1"]


def test_two_programs_write_at_once(games: Path) -> None:
    one, two = (Table(games, name=name).folder for name in ("ur-1", "ur-2"))
    with index_of(games) as first, index_of(games) as second:
        first.facts(one)
        second.facts(two)
    assert looked_up(one)[0] == load_facts(one)[0]
    assert looked_up(two)[0] == load_facts(two)[0]
    assert sorted(path.name for path in games.iterdir()) == [".lock", FILE, "ur-1", "ur-2"]


def test_a_damaged_game_is_not_remembered_as_sound(table: Table, games: Path) -> None:
    looked_up(table.folder)
    path = table.path / "game.yaml"
    text = path.read_text()
    path.write_text(text + "more: x\n")
    for _ in range(2):
        assert pbem("status", games=games).code == 3
    path.write_text(text)
    assert pbem("status", games=games).code == 0


def test_facts_are_read_back_as_they_were_written(table: Table) -> None:
    game = table.folder.load_file()
    policies = Policies(turn_time=Span(3), anonymous=True, grace=Span(0, 12), late="drop")
    (table.path / "game.yaml").write_text(write_game(game._replace(policies=policies)))
    table.folder.write_desk(
        table.folder.load_desk()._replace(
            away={"bull": (Days(date(2026, 3, 2), date(2026, 3, 4)),)},
            bounced={"bull@example.org": Bounced(WHEN, "5.1.1")},
            dropped={"archer": WHEN},
            pauses=(Stop(WHEN, None, "a storm"),),
        )
    )
    facts, _ = load_facts(table.folder)
    assert facts.stopped == Stop(WHEN, None, "a storm")
    assert read_facts(json.loads(json.dumps(write_facts(facts)))) == facts
    assert facts.public["name"] is None
