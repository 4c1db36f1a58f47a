"""`pbem export` and `pbem import`: a game in one file, for a second moderator."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from pbem import disk
from pbem.chronicle import Chronicle
from pbem.commands.guard import chosen, guarded
from pbem.commands.summary import sentence, summary
from pbem.counted import counted
from pbem.disk import Busy
from pbem.games import NoSuchGame
from pbem.mail.concerning import Filed, concerning, ledger_lines
from pbem.mail.ledger import FOLDER
from pbem.mail.outbox import Outbox
from pbem.mail.resting import letters_at_rest
from pbem.outcome import DAMAGED, MISUSED, REFUSED, Outcome, Settings
from pbem.parcel.packing import pack
from pbem.parcel.unpacking import Unfit, unpack
from pbem.progress import progress
from pbem.store import Game, GameFolder

ENDING = ".pbem.zip"


def export_game(settings: Settings, name: str, to: Path | None) -> Outcome:
    """Write a game with everything that belongs to it into one file."""
    outcome = Outcome()
    for folder in chosen(settings, [name], outcome, archived=True):
        with guarded(outcome, folder), ExitStack() as held:
            office = folder.games / FOLDER
            if office.is_dir():  # in this order, as `mail in` does
                held.enter_context(disk.awaited(office))
            held.enter_context(folder.locked())
            held.enter_context(letters_at_rest(folder))
            game = folder.load()
            mails = [*_mails(settings, folder, game)]
            packed = pack(folder, game, mails)
            path = _place(folder, game, to)
            if _write(outcome, folder, path, packed.data):
                _tell(outcome, folder, game, path, packed.mails)
            _lost(outcome, folder, mails)
    return outcome


def import_game(settings: Settings, path: Path, name: str | None) -> Outcome:
    """Make the game that lies in a file, under another name if one is given."""
    outcome = Outcome()
    folder = None
    try:
        folder = unpack(settings, path, name)
    except Unfit as unfit:
        for problem in unfit.problems:
            outcome.complain(REFUSED, f"{path}: {problem}", file=str(path), kind="import")
    except (NoSuchGame, Busy) as fault:
        outcome.complain(REFUSED, f"{path}: {fault}", file=str(path), kind="import")
    except OSError as fault:
        outcome.misuse(f"{fault.filename or path}: {fault.strerror}")
    if folder is None:
        return outcome
    with guarded(outcome, folder):
        game = folder.load()
        facts = summary(game, Chronicle(folder, game.record))
        outcome.games.append(facts)
        outcome.say(f"made {folder.path}", sentence(facts), *_waits(folder, "leave from here"))
    return outcome


def _mails(settings: Settings, folder: GameFolder, game: Game) -> Iterator[Filed]:
    """The mails that concern the game."""
    office, since = folder.games / FOLDER, folder.load_run(0).when
    every = sorted(ledger_lines(office).items())
    for number, lines in progress(settings, every, "looking through the mails"):
        if mail := concerning(office, number, lines, game.file.game, since):
            yield mail


def _place(folder: GameFolder, game: Game, to: Path | None) -> Path:
    """Where the file goes: by game and run, into this folder or the one that is named."""
    name = f"{folder.name}-{game.record.run:04d}{ENDING}"
    if to is None:
        return Path(name)
    return to / name if to.is_dir() else to


def _write(outcome: Outcome, folder: GameFolder, path: Path, data: bytes) -> bool:
    """Write the file; whether it is there now. One that is there is not written over."""
    try:
        disk.write_new(path, data)
    except FileExistsError:
        if disk.read_plain(path, len(data)) != data:
            message = f"{folder.name}: {path} is there already, with other content; name another"
            outcome.complain(REFUSED, message, game=folder.name, kind="export")
            return False
    except OSError as fault:
        outcome.complain(MISUSED, f"{path}: {fault.strerror}", game=folder.name, kind="use")
        return False
    return True


def _tell(outcome: Outcome, folder: GameFolder, game: Game, path: Path, mails: int) -> None:
    run = game.record.run
    outcome.games.append({"game": folder.name, "run": run, "file": str(path), "mails": mails})
    with_mails = f" with {counted(mails, 'mail')}" if mails else ""
    outcome.say(
        f"{folder.name}, run {run}{with_mails}: {path}",
        "It is secret: all hands and the bag are in it.",
        *_waits(folder, "are in it too, and would leave twice if both of you send them"),
    )
    if not folder.archived:
        outcome.say(
            "Only one of you can go on with the game; if it is not you, "
            f"`pbem archive {folder.name} --unfinished` takes it out of the way here."
        )


def _waits(folder: GameFolder, what: str) -> list[str]:
    """That letters wait, if some do."""
    number = len(Outbox(folder.outbox).entries())
    letters = counted(number, "letter that waits", "letters that wait")
    return [f"{letters} in its outbox: they {what}."] if number else []


def _lost(outcome: Outcome, folder: GameFolder, mails: list[Filed]) -> None:
    for mail in mails:
        if mail.fault:
            message = f"{folder.name}: left out, as it is damaged: {mail.fault}"
            outcome.complain(DAMAGED, message, game=folder.name, mail=mail.number, kind="mail")
