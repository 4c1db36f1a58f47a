"""A month of many games in which nobody acts but the players, the clock, and a moderator who does
what his digest says."""

import os
import re
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from engine.pieces import Dynasty
from pbem.clock import read_time
from pbem.store import GameFolder
from tests.month import BEGIN, Month, runs_of
from tests.notes import note

FEW, MANY, DAYS = 8, 500, 30
STALLED = timedelta(days=7)
_START = re.compile(r"DTSTART[^:]*:(\d{8}T\d{6}Z)")


@pytest.mark.parametrize(
    "games", [FEW, pytest.param(MANY, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_a_month(
    games: int, tmp_path: Path, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is stuck unseen, early, told twice; no hand is needed but where the digest says."""
    monkeypatch.setattr(os, "fsync", lambda _handle: None)  # the power does not fail in it
    month = Month(tmp_path, games)
    month.live(DAYS)
    decisions, missed = played(month)
    note(
        pytestconfig,
        f"a month of {games} games: {month.mails} mails in, {len(month.letters)} letters out, "
        f"{decisions} decisions, {missed} of them by a deadline, "
        f"{len(month.commands)} commands of the moderator",
    )
    assert decisions > games * DAYS / 4
    assert missed > 0
    assert no_letter_twice(month) == []
    assert no_deadline_early(month) == []
    assert stuck_unseen(month) == []
    assert [folder.name for folder in month.folders() if not replays(month, folder.name)] == []


def played(month: Month) -> tuple[int, int]:
    """How many decisions there were, and how many a deadline took."""
    sources = [
        decision.source
        for folder in month.folders()
        for record in runs_of(folder)
        for decision in record.decisions
    ]
    return len(sources), sources.count("deadline")


def no_letter_twice(month: Month) -> list[str]:
    """Letters of one identity, or of one text to one reader at one time, that left twice."""
    names = Counter(letter.id for letter in month.letters)
    texts = Counter(
        (each.address, each.when, each.subject, each.body) for each in month.letters if each.game
    )
    return [name for name, times in names.items() if times > 1] + [
        f"{to}, {when}: {subject}" for (to, when, subject, _), times in texts.items() if times > 1
    ]


def told_deadlines(month: Month) -> dict[tuple[str, str], list[tuple[datetime, datetime]]]:
    """The deadlines that each reader was told in each game: when, and which."""
    found: dict[tuple[str, str], list[tuple[datetime, datetime]]] = {}
    for letter in month.letters:
        if "CANCELLED" not in letter.calendar and (at := _START.search(letter.calendar)):
            told = found.setdefault((letter.game, letter.address), [])
            told.append((letter.when, read_time(at[1])))
    return found


def no_deadline_early(month: Month) -> list[str]:
    """Decisions by a deadline that the player had not been told, or that came before it."""
    early, told = [], told_deadlines(month)
    for folder in month.folders():
        for record in runs_of(folder):
            late = {each.player for each in record.decisions if each.source == "deadline"}
            for player in late:
                known = [each for who in players_of(folder, player)
                         for each in told.get((folder.name, who), [])]  # fmt: skip
                last = [at for when, at in sorted(known) if when < record.when][-1:]
                if not last or record.when < last[0]:
                    early.append(f"{folder.name} run {record.run}: {record.when}, told {last}")
    return early


def players_of(folder: GameFolder, seat: Dynasty) -> set[str]:
    """The addresses of all who have played a seat."""
    handed = (each.person.address for each in folder.load_desk().handovers if each.seat == seat)
    return {address for address in (folder.load_file().seat(seat).address, *handed) if address}


def stuck_unseen(month: Month) -> list[str]:
    """Games that nobody had acted in for long when a digest was written that does not name them."""
    unseen = []
    for folder in month.folders():
        runs = sorted(record.when for record in runs_of(folder))
        over = folder.load_newest().state.over
        for at, text in month.digests:
            before = [when for when in runs if when <= at]
            if over and before == runs:
                continue
            quiet = at - (before[-1] if before else BEGIN)
            if quiet > STALLED + timedelta(days=1) and not named(folder.name, text):
                unseen.append(f"{folder.name}, {at}: nothing for {quiet}")
    return unseen


def named(game: str, text: str) -> bool:
    """Whether a digest names a game, or says that there are more than it lists."""
    return bool(re.search(rf"\b{re.escape(game)}\b", text)) or " more" in text


def replays(month: Month, game: str) -> bool:
    """Whether a game can be played again from its start."""
    return month.call("replay", game).code == 0
