"""The command line: arguments in, the commands of `pbem.commands` called, results printed."""

import contextlib
import io
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from pbem.outcome import MISUSED, Outcome, Settings

app = typer.Typer(
    help="Play-by-email turns of Tigris & Euphrates: order files in, reports out.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Games = Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", show_default=False)]
Game = Annotated[str, typer.Argument(metavar="GAME", help="A name in the games folder, or a path.")]

FLAGS = ("--json", "--quiet", "--version")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pbem {version('pbem')}")
        raise typer.Exit


@app.callback()
def settings(
    ctx: typer.Context,
    games: Annotated[
        Path, typer.Option(envvar="PBEM_GAMES", metavar="DIR", help="The folder of the games.")
    ] = Path("games"),
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print problems only.")] = False,
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Global options may stand before or after the command."""
    ctx.obj = Settings(games, json, quiet)


def _finish(ctx: typer.Context, work: Callable[[Settings], Outcome]) -> None:
    """Do the work of a command and print its result in the form that was asked for."""
    chosen: Settings = ctx.obj
    outcome = work(chosen)
    if chosen.json:
        typer.echo(outcome.as_json())
    else:
        for line in () if chosen.quiet else outcome.lines:
            typer.echo(line)
        for line in outcome.complaints:
            typer.echo(line, err=True)
    raise typer.Exit(outcome.code)


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

    _finish(ctx, lambda chosen: new(chosen, name, seat, option or [], seed, position))


@app.command("turn")
def _turn(
    ctx: typer.Context,
    games: Games = None,
    every: Annotated[bool, typer.Option("--all", help="All games in the games folder.")] = False,
) -> None:
    """Read the order files, advance as far as they go, write the reports."""
    from pbem.commands.turn import turn

    _finish(ctx, lambda chosen: turn(chosen, games or [], all_games=every))


@app.command("check")
def _check(
    ctx: typer.Context,
    game: Game,
    file: Annotated[str, typer.Argument(metavar="FILE", help="An order file, - for stdin.")],
) -> None:
    """Say what can be known of an order file; change nothing."""
    from pbem.commands.check import check

    _finish(ctx, lambda chosen: check(chosen, game, file))


@app.command("status")
def _status(ctx: typer.Context, games: Games = None) -> None:
    """Whose move it is, which question, since when."""
    from pbem.commands.status import status

    _finish(ctx, lambda chosen: status(chosen, games or []))


@app.command("report")
def _report(
    ctx: typer.Context,
    game: Game,
    reader: Annotated[
        str, typer.Option("--for", metavar="READER", help="A dynasty, public or moderator.")
    ],
    at: Annotated[int | None, typer.Option(metavar="RUN", help="The run; else the newest.")] = None,
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help="text")] = "text",
) -> None:
    """Print a report of any run again. Only the moderator's shows secrets."""
    from pbem.commands.report import report

    _finish(ctx, lambda chosen: report(chosen, game, reader, at, form))


@app.command("undo")
def _undo(
    ctx: typer.Context,
    game: Game,
    to: Annotated[int | None, typer.Option(metavar="RUN", help="The run to go back to.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do it.")] = False,
) -> None:
    """Go back; what is taken back lies in undone/ then, and every seat is told."""
    from pbem.commands.undo import undo

    _finish(ctx, lambda chosen: undo(chosen, game, to, yes=yes))


@app.command("replay")
def _replay(ctx: typer.Context, game: Game) -> None:
    """Play the game again from its start and compare every stored state."""
    from pbem.commands.replay import replay

    _finish(ctx, lambda chosen: replay(chosen, game))


def global_options_first(words: list[str]) -> list[str]:
    """The words with the global options in front, wherever they stood."""
    first: list[str] = []
    rest: list[str] = []
    waiting = iter(words)
    for word in waiting:
        if word == "--":
            return [*first, *rest, word, *waiting]
        if word in FLAGS or word.startswith("--games="):
            first.append(word)
        elif word == "--games":
            first += [word, *([value] if (value := next(waiting, None)) else [])]
        else:
            rest.append(word)
    return [*first, *rest]


def main(words: list[str] | None = None) -> None:
    """Run the command and exit with its code: 0 done, 1 refused, 2 wrong use, 3 damage."""
    words = global_options_first(sys.argv[1:] if words is None else words)
    if "--json" not in words:
        app(words, prog_name="pbem")
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            app(words, prog_name="pbem")
    except SystemExit as done:
        if done.code == MISUSED and said.getvalue():
            outcome = Outcome()
            outcome.complain(MISUSED, said.getvalue().strip(), kind="use")
            typer.echo(outcome.as_json())
        raise
