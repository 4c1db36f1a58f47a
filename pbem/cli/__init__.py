"""The command line: the global options, and which module has which command.

Only the module with the command that was called is loaded: a turn should not wait for the words
of thirty others.
"""

import atexit
import contextlib
import gc
import io
import os
import sys
from importlib import import_module
from pathlib import Path

import typer

from pbem.cli.shell import app
from pbem.outcome import MISUSED, Outcome, Settings

MODULES: dict[str, tuple[str, ...]] = {
    "playing": ("new", "turn", "check", "status", "report", "undo", "replay", "key"),
    "clock": ("pause", "resume", "extend", "away"),
    "people": ("seat",),
    "repair": ("note", "act"),
    "mail": ("mail",),
    "running": ("run",),
    "exceptions": ("inbox", "release", "refuse", "admit-late", "digest", "trace"),
    "tables": ("archive", "export", "import"),
    "looking": ("doctor", "stats"),
}
"""The commands, in the order in which `--help` lists them, by the module that has them."""


def commands(words: list[str]) -> typer.Typer:
    """The program with the command that these words call; with all of them if they call none."""
    called = next((word for word in words if not word.startswith("-")), None)
    found = [module for module, names in MODULES.items() if called in names]
    for module in found or MODULES:
        import_module(f"pbem.cli.{module}")
    return app


def global_options(words: list[str]) -> tuple[Settings, list[str]]:
    """What the global options say, wherever they stand, and the other words."""
    named = os.environ.get("PBEM_GAMES") or ""
    flags = {"--json": False, "--quiet": False}
    rest: list[str] = []
    left = words[::-1]
    while left:
        word = left.pop()
        if word == "--":
            rest += [word, *reversed(left)]
            left = []
        elif word in flags:
            flags[word] = True
        elif word.startswith("--games="):
            named = word.removeprefix("--games=")
        elif word == "--games" and left and not left[-1].startswith("-"):
            named = left.pop()
        elif word in ("--games", "--version"):
            rest.insert(0, word)
        else:
            rest.append(word)
    games = Path(named or "games")
    return Settings(games, flags["--json"], flags["--quiet"], bool(named)), rest


def main(words: list[str] | None = None) -> None:
    """Run the command and exit with its code: 0 done, 1 refused, 2 wrong use, 3 damage."""
    gc.set_threshold(20_000)  # there is little garbage; this and the next line
    atexit.register(gc.freeze)  # spare the search for it, a tenth of the time of a turn
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    chosen, words = global_options(sys.argv[1:] if words is None else words)
    program = commands(words)
    if not chosen.json:
        program(words, prog_name="pbem", obj=chosen)
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            program(words, prog_name="pbem", obj=chosen)
    except SystemExit as done:
        if done.code == MISUSED and said.getvalue():
            outcome = Outcome()
            outcome.complain(MISUSED, said.getvalue().strip(), kind="use")
            typer.echo(outcome.as_json())
        raise
