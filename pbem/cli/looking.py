"""The commands that look at all games at once: is everything well, how fast does it go."""

from typing import Annotated

import typer

from pbem.cli.shell import GAMES, app, finish


@app.command("doctor")
def _doctor(ctx: typer.Context) -> None:
    """Say in a line each whether all is well."""
    from pbem.commands.doctor import doctor

    finish(ctx, doctor)


@app.command("stats", **GAMES)
def _stats(
    ctx: typer.Context,
    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="From this day on; else from the start.")
    ] = None,
    stalled: Annotated[
        str, typer.Option(metavar="TIME", help="Name games in which nobody acted for so long.")
    ] = "7d",
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="table, svg or png.")
    ] = "table",
) -> None:
    """Turns a day, answer times, stalled games, refusals."""
    from pbem.commands.stats import Wish, stats

    finish(ctx, lambda chosen: stats(chosen, ctx.args, Wish(since, stalled, form)))
