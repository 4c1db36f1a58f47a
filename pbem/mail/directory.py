"""Who sits where, in all games of a folder: read from their files, each once as long as it is."""

from pathlib import Path
from typing import NamedTuple

from pbem.games import archived_game, find_games
from pbem.mail.world import Seat
from pbem.seats.seating import seated
from pbem.sound import Damage
from pbem.store import GameFolder


class _Known(NamedTuple):
    """The seats of a game, as they were when its files had these times and sizes."""

    stamp: tuple[tuple[int, int], ...]
    name: str
    seats: tuple[Seat, ...]


class _Listing(NamedTuple):
    """All games as one look found them: by name and by address in small letters."""

    games: dict[str, GameFolder]
    damaged: dict[str, Damage]
    seats: dict[str, list[Seat]]


class Directory:
    """The seats of all games, as they were at the last look."""

    def __init__(self, games: Path) -> None:
        self._games = games
        self._known: dict[Path, _Known] = {}
        self._listing: _Listing | None = None

    def look_again(self) -> None:
        """From now on what is asked is answered from the files as they are now."""
        self._listing = None

    def folder(self, game: str) -> GameFolder | None:
        """The game of this name, whatever its case; None if there is none, in the archive neither.

        Damage if it may be the one whose files cannot be read.
        """
        listing, name = self._look_at_all(), game.casefold()
        if name in listing.games:
            return listing.games[name]
        if name in listing.damaged:
            raise listing.damaged[name]
        return archived_game(self._games, game)

    def seats(self, game: str) -> tuple[Seat, ...]:
        """The seats of the game of this name; none if there is no such game."""
        folder = self.folder(game)
        return self._look(folder).seats if folder is not None else ()

    def seats_of(self, address: str) -> tuple[Seat, ...]:
        """The seats with this address; games that cannot be read are passed over."""
        return tuple(self._look_at_all().seats.get(address.lower(), ()))

    def _look_at_all(self) -> _Listing:
        """Every game once; hundreds of them are not looked at for each question about a mail."""
        if self._listing is None:
            self._listing = listing = _Listing({}, {}, {})
            for folder in find_games(self._games):
                self._list(folder, listing)
        return self._listing

    def _list(self, folder: GameFolder, listing: _Listing) -> None:
        own = folder.path.name.casefold()
        try:
            known = self._look(folder)
        except Damage as damage:
            listing.damaged[own] = damage
            return
        name = known.name.casefold()
        if name == own or name not in listing.games:
            listing.games[name] = folder
        for seat in known.seats:
            if seat.address:
                listing.seats.setdefault(seat.address.lower(), []).append(seat)

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
