"""`pbem report`: make any report of any run again, in any format."""

import base64
from collections.abc import Callable

from engine.pieces import DYNASTIES
from engine.view import Viewer
from pbem.chronicle import Chronicle
from pbem.commands.guard import chosen, guarded
from pbem.outcome import MISUSED, Outcome, Settings
from pbem.reporting import OTHERS, report_of, speaking_in
from pbem.reports import Report, render
from pbem.store import GameFolder

VIEWERS: tuple[Viewer, ...] = (*DYNASTIES, *OTHERS)


def report(settings: Settings, name: str, reader: str, at: int | None, form: str) -> Outcome:
    """The report of a run for one reader, on standard output."""
    outcome = Outcome()
    viewer = next((each for each in VIEWERS if each == reader.strip().lower()), None)
    if viewer is None:
        readers = ", ".join(VIEWERS)
        outcome.misuse(f"--for `{reader}`: one of {readers}")
    if form not in FORMATS:
        outcome.misuse(f"--format `{form}`: one of {', '.join(FORMATS)}")
    for folder in chosen(settings, [name], outcome, archived=True):
        if viewer is not None and outcome.code != MISUSED:
            with guarded(outcome, folder):
                _show(outcome, folder, viewer, at, form)
    return outcome


def _show(outcome: Outcome, folder: GameFolder, viewer: Viewer, at: int | None, form: str) -> None:
    game = folder.load()
    newest = game.record.run
    if viewer not in (*game.file.players, *OTHERS):
        players = ", ".join(game.file.players)
        outcome.misuse(f"{viewer} does not play in {folder.name}: {players}")
        return
    run = newest if at is None else at
    if not folder.has_run(run):
        message = f"{folder.name}: there is no run {run}; the newest is run {newest}"
        outcome.misuse(message)
        return
    with speaking_in(game, folder):
        page = FORMATS[form](report_of(game, Chronicle(folder, game.record), viewer, run))
    facts = {"game": game.file.game, "run": run, "for": viewer}
    if isinstance(page, bytes):
        outcome.page = page
        outcome.games.append(facts | {form: base64.b64encode(page).decode()})
        return
    outcome.games.append(facts | {form: page})
    outcome.wanted = True
    outcome.say(*page.rstrip("\n").split("\n"))


def _html(report: Report) -> str:
    """One file that needs no other: the chart of a finished game lies in it."""
    from pbem.htmlreport import render_html

    if report.tally is not None:
        from pbem.pointschart import points_png

        chart = base64.b64encode(points_png(report) or b"").decode()
        report = report._replace(chart=f"data:image/png;base64,{chart}")
    return render_html(report)


def _png(report: Report) -> bytes:
    from pbem.picture import board_png

    return board_png(report.view, report.changed)


def _svg(report: Report) -> str:
    from pbem.picture import board_svg

    return board_svg(report.view, report.changed)


def _json(report: Report) -> str:
    from pbem.viewdata import report_json

    return report_json(report)


FORMATS: dict[str, Callable[[Report], str | bytes]] = {
    "text": render,
    "html": _html,
    "png": _png,
    "svg": _svg,
    "json": _json,
}
