"""`status`: the table of many games, its filters, who is late and why."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from pbem.clock.spans import Days, Span
from pbem.deskfile import Bounced, DeskFile, Stop
from pbem.gamefile import write_game
from pbem.health import Health, save_health
from pbem.mail.outbox import Entry, Outbox
from pbem.mail.seen import Entry as Mail
from pbem.mail.seen import append
from pbem.policies import Policies
from tests.pbem.calls import Said, pbem
from tests.pbem.games import Table

ASKED = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
SOON, LATER = "2026-03-02T08:00:00Z", "2026-03-05T12:30:00Z"
THREE_DAYS = Policies(turn_time=Span(3))


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return tmp_path / "games"


def table(games: Path, name: str, policies: Policies = Policies(), **desk: Any) -> Table:  # noqa: B008
    """A game with these policies, and this on its desk."""
    made = Table(games, name=name)
    file = made.folder.load_file()
    (made.path / "game.yaml").write_text(write_game(file._replace(policies=policies)))
    made.folder.write_desk(DeskFile(**desk))
    return made


def status(games: Path, *words: str, now: str = SOON) -> Said:
    return pbem("status", *words, games=games, PBEM_NOW=now)


def line_of(said: Said, game: str) -> str:
    """What the table says of a game, single spaces."""
    (found,) = (line for line in said.out.splitlines() if line.startswith(f"{game} "))
    return " ".join(found.split())


def test_many_games_are_a_table(games: Path) -> None:
    table(games, "a", THREE_DAYS)
    table(games, "b").acts("archer", "pass")
    said = status(games)
    head = said.out.splitlines()[0].split()
    assert head[:2] == ["GAME", "WAITS"]
    wanted = "a archer (Ana) 1.1 action 2026-03-01 12:30 2026-03-04 12:30"
    assert line_of(said, "a") == wanted
    assert line_of(said, "b") == "b archer (Ana) 1.2 action 2026-03-01 12:30 -"
    assert said.out.splitlines()[-1] == "2 games"
    assert max(map(len, said.out.splitlines())) <= 100
    assert status(games, "a", "b").out == said.out


def test_remarks(games: Path) -> None:
    table(games, "late", THREE_DAYS)
    table(games, "paused", THREE_DAYS, pauses=(Stop(ASKED, None, "a storm"),))
    table(games, "away", away={"bull": (Days(date(2026, 3, 4), date(2026, 3, 6)),)})
    table(games, "back", bounced={"bull@example.org": Bounced(ASKED, "5.1.1")})
    table(games, "dropped", THREE_DAYS, dropped={"bull": ASKED})
    table(games, "new", Policies(confirm=True), confirmed={"bull": ASKED})
    said = status(games, now=LATER)
    assert line_of(said, "late").endswith("2026-03-04 12:30 late for 1 d")
    assert line_of(said, "paused").endswith("- clock stopped since 2026-03-01 12:30 (a storm)")
    assert line_of(said, "away").endswith("bull is away until 2026-03-06")
    assert line_of(said, "back").endswith("letters come back: bull")
    assert line_of(said, "dropped").endswith("dropped: bull")
    assert line_of(said, "new").endswith("not confirmed: archer")
    assert "6 games, 2 late" in said.out


def test_an_outage_stops_all_clocks(games: Path) -> None:
    table(games, "a", THREE_DAYS)
    table(games, "b", THREE_DAYS)
    assert "2 late" in status(games, now=LATER).out
    save_health(games, Health(outages=(Stop(ASKED),)))
    said = status(games, now=LATER)
    assert "clock stopped since 2026-03-01 12:30" in line_of(said, "a")
    assert said.out.splitlines()[-1] == "2 games"


def test_one_game_is_told_in_words(games: Path) -> None:
    policies = THREE_DAYS._replace(grace=Span(0, 12))
    table(games, "a", policies, away={"bull": (Days(date(2026, 3, 1), date(2026, 3, 2)),)})
    assert status(games, "a").out.splitlines() == [
        "a: waits for archer (Ana), 1.1, an action, since 2026-03-01T12:30:00Z",
        "a: to be answered until 2026-03-04 12:30 UTC, with grace until 2026-03-05 00:30 UTC",
        "a: bull is away until 2026-03-02",
    ]
    assert status(games).out == status(games, "a").out


def test_the_data_keep_their_keys(games: Path) -> None:
    table(games, "a", THREE_DAYS, bounced={"bull@example.org": Bounced(ASKED, "5.1.1")})
    (data,) = status(games, "--json", now=LATER).data["games"]
    old = [
        "game",
        "run",
        "turn",
        "active",
        "over",
        "question",
        "asks",
        "waiting_for",
        "name",
        "since",
    ]
    assert list(data)[: len(old)] == old
    assert data["bounced"] == ["bull@example.org"]
    assert (data["deadline"], data["late_since"]) == ("2026-03-04T12:30:00Z",) * 2


def test_mine(games: Path) -> None:
    table(games, "a")
    other = table(games, "b")
    path = other.path / "game.yaml"
    path.write_text(path.read_text().replace("archer@example.org", "eve@example.org"))
    assert "YOURS" in status(games, "--mine", "eve@example.org").out
    for words in (["--mine", "EVE@example.org"], ["--mine=eve@example.org", "a", "b"]):
        data = status(games, *words, "--json").data["games"]
        assert [(each["game"], each["mine"]) for each in data] == [("b", ["archer"])]
    assert status(games, "--mine", "no@example.org").out == "no@example.org sits in no game\n"
    for words in (["--mine"], ["--mine", "--late"], ["--mine="]):
        said = status(games, *words)
        assert (said.code, "--mine needs a value" in said.err) == (2, True)


@pytest.mark.parametrize("words", [[], ["--late"], ["--mine", "archer@example.org"], ["a"]])
def test_an_anonymous_game_shows_dynasties_only(games: Path, words: list[str]) -> None:
    mark = {"archer@example.org": Bounced(ASKED, "5.1.1")}
    table(games, "a", THREE_DAYS._replace(anonymous=True), bounced=mark)
    table(games, "b", THREE_DAYS._replace(anonymous=True), bounced=mark)
    for more in ([], ["--json"]):
        said = status(games, *words, *more, now=LATER)
        assert said.code == 0
        assert "archer" in said.out
        assert not [w for w in ("Ana", "Ben", "bull@example.org") if w in said.out]
        assert "@" not in said.out


def test_who_is_late_and_why(games: Path) -> None:
    silent = table(
        games, "a", THREE_DAYS,
        bounced={"archer@example.org": Bounced(ASKED, "5.1.1")},
        away={"archer": (Days(date(2026, 3, 9), date(2026, 3, 12)),)},
    )  # fmt: skip
    table(games, "b", THREE_DAYS).acts("archer", "pass")
    table(games, "c")
    early = Entry(
        "reminder-old-archer.a", "x@example.org", "answer", datetime(2026, 2, 1, tzinfo=UTC)
    )
    box = Outbox(silent.path / "outbox")
    for entry in (
        early,
        Entry("reminder-1-archer.a", "x@example.org", "answer", ASKED),
        Entry("reminder-2-archer.a", "x@example.org", "answer", ASKED),
        Entry("reminder-2-bull.a", "x@example.org", "answer", ASKED),
    ):
        box.put(entry, b"")
    box.change(box.entries()[1], "sent", ASKED)
    (games / "_mail").mkdir()
    for number, (day, outcome) in enumerate([(1, "accept"), (2, "reject"), (4, "ignore")], 1):
        when = datetime(2026, 3, day, tzinfo=UTC)
        for sender in ("archer", "x.archer"):
            mail = Mail(number, when, when, f"proven:{sender}@example.org", "", "", outcome)
            append(games / "_mail" / "ledger.jsonl", mail)
    said = status(games, "--late", now=LATER)
    assert line_of(said, "a") == (
        "a archer (Ana) 1.1 action 2026-03-04 12:30 2 2026-03-02 00:00 letters come back since "
        "2026-03-01 12:30 (5.1.1); auto-reply 2026-03-04 00:00; away 2026-03-09..2026-03-12"
    )
    assert line_of(said, "b").startswith("b archer (Ana) 1.2 action 2026-03-04 12:30 0 ")
    assert len(said.out.splitlines()) == 3
    data = status(games, "--late", "--json", now=LATER).data["games"]
    assert [(d["game"], d["reminders"], d["last_sign"]) for d in data] == [
        ("a", 2, "2026-03-02T00:00:00Z"), ("b", 0, "2026-03-02T00:00:00Z"),
    ]  # fmt: skip
    assert status(games, "--late").out == "nobody is late\n"


def test_a_mail_that_anybody_may_have_written_is_no_sign_of_life(games: Path) -> None:
    table(games, "a", THREE_DAYS)
    (games / "_mail").mkdir()
    when = datetime(2026, 3, 2, tzinfo=UTC)
    sender = "proven:archer@example.org"
    mail = Mail(1, when, when, sender, "", "", "hold", why=("unproven",))
    append(games / "_mail" / "ledger.jsonl", mail)
    data = status(games, "--late", "--json", now=LATER).data["games"]
    assert data[0]["last_sign"] is None
    append(games / "_mail" / "ledger.jsonl", mail._replace(outcome="accept", why=("vouched",)))
    data = status(games, "--late", "--json", now=LATER).data["games"]
    assert data[0]["last_sign"] == "2026-03-02T00:00:00Z"


def test_decisions_by_default_are_no_sign_of_life(games: Path) -> None:
    played = table(games, "a", THREE_DAYS)
    for _ in range(2):
        for seat in ("archer", "bull"):
            played.acts(seat, "pass all")
    for run in (2, 4):
        path = played.path / "history" / f"{run:04d}.yaml"
        path.write_text(path.read_text().replace("source: orders/bull.yaml", "source: deadline"))
    played.acts("archer", "pass all")
    assert "none" in line_of(status(games, "--late", now=LATER), "a").replace("bull (Ben)", "")


def test_a_damaged_game_is_named_and_the_others_are_shown(games: Path) -> None:
    broken = table(games, "a")
    table(games, "b")
    table(games, "c")
    (broken.path / "history" / "0000.yaml").write_text("run: [")
    for _ in range(2):
        said = status(games)
        assert said.code == 3
        assert "a: " in said.err
        assert "2 games" in said.out
    for _ in range(2):
        assert status(games, "--rebuild").code == 3


def test_damaged_outages_are_named(games: Path) -> None:
    table(games, "a")
    (games / "_run").mkdir()
    (games / "_run" / "run.yaml").write_text("x: [")
    said = status(games)
    assert (said.code, "run.yaml" in said.err) == (3, True)
