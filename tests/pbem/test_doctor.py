"""`doctor`: each thing that can go wrong is found, and nothing else is wrong then."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from pbem.deskfile import Stop
from pbem.health import Health, save_health
from pbem.mail.outbox import Entry, Outbox
from pbem.mail.rawstore import RawStore
from pbem.mail.seen import Entry as Mail
from pbem.mail.seen import append
from tests.pbem.calls import Said, pbem
from tests.pbem.games import Table, tree

NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)
EARLIER = datetime(2026, 3, 1, tzinfo=UTC)
SENDMAIL = "schema: 1\nrules: 1\naddresses: {orders: o@example.org}\nout: {way: sendmail}\n"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Two sound games, and a run a minute ago."""
    for name in ("a", "b"):
        Table(tmp_path / "games", name=name)
    save_health(tmp_path / "games", Health(last=NOW.replace(hour=7, minute=59)))
    (tmp_path / "games").chmod(0o755)
    return tmp_path / "games"


def doctor(games: Path, *words: str) -> Said:
    return pbem("doctor", *words, games=games)


def letter(games: Path, state: str) -> None:
    """A letter of yesterday; letters are sent."""
    (games / "pbem.yaml").write_text(SENDMAIL)
    box = Outbox(games / "a" / "outbox")
    entry = Entry("0000-bull.a", "ben@example.org", "report", EARLIER)
    box.put(entry, b"x")
    if state != "waiting":
        box.change(entry, state, EARLIER, "gone")  # type: ignore[arg-type]


def damage(games: Path) -> None:
    (games / "a" / "history" / "0000.yaml").write_text("run: x\n")


def opened(games: Path) -> None:
    (games / "a").chmod(0o755)
    (games / "a" / "game.yaml").chmod(0o644)


class Trouble(NamedTuple):
    make: Callable[[Path], object]
    of: str
    says: str


TROUBLE = {
    "no run for long": Trouble(
        lambda games: save_health(games, Health(last=EARLIER)), "last run", "1 d 8 h ago; see"
    ),
    "a clock that goes back": Trouble(
        lambda games: save_health(games, Health(last=NOW.replace(hour=9))), "clock", "the last run"
    ),
    "a clock behind the mail": Trouble(
        lambda games: append_judged(games, NOW.replace(hour=9)), "clock", "newest mail was at"
    ),
    "an outage": Trouble(
        lambda games: save_health(games, Health(last=NOW, outages=(Stop(EARLIER),))),
        "outage", "pbem resume --all",
    ),
    "a run.yaml that is damaged": Trouble(
        lambda games: (games / "_run" / "run.yaml").write_text("last: never\n"),
        "last run", "run.yaml",
    ),
    "a wrong pbem.yaml": Trouble(
        lambda games: (games / "pbem.yaml").write_text("adresses: x\n"), "pbem.yaml", "adresses"
    ),
    "mails that nobody judges": Trouble(
        lambda games: RawStore(made(games / "_mail") / "raw").add(b"x", EARLIER),
        "mail in", "1 not judged",
    ),
    "letters that do not leave": Trouble(
        lambda games: letter(games, "waiting"), "mail out", "letters wait; the oldest for 1 d 8 h"
    ),
    "letters in doubt": Trouble(
        lambda games: letter(games, "unsure"), "mail out", "pbem mail out --sent 0000-bull.a"
    ),
    "letters that failed": Trouble(
        lambda games: letter(games, "failed"), "mail out", "1 could not be sent"
    ),
    "open files": Trouble(opened, "secrets", "a/game.yaml"),
    "a damaged game": Trouble(damage, "games", "1 game is sound, 1 cannot be loaded"),
    "a game twice": Trouble(
        lambda games: shutil.copytree(games / "a", games / "A"), "games", "mend the above"
    ),
}  # fmt: skip


def made(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder


def append_judged(games: Path, when: datetime) -> None:
    """A mail that came then and was accepted."""
    mail = RawStore(made(games / "_mail") / "raw").add(b"x", when)
    append(games / "_mail" / "ledger.jsonl", Mail(mail.number, when, when, "", "", "", "accept"))


def test_all_is_well(games: Path) -> None:
    before = tree(games)
    said = doctor(games)
    assert (said.code, said.err) == (0, "")
    assert all(line.startswith("ok     ") for line in said.out.splitlines())
    for what in ("last run", "clock", "outage", "pbem.yaml", "mail in", "held mails", "mail out",
                 "disk", "secrets", "leftovers", "_index.json", "games"):  # fmt: skip
        assert f"ok     {what}: " in said.out
    assert "`pbem mail doctor` tries the servers" in said.out
    assert tree(games) == before


@pytest.mark.parametrize("what", TROUBLE)
def test_trouble_is_found_and_nothing_else(games: Path, what: str) -> None:
    TROUBLE[what].make(games)
    said = doctor(games)
    wrong = [line for line in said.err.splitlines() if line.startswith("WRONG")]
    assert len(wrong) == 1, said
    assert wrong[0].startswith(f"WRONG  {TROUBLE[what].of}: ")
    assert TROUBLE[what].says in wrong[0]
    assert said.code == (3 if TROUBLE[what].of == "games" else 1)


def test_no_room(games: Path) -> None:
    usage = shutil.disk_usage(games)._replace(free=1_000_000)
    with patch("shutil.disk_usage", return_value=usage):
        assert "WRONG  disk: 0.0 GB are free: make room" in doctor(games).err


def test_held_mails_and_leftovers_are_told(games: Path) -> None:
    append_judged(games, EARLIER)
    ledger = games / "_mail" / "ledger.jsonl"
    append(ledger, Mail(1, EARLIER, EARLIER, "", "", "", "hold"))
    (games / "a" / "orders" / ".tmp-x").write_text("")
    (games / "a" / "received" / ".taking-bull.yaml").write_text("")
    said = doctor(games)
    assert "ok     held mails: 1; `pbem inbox` shows them" in said.out
    assert "ok     leftovers: 2 of runs that were killed" in said.out


def test_what_lies_in_a_closed_folder_is_closed(games: Path) -> None:
    (games / "a" / "game.yaml").chmod(0o644)
    assert doctor(games).code == 0
    opened(games)
    games.chmod(0o700)
    assert doctor(games).code == 0
    games.chmod(0o755)
    (games / "a" / "link").symlink_to("/etc/passwd")
    assert "others can read" in doctor(games).err


def test_the_findings_as_data(games: Path) -> None:
    damage(games)
    said = doctor(games, "--json")
    data = json.loads(said.out)
    assert {each["of"]: each["well"] for each in data["findings"]}["games"] is False
    assert data["problems"][-1]["of"] == "games"


def test_without_any_game(tmp_path: Path) -> None:
    assert doctor(tmp_path / "nowhere").code == 2
    (tmp_path / "games").mkdir()
    assert doctor(tmp_path / "games").code == 0
