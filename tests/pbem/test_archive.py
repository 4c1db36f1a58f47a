"""The archive: who goes there and when, what still reads them there, and the way back."""

import re
import shutil
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from pbem.archive import archive_finished
from pbem.games import NoSuchGame
from pbem.mail.config import Way
from pbem.mail.outbox import Outbox
from pbem.store import GameFolder
from tests.pbem.calls import pbem
from tests.pbem.games import TREASURES, WHEN, Table, names, position, tree
from tests.pbem.mail_desk import Desk, mail, orders, text_of
from tests.pbem.test_kill import Killed, Killer

LATER = WHEN + timedelta(days=1)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return tmp_path / "games"


def ended(games: Path, name: str = "ur-1") -> Table:
    """A game that is over."""
    state = position(TREASURES, {"archer": "r6"}, more="bag: none")
    table = Table(games, state, name=name)
    table.acts("archer", "temple A1", "pass")
    assert table.asks == "over"
    return table


def sent(table: Table, state: str = "sent") -> None:
    """All letters of a game leave."""
    box = Outbox(table.path / "outbox")
    for entry in box.entries():
        box.change(entry, state, WHEN)  # type: ignore[arg-type]


def goes(table: Table, games: Path, way: Way = "smtp", later: timedelta = timedelta()) -> bool:
    """Whether `run` archives a game so long after its end."""
    return archive_finished(games, table.folder, WHEN + later, way)


def test_a_game_goes_when_its_last_letter_has_left(games: Path) -> None:
    table = ended(games)
    before = tree(table.path)
    assert not goes(table, games)
    box = Outbox(table.path / "outbox")
    first, *_ = box.entries()
    sent(table)
    box.change(first._replace(state="waiting"), "unsure", WHEN)
    (table.path / "outbox/sent" / f"{first.key}.yaml").unlink()
    assert not goes(table, games, later=timedelta(days=9))
    box.decide(first.key, WHEN, again=False)
    assert goes(table, games)
    assert names(games) == [".lock", "_archive"]
    after = tree(games / "_archive/ur-1")
    kept = {name: data for name, data in before.items() if not name.startswith("outbox/")}
    assert {name: data for name, data in after.items() if not name.startswith("outbox/")} == kept


def test_letters_that_stay_as_files_lie_there_for_a_day(games: Path) -> None:
    table = ended(games)
    assert not goes(table, games, "folder", timedelta(hours=23))
    assert goes(table, games, "folder", timedelta(hours=24))


def test_a_game_that_is_played_stays(games: Path) -> None:
    table = Table(games)
    sent(table)
    assert not goes(table, games, later=timedelta(days=99))
    assert pbem("archive", "ur-1", games=games).code == 1
    table.acts("archer", "pass")
    assert not goes(table, games, "folder", later=timedelta(days=99))


def test_a_game_whose_last_reports_are_missing_stays(games: Path) -> None:
    table = ended(games)
    sent(table)
    (table.path / "reports/bull.txt").unlink()
    assert not goes(table, games)
    assert "its last reports are not written" in pbem("archive", "ur-1", games=games).err
    table.turn()
    assert goes(table, games)


def test_damage_and_a_name_that_is_taken_are_told(games: Path) -> None:
    table = ended(games)
    sent(table)
    shutil.copytree(table.path, games / "_archive/UR-1")
    with pytest.raises(NoSuchGame, match="UR-1 already"):
        goes(table, games)
    assert table.path.is_dir()
    said = pbem("archive", "ur-1", games=games)
    assert (said.code, "rename one of them" in said.err) == (1, True)


def test_the_command_says_what_waits(games: Path) -> None:
    (games / "pbem.yaml").parent.mkdir()
    (games / "pbem.yaml").write_text(
        "schema: 1\nrules: 1\naddresses: {orders: o@example.org}\nout: {way: sendmail}\n"
    )
    ended(games)
    Table(games, name="ur-2")
    said = pbem("archive", "ur-1", "ur-2", games=games)
    assert (said.code, said.out) == (1, "")
    one, two = said.err.splitlines()
    assert one.startswith("ur-1 stays: 4 letters have not left; `pbem mail out` sends what")
    assert two.startswith("ur-2 stays: it is not over; 2 letters have not left")
    assert names(games) == [".lock", "pbem.yaml", "ur-1", "ur-2"]
    said = pbem("archive", "ur-1", "ur-2", "--unfinished", "--json", games=games)
    assert said.code == 0
    assert [each["game"] for each in said.data["games"]] == ["ur-1", "ur-2"]
    assert names(games / "_archive") == ["ur-1", "ur-2"]


def test_what_reads_finds_it_and_what_changes_says_where_it_is(games: Path) -> None:
    table = ended(games)
    report = table.report("bull")
    (games / "_templates").mkdir()
    assert pbem("archive", "ur-1", games=games).code == 0
    assert pbem("report", "ur-1", "--for", "bull", games=games).out == report
    assert pbem("report", "UR-1", "--for", "bull", "--at", "0", games=games).code == 0
    assert "all the same" in pbem("replay", "ur-1", games=games).out
    before = tree(games)
    file = games.parent / "orders.yaml"
    file.write_text("game: ur-1\n")
    place = str(games / "_archive" / "ur-1")
    for words in (
        ["turn", "ur-1"], ["turn", place], ["undo", "ur-1", "--yes"], ["key", "ur-1", "bull"],
        ["check", "ur-1", str(file)], ["archive", "ur-1"],
    ):  # fmt: skip
        said = pbem(*words, games=games)
        assert (said.code, said.out) == (1, "")
        assert said.err == (
            f"ur-1 is in the archive, {place}; `pbem archive --back ur-1` brings it back\n"
        )
    assert "there are no games" in pbem("turn", "--all", games=games).out
    assert tree(games) == before


def test_its_name_is_not_free(games: Path) -> None:
    ended(games)
    pbem("archive", "ur-1", games=games)
    said = pbem("new", "UR-1", "--seat", "archer=Ana", "--seat", "bull=Ben", games=games)
    assert (said.code, "_archive/ur-1 already" in said.err) == (2, True)


def test_the_templates_of_the_moderator_hold_in_the_archive(games: Path) -> None:
    ended(games)
    (games / "_templates").mkdir()
    (games / "_templates/report.txt.j2").write_text("Mine.\n")
    pbem("archive", "ur-1", games=games)
    assert pbem("report", "ur-1", "--for", "bull", games=games).out.strip() == "Mine."


def test_a_game_that_was_brought_back_stays_until_it_is_played_on(games: Path) -> None:
    table = ended(games)
    sent(table)
    assert goes(table, games)
    said = pbem("archive", "--back", "UR-1", games=games)
    assert (said.code, said.out) == (0, f"ur-1: now in {games / 'ur-1'}; it goes on\n")
    assert names(games / "_archive") == []
    assert not goes(table, games, later=timedelta(days=99))
    assert pbem("undo", "ur-1", "--yes", games=games).code == 0
    table.put("archer", "turn: 1b\nactions: temple A1, pass")
    assert pbem("turn", "ur-1", games=games, PBEM_NOW="2026-03-03T08:00:00Z").code == 0
    assert table.asks == "over"
    sent(table)
    assert goes(table, games, later=timedelta(days=99))
    said = pbem("archive", "--back", "ur-1", "ur-2", games=games)
    assert (said.code, names(games)) == (2, [".lock", "_archive", "ur-1"])
    said = pbem("archive", "--back", "ur-1", games=games)
    assert (said.code, "is not in the archive" in said.err) == (1, True)


def test_the_way_back_may_be_blocked(games: Path) -> None:
    table = ended(games)
    pbem("archive", "ur-1", games=games)
    shutil.copytree(games / "_archive/ur-1", games / "Ur-1")
    said = pbem("archive", "--back", "_archive/ur-1", games=games)
    assert said.code == 2
    said = pbem("archive", "--back", str(games / "_archive/ur-1"), games=games)
    assert (said.code, "already; rename one of them" in said.err) == (1, True)
    assert not table.path.exists() or names(games) == [".lock", "Ur-1", "_archive"]


@pytest.mark.parametrize("words", [["archive"], ["archive", "--back"],
                                   ["archive", "x", "--back", "--unfinished"]])  # fmt: skip
def test_wrong_use(games: Path, words: list[str]) -> None:
    assert pbem(*words, games=games).code == 2


def test_killed_anywhere_it_is_here_or_there(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = ended(games)
    sent(table)
    before = tree(table.path)

    def there(where: Path) -> Callable[[], bool]:
        return partial(archive_finished, where, GameFolder(where / "ur-1"), WHEN, "smtp")

    with monkeypatch.context() as patch:
        killer = Killer(patch)
        twin = shutil.copytree(games, tmp_path / "twin")
        for moment in range(1, killer.moments(there(twin)) + 1):
            victim = shutil.copytree(games, tmp_path / f"killed-{moment}")
            try:
                killer.kill(moment, there(victim))
            except Killed:
                pytest.fail("it was not killed")
            if (victim / "ur-1").exists():
                assert there(victim)()
            assert tree(victim / "_archive/ur-1") == before
            assert not (victim / "ur-1").exists()


def test_a_mail_for_it_is_answered(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    desk.start("ur-2")
    assert desk.call("archive", "ur-1", "--unfinished").code == 0
    desk.take(mail(orders("press: Hello?\nnote: You?")), code=1)
    desk.take(mail(orders(), number=2), code=1)
    for answer in desk.answers():
        said = " ".join(text_of(answer).split())
        assert "the game is in the archive: it is over, or was broken off" in said
        assert "There is no game" not in said
    assert len(desk.answers()) == 2
    assert names(desk.games / "_archive/ur-1/orders") == []
    desk.take(mail("status", number=3))
    assert re.findall(r"^ur-\d", text_of(desk.answers()[2]), re.MULTILINE) == ["ur-2"]
