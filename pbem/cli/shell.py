"""What all commands share: the program they belong to, quick help, how a result is printed."""

import os
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from pbem.clock import now
from pbem.outcome import Outcome, Settings

Game = Annotated[str, typer.Argument(metavar="GAME", help="A name in the games folder, or a path.")]

GLOBAL = {
    "--games DIR": "The folder of the games.  [env var: PBEM_GAMES; default: games]",
    "--json": "Print the result as JSON.",
    "--quiet": "Print problems only.",
}


# Typer loads pydantic, which takes as long as the turn of a game, for each value that is not
# a flag; and also for `--help` where that is not given, as it is None then. So `main` reads the
# global options, commands that must be quick take their words as they are, and this helps:
def _not_given_is_false(help_option: Any) -> Any:
    if help_option is not None:
        help_option.default = False
    return help_option


class Command(TyperCommand):
    """A command that starts quickly."""

    def get_help_option(self, ctx: Any) -> Any:
        """The option `--help`."""
        return _not_given_is_false(super().get_help_option(ctx))


class Commands(TyperGroup):
    """The commands; the help also tells of the options that `main` reads by itself."""

    def get_help_option(self, ctx: Any) -> Any:
        """The option `--help`."""
        return _not_given_is_false(super().get_help_option(ctx))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the parts of the help that list options and commands."""
        with formatter.section("Options before or after the command"):
            formatter.write_dl(list(GLOBAL.items()))
        super().format_options(ctx, formatter)


def value_of(option: str, words: list[str]) -> tuple[str | None, list[str]]:
    """What stands behind an option, None if it is not there, and the other words."""
    found, rest, left = None, list[str](), words[::-1]
    while left:
        word, equals, value = left.pop().partition("=")
        if word != option:
            rest.append(word + equals + value)
            continue
        found = value if equals or not left else left.pop()
        if not found or found.startswith("-"):
            raise typer.BadParameter(f"{option} needs a value behind it")
    return found, rest


def _with_a_clock(chosen: Settings, work: Callable[[Settings], Outcome]) -> Outcome:
    """The result of a command, if the clock can be read that it may look at."""
    try:
        now()
    except ValueError:
        outcome = Outcome()
        wanted = os.environ.get("PBEM_NOW")
        outcome.misuse(f"PBEM_NOW is `{wanted}`; it should be like 2026-03-01T12:30:00Z")
        return outcome
    try:
        return work(chosen)
    except Exception as fault:
        from pbem.commands.guard import unforeseen

        return unforeseen(fault, chosen.games)


def finish(ctx: typer.Context, work: Callable[[Settings], Outcome]) -> None:
    """Do the work of a command and print its result in the form that was asked for."""
    chosen: Settings = ctx.obj
    outcome = _with_a_clock(chosen, work)
    if chosen.json:
        typer.echo(outcome.as_json())
    else:
        if outcome.page is not None:
            typer.echo(outcome.page, nl=False)
        for line in () if chosen.quiet and not outcome.wanted else outcome.lines:
            typer.echo(line)
        for line in outcome.complaints:
            typer.echo(line, err=True)
    raise typer.Exit(outcome.code)


app = typer.Typer(
    cls=Commands,
    help="Play-by-email turns of Tigris & Euphrates: order files in, reports out.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GAMES: dict[str, Any] = {
    "cls": Command,
    "options_metavar": "[OPTIONS] [GAME]...",
    "context_settings": {"allow_extra_args": True},
}


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"pbem {version('pbem')}")
        except PackageNotFoundError:
            typer.echo("pbem (run from its source, not installed)")
        raise typer.Exit


def _without_folder(wanted: bool) -> None:
    if wanted:
        raise typer.BadParameter("name the folder behind it")


@app.callback()
def _options(
    _games: Annotated[
        bool, typer.Option("--games", callback=_without_folder, is_eager=True, hidden=True)
    ] = False,
    _version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options of the whole program; those in `GLOBAL` have been read by `main`."""
