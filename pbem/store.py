"""The folder of a game: what is read, what is written, and in which order.

The rename of history/NNNN.yaml is the commit. Everything before it can be lost without harm,
everything after it can be done again.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem import disk
from pbem.deskfile import DeskFile, Stop, read_desk, write_desk
from pbem.gamefile import GameFile, read_game
from pbem.health import load_health
from pbem.problem import Problem
from pbem.record import Record, read_record, write_record
from pbem.seal import digest, is_broken, sealed
from pbem.seats.seating import seated
from pbem.sound import Damage, damaged, read_whole, sound

LARGEST_ORDER_FILE = 256 * 1024
ARCHIVE = "_archive"
"""The folder in the games folder to which games go that are over."""

_RUN = re.compile(r"([0-9]{4,9})\.yaml")
_RECEIVED = re.compile(r"([0-9]{4,9})-[a-z]+\.yaml")
_UNDO = re.compile(rb"^kind: undo$.*?^undo_to: ([0-9]{1,9})$", re.MULTILINE | re.DOTALL)
_TAKING = ".taking-"
_HEAD = 400


class OrderFile(NamedTuple):
    """A file in orders/, as it lay there; `fault` says why it cannot be read, if it cannot."""

    path: Path
    data: bytes
    fault: str | None = None

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.path.name


class Game(NamedTuple):
    """What the files of a game say now; `file` with those who have taken over a seat.

    `outages`: when the program was not there for all games.
    """

    file: GameFile
    desk: DeskFile
    record: Record
    outages: tuple[Stop, ...] = ()


class GameFolder:
    """One game on the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.history = path / "history"
        self.undone = path / "undone"
        self.inbox = path / "orders"
        self.received = path / "received"
        self.reports = path / "reports"
        self.outbox = path / "outbox"

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.path.resolve().name

    @property
    def games(self) -> Path:
        """The folder of all games, for a game in the archive as well."""
        parent = self.path.resolve().parent
        return parent.parent if parent.name == ARCHIVE else parent

    @property
    def archived(self) -> bool:
        """Whether the game lies in the archive."""
        return self.path.resolve().parent.name == ARCHIVE

    @property
    def is_game(self) -> bool:
        """Whether the folder is a game: it holds game.yaml."""
        return (self.path / "game.yaml").is_file()

    def load(self) -> Game:
        """The game as it stands; Damage if its files are not sound."""
        game, desk, record = self.load_file(), self.load_desk(), self.load_newest()
        state = record.state
        found = []
        if game.players != state.players:
            found.append(f"$.seats: the game is played by {' '.join(state.players)}, in this order")
        if game.options != state.options:
            found.append("$.options: they are not those of the start, which are binding")
        if found:
            wrong = tuple(Problem(None, "", message) for message in found)
            raise Damage(self.path / "game.yaml", wrong)
        return Game(seated(game, desk), desk, record, load_health(self.games).outages)

    def load_file(self) -> GameFile:
        """What game.yaml says."""
        return sound(self.path / "game.yaml", read_game)

    def load_desk(self) -> DeskFile:
        """What desk.yaml says; it may be absent."""
        path = self.path / "desk.yaml"
        return sound(path, read_desk) if path.exists() else DeskFile()

    def write_desk(self, desk: DeskFile) -> None:
        """Write desk.yaml anew; it is on the disk when this returns."""
        disk.write_over(self.path / "desk.yaml", write_desk(desk).encode(), sync=True)

    def runs(self) -> tuple[int, ...]:
        """The runs that count, oldest first; without those that were taken back."""
        return tuple(sorted(_numbers(self.history, _RUN)))

    def has_run(self, run: int) -> bool:
        """Whether there is a run with this number, one that was taken back included."""
        name = self._file_of(run).name
        return run >= 0 and ((self.history / name).exists() or (self.undone / name).exists())

    def load_newest(self) -> Record:
        """The record of the newest run."""
        runs = self.runs()
        if not runs:
            raise damaged(self.history, "there is no run in it")
        self._check_for_gaps(runs)
        return self.load_run(runs[-1])

    def load_run(self, run: int) -> Record:
        """The record of one run, also of one that was taken back."""
        path = self._file_of(run)
        if not path.exists():
            path = self.undone / path.name
        record = sound(path, read_record)
        if record.run != run:
            raise damaged(path, f"$.run: {record.run} should be {run}, as the file is named")
        return record

    def was_edited(self, run: int) -> bool:
        """Whether the file of a run was changed by hand after it was written."""
        return is_broken(read_whole(self._file_of(run)))

    def next_run(self) -> int:
        """The number of the next run; no number is used twice."""
        used = _numbers(self.history, _RUN) | _numbers(self.undone, _RUN)
        return max(used, default=-1) + 1

    def commit(self, record: Record) -> Path:
        """Write the run; once this returns it has happened. FileExistsError if it had already."""
        path = self._file_of(record.run)
        if (self.undone / path.name).exists():
            raise FileExistsError(f"{path.name} was used and taken back")
        disk.make_folder(self.history)
        disk.write_new(path, sealed(write_record(record)))
        return path

    def orders(self) -> list[OrderFile]:
        """The files in orders/, by name; hidden ones are left alone."""
        return [_read_order(path) for path in disk.listing(self.inbox)]

    def receive(self, order: OrderFile, dynasty: Dynasty) -> Path:
        """Move an order file that was judged from orders/ to received/, byte for byte.

        If the player has replaced it meanwhile, the judged bytes are kept and the new file
        stays where it is.
        """
        disk.make_folder(self.received)
        target = self.next_received(dynasty)
        taking = self.received / f"{_TAKING}{order.name}"
        with suppress(FileNotFoundError):
            order.path.rename(taking)
        if os.path.lexists(taking) and (order.fault or _read_order(taking).data == order.data):
            self._keep(taking, target)
        else:
            disk.write_new(target, order.data)
            self._put_back(taking)
        return target

    def receive_copy(self, copy: Path, dynasty: Dynasty) -> Path:
        """Move the copy of a file that waited to received/."""
        disk.make_folder(self.received)
        return copy.rename(self.next_received(dynasty))

    def write_report(self, name: str, text: str) -> Path:
        """Write the newest report of a seat over the one before."""
        disk.make_folder(self.reports)
        path = self.reports / f"{name}.txt"
        disk.write_over(path, text.encode())
        return path

    def set_aside(self, undo: Record) -> None:
        """After an undo was committed: all it took back goes to undone/, and all that waits.

        Files stay that the undo leaves in force. The history goes last and newest first, so
        that what a killed run left is seen.
        """
        run, undo_to = undo.run, undo.undo_to or 0
        disk.make_folder(self.undone)
        for path in (*disk.listing(self.inbox), *disk.listing(self.path / "waiting")):
            if undo.open_files and digest(_read_order(path).data) in undo.open_files:
                continue
            disk.close_to_others(path)
            path.rename(disk.free_name(self.undone / f"{run:04d}-{path.name}"))
        for number in reversed(self.runs()):
            if undo_to < number < run:
                path = self._file_of(number)
                disk.move_new(path, self.undone / path.name)

    @contextmanager
    def locked(self, patience: float = 0) -> Iterator[None]:
        """Hold the game: Busy if another run has it for longer than `patience` seconds.

        What a killed run left is put in order.
        """
        with disk.awaited(self.path, patience):
            self._recover()
            yield

    def _recover(self) -> None:
        inner = ("orders", "history", "answers", "waiting", "received", "reports", "undone")
        for name in (".", *inner):
            disk.sweep(self.path / name)
        for name in disk.names_in(self.received):
            if name.startswith(_TAKING):
                self._put_back(self.received / name)
        runs = self.runs()
        if not runs:
            return
        back = self._taken_back_by(runs[-1])
        if not back.isdisjoint(runs):
            self.set_aside(self.load_run(runs[-1]))

    def _taken_back_by(self, run: int) -> set[int]:
        """The runs that an undo took back; none if this run is not one. Reads its head only."""
        undo = _UNDO.search(read_whole(self._file_of(run))[:_HEAD])
        return set(range(int(undo[1]) + 1, run)) if undo else set()

    def _put_back(self, taking: Path) -> None:
        """A file that was taken only goes back to orders/; behind a newer one it is kept."""
        if not os.path.lexists(taking):
            return
        if any(disk.same_file(taking, path) for path in disk.listing(self.received)):
            taking.unlink()
            return
        disk.make_folder(self.inbox)
        name = taking.name.removeprefix(_TAKING)
        try:
            disk.move_new(taking, self.inbox / name)
        except FileExistsError:
            self._keep(taking, self.next_received(name.removesuffix(".yaml")))

    def _keep(self, taking: Path, target: Path) -> None:
        disk.close_to_others(taking)
        disk.move_new(taking, target)

    def next_received(self, who: str) -> Path:
        """Where the next file of a seat will lie; one number runs over all seats."""
        number = max(_numbers(self.received, _RECEIVED), default=0) + 1
        return self.received / f"{number:04d}-{who}.yaml"

    def _file_of(self, run: int) -> Path:
        return self.history / f"{run:04d}.yaml"

    def _check_for_gaps(self, runs: tuple[int, ...]) -> None:
        """A missing run is one that was taken back, or the game is damaged."""
        if len(runs) == runs[-1] + 1:
            return
        missing = set(range(runs[-1])) - {*runs} - _numbers(self.undone, _RUN)
        for run in runs if missing else ():
            missing -= self._taken_back_by(run)
        if missing:
            raise damaged(self._file_of(min(missing)), "the file of this run is missing")


def _read_order(path: Path) -> OrderFile:
    data = disk.read_plain(path, LARGEST_ORDER_FILE)
    if data is None:
        return OrderFile(path, b"", "this is no plain file that can be read")
    if len(data) > LARGEST_ORDER_FILE:
        return OrderFile(path, data, f"this file is larger than {LARGEST_ORDER_FILE} bytes")
    return OrderFile(path, data)


def _numbers(folder: Path, pattern: re.Pattern[str]) -> set[int]:
    """The numbers of the files whose names are of this form."""
    return {int(found[1]) for name in disk.names_in(folder) if (found := pattern.fullmatch(name))}
