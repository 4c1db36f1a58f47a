"""The commands `pbem mail ..`."""

from typing import Annotated

import typer

from pbem.cli.shell import Commands, app, finish

mail = typer.Typer(cls=Commands, no_args_is_help=True, rich_markup_mode=None)
app.add_typer(mail, name="mail", help="Mail in, mail out.")


@mail.command("in")
def _mail_in(
    ctx: typer.Context,
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE]...", help="Mails, mbox files, - for stdin."),
    ] = None,
    again: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Judge this stored mail once more.")
    ] = None,
    admit: Annotated[
        bool, typer.Option("--admit", help="With --again: you vouch for its sender.")
    ] = False,
    store: Annotated[bool, typer.Option("--store", help="Only store; judge nothing.")] = False,
) -> None:
    """Take mails in, judge them, put orders where `turn` finds them."""
    from pbem.mail.receiving import mail_again, mail_in

    if again is not None and (files or store):
        raise typer.BadParameter("--again takes no files and does not go with --store")
    if admit and again is None:
        raise typer.BadParameter("--admit goes with --again")
    if again is not None:
        finish(ctx, lambda chosen: mail_again(chosen, again, admitted=admit))
    finish(ctx, lambda chosen: mail_in(chosen, files or [], store_only=store))


@mail.command("out")
def _mail_out(
    ctx: typer.Context,
    again: Annotated[
        str | None, typer.Option(metavar="KEY", help="This letter in doubt goes out again.")
    ] = None,
    sent: Annotated[
        str | None, typer.Option(metavar="KEY", help="This letter in doubt counts as sent.")
    ] = None,
) -> None:
    """Send the letters that wait."""
    from pbem.mail.sending import mail_decide, mail_out

    if again and sent:
        raise typer.BadParameter("--again or --sent, not both")
    if key := again or sent:
        finish(ctx, lambda chosen: mail_decide(chosen, key, again=bool(again)))
    finish(ctx, mail_out)


@mail.command("doctor")
def _mail_doctor(ctx: typer.Context) -> None:
    """Try every way in and out and say what is wrong."""
    from pbem.mail.sending import mail_doctor

    finish(ctx, mail_doctor)
