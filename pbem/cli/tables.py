"""The commands that put games away, and carry them to another moderator."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.shell import GAMES, Game, app, finish


@app.command("archive", **GAMES)
def _archive(
    ctx: typer.Context,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Also games of which something waits.")
    ] = False,
    back: Annotated[bool, typer.Option("--back", help="Bring these games back.")] = False,
) -> None:
    """Move games that are over to the archive, or back."""
    from pbem.commands.archive import archive, unarchive

    if unfinished and back:
        raise typer.BadParameter("--unfinished or --back, not both")
    if back:
        finish(ctx, lambda chosen: unarchive(chosen, ctx.args))
    finish(ctx, lambda chosen: archive(chosen, ctx.args, unfinished=unfinished))


@app.command("export")
def _export(
    ctx: typer.Context,
    game: Game,
    to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file, or the folder it goes into.")
    ] = None,
) -> None:
    """Write a game with all it needs into one file."""
    from pbem.commands.carry import export_game

    finish(ctx, lambda chosen: export_game(chosen, game, to))


@app.command("import")
def _import(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `export` has made.")],
    name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="What the game is called here.")
    ] = None,
) -> None:
    """Take over a game from such a file."""
    from pbem.commands.carry import import_game

    finish(ctx, lambda chosen: import_game(chosen, file, name))
