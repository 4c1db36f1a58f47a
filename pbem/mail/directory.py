"""Who sits where, in all games of a folder: read from their files, each once as long as it is."""

from pathlib import Path
from typing import NamedTuple

from pbem.games import archived_game, find_games
from pbem.mail.world import Seat
from pbem.seating import seated
from pbem.sound import Damage
from pbem.store import GameFolder


class _Known(NamedTuple):
    """The seats of a game, as they were when its files had these times and sizes."""

    stamp: tuple[tuple[int, int], ...]
    name: str
    seats: tuple[Seat, ...]


class Directory:
    """The seats of all games."""

    def __init__(self, games: Path) -> None:
        self._games = games
        self._known: dict[Path, _Known] = {}

    def folder(self, game: str) -> GameFolder | None:
        """The game of this name, whatever its case; None if there is none, in the archive neither.

        Damage if it may be the one whose files cannot be read.
        """
        folders = find_games(self._games)
        folders.sort(key=lambda folder: folder.name.casefold() != game.casefold())
        damage: Damage | None = None
        for folder in folders:
            try:
                known = self._look(folder)
            except Damage as fault:
                if folder.name.casefold() == game.casefold():
                    damage = fault
                continue
            if known.name.casefold() == game.casefold():
                return folder
        if damage is not None:
            raise damage
        return archived_game(self._games, game)

    def seats(self, game: str) -> tuple[Seat, ...]:
        """The seats of the game of this name; none if there is no such game."""
        folder = self.folder(game)
        return self._look(folder).seats if folder is not None else ()

    def seats_of(self, address: str) -> tuple[Seat, ...]:
        """The seats with this address; games that cannot be read are passed over."""
        found: list[Seat] = []
        for folder in find_games(self._games):
            try:
                seats = self._look(folder).seats
            except Damage:
                continue
            found += [each for each in seats if (each.address or "").lower() == address.lower()]
        return tuple(found) if address else ()

    def _look(self, folder: GameFolder) -> _Known:
        stamp = tuple(_stamp(folder.path / name) for name in ("game.yaml", "desk.yaml"))
        known = self._known.get(folder.path)
        if known is None or known.stamp != stamp:
            desk = folder.load_desk()
            file = seated(folder.load_file(), desk)
            seats = tuple(
                Seat(
                    file.game,
                    each.dynasty,
                    each.address,
                    desk.keys.get(each.dynasty),
                    file.policies.anonymous,
                )
                for each in file.seats
            )
            known = self._known[folder.path] = _Known(stamp, file.game, seats)
        return known


def _stamp(path: Path) -> tuple[int, int]:
    if not path.exists():
        return (0, 0)
    about = path.stat()
    return (about.st_mtime_ns, about.st_size)
