"""The commands of a game: make one, advance it, look at it, go back."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.shell import GAMES, Game, app, finish


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
    again: Annotated[
        bool, typer.Option("--again", help="Play what is taken back again, as far as it fits.")
    ] = False,
    because: Annotated[str, typer.Option(metavar="TEXT", help="Why; every seat is told.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do it.")] = False,
) -> None:
    """Go back to an earlier run; every seat is told."""
    from pbem.commands.undo import Wish, undo

    finish(ctx, lambda chosen: undo(chosen, game, Wish(to, again, because, yes)))


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
