"""Games under care: whatever goes wrong with one is named and stops nobody else."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.disk import Busy
from pbem.games import NoSuchGame, find_game, find_games
from pbem.names import shown
from pbem.outcome import DAMAGED, REFUSED, Outcome, Settings
from pbem.store import Damage, GameFolder


@contextmanager
def guarded(outcome: Outcome, folder: GameFolder) -> Iterator[None]:
    """Turn what can go wrong with a game into a problem of the outcome."""
    try:
        yield
    except Damage as damage:
        outcome.damage(folder.name, damage.path, damage.problems)
    except Busy as busy:
        outcome.complain(REFUSED, f"{folder.name}: {busy}", game=folder.name, kind="busy")
    except OSError as fault:
        message = f"{folder.name}: {fault.filename or folder.path}: {fault.strerror}"
        outcome.complain(DAMAGED, message, game=folder.name, kind="damage")
    except Exception as fault:
        message = f"{folder.name}: a fault of this program, please report it: {_place(fault)}"
        outcome.complain(DAMAGED, message, game=folder.name, kind="program")


def _place(fault: Exception) -> str:
    """What went wrong, in which line of the program."""
    at = fault.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    kind = type(fault).__name__
    return f"{kind} in {Path(at.tb_frame.f_code.co_filename).name}, {at.tb_lineno}" if at else kind


def chosen(settings: Settings, names: list[str], outcome: Outcome) -> list[GameFolder]:
    """The games that were named, each once; those that do not exist are complained of."""
    found: dict[str, GameFolder] = {}
    for name in names:
        try:
            folder = find_game(settings.games, name)
        except NoSuchGame as fault:
            outcome.misuse(str(fault), game=shown(name))
        else:
            found.setdefault(str(folder.path.resolve()), folder)
    return list(found.values())


def every(settings: Settings) -> list[GameFolder]:
    """All games under the games folder."""
    return find_games(settings.games)
