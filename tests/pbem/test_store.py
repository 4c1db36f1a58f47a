"""The folder of a game: what is there after each step, and after being killed between two."""

import os
import stat
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from engine.options import Options
from engine.setup import new_game
from pbem import disk
from pbem.gamefile import GameFile, SeatEntry
from pbem.games import NoSuchGame, create_game, find_game, find_games
from pbem.record import Record, Start
from pbem.sound import Damage
from pbem.store import GameFolder, OrderFile

WHEN = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
STATE = new_game(("archer", "bull"), "a seed")
START = Record(0, "start", WHEN, STATE, start=Start(("archer", "bull"), Options(), "a seed"))
SEATS = (SeatEntry("archer", "Ana", "ana@example.org"), SeatEntry("bull", "Bo"))


class Killed(BaseException):
    """The program was killed here."""


def turn(run: int) -> Record:
    return Record(run, "turn", WHEN, STATE)


def undo(run: int, to: int) -> Record:
    return Record(run, "undo", WHEN, STATE, undo_to=to)


def kill(monkeypatch: pytest.MonkeyPatch, place: Any, name: str, nth: int = 1) -> None:
    """Let the program die instead of the nth call of this function."""
    original: Callable[..., Any] = getattr(place, name)
    calls = [0]

    def dying(*args: Any, **kwargs: Any) -> Any:
        calls[0] += 1
        if calls[0] == nth:
            raise Killed
        return original(*args, **kwargs)

    monkeypatch.setattr(place, name, dying)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return tmp_path / "games"


@pytest.fixture
def folder(games: Path) -> GameFolder:
    return create_game(games, GameFile("ur-1", SEATS, Options()), START)


def send(folder: GameFolder, name: str = "archer.yaml", data: bytes = b"game: ur-1\r\n") -> bytes:
    (folder.inbox / name).write_bytes(data)
    return data


def test_a_new_game(folder: GameFolder) -> None:
    assert folder.name == "ur-1"
    assert folder.is_game
    assert folder.runs() == (0,)
    assert folder.next_run() == 1
    game = folder.load()
    assert game.file.seats == SEATS
    assert game.record == START


def test_only_the_owner_can_read(folder: GameFolder) -> None:
    folder.write_report("archer", "secret\n")
    order = send(folder)
    folder.receive(OrderFile(folder.inbox / "archer.yaml", order), "archer")
    for path in folder.path.rglob("*"):
        assert mode(path) == (0o700 if path.is_dir() else 0o600), path
    assert mode(folder.path) == 0o700


@pytest.mark.parametrize("name", ["ur-1", "UR-1", "../x", "a/b", "_templates", "con", ""])
def test_names_that_are_taken_or_forbidden(folder: GameFolder, name: str) -> None:
    games = folder.path.parent
    before = names(games)
    with pytest.raises(NoSuchGame):
        create_game(games, GameFile(name, SEATS, Options()), START)
    assert names(games) == before


@pytest.mark.parametrize("nth", [1, 2])
def test_a_game_that_was_not_finished_is_not_there(
    games: Path, monkeypatch: pytest.MonkeyPatch, nth: int
) -> None:
    file = GameFile("ur-1", SEATS, Options())
    with monkeypatch.context() as patch:
        kill(patch, disk, "write_new", nth)
        with pytest.raises(Killed):
            create_game(games, file, START)
    assert find_games(games) == []
    assert create_game(games, file, START).load().record == START
    assert names(games) == [".lock", "ur-1"]


def test_games_are_found_by_name_and_by_path(folder: GameFolder) -> None:
    games = folder.path.parent
    for text in ("ur-1", "Ur-1", str(folder.path), f"{folder.path}/"):
        assert find_game(games, text).path == folder.path
    assert [found.name for found in find_games(games)] == ["ur-1"]


def test_what_is_no_game_is_not_found(folder: GameFolder, tmp_path: Path) -> None:
    games = folder.path.parent
    for other in ("_templates", "pbem.d", "plain"):
        (games / other).mkdir()
    (games / "_templates" / "game.yaml").write_text("x")
    (games / "pbem.d" / "game.yaml").write_text("x")
    (games / "link").symlink_to(folder.path)
    assert [found.name for found in find_games(games)] == ["ur-1"]
    for text in ("nope", "plain", "link", "..", ".", "_templates", "a\nb", "../games", ""):
        with pytest.raises(NoSuchGame) as refused:
            find_game(games, text)
        assert str(refused.value).isprintable()
    assert find_games(tmp_path / "nowhere") == []


def test_a_run_is_committed_once(folder: GameFolder) -> None:
    path = folder.commit(turn(1))
    assert path.name == "0001.yaml"
    assert folder.load().record == turn(1)
    assert folder.load_run(0) == START
    with pytest.raises(FileExistsError):
        folder.commit(turn(1)._replace(press=()))
    assert names(folder.history) == ["0000.yaml", "0001.yaml"]


@pytest.mark.parametrize(("place", "name"), [(disk, "move_new"), (os, "fsync"), (os, "link")])
def test_killed_before_the_commit(
    folder: GameFolder, monkeypatch: pytest.MonkeyPatch, place: Any, name: str
) -> None:
    with monkeypatch.context() as patch:
        kill(patch, place, name)
        with pytest.raises(Killed):
            folder.commit(turn(1))
    assert folder.load().record == START
    assert folder.next_run() == 1
    with folder.locked():
        assert names(folder.history) == ["0000.yaml"]
    folder.commit(turn(1))
    assert folder.load().record == turn(1)


def test_killed_right_after_the_commit(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        kill(patch, disk, "sync_folder")
        with pytest.raises(Killed):
            folder.commit(turn(1))
    assert folder.load().record == turn(1)


def test_without_hard_links_nothing_is_overwritten_either(
    folder: GameFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_link(*_: Any, **__: Any) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", no_link)
    folder.commit(turn(1))
    assert folder.load().record == turn(1)
    with pytest.raises(FileExistsError):
        folder.commit(turn(1))


def test_one_run_at_a_time(folder: GameFolder) -> None:
    with folder.locked(), pytest.raises(disk.Busy), folder.locked():
        pass
    with folder.locked():
        pass


def test_orders_are_listed_as_they_lie_there(folder: GameFolder, tmp_path: Path) -> None:
    data = send(folder)
    send(folder, "Somebody.txt", b"")
    send(folder, ".hidden", b"")
    secret = tmp_path / "secret"
    secret.write_text("not for you")
    (folder.inbox / "bull.yaml").symlink_to(secret)
    (folder.inbox / "folder").mkdir()
    os.mkfifo(folder.inbox / "pipe")
    send(folder, "large.yaml", b"x" * 300_000)
    found = {order.name: order for order in folder.orders()}
    assert found["archer.yaml"].data == data
    assert found["archer.yaml"].fault is None
    assert found["Somebody.txt"].data == b""
    for name in ("bull.yaml", "folder", "pipe"):
        assert found[name].data == b""
        assert found[name].fault
    assert "larger" in str(found["large.yaml"].fault)
    assert ".hidden" not in found


def test_a_file_is_received_byte_for_byte_under_the_next_number(folder: GameFolder) -> None:
    for number in (1, 2):
        data = send(folder, data=b"\xef\xbb\xbfgame: x\r\n\x00" * number)
        (order,) = folder.orders()
        path = folder.receive(order, "archer")
        assert path.name == f"000{number}-archer.yaml"
        assert path.read_bytes() == data
        assert folder.orders() == []
    send(folder, "bull.yaml")
    (order,) = folder.orders()
    assert folder.receive(order, "bull").name == "0003-bull.yaml"


def test_a_file_that_was_replaced_meanwhile_stays(folder: GameFolder) -> None:
    old = send(folder)
    (order,) = folder.orders()
    new = send(folder, data=b"something else")
    path = folder.receive(order, "archer")
    assert path.read_bytes() == old
    assert [order.data for order in folder.orders()] == [new]
    assert names(folder.received) == ["0001-archer.yaml"]


def test_a_file_that_was_taken_away_is_kept_all_the_same(folder: GameFolder) -> None:
    data = send(folder)
    (order,) = folder.orders()
    (folder.inbox / "archer.yaml").unlink()
    assert folder.receive(order, "archer").read_bytes() == data


@pytest.mark.parametrize("name", ["link", "unlink"])
def test_nothing_that_was_sent_is_lost(
    folder: GameFolder, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    data = send(folder)
    (order,) = folder.orders()
    with monkeypatch.context() as patch:
        kill(patch, *((os, name) if name == "link" else (Path, name)))
        with pytest.raises(Killed):
            folder.receive(order, "archer")
    with folder.locked():
        (there,) = [path for path in folder.path.rglob("*archer*") if path.read_bytes() == data]
        assert there.parent == (folder.inbox if name == "link" else folder.received)
        assert not there.name.startswith(".")


def test_a_file_taken_by_a_killed_run_is_kept_behind_a_newer_one(folder: GameFolder) -> None:
    disk.make_folder(folder.received)
    (folder.received / ".taking-archer.yaml").write_bytes(b"older")
    send(folder, data=b"newer")
    with folder.locked():
        assert [order.data for order in folder.orders()] == [b"newer"]
        assert (folder.received / "0001-archer.yaml").read_bytes() == b"older"


def test_reports_are_written_over_the_ones_before(folder: GameFolder) -> None:
    folder.write_report("archer", "one\n")
    path = folder.write_report("archer", "zwei \u00e4\n")
    assert path.read_text(encoding="utf-8") == "zwei \u00e4\n"
    assert names(folder.reports) == ["archer.txt"]


def undone(folder: GameFolder) -> None:
    assert folder.runs() == (0, 1, 4)
    assert folder.next_run() == 5
    assert names(folder.undone) == ["0002.yaml", "0003.yaml", "0004-archer.yaml"]
    assert names(folder.inbox) == []
    assert folder.load().record == undo(4, 1)
    assert folder.load_run(2) == turn(2)


def test_undo_puts_aside_what_it_took_back(folder: GameFolder) -> None:
    for run in (1, 2, 3):
        folder.commit(turn(run))
    send(folder)
    folder.commit(undo(4, 1))
    folder.set_aside(undo(4, 1))
    undone(folder)
    with pytest.raises(FileExistsError):
        folder.commit(turn(3))
    with folder.locked():
        undone(folder)


@pytest.mark.parametrize("nth", [1, 2])
def test_an_undo_that_was_killed_is_finished_later(
    folder: GameFolder, monkeypatch: pytest.MonkeyPatch, nth: int
) -> None:
    for run in (1, 2, 3):
        folder.commit(turn(run))
    send(folder)
    folder.commit(undo(4, 1))
    with monkeypatch.context() as patch:
        kill(patch, disk, "move_new", nth)
        with pytest.raises(Killed):
            folder.set_aside(undo(4, 1))
    with folder.locked():
        undone(folder)


def test_undone_runs_may_be_thrown_away(folder: GameFolder) -> None:
    test_undo_puts_aside_what_it_took_back(folder)
    for path in folder.undone.iterdir():
        path.unlink()
    assert folder.load().record == undo(4, 1)
    assert folder.next_run() == 5


def damage(folder: GameFolder) -> str:
    with pytest.raises(Damage) as damaged:
        folder.load()
    assert damaged.value.problems
    return f"{damaged.value.path.name}: {damaged.value.problems[0].message}"


def test_a_damaged_game_names_the_file(folder: GameFolder) -> None:
    for run in (1, 2):
        folder.commit(turn(run))
    newest = folder.history / "0002.yaml"
    text = newest.read_text()
    newest.write_text(text.replace("kind: turn", "kind: tern"))
    assert damage(folder).startswith("0002.yaml: $.kind")
    newest.write_text(text.replace("run: 2", "run: 3"))
    assert damage(folder) == "0002.yaml: $.run: 3 should be 2, as the file is named"
    newest.write_text("")
    assert damage(folder).startswith("0002.yaml: ")
    newest.write_text(text)
    (folder.history / "0001.yaml").unlink()
    assert damage(folder) == "0001.yaml: the file of this run is missing"
    for path in folder.history.iterdir():
        path.unlink()
    assert damage(folder) == "history: there is no run in it"


def test_game_and_history_must_agree(folder: GameFolder) -> None:
    path = folder.path / "game.yaml"
    text = path.read_text()
    path.write_text(text.replace("board: standard", "board: advanced"))
    assert "binding" in damage(folder)
    path.write_text(text.replace("archer", "lion"))
    assert damage(folder) == "game.yaml: $.seats: the game is played by archer bull, in this order"
    path.unlink()
    path.mkdir()
    assert damage(folder) == "game.yaml: this is no file that can be read"
    path.rmdir()
    path.write_text(text)
    (folder.path / "desk.yaml").write_text("x: 1")
    assert damage(folder).startswith("desk.yaml: ")
