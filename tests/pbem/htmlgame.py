"""Every report of a whole game for four, with all that a report can hold."""

from collections.abc import Iterator
from datetime import timedelta

import engine.view as v
from engine.cells import cells
from engine.events import Event
from engine.hints import hints
from engine.options import Options
from engine.pieces import DYNASTIES, Dynasty
from engine.sight import view
from engine.squares import SQUARES, Square
from engine.state import State
from engine.tally import tally
from pbem.reports import Report
from pbem.reportvalues import Played, Press
from tests.pbem.test_reports import NOON, News, play, report_of

MARKUP = "<b>Beware!</b> &c.\n  \N{GRINNING FACE} \N{ARABIC LETTER ALEF}" + "x" * 300
History = list[tuple[int, tuple[Event, ...]]]


def reports(seed: int) -> Iterator[tuple[str, Report]]:
    """The reports of each run to every reader, with their names.

    A run ends when somebody else is asked.
    """
    before: State | None = None
    history: History = []
    for number, (state, news) in enumerate(play(seed, DYNASTIES, Options())):
        if before is not None and _asked(state) == _asked(before):
            continue
        history.append((state.turn, tuple(news["public"])))
        changed = _changed(before or state, state)
        for viewer in news:
            report = _full(state, news, viewer, changed)
            yield f"{number:03}-{viewer}", _ended(report, state, history) if state.over else report
        before = state
        news["public"].clear()
        news["moderator"].clear()


def _asked(state: State) -> Dynasty | None:
    return None if state.question is None else state.question.player


def _changed(before: State, now: State) -> frozenset[Square]:
    old, new = ([sign for row in cells(each.board) for sign in row] for each in (before, now))
    both = zip(SQUARES, old, new, strict=True)
    return frozenset(square for square, one, other in both if one != other)


def _full(state: State, news: News, viewer: v.Viewer, changed: frozenset[Square]) -> Report:
    report = report_of(state, news, viewer)._replace(
        changed=changed,
        waiting_since=None if state.over else NOON - timedelta(days=1),
        press=(Press("bull", MARKUP),),
    )
    if viewer in DYNASTIES:
        return report._replace(hints=hints(state, viewer), messages=("It was dropped.",))
    return report._replace(notes=(MARKUP,) if viewer == "moderator" else ())


def _ended(report: Report, state: State, history: History) -> Report:
    return report._replace(
        tally=tally(state.players, history),
        revealed=view(state, "moderator").secrets,
        played_by=tuple(Played(player, None, ("1", "5b")) for player in state.players),
    )
