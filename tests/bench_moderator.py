"""How fast the moderator's commands are: many games with a past, each command as a process."""

import os
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from pbem.store import GameFolder
from tests.bench_figure import Figure
from tests.bench_files import MANY, Spent, middle, one_run, process, reported
from tests.folders import answer_file, make_game, send
from tests.pbem.mail_desk import mail
from tests.playouts import choose

RUNS = 60
"""Runs of each game: about a whole game."""
MORE = 2500
MAILS = 200
TABLES = """seats: 4
name: cup-{number}
players: [Ana <a@example.org>, Ben <b@example.org>, Lea <l@example.org>, Pia <p@example.org>]
"""
CONFIG = """schema: 1
rules: 1
addresses: {orders: orders@example.org, moderator: gm@example.org}
"""
POLICIES = "policies:\n  turn_time: 3d\n  late: pass\n"


def moderator_figures(folder: Path) -> Iterator[tuple[str, Figure]]:
    """What the moderator looks at, for 500 games and for 2,500."""
    games = folder / "moderated"
    many_copies(games, MANY)
    yield "status_of_500_games_first", Figure(call(games, "status").seconds, "s")
    spent = call(games, "status")
    more = {"cpu_s": spent.cpu, "megabytes": spent.megabytes}
    yield "status_of_500_games", Figure(spent.seconds, "s", at_most=1, more=more)
    yield "status_late_of_500_games", Figure(call(games, "status", "--late").seconds, "s")
    yield "doctor_of_500_games", Figure(call(games, "doctor").seconds, "s", at_most=10)
    yield "stats_of_500_games", Figure(call(games, "stats").seconds, "s")
    yield "mails_read_among_500_games", Figure(mails_read(games), "mails/s", at_least=1000 / 60)
    yield from run_figures(games, MANY, at_most=60)
    yield from day_figures(games)
    many_copies(games, MORE)
    yield "status_of_2500_games_first", Figure(call(games, "status").seconds, "s")
    yield "status_of_2500_games", Figure(call(games, "status").seconds, "s")
    yield from run_figures(games, MORE)


def run_figures(
    games: Path, number: int, at_most: float | None = None
) -> Iterator[tuple[str, Figure]]:
    """`run` with nothing to do, and with orders in 500 games: reports, HTML letters, pictures."""
    (games / "pbem.yaml").write_text(CONFIG)
    call(games, "run")  # the files of the games were copied: the first run looks at all of them
    yield f"run_of_{number}_games_with_nothing_to_do", Figure(call(games, "run").seconds, "s")
    for each in range(number - MANY, number):
        folder = GameFolder(games / f"ur-{each}")
        state = folder.load_newest().state
        if state.question is not None:
            order = choose(random.Random(each), state)
            send(folder, state.question.player, answer_file(folder.name, state, order))
    spent = call(games, "run")
    more = {"cpu_s": spent.cpu, "megabytes": spent.megabytes}
    yield f"run_of_{number}_games_{MANY}_moves", Figure(spent.seconds, "s", at_most, more=more)


def day_figures(games: Path) -> Iterator[tuple[str, Figure]]:
    """What a moderator calls in a day, each once as a process, among 500 games."""
    forged = mail("game: ur-1\nplayer: archer\nnote: hello\n", "eve", number="x", proven=False)
    (games / "_inbox" / "forged.eml").write_bytes(forged)
    (games / "list.yaml").write_text(TABLES)
    played = GameFolder(games / "ur-3").load_newest()
    turn, seat = played.decisions[0].question.partition(".")[0], played.decisions[0].player
    held, parcel = str(MAILS + 1), str(games.parent / "ur-6.zip")
    for words, most in (
        (("mail", "in"), None), (("inbox",), 10), (("inbox", "show", held), 20),
        (("refuse", held, "--because", "no"), 20), (("digest",), 10),
        (("trace", "ur-3", turn, seat), 30), (("run", "--dry-run"), 60),
        (("seat", "ur-2", "bull", "--give", "Eve <eve@example.org>"), 60),
        (("undo", "ur-4", "--to", str(played.run - 2), "--again", "--because", "x", "--yes"), 120),
        (("note", "ur-5", "A ruling."), 60), (("pause", "--all"), 60), (("resume", "--all"), 60),
        (("new", "--from", str(games / "list.yaml")), 60), (("replay", "ur-3"), 30),
        (("export", "ur-6", "--to", parcel), 60), (("import", parcel, "--as", "copy-6"), 60),
    ):  # fmt: skip
        name = " ".join(words[:2] if words[0] in ("mail", "inbox") else words[:1])
        yield f"day_{name}", Figure(call(games, *words, codes=(0, 1)).seconds, "s", at_most=most)


def mails_read(games: Path) -> float:
    """Mails with orders for as many games: found among all of them, judged, answered."""
    (games / "pbem.yaml").write_text(f"{CONFIG}authserv_id: mx.example.org\n")
    (games / "_inbox").mkdir()
    for each in range(MAILS):
        body = f"game: ur-{each}\nplayer: archer\nnote: hello\n"
        (games / "_inbox" / f"{each:03}.eml").write_bytes(mail(body, "ana", number=each))
    return MAILS / call(games, "mail", "in").seconds


def many_copies(games: Path, number: int) -> None:
    """So many games with the same past, as a few that were played; those that are there stay."""
    chance = random.Random(5)
    patterns = [played(chance, games.parent / "patterns", f"was-{n}") for n in range(5)]
    for each in range(number):
        copy = games / f"ur-{each}"
        if copy.exists():
            continue
        pattern = patterns[each % len(patterns)].path
        left = shutil.ignore_patterns("outbox")  # letters that have left
        shutil.copytree(pattern, copy, copy_function=os.link, ignore=left)
        text = (pattern / "game.yaml").read_text().replace(pattern.name, copy.name)
        (copy / "game.yaml").unlink()
        (copy / "game.yaml").write_text(text + (POLICIES if each % 2 else ""))


def played(chance: random.Random, games: Path, name: str) -> GameFolder:
    """A game that has gone on for a while."""
    if (games / name).exists():
        return GameFolder(games / name)
    state = middle(chance, 0)
    folder = reported(make_game(games, name, state))
    for _ in range(RUNS):
        state = one_run(chance, state, [folder])
    return folder


def call(games: Path, *words: str, codes: tuple[int, ...] = (0,)) -> Spent:
    """A command as a process of its own."""
    program = [sys.executable, "-m", "pbem", "--games", str(games), "--quiet", *words]
    return process(program, codes)
