"""What the calendar of a reader is told with a letter: a deadline of his, or that it is gone."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from pbem.chronicle import Chronicle
from pbem.record import Record
from pbem.reports import Report


class Appointment(NamedTuple):
    """That a seat has to answer a question until then; None: not any more.

    `written`: when this was so; of two versions of an event the one written last counts.
    """

    game: str
    player: str
    question: str
    until: datetime | None
    written: datetime


def appointment_of(
    report: Report, chronicle: Chronicle, got_one: Callable[[Record], bool]
) -> Appointment | None:
    """What a letter on the newest run tells the calendar of its reader.

    `got_one`: whether he got a letter of a run in which he was not asked.
    """
    question, written = report.question or "", chronicle.newest.when
    if report.mine and report.deadline:
        return Appointment(report.game, report.viewer, question, report.deadline, written)
    if report.plays and _was_told(report, chronicle, got_one):
        return Appointment(report.game, report.viewer, question, None, written)
    return None


def _was_told(report: Report, chronicle: Chronicle, got_one: Callable[[Record], bool]) -> bool:
    """Whether the reader was asked when he got his last letter before this one."""
    for run in range(report.run - 1, -1, -1):
        if not chronicle.folder.has_run(run):
            return False
        record = chronicle.record(run)
        asked = record.state.question
        if asked is not None and asked.player == report.viewer:
            return True
        if got_one(record):
            return False
    return False
