"""The commands with which a moderator speaks to all, and plays for somebody."""

from typing import Annotated

import typer

from pbem.cli.shell import Game, app, finish


@app.command("note")
def _note(
    ctx: typer.Context,
    game: Game,
    text: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="What all are told, - for stdin.")
    ] = None,
    told: Annotated[bool, typer.Option("--list", help="Print what was said before.")] = False,
    at_once: Annotated[
        bool, typer.Option("--now", help="Send a short letter too, do not wait for the report.")
    ] = False,
) -> None:
    """Put a ruling into everybody's next report."""
    from pbem.commands.note import list_notes, note

    if told and (text is not None or at_once):
        raise typer.BadParameter("--list takes no text and does not go with --now")
    if told:
        finish(ctx, lambda chosen: list_notes(chosen, game))
    if text is None:
        raise typer.BadParameter("write the text behind the game, or say --list")
    finish(ctx, lambda chosen: note(chosen, game, text, at_once=at_once))


@app.command("act")
def _act(
    ctx: typer.Context,
    game: Game,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="A dynasty.")],
    orders: Annotated[
        str,
        typer.Argument(
            metavar="ORDERS", help="A file, - for stdin, or orders: `temple F4`, `7.3 support 2`."
        ),
    ],
) -> None:
    """Enter orders for a player, who gets a copy."""
    from pbem.commands.act import act

    finish(ctx, lambda chosen: act(chosen, game, seat, orders))
