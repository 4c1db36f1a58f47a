"""The commands for what needs a person: the inbox and what ends a mail in it, digest, trace."""

from typing import Annotated

import typer

from pbem.cli.shell import Commands, Game, app, finish

Number = Annotated[int, typer.Argument(metavar="NUMBER", help="The number of a mail.")]

inbox = typer.Typer(
    cls=Commands, invoke_without_command=True, no_args_is_help=False, rich_markup_mode=None
)
app.add_typer(inbox, name="inbox", help="The mails that need a person.")


@inbox.callback()
def _inbox(
    ctx: typer.Context,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="Count mails since then; else the digest.")
    ] = None,
) -> None:
    """The mails that need a person, and the command that ends each."""
    from pbem.commands.inbox import inbox

    if ctx.invoked_subcommand is None:
        finish(ctx, lambda chosen: inbox(chosen, since))


@inbox.command("show")
def _show(ctx: typer.Context, number: Number) -> None:
    """Print a mail with all that is known of it. This shows orders."""
    from pbem.commands.mailpage import show

    finish(ctx, lambda chosen: show(chosen, number))


@inbox.command("done")
def _done(
    ctx: typer.Context,
    numbers: Annotated[
        list[int] | None, typer.Argument(metavar="[NUMBER]...", help="Numbers of mails.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All that ask for no decision.")] = False,
) -> None:
    """Put away notices that ask for no decision."""
    from pbem.commands.inbox import done

    finish(ctx, lambda chosen: done(chosen, numbers or [], every=every))


@app.command("release")
def _release(ctx: typer.Context, number: Number) -> None:
    """Vouch for the sender of a held mail; its orders are taken."""
    from pbem.commands.exceptions import release

    finish(ctx, lambda chosen: release(chosen, number))


@app.command("refuse")
def _refuse(
    ctx: typer.Context,
    number: Number,
    because: Annotated[str, typer.Option(metavar="TEXT", help="Why; the player is told.")],
) -> None:
    """Refuse a held mail and tell the player why."""
    from pbem.commands.exceptions import refuse

    finish(ctx, lambda chosen: refuse(chosen, number, because))


@app.command("admit-late")
def _admit_late(ctx: typer.Context, number: Number) -> None:
    """Take orders that are held as late as if they had come in time."""
    from pbem.commands.exceptions import admit_late

    finish(ctx, lambda chosen: admit_late(chosen, number))


@app.command("trace")
def _trace(
    ctx: typer.Context,
    game: Game,
    turn: Annotated[str, typer.Argument(metavar="TURN", help="The name of a turn: 7 or 7b.")],
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="A dynasty.")],
) -> None:
    """Follow the orders of a seat from raw mail to execution. This shows orders."""
    from pbem.commands.trace import trace

    finish(ctx, lambda chosen: trace(chosen, game, turn, seat))


@app.command("digest")
def _digest(
    ctx: typer.Context,
    stalled: Annotated[
        str | None, typer.Option(metavar="TIME", help="Name games that wait longer; else 7d.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Cut no list.")] = False,
) -> None:
    """Print the moderator's daily mail: what needs you. Nothing hidden stands in it."""
    from pbem.commands.digest import digest

    finish(ctx, lambda chosen: digest(chosen, stalled, every=every))
