"""The command for those who play: who has a seat, give it to somebody else, confirm for him."""

from typing import Annotated

import typer

from pbem.cli.shell import Game, app, finish


@app.command("seat")
def _seat(
    ctx: typer.Context,
    game: Game,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="A dynasty.")],
    give: Annotated[
        str | None,
        typer.Option(metavar="PERSON", help="Who plays it now: 'Eve <eve@example.org>'."),
    ] = None,
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Confirm for its player that he plays.")
    ] = False,
) -> None:
    """Say who plays a seat, give it to somebody, or confirm it."""
    from pbem.commands.seat import seat as command

    if give is not None and confirm:
        raise typer.BadParameter("--give or --confirm, not both")
    finish(ctx, lambda chosen: command(chosen, game, seat, give, confirmed=confirm))
