"""Games under care: whatever goes wrong with one is named and stops nobody else."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.pieces import Dynasty
from pbem.disk import Busy
from pbem.games import (
    InArchive,
    Namesakes,
    NoSuchGame,
    by_name,
    find_game,
    find_games,
    name_fault,
    namesakes,
)
from pbem.names import shown
from pbem.outcome import DAMAGED, REFUSED, Outcome, Settings, fault_of
from pbem.overrides import TemplateFault
from pbem.sound import Damage
from pbem.store import Game, GameFolder


@contextmanager
def guarded(outcome: Outcome, folder: GameFolder) -> Iterator[None]:
    """Turn what can go wrong with a game into a problem of the outcome."""
    try:
        yield
    except Damage as damage:
        outcome.damage(folder.name, damage.path, damage.problems)
    except Busy as busy:
        outcome.complain(REFUSED, f"{folder.name}: {busy}", game=folder.name, kind="busy")
    except TemplateFault as fault:
        place = {"file": fault.path, "line": fault.line}
        message = f"{folder.name}: {fault}"
        outcome.complain(REFUSED, message, game=folder.name, kind="template", **place)
    except OSError as fault:
        message = f"{folder.name}: {fault_of(fault, folder.path)}"
        outcome.complain(DAMAGED, message, game=folder.name, kind="damage")
    except Exception as fault:
        message = f"{folder.name}: a fault of this program, please report it: {place_of(fault)}"
        outcome.complain(DAMAGED, message, game=folder.name, kind="program")


def unforeseen(fault: Exception, games: Path) -> Outcome:
    """What nobody has caught, in words: no reader ever sees a traceback."""
    outcome = Outcome()
    match fault:
        case Damage():
            outcome.damage(games.name, fault.path, fault.problems)
        case Busy():
            outcome.complain(REFUSED, str(fault), kind="busy")
        case OSError():
            outcome.complain(DAMAGED, fault_of(fault, games), kind="damage")
        case _:
            message = f"a fault of this program, please report it: {place_of(fault)}"
            outcome.complain(DAMAGED, message, kind="program")
    return outcome


def complain_of(outcome: Outcome, folder: GameFolder, fault: TemplateFault | None) -> None:
    """A mistake in a template of the moderator's: what was done stands, but was not reported."""
    if fault is not None:
        message = f"{folder.name}: {fault}; no report was written, the next run writes them"
        place = {"file": fault.path, "line": fault.line}
        outcome.complain(REFUSED, message, game=folder.name, kind="template", **place)


def place_of(fault: Exception) -> str:
    """What went wrong, in which line of the program."""
    at = fault.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    kind = type(fault).__name__
    return f"{kind} in {Path(at.tb_frame.f_code.co_filename).name}, {at.tb_lineno}" if at else kind


def chosen(
    settings: Settings, names: list[str], outcome: Outcome, *, archived: bool = False
) -> list[GameFolder]:
    """The games that were named, each once; those that do not exist are complained of.

    With `archived` they may lie in the archive: for commands that only read.
    """
    found: dict[str, GameFolder] = {}
    for name in names:
        try:
            folder = find_game(settings.games, name, archived=archived)
        except InArchive as fault:
            outcome.complain(REFUSED, str(fault), game=shown(name), kind="archived")
            continue
        except NoSuchGame as fault:
            outcome.misuse(str(fault), game=shown(name))
            continue
        inside = folder.path.parent.resolve() == settings.games.resolve()
        if not inside or _is_clear(outcome, folder, namesakes(folder)):
            found.setdefault(str(folder.path.resolve()), folder)
    return list(found.values())


def every(settings: Settings, outcome: Outcome) -> list[GameFolder]:
    """All games under the games folder; those whose names do not tell them apart are named."""
    if settings.named and not settings.games.is_dir():
        outcome.misuse(f"{settings.games}: there is no such folder of games")
        return []
    found = find_games(settings.games)
    named = by_name(found)
    return [f for f in found if _is_clear(outcome, f, named[f.path.name.casefold()])]


def _is_clear(outcome: Outcome, folder: GameFolder, others: Namesakes) -> bool:
    """Whether the name of a game in the games folder tells it apart; complained of if not."""
    fault = name_fault(folder, others)
    if fault:
        outcome.complain(DAMAGED, fault, game=folder.name, file=str(folder.path), kind="name")
    return fault is None


def seat_named(outcome: Outcome, folder: GameFolder, game: Game, text: str) -> Dynasty | None:
    """The seat that was named on the command line; complained of if nobody plays it."""
    found = next((each for each in game.file.players if each == text.strip().lower()), None)
    if found is None:
        players = ", ".join(game.file.players)
        message = f"`{text}` does not play in {folder.name}: {players}"
        outcome.misuse(message, game=folder.name)
    return found
