"""The commands of a game: make one, advance it, look at it, go back."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.shell import GAMES, Command, Game, app, finish, value_of

Texts = list[str] | None
Name = Annotated[str | None, typer.Argument(metavar="NAME", help="The name of the game.")]
Seats = Annotated[
    Texts, typer.Option(help='A seat, in turn order: archer="Ana <ana@example.org>".')
]
Options = Annotated[Texts, typer.Option(help="An option of the game: board=advanced.")]
Policy = Annotated[Texts, typer.Option(help="A policy of the game: turn_time=3d.")]
Seed = Annotated[str | None, typer.Option(help="The secret of the shuffle.")]
Position = Annotated[Path | None, typer.Option(metavar="FILE", help="Start from this position.")]
Tables = Annotated[
    Path | None, typer.Option("--from", metavar="FILE", help="Make the games of this list.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="With --from: only say what would be made.")
]
Confirm = Annotated[
    bool, typer.Option("--confirm", help="All seats confirm before the first turn.")
]
Anonymous = Annotated[
    bool, typer.Option("--anonymous", help="Players are known by their dynasties only.")
]


@app.command("new")
def _new(
    ctx: typer.Context,
    name: Name = None,
    seat: Seats = None,
    option: Options = None,
    policy: Policy = None,
    seed: Seed = None,
    position: Position = None,
    tables: Tables = None,
    dry_run: DryRun = False,
    confirm: Confirm = False,
    anonymous: Anonymous = False,
) -> None:
    """Make a game and its first reports, or many games from a list."""
    from pbem.commands.new import new
    from pbem.commands.newmany import new_many

    policies = [*(policy or []), *_said(confirm=confirm, anonymous=anonymous)]
    if tables is not None and (name or seat or option or policies or seed or position):
        raise typer.BadParameter("with --from all about the games stands in FILE")
    if tables is not None:
        finish(ctx, lambda chosen: new_many(chosen, tables, dry=dry_run))
    if dry_run:
        raise typer.BadParameter("--dry-run goes with --from")
    if name is None or not seat:
        raise typer.BadParameter("say NAME and --seat for each seat, or --from FILE")
    finish(ctx, lambda chosen: new(chosen, name, seat, option or [], policies, seed, position))


def _said(**flags: bool) -> list[str]:
    """The policies that have an option of their own."""
    return [f"{name}=yes" for name, wanted in flags.items() if wanted]


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


class _StatusCommand(Command):
    """`status` reads `--mine` by itself: see `shell` on values that are no flags."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take `--mine ADDRESS` out of the words."""
        ctx.meta["mine"], rest = value_of("--mine", args)
        left: list[str] = super().parse_args(ctx, rest)
        return left

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, this one first."""
        with formatter.section("Filter"):
            formatter.write_dl([("--mine ADDRESS", "Only games in which this address sits.")])
        super().format_options(ctx, formatter)


@app.command("status", **{**GAMES, "cls": _StatusCommand})
def _status(
    ctx: typer.Context,
    late: Annotated[bool, typer.Option("--late", help="Only who is late, and why.")] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Read all games again, not the index.")
    ] = False,
) -> None:
    """Whose move it is, since when, until when."""
    from pbem.commands.status import Filter, status

    wanted = Filter(late, ctx.meta["mine"], rebuild)
    finish(ctx, lambda chosen: status(chosen, ctx.args, wanted))


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
    """Play the game again and compare every stored state."""
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
