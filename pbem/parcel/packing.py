"""A game packed into one file, for a second moderator: the same game, the same bytes."""

import hashlib
import io
import os
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from pbem import disk
from pbem.chronicle import Chronicle
from pbem.deskfile import write_desk
from pbem.mail.concerning import Filed
from pbem.parcel.contents import (
    GAME,
    LARGEST,
    LARGEST_FILE,
    MAILS,
    MANIFEST,
    MOST_FILES,
    README,
    Manifest,
    file_name_fault,
    write_manifest,
)
from pbem.problem import Problem
from pbem.sound import Damage
from pbem.store import Game, GameFolder
from pbem.turns import reports_are_there
from pbem.wording import environment

LEDGER = f"{MAILS}/ledger.jsonl"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_UNIX = 3


class Packed(NamedTuple):
    """A game in one file, and how many mails are in it."""

    data: bytes
    mails: int


def pack(folder: GameFolder, game: Game, mails: Iterable[Filed]) -> Packed:
    """The file for a game that the caller holds; Damage if something in its folder cannot go in.

    Outages are no part of a game: those that count for the open question become its pauses.
    """
    files = dict(_files(folder, game))
    carried = _with_mails(files, mails)
    if _stopped(game):
        files["desk.yaml"] = write_desk(_paused(folder, game).desk).encode()
    _check(folder.path, files)
    names = {f"{GAME}{name}": data for name, data in sorted(files.items())}
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in names.items()}
    manifest = Manifest(game.file.game, game.record.run, hashes, _program())
    readme = environment().get_template("export_readme.txt.j2").render(manifest=manifest)
    head = {README: f"{readme}\n".encode(), MANIFEST: write_manifest(manifest)}
    return Packed(_zipped({**head, **names}), carried)


def _files(folder: GameFolder, game: Game) -> Iterator[tuple[str, bytes]]:
    """All files of a game. Reports that do not tell the newest run are left out: `turn` writes
    them."""
    stale = not reports_are_there(folder, game)
    for place, inner, names in os.walk(folder.path, onerror=_raise):
        here = Path(place)
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        for name in inner:
            if (here / name).is_symlink():
                raise _unfit(here / name, "it is a link to elsewhere")
        if stale and here == folder.reports:
            continue
        for name in sorted(name for name in names if not name.startswith(".")):
            data = disk.read_plain(here / name, LARGEST_FILE)
            if data is None or len(data) > LARGEST_FILE:
                raise _unfit(here / name, f"it is no plain file of at most {LARGEST_FILE} bytes")
            yield (here / name).relative_to(folder.path).as_posix(), data


def _with_mails(files: dict[str, bytes], mails: Iterable[Filed]) -> int:
    """Lay mails beside those that came with the game from another moderator; their number."""
    lines = files.get(LEDGER, b"").decode("utf-8", "replace").splitlines()
    number = 0
    for mail in mails:
        if mail.fault:
            continue
        name, other = f"{MAILS}/{mail.number:06}.eml", 2
        while files.get(name, mail.data) != mail.data:
            name, other = f"{MAILS}/{mail.number:06}-{other}.eml", other + 1
        files[name] = mail.data
        lines += [line for line in mail.lines if line not in lines]
        number += 1
    if lines:
        files[LEDGER] = "".join(f"{line}\n" for line in lines).encode()
    return number


def _stopped(game: Game) -> bool:
    return bool(game.outages) and game.file.policies.turn_time is not None


def _paused(folder: GameFolder, game: Game) -> Game:
    """The game with outages of this place as pauses, as far as they count for what is open."""
    since = Chronicle(folder, game.record).waiting_since(game.record.run)
    count = [stop for stop in game.outages if stop.until is None or stop.until > since]
    pauses = tuple(dict.fromkeys((*game.desk.pauses, *count)))
    return game._replace(desk=game.desk._replace(pauses=pauses))


def _check(place: Path, files: dict[str, bytes]) -> None:
    """Whatever `import` would refuse is refused here."""
    for name in files:
        if fault := file_name_fault(name):
            raise _unfit(place / name, f"{fault}; rename it or take it away")
    if len(files) > MOST_FILES or sum(map(len, files.values())) > LARGEST:
        raise _unfit(place, f"a game has at most {MOST_FILES} files with {LARGEST} bytes")


def _zipped(files: dict[str, bytes]) -> bytes:
    """A zip file without times: it depends on nothing but what is in it."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as parcel:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, _LONG_AGO)
            info.create_system = _UNIX
            info.external_attr = (0o100000 | disk.OWNER_ONLY) << 16
            parcel.writestr(info, data, zipfile.ZIP_DEFLATED, 6)
    return target.getvalue()


def _program() -> str:
    try:
        return f"pbem {version('pbem')}"
    except PackageNotFoundError:
        return "pbem"


def _unfit(path: Path, why: str) -> Damage:
    return Damage(path, (Problem(None, "", f"it cannot be exported: {why}"),))


def _raise(fault: OSError) -> None:
    raise fault
