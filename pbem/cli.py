"""The command line: arguments in, the commands of `pbem.commands` called, results printed."""

import atexit
import contextlib
import gc
import io
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.mailcli import mail
from pbem.outcome import MISUSED, Outcome, Settings
from pbem.shell import Command, Commands, Game, finish

app = typer.Typer(
    cls=Commands,
    help="Play-by-email turns of Tigris & Euphrates: order files in, reports out.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GAMES: dict[str, Any] = {
    "cls": Command,
    "options_metavar": "[OPTIONS] [GAME]...",
    "context_settings": {"allow_extra_args": True},
}


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"pbem {version('pbem')}")
        except PackageNotFoundError:
            typer.echo("pbem (run from its source, not installed)")
        raise typer.Exit


def _without_folder(wanted: bool) -> None:
    if wanted:
        raise typer.BadParameter("name the folder behind it")


@app.callback()
def _options(
    _games: Annotated[
        bool, typer.Option("--games", callback=_without_folder, is_eager=True, hidden=True)
    ] = False,
    _version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options of the whole program; those in `GLOBAL` have been read by `main`."""


@app.command("new")
def _new(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the game.")],
    seat: Annotated[
        list[str], typer.Option(help='A seat, in turn order: archer="Ana <ana@example.org>".')
    ],
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the game: board=advanced.")
    ] = None,
    seed: Annotated[str | None, typer.Option(help="The secret of the shuffle.")] = None,
    position: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Start from this position.")
    ] = None,
) -> None:
    """Make a game and everybody's first report."""
    from pbem.commands.new import new

    finish(ctx, lambda chosen: new(chosen, name, seat, option or [], seed, position))


@app.command("turn", **GAMES)
def _turn(
    ctx: typer.Context,
    every: Annotated[bool, typer.Option("--all", help="All games in the games folder.")] = False,
) -> None:
    """Read order files, advance, write reports."""
    from pbem.commands.turn import turn

    finish(ctx, lambda chosen: turn(chosen, ctx.args, all_games=every))


@app.command("check")
def _check(
    ctx: typer.Context,
    game: Game,
    file: Annotated[str, typer.Argument(metavar="FILE", help="An order file, - for stdin.")],
) -> None:
    """Say what can be known of an order file; change nothing."""
    from pbem.commands.check import check

    finish(ctx, lambda chosen: check(chosen, game, file))


@app.command("status", **GAMES)
def _status(ctx: typer.Context) -> None:
    """Whose move it is, which question, since when."""
    from pbem.commands.status import status

    finish(ctx, lambda chosen: status(chosen, ctx.args))


@app.command("report")
def _report(
    ctx: typer.Context,
    game: Game,
    reader: Annotated[
        str, typer.Option("--for", metavar="READER", help="A dynasty, public or moderator.")
    ],
    at: Annotated[int | None, typer.Option(metavar="RUN", help="The run; else the newest.")] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, html, png, svg or json.")
    ] = "text",
) -> None:
    """Print a report of any run again. Only the moderator's shows secrets."""
    from pbem.commands.report import report

    finish(ctx, lambda chosen: report(chosen, game, reader, at, form))


@app.command("undo")
def _undo(
    ctx: typer.Context,
    game: Game,
    to: Annotated[int | None, typer.Option(metavar="RUN", help="The run to go back to.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do it.")] = False,
) -> None:
    """Go back to an earlier run; every seat is told."""
    from pbem.commands.undo import undo

    finish(ctx, lambda chosen: undo(chosen, game, to, yes=yes))


@app.command("replay")
def _replay(ctx: typer.Context, game: Game) -> None:
    """Play the game again from its start and compare every stored state."""
    from pbem.commands.replay import replay

    finish(ctx, lambda chosen: replay(chosen, game))


@app.command("key")
def _key(
    ctx: typer.Context,
    game: Game,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="A dynasty.")],
    new: Annotated[bool, typer.Option("--new", help="Make another; the old one is void.")] = False,
) -> None:
    """Make the order key of a seat and print it once."""
    from pbem.commands.key import key

    finish(ctx, lambda chosen: key(chosen, game, seat, another=new))


app.add_typer(mail, name="mail", help="Mail in, mail out.")


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
    if not chosen.json:
        app(words, prog_name="pbem", obj=chosen)
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            app(words, prog_name="pbem", obj=chosen)
    except SystemExit as done:
        if done.code == MISUSED and said.getvalue():
            outcome = Outcome()
            outcome.complain(MISUSED, said.getvalue().strip(), kind="use")
            typer.echo(outcome.as_json())
        raise
