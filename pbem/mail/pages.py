"""The HTML of a letter, with the picture of the board beside it."""

from typing import NamedTuple

from pbem.mail.letters import Picture
from pbem.reports import Report

BOARD = "board"
CHART = "points"


class Page(NamedTuple):
    """A report as HTML, with the pictures that it shows."""

    html: str
    pictures: tuple[Picture, ...] = ()


class Pages:
    """The pages of one run. The picture holds public facts only, so one serves all readers."""

    def __init__(self) -> None:
        self._board: Picture | None = None

    def page(self, report: Report) -> Page:
        """The page of one reader; whoever wants the map as a list gets no picture."""
        from pbem.htmlreport import render_html  # a turn without mail need not load these
        from pbem.picture import board_png
        from pbem.pointschart import points_png

        pictures: list[Picture] = []
        if report.map_style != "list":
            if self._board is None:
                self._board = Picture(BOARD, board_png(report.view, report.changed))
            report = report._replace(picture=f"cid:{BOARD}")
            pictures.append(self._board)
        if points := points_png(report):
            report = report._replace(chart=f"cid:{CHART}")
            pictures.append(Picture(CHART, points))
        return Page(render_html(report), tuple(pictures))
