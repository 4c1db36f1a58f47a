"""The commands of the clock: stop it, let it run, give more time, book days off."""

from typing import Annotated

import typer

from pbem.cli.shell import GAMES, Game, app, finish

Because = Annotated[
    str | None, typer.Option("--because", metavar="TEXT", help="The reason; all players read it.")
]
All = Annotated[bool, typer.Option("--all", help="All games in the games folder.")]


@app.command("pause", **GAMES)
def _pause(ctx: typer.Context, every: All = False, because: Because = None) -> None:
    """Stop the clock of games: no time to answer passes."""
    from pbem.commands.pause import pause

    finish(ctx, lambda chosen: pause(chosen, ctx.args, because or "", all_games=every))


@app.command("resume", **GAMES)
def _resume(ctx: typer.Context, every: All = False) -> None:
    """Let the clock run again; with --all also after an outage."""
    from pbem.commands.pause import resume

    finish(ctx, lambda chosen: resume(chosen, ctx.args, all_games=every))


@app.command("extend")
def _extend(
    ctx: typer.Context,
    game: Game,
    by: Annotated[
        str | None, typer.Option(metavar="SPAN", help="So much longer: 2d, 36h, 1d 12h.")
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(metavar="TIME", help='Until then: "2026-03-05 18:00", in the game\'s zone.'),
    ] = None,
    because: Because = None,
) -> None:
    """Give more time for the open question."""
    from pbem.commands.extend import extend

    if (by is None) == (until is None):
        raise typer.BadParameter("say --by SPAN or --until TIME")
    finish(ctx, lambda chosen: extend(chosen, game, by, until, because or ""))


@app.command("away")
def _away(
    ctx: typer.Context,
    game: Game,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="A dynasty.")],
    days: Annotated[
        str, typer.Argument(metavar="DAYS", help="2026-07-01..2026-07-14, one day, or none.")
    ],
) -> None:
    """Book days on which a player is away."""
    from pbem.commands.away import away

    finish(ctx, lambda chosen: away(chosen, game, seat, days))
