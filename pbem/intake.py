"""The order files that lie in a game's folder: read, told apart, put away when they are done."""

import hashlib
from pathlib import Path
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem.orderfile import read_order_file
from pbem.record import Record
from pbem.rounds import Closed
from pbem.sheets import Sheet
from pbem.store import Game, GameFolder, OrderFile
from pbem.waiting import copy_of, keep_copy, older_copies, read_copy


class Misfit(NamedTuple):
    """A file in orders/ that is nobody's, and why."""

    name: str
    why: str


class Intake(NamedTuple):
    """What lies there: readable files of the seats (of each seat the oldest first), files that
    cannot be read, files that an earlier run was done with, and files that are nobody's."""

    sheets: tuple[Sheet, ...]
    unreadable: tuple[Closed, ...]
    done: tuple[Closed, ...]
    misfits: tuple[Misfit, ...]


def digest(data: bytes) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def take_in(folder: GameFolder, game: Game) -> Intake:
    """Read all that lies in orders/, and the copies of what waits."""
    misfits: list[Misfit] = []
    sheets: list[Sheet] = []
    done: list[Closed] = []
    lying = {file.name: file for file in folder.orders()}
    for dynasty in game.file.players:
        sheets += _older(folder, dynasty, game.record)
        file = lying.pop(f"{dynasty}.yaml", None)
        copy = _copy(folder, dynasty, game.record)
        newest = None if file is None else _sheet(file, dynasty, game, misfits)
        if copy and file is None:
            done.append(Closed(copy, "withdrawn"))
        elif copy and newest and copy.sha256 != newest.sha256:
            sheets.append(copy)
        if newest is not None:
            sheets.append(newest)
    misfits += [Misfit(name, _nobody(game)) for name in lying]
    return _sorted_out(sheets, done, misfits, game.record)


def _sorted_out(
    sheets: list[Sheet], done: list[Closed], misfits: list[Misfit], record: Record
) -> Intake:
    good, bad = [], []
    for sheet in sheets:
        fate = record.closed_files.get(sheet.sha256)
        if fate is not None and fate != "refused":
            done.append(Closed(sheet, fate))
        elif sheet.file.problems:
            bad.append(Closed(sheet, "refused", sheet.file.problems))
        else:
            good.append(sheet)
    return Intake(tuple(good), tuple(bad), tuple(done), tuple(misfits))


def _nobody(game: Game) -> str:
    names = ", ".join(f"{dynasty}.yaml" for dynasty in game.file.players)
    return f"this file belongs to no seat; the files of this game are {names}"


def _sheet(lying: OrderFile, dynasty: Dynasty, game: Game, misfits: list[Misfit]) -> Sheet | None:
    """The file of a seat; None, and named, if it says that it is for another game or seat."""
    if lying.fault:
        misfits.append(Misfit(lying.name, lying.fault))
        return None
    file = read_order_file(lying.data)
    why = None
    if file.game and file.game.casefold() != game.file.game.casefold():
        why = "it is for another game"
    elif file.player and file.player != dynasty:
        why = "it is for another player"
    if why:
        misfits.append(Misfit(lying.name, f"{why}; it stays where it is"))
        return None
    sha256 = digest(lying.data)
    used = game.record.open_files.get(sha256)
    return Sheet(
        dynasty, file, sha256, f"orders/{lying.name}", lying.data, used or (), used is None
    )


def _older(folder: GameFolder, dynasty: Dynasty, record: Record) -> list[Sheet]:
    """The files that wait and that newer ones have taken the place of, oldest first."""
    copies = [_read_copy(path, dynasty, record) for path in older_copies(folder, dynasty)]
    return [sheet for sheet in copies if sheet]


def _copy(folder: GameFolder, dynasty: Dynasty, record: Record) -> Sheet | None:
    return _read_copy(copy_of(folder, dynasty), dynasty, record)


def _read_copy(path: Path, dynasty: Dynasty, record: Record) -> Sheet | None:
    data = read_copy(path)
    if data is None:
        return None
    sha256 = digest(data)
    used = record.open_files.get(sha256, ())
    source = f"{path.parent.name}/{path.name}"
    return Sheet(dynasty, read_order_file(data), sha256, source, data, used, fresh=False)


def put_away(folder: GameFolder, sheet: Sheet) -> Path:
    """Move a file that is done with to received/, byte for byte; its copy goes first."""
    path = folder.path / sheet.source
    copy = copy_of(folder, sheet.player)
    if path != copy and read_copy(copy) == sheet.data:
        copy.unlink()
    if sheet.source.startswith("orders/"):
        return folder.receive(OrderFile(path, sheet.data), sheet.player)
    return folder.receive_copy(path, sheet.player)


def keep(folder: GameFolder, sheet: Sheet) -> None:
    """Make sure that a file that waits has its copy."""
    if sheet.source.startswith("orders/"):
        keep_copy(folder, sheet.player, sheet.data)
