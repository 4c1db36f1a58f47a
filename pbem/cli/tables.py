"""The commands that put games away, and carry them to another moderator."""

from typing import Annotated

import typer

from pbem.cli.shell import GAMES, app, finish


@app.command("archive", **GAMES)
def _archive(
    ctx: typer.Context,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Also games of which something waits.")
    ] = False,
    back: Annotated[bool, typer.Option("--back", help="Bring these games back.")] = False,
) -> None:
    """Move games that are over to the archive, where they can still be read."""
    from pbem.commands.archive import archive, unarchive

    if unfinished and back:
        raise typer.BadParameter("--unfinished or --back, not both")
    if back:
        finish(ctx, lambda chosen: unarchive(chosen, ctx.args))
    finish(ctx, lambda chosen: archive(chosen, ctx.args, unfinished=unfinished))
