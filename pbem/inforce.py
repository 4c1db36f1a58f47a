"""What waits of a seat's order files, in normal form: told to that seat alone."""

from engine.pieces import Dynasty
from pbem.intake import sheets_after, waiting_sheets
from pbem.normalform import normal_form
from pbem.record import Record
from pbem.sheets import Sheet, in_force
from pbem.store import GameFolder


def orders_that_wait(
    folder: GameFolder, record: Record, dynasty: Dynasty, *, newest: bool
) -> tuple[str, ...]:
    """The parts of the seat's files that are in force, each file as a text of its own.

    Of an older run it is told what waited when it was made.
    """
    sheets = (waiting_sheets if newest else sheets_after)(folder, dynasty, record)
    return tuple(text for text in map(_orders, in_force(sheets)) if text)


def _orders(sheet: Sheet) -> str:
    """The file without press and note, which have gone out; nothing if that was all."""
    file = sheet.file
    if file.actions is None and file.answers is None:
        return ""
    if file.actions is None:
        file = file._replace(turn=None, first_action=1)
    return normal_form(file._replace(press=None, note=None))
