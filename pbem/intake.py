"""The order files that lie in a game's folder: read and told apart."""

from pathlib import Path
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem import disk
from pbem.endings import was_put_away
from pbem.orderfile import read_order_file
from pbem.record import Record
from pbem.rounds import Closed
from pbem.seal import digest
from pbem.sheets import Sheet
from pbem.store import LARGEST_ORDER_FILE, Game, GameFolder, OrderFile
from pbem.waiting import copy_of, make_room, older_copies, read_copy


class Misfit(NamedTuple):
    """A file in orders/ that is nobody's, and why."""

    name: str
    why: str


class Intake(NamedTuple):
    """What lies there.

    `order` are the sources of all, of each seat the oldest first. `sheets` are to be judged or
    wait. `settled` are those that the newest run was done with when it was killed. `closed` need
    no judging: their writer took them away, or sent them a second time. `misfits` are nobody's.
    """

    order: tuple[str, ...]
    sheets: tuple[Sheet, ...]
    settled: tuple[Closed, ...]
    closed: tuple[Closed, ...]
    misfits: tuple[Misfit, ...]


def take_in(folder: GameFolder, game: Game) -> Intake:
    """Read all that lies in orders/, and the copies of what waits."""
    misfits: list[Misfit] = []
    found: list[tuple[Sheet, bool]] = []
    lying = {file.name: file for file in folder.orders()}
    for dynasty in game.file.players:
        file = lying.pop(f"{dynasty}.yaml", None)
        newest = sheet_of(file, dynasty, game, misfits) if file else None
        if newest:
            make_room(folder, dynasty, newest.data)
            waited = dynasty in game.desk.dropped and copy_of(folder, dynasty).exists()
            newest = newest._replace(fresh=newest.fresh and not waited)  # also if no run knows it
        copy = copy_of(folder, dynasty)
        taken_away = file is None and copy.exists()
        for path in (*older_copies(folder, dynasty), *([] if newest else [copy])):
            sheet = _read_copy(path, dynasty, game.record)
            found += [(sheet, taken_away)] if sheet else []
        found += [(newest, False)] if newest else []
    misfits += [Misfit(name, _nobody(game)) for name in lying]
    return _sorted_out(folder, game.record, found, misfits)


def waiting_sheets(folder: GameFolder, dynasty: Dynasty, record: Record) -> list[Sheet]:
    """The files of a seat that were found to wait by the last call, oldest first."""
    paths = (*older_copies(folder, dynasty), copy_of(folder, dynasty))
    found = (_read_copy(path, dynasty, record) for path in paths)
    return [sheet for sheet in found if sheet]


def lying_sheets(folder: GameFolder, dynasty: Dynasty, game: Game) -> list[Sheet]:
    """All files of a seat that lie there, judged or not, oldest first; nothing is moved."""
    found = {sheet.sha256: sheet for sheet in waiting_sheets(folder, dynasty, game.record)}
    for lying in folder.orders():
        if lying.name == f"{dynasty}.yaml" and (sheet := sheet_of(lying, dynasty, game, [])):
            found.setdefault(sheet.sha256, sheet)
    return [*found.values()]


def sheets_after(folder: GameFolder, dynasty: Dynasty, record: Record) -> list[Sheet]:
    """The files of a seat that waited after an older run, as far as the run knows them."""
    if not record.open_files:
        return []
    names = sorted((n for n in disk.names_in(folder.received) if n.endswith(f"-{dynasty}.yaml")),
                   key=lambda name: (len(name), name))  # fmt: skip
    received = (_read_copy(folder.received / name, dynasty, record) for name in names)
    every = [*received, *waiting_sheets(folder, dynasty, record)]
    found = {sheet.sha256: sheet for sheet in every if sheet}
    return [sheet for sha256, sheet in found.items() if sha256 in record.open_files]


def _sorted_out(
    folder: GameFolder, record: Record, found: list[tuple[Sheet, bool]], misfits: list[Misfit]
) -> Intake:
    order = tuple(sheet.source for sheet, _ in found)
    sheets, settled, closed = [], [], []
    for sheet, taken_away in found:
        fate = record.closed_files.get(sheet.sha256)
        if fate and not was_put_away(folder, sheet, record.run):
            settled.append(Closed(sheet, fate))
        elif fate == "used":
            closed.append(Closed(sheet, fate, repeated=True))
        elif taken_away:
            closed.append(Closed(sheet, "withdrawn"))
        else:
            sheets.append(sheet)
    return Intake(order, tuple(sheets), tuple(settled), tuple(closed), tuple(misfits))


def _nobody(game: Game) -> str:
    names = ", ".join(f"{dynasty}.yaml" for dynasty in game.file.players)
    return f"this file belongs to no seat; the files of this game are {names}"


def sheet_of(lying: OrderFile, dynasty: Dynasty, game: Game, misfits: list[Misfit]) -> Sheet | None:
    """The file of a seat; None, and named, if it is none of the seat's."""
    file = read_order_file(lying.data)
    why = None
    if lying.fault and len(lying.data) <= LARGEST_ORDER_FILE:
        why = lying.fault
    elif file.game and file.game.casefold() != game.file.game.casefold():
        why = "it is for another game; it stays where it is"
    elif file.player and file.player != dynasty:
        why = "it is for another player; it stays where it is"
    if why:
        misfits.append(Misfit(lying.name, why))
        return None
    sha256 = digest(lying.data)
    used = game.record.open_files.get(sha256)
    source = f"orders/{lying.name}"
    return Sheet(dynasty, file, sha256, source, lying.data, used or (), used is None)


def _read_copy(path: Path, dynasty: Dynasty, record: Record) -> Sheet | None:
    data = read_copy(path)
    if data is None:
        return None
    sha256 = digest(data)
    used = record.open_files.get(sha256, ())
    source = f"{path.parent.name}/{path.name}"
    return Sheet(dynasty, read_order_file(data), sha256, source, data, used, fresh=False)
