"""The points over time as a picture, at the end of a game."""

from pbem.language import _, speaking
from pbem.picture import ChartWords, chart_png
from pbem.reports import Report


def points_png(report: Report) -> bytes | None:
    """The chart of a finished game as a PNG file; None while it goes on."""
    tally = report.tally
    if tally is None or not tally.standings:
        return None
    points = [
        (report.label(standing.turn), dict(zip(tally.players, standing.points, strict=True)))
        for standing in tally.standings
    ]
    with speaking(report.language, report.zone):
        words = ChartWords(_("Total"), _("Lowest colour"), _("Turn"), report.names)
    return chart_png(points, words)
