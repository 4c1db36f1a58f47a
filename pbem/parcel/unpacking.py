"""A packed game unpacked: everything is checked, and it is there whole or not at all."""

import hashlib
import os
import re
import shutil
import stat
import zipfile
from collections import deque
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from pbem import disk
from pbem.commands.replay import replay
from pbem.fates import answers_of
from pbem.games import check_free, under_way
from pbem.mail.outbox import Outbox
from pbem.names import game_name_fault, same_name
from pbem.outcome import DONE, Settings
from pbem.parcel.contents import (
    GAME,
    LARGEST,
    LARGEST_FILE,
    MANIFEST,
    MOST_FILES,
    README,
    Manifest,
    file_name_fault,
    read_manifest,
)
from pbem.problem import Problem
from pbem.progress import progress
from pbem.sound import Damage
from pbem.store import GameFolder

_HOLDING = "import"
_NAME = re.compile(rb"^game:.*$", re.MULTILINE)
_RUN = re.compile(r"([0-9]{4,9})\.yaml")


class Unfit(Exception):
    """A file that cannot be imported, and everything that is wrong with it."""

    def __init__(self, *problems: str) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def unpack(settings: Settings, path: Path, name: str | None) -> GameFolder:
    """Make the game in a file that `pack` has made, under this name if one is given.

    Unfit or NoSuchGame (the name will not do) if it cannot be; OSError if there is no such file.
    """
    games = settings.games
    games.mkdir(parents=True, exist_ok=True)
    with _opened(path) as parcel, disk.awaited(games):
        manifest = _manifest(parcel)
        called = name or manifest.game
        if fault := game_name_fault(called):
            raise Unfit(fault)
        check_free(games, called)
        holding = under_way(games, _HOLDING)
        try:
            folder = _filled(settings, holding / called, parcel, manifest)
            _check(folder, manifest.game)
            _replay(folder)
            folder.path.rename(games / called)
        finally:
            shutil.rmtree(holding, ignore_errors=True)
        disk.sync_folder(games)
    return GameFolder(games / called)


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except OSError:
        raise
    except Exception as fault:  # whatever a mangled file does to the library
        raise Unfit(f"`pbem export` has not made it, or it is damaged: {fault}") from None


def _manifest(parcel: zipfile.ZipFile) -> Manifest:
    """The list of contents, once it is known that it fits what is there."""
    infos = parcel.infolist()
    if problems := [*_oversized(infos)] or [*_misnamed(infos)]:
        raise Unfit(*problems)
    names = {info.filename for info in infos}
    if MANIFEST not in names:
        raise Unfit(f"there is no {MANIFEST} in it: it was not made by `pbem export`")
    manifest = read_manifest(_read(parcel, MANIFEST))
    if isinstance(manifest, str):
        raise Unfit(f"{MANIFEST}: {manifest}")
    listed = set(manifest.files)
    lost = [f"{name} is missing" for name in sorted(listed - names)]
    more = [f"{name} is not in {MANIFEST}" for name in sorted(names - listed - {README, MANIFEST})]
    if lost or more:
        raise Unfit(*lost, *more)
    return manifest


def _oversized(infos: list[zipfile.ZipInfo]) -> Iterator[str]:
    """What is too much to be unpacked at all."""
    if len(infos) > MOST_FILES:
        yield f"it has more than {MOST_FILES} files"
    if sum(info.file_size for info in infos) > LARGEST:
        yield f"unpacked it would have more than {LARGEST} bytes"
    for info in infos:
        if info.file_size > LARGEST_FILE:
            yield f"{info.filename!a} would have more than {LARGEST_FILE} bytes"


def _misnamed(infos: list[zipfile.ZipInfo]) -> Iterator[str]:
    """Names that lead out of the folder, are no plain files, or are there twice."""
    seen: set[str] = set()
    for info in infos:
        name = info.filename
        inner = name.removeprefix(GAME)
        mode = info.external_attr >> 16
        if name.casefold() in seen:
            yield f"{name!a} is there twice"
        elif stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            yield f"{name!a} is no plain file"
        elif name not in (README, MANIFEST) and (inner == name or file_name_fault(inner)):
            why = file_name_fault(inner) or f"all files of a game lie in {GAME}"
            yield f"{name!a}: {why}"
        seen.add(name.casefold())


def _read(parcel: zipfile.ZipFile, name: str) -> bytes:
    try:
        with parcel.open(name) as file:
            data = file.read(LARGEST_FILE + 1)
    except Exception as fault:  # whatever a mangled file does to the library
        raise Unfit(f"{name}: it cannot be read: {fault}") from None
    if len(data) > LARGEST_FILE:
        raise Unfit(f"{name}: it has more than {LARGEST_FILE} bytes")
    return data


def _filled(
    settings: Settings, place: Path, parcel: zipfile.ZipFile, manifest: Manifest
) -> GameFolder:
    """The folder with all files. The reports come last: they are newer than what they tell."""
    folder = GameFolder(place)
    for each in (place.parent, place, folder.inbox, folder.received):
        disk.make_folder(each)
    reports = f"{GAME}{folder.reports.name}/"
    names = sorted(manifest.files, key=lambda name: (name.startswith(reports), name))
    wrong = []
    for name in progress(settings, names, "unpacking"):
        data = _read(parcel, name)
        if hashlib.sha256(data).hexdigest() != manifest.files[name]:
            wrong.append(f"{name} is not what was exported: its SHA-256 is another")
        elif not wrong:
            _write(place / name.removeprefix(GAME), data)
    if wrong:
        raise Unfit(*wrong)
    disk.make_folder(folder.reports)
    for inner, _, _ in os.walk(place):
        disk.sync_folder(Path(inner))
    return folder


def _write(path: Path, data: bytes) -> None:
    """A file of the game, on the disk when this returns."""
    path.parent.mkdir(mode=disk.FOLDER_OWNER_ONLY, parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, disk.OWNER_ONLY), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _check(folder: GameFolder, name: str) -> None:
    """Read every file of the game that the program reads; Unfit with what is wrong.

    `name`: what it was called. It gets the name of its folder.
    """
    try:
        said = folder.load_file().game
        if not same_name(said, name):
            raise Unfit(f"{GAME}game.yaml: the game is called {said}, in {MANIFEST} {name}")
        if not same_name(said, folder.name):
            _rename(folder, said)
        game = folder.load()
        for run in (*folder.runs(), *_taken_back(folder)):
            folder.load_run(run)
        for seat in game.file.players:
            deque(answers_of(folder, seat, range(game.record.run + 1)), 0)
    except Damage as damage:
        raise Unfit(*_told(folder, damage.path, damage.problems)) from None
    box = Outbox(folder.outbox)
    box.entries()
    if box.damaged:
        raise Unfit(*chain(*(_told(folder, *damaged) for damaged in box.damaged)))


def _taken_back(folder: GameFolder) -> list[int]:
    """The runs that were taken back."""
    found = (_RUN.fullmatch(name) for name in disk.names_in(folder.undone))
    return [int(run[1]) for run in found if run]


def _rename(folder: GameFolder, old: str) -> None:
    if folder.orders():
        raise Unfit(
            f"orders lie in it that name {old}, so it cannot be called {folder.name} yet: "
            f"import it as {old}, or let them be played first"
        )
    path, named = folder.path / "game.yaml", f"game: {folder.name}".encode()
    disk.write_over(path, _NAME.sub(named, path.read_bytes(), count=1), sync=True)


def _replay(folder: GameFolder) -> None:
    """Play the game again; Unfit if it comes out otherwise."""
    played = replay(Settings(folder.path.parent), folder.name)
    if played.code != DONE:
        inner = f"{folder.path}{os.sep}"
        raise Unfit(*(each.replace(inner, GAME) for each in played.complaints))


def _told(folder: GameFolder, path: Path, problems: tuple[Problem, ...]) -> list[str]:
    """What is wrong with a file, by its name in the parcel."""
    name = f"{GAME}{path.relative_to(folder.path).as_posix()}"
    return [f"{name}{f', line {p.line}' if p.line else ''}: {p.message}" for p in problems]
