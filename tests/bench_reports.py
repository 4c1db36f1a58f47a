"""How long all reports of one run take, by format; and the largest of each."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from pbem.chronicle import Chronicle
from pbem.commands.report import FORMATS
from pbem.reporting import readers, report_of, speaking_in
from pbem.store import GameFolder
from tests.bench_figure import Figure

EXAMPLE = Path(__file__).parents[1] / "games" / "ur-1"
ROUNDS = 9
FOR_ALL = ("png", "svg")
"""Pictures hold public facts only: one of each serves all readers of a run."""


def report_figures(_folder: Path) -> Iterator[tuple[str, Figure]]:
    """The example game: four seats, the public, the moderator. The first time is left out."""
    folder = GameFolder(EXAMPLE)
    game = folder.load()
    chronicle = Chronicle(folder, game.record)
    run = game.record.run
    with speaking_in(game, folder):
        reports = [report_of(game, chronicle, reader, run) for reader in readers(game)]
        for name, page in FORMATS.items():
            of_run = reports[:1] if name in FOR_ALL else reports
            seconds, largest = [], 0
            for _ in range(ROUNDS + 1):
                began = perf_counter()
                pages = [page(report) for report in of_run]
                seconds.append(perf_counter() - began)
                largest = max(len(each) for each in pages)
            milliseconds = 1000 * median(seconds[1:])
            more = {"first_ms": 1000 * seconds[0], "largest": largest}
            yield f"reports_of_a_run_{name}", Figure(milliseconds, "ms", more=more)
