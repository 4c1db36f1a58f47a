"""Which mails set, or tried to set, the orders of a seat for a turn, and how each was answered."""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem import disk
from pbem.mail.case import Case
from pbem.mail.config import OUTBOX, MailConfig
from pbem.mail.gamesworld import GamesWorld
from pbem.mail.intake import read_mail
from pbem.mail.ledger import FOLDER, LEDGER
from pbem.mail.letters import answer_key
from pbem.mail.outbox import Entry as Letter
from pbem.mail.outbox import read_entry as read_letter
from pbem.mail.rawstore import RawMail, RawStore
from pbem.mail.seen import Entry, Memory, entries_in
from pbem.orderfile import OrderFile
from pbem.overtaken import of_turn

IMPORTED = "mails"
"""The folder in a game that was imported: mails that came for it to another moderator."""

LARGEST_STATE = 1024 * 1024


class TracedMail(NamedTuple):
    """One mail. `path` is None if it is gone, `sha256` that of what lies there, `expected` the one
    it was stored with ("" if that is not known). `judged`: what became of it, oldest first.

    `files` are the orders of the seat in it; `letters` those that answered it.
    """

    number: int
    path: Path | None
    sha256: str
    expected: str
    date: str
    judged: tuple[Entry, ...]
    files: tuple[OrderFile, ...]
    letters: tuple[Letter, ...]

    @property
    def whole(self) -> bool:
        """Whether it is what was stored."""
        return self.path is not None and self.sha256 == (self.expected or self.sha256)


def mails_of(
    games: Path, game_folder: Path, game: str, player: Dynasty, turn: str, config: MailConfig
) -> list[TracedMail]:
    """The mails with orders of a seat for a turn: those of all games, and imported ones."""
    store = RawStore(games / FOLDER / "raw")
    found = []
    for entries in _naming(games / FOLDER / LEDGER, game, player):
        number = entries[-1].number
        letters = tuple(_answers(games / OUTBOX, number))
        found.append((entries, store.look(number), store.path(number), letters))
    imported = game_folder / IMPORTED
    for entries in _naming(imported / LEDGER, game, player):
        path = imported / f"{entries[-1].number:06}.eml"
        found.append((entries, _imported(path, entries[-1]), path, ()))
    world = GamesWorld(games, config, Memory())
    traced = (_traced(world, game, player, *each) for each in found)
    return [mail for mail in traced if _concerns(mail, turn)]


def hashes_of(games: Path, game_folder: Path, number: int) -> set[str]:
    """The hashes of the stored mails with this number, of what lies there now."""
    mail = RawStore(games / FOLDER / "raw").look(number)
    found = {hashlib.sha256(mail.data).hexdigest()} if mail else set()
    data = disk.read_plain(game_folder / IMPORTED / f"{number:06}.eml", LARGEST_STATE * 64)
    return found | ({hashlib.sha256(data).hexdigest()} if data is not None else set())


def _naming(ledger: Path, game: str, player: Dynasty) -> list[list[Entry]]:
    """The entries of each mail that names the seat, or has set its orders."""
    by_number: dict[int, list[Entry]] = {}
    for entry in entries_in(ledger):
        by_number.setdefault(entry.number, []).append(entry)

    def names(entry: Entry) -> bool:
        seats = (*entry.orders, *entry.named)
        return any((s.game.casefold(), s.player) == (game.casefold(), player) for s in seats)

    return [entries for entries in by_number.values() if any(map(names, entries))]


def _imported(path: Path, entry: Entry) -> RawMail | None:
    data = disk.read_plain(path, LARGEST_STATE * 64)
    return None if data is None else RawMail(entry.number, entry.arrival, "", data)


def _traced(
    world: GamesWorld,
    game: str,
    player: Dynasty,
    entries: list[Entry],
    mail: RawMail | None,
    path: Path | None,
    letters: tuple[Letter, ...],
) -> TracedMail:
    case = _read(world, mail)
    candidates = case.reading.candidates if case else ()
    files = tuple(
        each.file
        for each in candidates
        if (each.game.casefold(), each.player) == (game.casefold(), player)
    )
    sha256 = hashlib.sha256(mail.data).hexdigest() if mail else ""
    date = case.sent.claim if case else ""
    expected = mail.sha256 if mail else ""
    there = path if mail else None
    return TracedMail(
        entries[-1].number, there, sha256, expected, date, tuple(entries), files, letters
    )


def _read(world: GamesWorld, mail: RawMail | None) -> Case | None:
    """What is written in a mail; None if it is gone, or is one that breaks us."""
    if mail is None:
        return None
    try:
        with world.at_work(mail.arrival):
            return read_mail(mail, world)
    except Exception:  # a mail may hold whatever it likes
        return None


def _concerns(mail: TracedMail, turn: str) -> bool:
    """Whether a mail is about a turn; one that cannot be read may be."""
    return not mail.files or any(of_turn(file, turn) for file in mail.files)


def _answers(box: Path, number: int) -> Iterator[Letter]:
    """The letters that answered a mail, and where they stand."""
    begin = answer_key(number, 1)[:-1]
    for place in (box, box / "sent", box / "failed"):
        for name in sorted(disk.names_in(place)):
            if name.startswith(begin) and name.endswith(".yaml"):
                data = disk.read_plain(place / name, LARGEST_STATE)
                letter, _ = read_letter(data or b"", name.removesuffix(".yaml"))
                if letter is not None:
                    yield letter


def settled(letter: Letter) -> datetime | None:
    """When the state of a letter changed last; None if it has waited all the while."""
    return letter.changed if letter.changed.year > datetime(1970, 1, 1, tzinfo=UTC).year else None
