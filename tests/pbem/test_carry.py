"""A game carried to another moderator in one file: it goes on there as if nothing had happened."""

import io
import json
import random
import stat
import zipfile
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from engine import questions as q
from engine.advance import advance
from engine.state import State
from pbem.deskfile import Stop
from pbem.health import Health, save_health
from pbem.mail.outbox import Outbox
from pbem.store import GameFolder
from tests.pbem.calls import Said, pbem
from tests.pbem.games import WHEN, Table, names, tree
from tests.pbem.mail_desk import Desk, mail, orders
from tests.pbem.test_archive import ended
from tests.pbem.test_kill import Killer
from tests.pbem.test_whole_games import Players
from tests.playouts import play

Files = dict[str, bytes]


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return tmp_path / "games"


def exported(table: Table, to: Path) -> Path:
    """The file of a game, written into a folder."""
    to.mkdir(exist_ok=True)
    said = pbem("export", table.name, "--to", str(to), "--json", games=table.path.parent)
    assert said.code == 0, said
    return Path(said.data["games"][0]["file"])


def contents(path: Path) -> Files:
    """What lies in the file."""
    with zipfile.ZipFile(path) as parcel:
        return {name: parcel.read(name) for name in parcel.namelist()}


def packed(path: Path, files: Files, *, honest: bool = True) -> Path:
    """A file with these contents; `honest`: its list of them is right."""
    if honest:
        data = json.loads(files["manifest.json"])
        data["files"] = {n: sha256(d).hexdigest() for n, d in files.items() if n[:5] == "game/"}
        files = {**files, "manifest.json": json.dumps(data).encode()}
    with zipfile.ZipFile(path, "w") as parcel:
        for name, content in files.items():
            parcel.writestr(name, content)
    return path


def taken(path: Path, *more: str, games: Path) -> Said:
    """`import`; what is refused leaves nothing behind."""
    before = tree(games)
    said = pbem("import", str(path), *more, games=games)
    if said.code:
        assert tree(games) == before
        assert "Traceback" not in said.err
        assert [name for name in names(games) if name.startswith(".new")] == []
    return said


def there(games: Path, name: str = "ur-1") -> Table:
    """The game in another place."""
    table = Table.__new__(Table)
    table.name, table.folder = name, GameFolder(games / name)
    return table


def played(table: Table, chance: random.Random, most: int) -> None:
    """Some calls of `turn`, or as many as it takes."""
    players = Players(table, chance)
    for _ in range(most):
        record = table.record
        if record.state.over:
            return
        players.write(record.state, table.asks.partition(" ")[0])
        table.turn()


def near_the_end(number: int) -> State:
    """A whole game up to a turn soon before its end: it ends soon, however it is played."""
    game = play(number)
    state = turn = game.start
    for player, order in game.decisions[:-40]:
        state = advance(state, player, order).state
        if isinstance(state.question, q.AskAction) and state.question.number == 1:
            turn = state
    return turn


def test_it_goes_on_as_if_nothing_had_happened(games: Path, tmp_path: Path) -> None:
    table = Table(games, near_the_end(3))
    played(table, random.Random(1), 15)
    assert not table.record.state.over
    table.put(table.state.players[0], "note: Hello.")
    assert table.waiting() or table.orders()
    said = taken(exported(table, tmp_path), games=tmp_path / "there")
    assert (said.code, said.err) == (0, "")
    twin = there(tmp_path / "there")
    assert tree(twin.path) == tree(table.path)
    assert twin.turn().run == table.turn().run
    for each in (table, twin):
        played(each, random.Random(2), 2000)
        assert each.asks == "over"
    assert tree(twin.path) == tree(table.path)
    for path in twin.path.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def test_the_same_game_is_the_same_file(games: Path, tmp_path: Path) -> None:
    table = Table(games)
    table.acts("archer", "pass")
    path = exported(table, tmp_path / "one")
    assert path.name == "ur-1-0001.pbem.zip"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert exported(table, tmp_path / "two").read_bytes() == path.read_bytes()
    assert exported(table, tmp_path / "one") == path
    taken(path, games=tmp_path / "there")
    again = exported(there(tmp_path / "there"), tmp_path / "three")
    assert again.read_bytes() == path.read_bytes()
    table.put("archer", "note: Hello.")
    said = pbem("export", "ur-1", "--to", str(path), games=games)
    assert (said.code, "is there already, with other content" in said.err) == (1, True)
    assert exported(there(tmp_path / "there"), tmp_path / "one") == path


def test_a_game_that_is_over_and_archived(games: Path, tmp_path: Path) -> None:
    table = ended(games)
    before = tree(table.path)
    pbem("archive", "ur-1", games=games)
    assert taken(exported(table, tmp_path), games=tmp_path / "there").code == 0
    assert tree(tmp_path / "there/ur-1") == before
    said = taken(tmp_path / "ur-1-0001.pbem.zip", games=games)
    assert (said.code, "_archive/ur-1 already" in said.err) == (1, True)


def test_letters_that_have_left_stay_sent_and_keys_stay_valid(tmp_path: Path) -> None:
    desk, other = Desk(tmp_path / "one"), Desk(tmp_path / "two")
    desk.start()
    key = desk.key()
    box = Outbox(desk.game / "outbox")
    for entry in box.entries():
        box.change(entry, "sent", WHEN)
    said = desk.call("export", "ur-1", "--to", str(tmp_path / "it.zip"))
    assert (said.code, "outbox" in said.out) == (0, False)
    said = other.call("import", str(tmp_path / "it.zip"))
    assert (said.code, "outbox" in said.out) == (0, False)
    assert "nothing new" in other.turn().out
    assert other.letters() == []
    text = orders().replace("player: archer", f"player: archer\nkey: {key}")
    other.take(mail(text, "stranger", proven=False))
    assert "run 1" in other.turn().out
    assert [letter["To"] for letter in other.letters()] != []
    stored = b"".join(contents(tmp_path / "it.zip").values())
    assert key.encode() not in stored


def filed(path: Path) -> tuple[list[str], list[int]]:
    """The mails in a file, and the numbers in their ledger."""
    files = contents(path)
    ledger = files.get("game/mails/ledger.jsonl", b"").decode().splitlines()
    mails = [name[11:] for name in files if name.startswith("game/mails/") and "ledger" not in name]
    return mails, [json.loads(line)["number"] for line in ledger]


def test_the_mails_of_this_game_go_with_it_and_no_others(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "one")
    desk.start()
    desk.start("ur-2")
    desk.take(mail(orders("turn: 1\nactions: king F4"), number=1))
    desk.take(mail(orders("turn: 1\nactions: king F4", game="ur-2"), number=2))
    desk.take(mail(orders("turn: 1\nactions: king A1"), number=3), code=1)
    desk.take(mail(orders("turn: 1\nactions: tempel A1", game="ur-2"), number=4), code=1)
    desk.take(mail(orders(), "eve", number=5, proven=False), code=1)
    desk.take(mail("status", number=6))
    desk.take(mail(orders("turn: 1\nactions: king F4", game="UR-1"), number=7))
    desk.call("refuse", "5", "--because", "nobody knows eve")
    said = desk.call("export", "ur-1", "--to", str(tmp_path / "it.zip"))
    assert (said.code, "with 4 mails" in said.out) == (0, True)
    wanted = [1, 3, 5, 7]
    mails, numbers = filed(tmp_path / "it.zip")
    assert mails == [f"{number:06}.eml" for number in wanted]
    assert sorted(set(numbers)) == wanted
    assert numbers.count(5) == 2
    (raw,) = (desk.games / "_mail/raw/0000").glob("000003.*")
    assert contents(tmp_path / "it.zip")["game/mails/000003.eml"] == raw.read_bytes()

    other = Desk(tmp_path / "two")
    assert other.call("import", str(tmp_path / "it.zip")).code == 0
    other.take(mail(orders("turn: 1\nactions: king F4, trader G3"), number=8))
    assert other.call("export", "ur-1", "--to", str(tmp_path / "again.zip")).code == 0
    mails, numbers = filed(tmp_path / "again.zip")
    assert mails == ["000001-2.eml", *(f"{number:06}.eml" for number in wanted)]
    assert numbers == [1, 3, 5, 5, 7, 1]


def test_a_damaged_mail_is_named_and_the_rest_goes(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    desk.take(mail(orders("turn: 1\nactions: king F4"), number=1))
    (raw,) = (desk.games / "_mail/raw/0000").glob("000001.*")
    raw.write_bytes(b"other")
    said = desk.call("export", "ur-1", "--to", str(tmp_path / "it.zip"))
    assert (said.code, "left out, as it is damaged: mail 1" in said.err) == (3, True)
    assert filed(tmp_path / "it.zip") == ([], [])


def test_under_another_name(games: Path, tmp_path: Path) -> None:
    table = Table(games)
    table.acts("archer", "pass")
    path = exported(table, tmp_path)
    said = taken(path, games=games)
    assert (said.code, "choose another name" in said.err) == (1, True)
    for wrong in ("_x", "a/b", "UR-1"):
        assert taken(path, "--as", wrong, games=games).code == 1
    assert taken(path, "--as", "kish", games=games).code == 0
    assert pbem("turn", "kish", games=games).out.startswith("kish: waits for archer (Ana), 1.2")
    table.put("bull", "turn: 2\nactions: pass")
    said = taken(exported(table, tmp_path / "two"), "--as", "mari", games=games)
    assert said.code == 1
    assert "orders lie in it that name ur-1, so it cannot be called mari yet" in said.err


def test_reports_of_a_run_that_was_killed_come_with_the_next(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(games)
    table.put("archer", "turn: 1\nactions: pass")
    with monkeypatch.context() as patch:
        killer, moment = Killer(patch), 1
        while not (table.path / "history/0001.yaml").exists():
            killer.kill(moment, table.turn)
            moment += 1
    path = exported(table, tmp_path)
    assert not [name for name in contents(path) if "reports" in name]
    assert taken(path, games=tmp_path / "there").code == 0
    twin = there(tmp_path / "there")
    for each in (table, twin):
        each.turn()
    assert "Archer passes" in twin.report("bull")
    assert tree(twin.path) == tree(table.path)


def test_outages_become_pauses_of_the_game(games: Path, tmp_path: Path) -> None:
    table = Table(games)
    early, late = WHEN.replace(month=2), WHEN.replace(month=4)
    outages = (Stop(early, early.replace(day=2), "old"), Stop(late, None, "broken"))
    save_health(games, Health(outages=outages))
    path = exported(table, tmp_path / "one")
    assert b"pauses" not in contents(path).get("game/desk.yaml", b"")
    game = table.path / "game.yaml"
    game.write_text(game.read_text() + "policies:\n  turn_time: 3d\n")
    path = exported(table, tmp_path / "two")
    assert taken(path, games=tmp_path / "there").code == 0
    assert there(tmp_path / "there").folder.load_desk().pauses == (Stop(late, None, "broken"),)
    assert table.folder.load_desk().pauses == ()


def changed(**changes: bytes | None) -> Callable[[Files], Files]:
    """Other contents for some files; None takes one away."""

    def change(files: Files) -> Files:
        wanted = {f"game/{name.replace('__', '/')}.yaml": data for name, data in changes.items()}
        return {name: data for name, data in {**files, **wanted}.items() if data is not None}

    return change


def manifest(**changes: Any) -> Callable[[Files], Files]:
    def change(files: Files) -> Files:
        data = {**json.loads(files["manifest.json"]), **changes}
        return {**files, "manifest.json": json.dumps(data).encode()}

    return change


def edited(name: str, old: bytes, new: bytes) -> Callable[[Files], Files]:
    def change(files: Files) -> Files:
        assert old in files[name]
        return {**files, name: files[name].replace(old, new, 1)}

    return change


UNSOUND = {
    "no game.yaml": (changed(game=None), "game/game.yaml: it is missing"),
    "no history": (changed(history__0000=None), "game/history/0000.yaml: the file of this run"),
    "broken desk": (changed(desk=b"x: [\n"), "game/desk.yaml, line "),
    "broken undone": (changed(undone__0007=b"run: 7\n"), "game/undone/0007.yaml"),
    "broken outbox": (changed(outbox__0000=b"to: x\n"), "game/outbox/0000.yaml"),
    "other seats": (edited("game/game.yaml", b"dynasty: bull", b"dynasty: pot"), "$.seats"),
    "another name": (edited("game/game.yaml", b"game: ur-1", b"game: ur-7"), "is called ur-7"),
    "a hand by magic": (
        edited("game/history/0001.yaml", b"    archer: r5", b"    archer: r6"),
        "game/history/0001.yaml",
    ),
}
LISTS = {
    "a newer format": (manifest(format=9), "format 9 is newer than this program knows"),
    "a newer schema": (manifest(schema=9), "update pbem"),
    "no number": (manifest(run="x"), "run should be a number"),
    "no name": (manifest(game="../x"), "game should be the name of a game"),
    "a key more": (manifest(colour=1), "it should have the keys"),
    "no manifest": (
        lambda files: {n: d for n, d in files.items() if n != "manifest.json"},
        "there is no manifest.json",
    ),
    "a manifest of lists": (lambda files: {**files, "manifest.json": b"[" * 9999}, "no JSON"),
}


@pytest.mark.parametrize("what", UNSOUND | LISTS)
def test_what_is_not_sound_is_refused(games: Path, tmp_path: Path, what: str) -> None:
    table = ended(games)
    files = contents(exported(table, tmp_path))
    change, why = (UNSOUND | LISTS)[what]
    path = packed(tmp_path / "it.zip", change(files), honest=what not in LISTS)
    said = taken(path, games=tmp_path / "there")
    assert said.code == 1
    assert why in said.err


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../x", "does not begin with a dot"),
        ("game/../../x", "does not begin with a dot"),
        ("/etc/x", "does not begin with a dot"),
        ("game//etc/x", "does not begin with a dot"),
        ("game/.lock", "does not begin with a dot"),
        ("game/a\\..\\x", "control characters"),
        ("game/C:x", "control characters"),
        ("game/a\nb", "control characters"),
        ("game/a/b/c/d/e", "4 folders"),
        ("game/orders/", "is no plain file"),
        ("game/GAME.yaml", "is there twice"),
        ("other", "all files of a game lie in game/"),
        ("game/more.txt", "is not in manifest.json"),
    ],
)
def test_no_way_out_of_the_folder(games: Path, tmp_path: Path, name: str, why: str) -> None:
    files = contents(exported(Table(games), tmp_path))
    path = packed(tmp_path / "it.zip", {**files, name: b"x"}, honest=name != "game/more.txt")
    said = taken(path, games=tmp_path / "there")
    assert (said.code, why in said.err) == (1, True), said.err


def with_info(path: Path, info: zipfile.ZipInfo, data: bytes) -> Path:
    with zipfile.ZipFile(path, "a") as parcel:
        parcel.writestr(info, data, zipfile.ZIP_DEFLATED)
    return path


def test_links_bombs_and_what_is_none_are_refused(games: Path, tmp_path: Path) -> None:
    whole = exported(Table(games), tmp_path).read_bytes()
    path = tmp_path / "it.zip"

    def refused(data: bytes) -> str:
        path.write_bytes(data)
        said = taken(path, games=tmp_path / "there")
        assert said.code == 1
        return said.err

    path.write_bytes(whole)
    link = zipfile.ZipInfo("game/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert "is no plain file" in refused(with_info(path, link, b"/etc/passwd").read_bytes())
    path.write_bytes(whole)
    bomb = with_info(path, zipfile.ZipInfo("game/bomb"), bytes(65 * 1024 * 1024))
    assert bomb.stat().st_size < 200_000
    assert "would have more than" in refused(bomb.read_bytes())
    with zipfile.ZipFile(buffer := io.BytesIO(whole), "a") as parcel:
        for number in range(5):
            parcel.writestr(f"game/{number}", bytes(60 * 1024 * 1024), zipfile.ZIP_DEFLATED)
    assert "unpacked it would have more than" in refused(buffer.getvalue())
    for data in (b"", b"hello", whole[: len(whole) // 2], whole[2000:]):
        assert refused(data)
    assert pbem("import", str(tmp_path), games=games).code == 2
    assert pbem("import", str(tmp_path / "none.zip"), games=games).code == 2


def test_some_bytes_changed(games: Path, tmp_path: Path) -> None:
    """It is refused in words, or the bytes did not matter."""
    table = Table(games)
    table.acts("archer", "pass")
    whole, path = exported(table, tmp_path).read_bytes(), tmp_path / "it.zip"
    for number in range(60):
        chance, data = random.Random(number), bytearray(whole)
        for _ in range(chance.choice((1, 1, 4, 40))):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        where = tmp_path / f"there-{number}"
        said = taken(path, games=where)
        if said.code:
            assert (said.code, said.err.startswith(f"{path}: ")) == (1, True)
        else:
            assert tree(where / "ur-1") == tree(table.path)


def test_killed_anywhere_it_is_there_whole_or_not_at_all(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(games)
    table.acts("archer", "pass")
    path, right = exported(table, tmp_path), tree(table.path)

    def importing(where: Path) -> Callable[[], Said]:
        return partial(pbem, "import", str(path), games=where)

    with monkeypatch.context() as patch:
        killer = Killer(patch)
        for moment in range(1, killer.moments(importing(tmp_path / "twin")) + 1, 3):
            victim = tmp_path / f"killed-{moment}"
            killer.kill(moment, importing(victim))
            if not (victim / "ur-1").exists():
                assert importing(victim)().code == 0
            assert tree(victim / "ur-1") == right
            assert names(victim) in ([".lock", "ur-1"], [".lock", ".new-import", "ur-1"])


def test_what_cannot_be_carried_is_named(games: Path, tmp_path: Path) -> None:
    table = Table(games)
    (table.path / "orders/cat\n.yaml").write_text("x")
    said = pbem("export", "ur-1", "--to", str(tmp_path), games=games)
    assert (said.code, "rename it or take it away" in said.err) == (3, True)
    (table.path / "orders/cat\n.yaml").unlink()
    (table.path / "link").symlink_to("/etc")
    said = pbem("export", "ur-1", "--to", str(tmp_path), games=games)
    assert (said.code, "it is a link to elsewhere" in said.err) == (3, True)
    assert not [*tmp_path.glob("*.zip")]
    (table.path / "link").unlink()
    said = pbem("export", "ur-1", "--to", str(tmp_path / "no/where.zip"), games=games)
    assert (said.code, "where.zip: No such file" in said.err) == (2, True)
