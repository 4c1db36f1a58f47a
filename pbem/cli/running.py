"""The command that does all that is due, for cron or a timer."""

from typing import Annotated

import typer

from pbem.cli.shell import app, finish


@app.command("run")
def _run(
    ctx: typer.Context,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would happen; change nothing.")
    ] = False,
) -> None:
    """Mail in, deadlines, turns, letters, mail out, for all games."""
    if dry_run:
        from pbem.commands.rehearsal import rehearse

        finish(ctx, rehearse)
    from pbem.commands.run import run

    finish(ctx, run)
