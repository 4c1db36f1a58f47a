"""The folder of all games: finding one by its name, listing them, making a new one."""

import os
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from pbem import disk
from pbem.gamefile import GameFile, write_game
from pbem.names import game_name_fault, same_name, shown
from pbem.record import Record
from pbem.store import ARCHIVE, GameFolder

_GAME = re.compile(rb"^game:[ \t]*(\S+)", re.MULTILINE)
_LARGEST = 64 * 1024
_UNDER_WAY = ".new-"


class NoSuchGame(Exception):
    """What was named is not a game, or may not be the name of one; the text says why."""


class InArchive(NoSuchGame):
    """The game that was named lies in the archive, and is to be changed."""


def find_games(games: Path) -> list[GameFolder]:
    """All games under the folder, by name. What belongs to the program is not among them."""
    if not games.is_dir():
        return []
    folders = [GameFolder(path) for path in sorted(games.iterdir()) if _may_be_game(path)]
    return [folder for folder in folders if folder.is_game]


def find_game(games: Path, text: str, *, archived: bool = False) -> GameFolder:
    """The game with this name under the folder, or at this path; NoSuchGame if there is none.

    With `archived` one in the archive will do, for it is only read; else it is InArchive.
    """
    if os.sep in text or text in (os.curdir, os.pardir):
        folder = GameFolder(Path(text))
    else:
        folder = GameFolder(_named(games, text))
        folder = folder if folder.is_game else archived_game(games, text) or folder
    if not folder.is_game:
        raise NoSuchGame(f"{shown(text)} is no game: there is no game.yaml in {folder.path}")
    if folder.archived and not archived:
        back = f"`pbem archive --back {folder.name}` brings it back"
        raise InArchive(f"{folder.name} is in the archive, {folder.path}; {back}")
    return folder


def archived_games(games: Path) -> list[GameFolder]:
    """All games in the archive of the folder, by name."""
    return find_games(games / ARCHIVE)


def archived_game(games: Path, name: str) -> GameFolder | None:
    """The game in the archive with this name, whatever its case."""
    return next((each for each in archived_games(games) if same_name(each.name, name)), None)


def create_game(
    games: Path, game: GameFile, start: Record, more: Callable[[GameFolder], None] | None = None
) -> GameFolder:
    """Make the folder of a new game, whole or not at all; NoSuchGame if the name will not do.

    `more` writes what else is to lie in it.
    """
    fault = game_name_fault(game.game)
    if fault:
        raise NoSuchGame(fault)
    games.mkdir(parents=True, exist_ok=True)
    with disk.locked(games):
        check_free(games, game.game)
        folder = GameFolder(under_way(games, game.game))
        _fill(folder, game, start)
        if more is not None:
            more(folder)
        folder.path.rename(games / game.game)
        disk.sync_folder(games)
    return GameFolder(games / game.game)


def check_free(games: Path, name: str) -> None:
    """NoSuchGame if there is something with this name in the games folder or in its archive."""
    if path := name_taken(games, name):
        raise NoSuchGame(f"`{name}`: there is {path} already; choose another name")


def name_taken(games: Path, name: str) -> Path | None:
    """What has this name in the games folder or in its archive."""
    return taken(games, name) or taken(games / ARCHIVE, name)


def taken(place: Path, name: str) -> Path | None:
    """What has this name in a folder, whatever its case."""
    found = (each for each in sorted(disk.names_in(place)) if same_name(each, name))
    return next((place / each for each in found), None)


def under_way(games: Path, name: str) -> Path:
    """Where a game grows before it is renamed; what a killed run left is cleared away."""
    for unfinished in games.glob(f"{_UNDER_WAY}*"):
        shutil.rmtree(unfinished, ignore_errors=True)
    return games / f"{_UNDER_WAY}{name}"


Namesakes: TypeAlias = Sequence[GameFolder]
"""Games whose names differ by case at most."""


def by_name(folders: Iterable[GameFolder]) -> Mapping[str, Namesakes]:
    """Games by their names, upper and lower case apart."""
    found: dict[str, list[GameFolder]] = {}
    for folder in folders:
        found.setdefault(folder.path.name.casefold(), []).append(folder)
    return found


def namesakes(folder: GameFolder) -> Namesakes:
    """The games beside this one that have its name, itself among them."""
    paths = sorted(folder.path.parent.iterdir())
    same = [GameFolder(p) for p in paths if same_name(p.name, folder.path.name) and _may_be_game(p)]
    return [each for each in same if each.is_game]


def name_fault(folder: GameFolder, others: Namesakes) -> str | None:
    """Why a game of the games folder cannot be told apart by its name, if it cannot."""
    path = folder.path
    for other in others:
        if other.path.name != path.name:
            return (
                f"{path} and {other.path} have the same name, upper and lower case apart: take one "
                "away, or rename it here and in its game.yaml; neither is played"
            )
    said = _GAME.search(disk.read_plain(path / "game.yaml", _LARGEST) or b"")
    name = said[1].decode(errors="replace").strip("\"'") if said else path.name
    if same_name(name, path.name):
        return None
    return (
        f"{path} is called {shown(name)} in its game.yaml: a copied game needs a name of its own, "
        f"write `game: {path.name}` there"
    )


def _fill(folder: GameFolder, game: GameFile, start: Record) -> None:
    for inner in (folder.path, folder.inbox, folder.received, folder.reports):
        disk.make_folder(inner)
    folder.commit(start)
    disk.write_new(folder.path / "game.yaml", write_game(game).encode())


def _named(games: Path, name: str) -> Path:
    fault = game_name_fault(name)
    if fault:
        raise NoSuchGame(fault)
    if games.is_dir():
        for path in sorted(games.iterdir()):
            if same_name(path.name, name):
                if path.is_symlink():
                    raise NoSuchGame(f"{path} is a link to elsewhere; name that path itself")
                return path
    return games / name


def _may_be_game(path: Path) -> bool:
    return not path.is_symlink() and path.is_dir() and game_name_fault(path.name) is None
