"""`pbem archive`: move games out of the way, and back."""

from pbem.archive import bring_back, put_away, what_waits
from pbem.clock import now
from pbem.commands.guard import chosen, guarded
from pbem.games import NoSuchGame
from pbem.mail.resting import letters_at_rest
from pbem.mail.sending import usable
from pbem.outcome import REFUSED, Outcome, Settings
from pbem.store import GameFolder


def archive(settings: Settings, names: list[str], *, unfinished: bool) -> Outcome:
    """Move these games to the archive; `unfinished`: also those of which something waits."""
    outcome = Outcome()
    if not names:
        outcome.misuse("name the games to archive")
    config = usable(settings, outcome)
    for folder in chosen(settings, names, outcome) if config else ():
        with guarded(outcome, folder), folder.locked(), letters_at_rest(folder):
            waits = what_waits(folder, folder.load(), config.outgoing.way) if config else []
            if waits and not unfinished:
                message = (
                    f"{folder.name} stays: {'; '.join(waits)}; "
                    "`--unfinished` archives it as it is, and nothing of it is sent then"
                )
                outcome.complain(REFUSED, message, game=folder.name, kind="unfinished")
                continue
            _moved(outcome, folder)
    return outcome


def unarchive(settings: Settings, names: list[str]) -> Outcome:
    """Bring these games back from the archive."""
    outcome = Outcome()
    if not names:
        outcome.misuse("name the games to bring back")
    for folder in chosen(settings, names, outcome, archived=True):
        if not folder.archived:
            message = f"{folder.name} is not in the archive"
            outcome.complain(REFUSED, message, game=folder.name, kind="archived")
            continue
        with guarded(outcome, folder), folder.locked():
            _moved(outcome, folder, back=True)
    return outcome


def _moved(outcome: Outcome, folder: GameFolder, *, back: bool = False) -> None:
    games = folder.games
    try:
        path = bring_back(games, folder, now()) if back else put_away(games, folder)
    except NoSuchGame as fault:
        outcome.complain(REFUSED, str(fault), game=folder.name, kind="name")
        return
    outcome.games.append({"game": path.name, "path": str(path), "archived": not back})
    told = "it goes on" if back else "`report` and `replay` still read it"
    outcome.say(f"{path.name}: now in {path}; {told}")
