"""The archive: games that are over are moved out of the way, and can still be read.

One rename moves a game. A game goes by itself once its results have reached everybody; the
moderator can move any game, and can bring it back.
"""

import re
from datetime import datetime, timedelta
from pathlib import Path

from pbem import disk
from pbem.counted import counted
from pbem.games import NoSuchGame, taken
from pbem.mail.config import Way
from pbem.mail.outbox import Outbox
from pbem.mail.resting import letters_at_rest
from pbem.sound import read_whole
from pbem.store import ARCHIVE, Game, GameFolder
from pbem.turns import reports_are_there

STAYS_FOR = timedelta(days=1)
"""How long a game stays after its end where letters lie in its folder and nothing sends them."""

_ASKS = re.compile(rb"^  question: ask ", re.MULTILINE)


def archive_finished(games: Path, folder: GameFolder, now: datetime, way: Way) -> bool:
    """Move a game to the archive if it is over and nothing of it waits; whether it has gone.

    One that the moderator has brought back stays, until it has been played on. `way`: how
    letters leave. Busy, Damage or NoSuchGame (its name is taken in the archive) if it cannot go.
    """
    if _is_asked(folder):
        return False
    with folder.locked():
        game = folder.load()
        brought_back = game.desk.back is not None and game.desk.back >= game.record.when
        early = way == "folder" and now < game.record.when + STAYS_FOR
        if brought_back or early or not game.record.state.over:
            return False
        with letters_at_rest(folder):
            if not what_waits(folder, game, way):
                put_away(games, folder)
                return True
    return False


def what_waits(folder: GameFolder, game: Game, way: Way) -> list[str]:
    """What is still to be done about a game, in words; nothing if it can go to the archive."""
    found = [] if game.record.state.over else ["it is not over"]
    if not reports_are_there(folder, game):
        found.append("its last reports are not written; `pbem turn` writes them")
    box = Outbox(folder.outbox)
    number = len(box.entries())
    if number and way != "folder":
        letters = counted(number, "letter has", "letters have")
        found.append(f"{letters} not left; `pbem mail out` sends what can be sent")
    found += [f"{damaged.path} cannot be read" for damaged in box.damaged]
    return found


def put_away(games: Path, folder: GameFolder) -> Path:
    """Move a game, which the caller holds, to the archive; NoSuchGame if its name is taken."""
    archive = games / ARCHIVE
    with disk.awaited(games):
        _check_free(archive, folder)
        disk.make_folder(archive)
        return _move(folder, archive)


def bring_back(games: Path, folder: GameFolder, now: datetime) -> Path:
    """Move a game, which the caller holds, out of the archive; NoSuchGame if its name is taken."""
    with disk.awaited(games):
        _check_free(games, folder)
        folder.write_desk(folder.load_desk()._replace(back=now))
        return _move(folder, games)


def _check_free(place: Path, folder: GameFolder) -> None:
    if path := taken(place, folder.name):
        raise NoSuchGame(f"{folder.name}: there is {path} already; rename one of them")


def _move(folder: GameFolder, target: Path) -> Path:
    source = folder.path.resolve()
    moved = source.rename(target / source.name)
    disk.sync_folder(target)
    disk.sync_folder(source.parent)
    return moved


def _is_asked(folder: GameFolder) -> bool:
    """Whether the newest run plainly leaves a question open; spares the reading of the rest."""
    runs = folder.runs()
    newest = folder.history / f"{runs[-1]:04d}.yaml" if runs else None
    return newest is not None and _ASKS.search(read_whole(newest)) is not None
