"""Accepted orders are laid into orders/ as if their player had put the file there himself.

A file that lies there gives way: what of it is in force keeps waiting (contract 2) in a copy, and
`turn` moves it to received/ when it is done with. Killed anywhere and done again, the end is the
same.
"""

from pathlib import Path

from engine.pieces import Dynasty
from pbem import disk
from pbem.chronicle import Chronicle
from pbem.endings import endings, put_away
from pbem.intake import Misfit, sheet_of
from pbem.judge import judge
from pbem.rounds import Closed
from pbem.sheets import Sheet
from pbem.store import LARGEST_ORDER_FILE, Game, GameFolder, OrderFile
from pbem.waiting import copy_of, keep_copy, older_copies, read_copy


def place(folder: GameFolder, game: Game, dynasty: Dynasty, data: bytes) -> None:
    """Lay an order file into orders/; the caller holds the game."""
    path = folder.inbox / f"{dynasty}.yaml"
    lying = next((each for each in folder.orders() if each.path == path), None)
    if lying is not None:
        if lying.data == data and not lying.fault:
            return
        _make_way(folder, game, dynasty, lying)
    disk.make_folder(folder.inbox)
    disk.write_over(path, data, sync=True)


def was_placed(folder: GameFolder, dynasty: Dynasty, data: bytes) -> bool:
    """Whether this very file was laid into orders/ before, whatever became of it."""
    files = [folder.inbox / f"{dynasty}.yaml", copy_of(folder, dynasty)]
    files += [*older_copies(folder, dynasty), *_received(folder, dynasty)]
    return any(_same(path, data) for path in files)


def _received(folder: GameFolder, dynasty: Dynasty) -> list[Path]:
    names = disk.names_in(folder.received)
    return [folder.received / name for name in names if name.endswith(f"-{dynasty}.yaml")]


def _same(path: Path, data: bytes) -> bool:
    return path.is_file() and path.stat().st_size == len(data) and read_copy(path) == data


def _make_way(folder: GameFolder, game: Game, dynasty: Dynasty, lying: OrderFile) -> None:
    """Keep what lies in orders/ in force, or put it away if it could not be used anyway."""
    misfits: list[Misfit] = []
    sheet = sheet_of(lying, dynasty, game, misfits)
    if sheet is None or lying.fault or len(lying.data) > LARGEST_ORDER_FILE:
        folder.receive(lying, dynasty)
        return
    known = sheet.sha256 in game.record.closed_files
    if sheet.fresh and not known and read_copy(copy_of(folder, dynasty)) != lying.data:
        chronicle = Chronicle(folder, game.record)
        if problems := judge(sheet, chronicle.situation(game.desk.dropped)):
            _refuse(folder, chronicle, sheet, Closed(sheet, "refused", problems))
            return
    keep_copy(folder, dynasty, lying.data)


def _refuse(folder: GameFolder, chronicle: Chronicle, sheet: Sheet, closed: Closed) -> None:
    for ending in endings(folder, (sheet.source,), (closed,)):
        put_away(folder, chronicle.newest.run, ending, carried=False)
