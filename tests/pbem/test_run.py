"""`run` and `run --dry-run`: what they print, and that a dry run changes nothing."""

import json
import os
from pathlib import Path

import pytest

from pbem.clock import read_time
from pbem.health import Health, load_health, save_health
from tests.pbem.calls import Said, pbem
from tests.pbem.mail_desk import mail

BEGIN, REMIND, LATE = "2026-03-02T09:00:00Z", "2026-03-04T10:00:00Z", "2026-03-05T10:00:00Z"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Two games with deadlines, begun."""
    place = tmp_path / "games"
    place.mkdir()
    (place / "pbem.yaml").write_text(
        "schema: 1\nrules: 1\naddresses: {orders: orders@example.org, moderator: gm@example.org}\n"
        "limits: {outage_hours: 0}\n"
    )
    for name in ("ur-1", "ur-2"):
        seats = ("--seat", "archer=Ana <ana@example.org>", "--seat", "bull=Ben <ben@example.org>")
        policies = ("--policy", "turn_time=3d", "--policy", "late=pass")
        assert pbem("new", name, *seats, *policies, games=place, PBEM_NOW=BEGIN).code == 0
    assert run(place, BEGIN).code == 0
    return place


def run(games: Path, now: str, *words: str) -> Said:
    return pbem("run", *words, games=games, PBEM_NOW=now)


def everything(games: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in games.rglob("*") if path.is_file()}


def orders(games: Path, game: str) -> None:
    text = f"game: {game}\nplayer: archer\nturn: 1\nactions: king F4\nnote: Hello!\n"
    (games / game / "orders" / "archer.yaml").write_text(text)


def test_it_tells_what_was_done(games: Path) -> None:
    orders(games, "ur-1")
    done = run(games, REMIND)
    assert "run 1, 1 decision, a note from archer: see " in done.out
    assert "reports/moderator.txt" in done.out
    assert (
        "ur-2: waits for archer (Ana), 1.1, an action, since 2026-03-02T09:00:00Z; 1 reminder\n"
        in done.out
    )
    assert done.out.endswith("2 games: 1 advanced, 1 reminder\n")
    late = run(games, LATE, "--json").data["games"]
    assert [(each["game"], each["did"]) for each in late] == [
        ("ur-2", ["run 1", "2 decisions", "archer did not answer 1.1 in time"])
    ]


def test_a_dry_run_tells_the_same_and_changes_nothing(games: Path) -> None:
    orders(games, "ur-1")
    before = everything(games)
    said = run(games, LATE, "--dry-run")
    assert everything(games) == before
    assert said.out.splitlines()[0].split("  ")[0] == "game"
    assert "ur-1  run 1, 1 decision, a note from archer" in said.out
    row = "ur-2  run 1, 2 decisions, archer did not answer 1.1 in time, 2 letters  bull, 2.1"
    assert said.out.splitlines()[2] == row
    dry = json.loads(run(games, LATE, "--dry-run", "--json").out)["games"]
    real = run(games, LATE, "--json").data["games"]
    assert [each["did"][:2] for each in dry] == [each["did"][:2] for each in real]


def test_orders_that_are_refused_are_told(games: Path) -> None:
    (games / "ur-1" / "orders" / "archer.yaml").write_text("nonsense")
    said = run(games, REMIND)
    assert said.code == 1
    assert "the order file of archer was refused" in said.err


def test_an_outage_stops_the_clock_until_it_is_said_to_be_over(games: Path) -> None:
    (games / "pbem.yaml").unlink()
    said = run(games, LATE)
    assert said.code == 1
    assert "pbem resume --all" in said.err
    assert "missed" not in said.out
    assert pbem("resume", "--all", games=games, PBEM_NOW=LATE).code == 0
    assert run(games, LATE).code == 0


def test_a_clock_that_ran_ahead_is_right_again_when_it_is_said(games: Path) -> None:
    ahead = read_time("2027-03-02T09:00:00Z")
    save_health(games, Health(last=ahead, digest=ahead))
    back = run(games, LATE)
    assert back.code == 1
    assert "the clock says" in back.err
    assert "deadline" not in back.out
    said = pbem("resume", "--all", games=games, PBEM_NOW=LATE)
    assert (said.code, said.out) == (0, f"the clock is right: it is {LATE}\n")
    after = run(games, LATE)
    assert (after.code, after.err) == (0, "")
    assert "2 deadlines missed" in after.out
    assert load_health(games) == Health(read_time(LATE), read_time(LATE))


def test_the_first_run_lays_a_digest_that_knows_of_it(games: Path) -> None:
    (letter,) = (games / "_outbox").glob("moderator-*.eml")
    text = letter.read_text()
    assert "Health: last run Monday 2 March 2026, 09:00 UTC" in text


def test_a_dry_run_tells_of_mails_that_lie_in_the_inbox(games: Path) -> None:
    (games / "_inbox").mkdir()
    (games / "_inbox" / "1.eml").write_bytes(
        mail("game: ur-1\nplayer: archer\nturn: 1\nactions: king F4\n", "ana")
    )
    (games / "pbem.yaml").write_text(
        (games / "pbem.yaml").read_text() + "authserv_id: mx.example.org\n"
    )
    said = run(games, REMIND, "--dry-run")
    assert said.code == 0, said
    assert "ur-1  mail 1 for archer: accept" in said.out
    assert "ur-1  run 1, 1 decision" in said.out
    assert not (games / "_mail" / "ledger.jsonl").exists()


def test_a_dry_run_over_things_that_are_no_files(games: Path) -> None:
    (games / "ur-1" / "desk.yaml").unlink()
    os.mkfifo(games / "ur-1" / "desk.yaml")
    os.mkfifo(games / "_odd")
    said = run(games, REMIND, "--dry-run")
    assert said.code == 3
    assert "desk.yaml: this is no file that can be read" in said.err
    assert "ur-2" in said.out


def test_an_outage_that_is_over_does_not_begin_again(games: Path) -> None:
    text = (games / "pbem.yaml").read_text().replace("outage_hours: 0", "outage_hours: 9")
    (games / "pbem.yaml").write_text(text)
    assert "an outage since 2026-03-02T09:00:00Z" in run(games, "2026-03-03T09:00:00Z").err
    resumed = pbem("resume", "--all", games=games, PBEM_NOW="2026-03-03T15:00:00Z")
    assert resumed.code == 0, resumed
    assert run(games, "2026-03-03T23:00:00Z").code == 0
    assert "an outage since 2026-03-03T23:00:00Z" in run(games, "2026-03-04T10:00:00Z").err


def test_a_deadline_that_drops_a_seat_was_missed_too(games: Path) -> None:
    path = games / "ur-1" / "game.yaml"
    path.write_text(path.read_text().replace("late: pass", "late: drop\n  misses: 1"))
    said = run(games, LATE)
    assert "archer plays no more" in said.out
    assert said.out.endswith("2 games: 2 advanced, 2 deadlines missed\n")
