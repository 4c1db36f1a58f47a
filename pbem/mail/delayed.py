"""Letters to observers who are some turns behind: composed with their run, held until its time.

They lie in outbox/delayed as they will leave, so nothing of a later run can come into them.
"""

from pbem.chronicle import Chronicle
from pbem.mail.outbox import Entry, Outbox
from pbem.sound import read_whole
from pbem.store import Game, GameFolder

FOLDER = "delayed"
NO_MORE = "he is no observer of this game any more"


def delayed(folder: GameFolder) -> Outbox:
    """Where the letters lie that are held."""
    return Outbox(folder.outbox / FOLDER)


def release(folder: GameFolder, game: Game, chronicle: Chronicle) -> None:
    """Lay the letters whose time has come into the outbox, in the order of their runs."""
    held, box = delayed(folder), Outbox(folder.outbox)
    if not held.folder.exists():
        return
    held.settle()
    observers = {address.lower() for address in game.file.policies.observers}
    for entry in sorted(held.entries(), key=lambda entry: (run_of(entry), entry.key)):
        if entry.address.lower() not in observers:
            held.change(entry, "failed", chronicle.newest.when, NO_MORE)
        elif _is_due(entry, game, chronicle):
            _move(entry, held, box, chronicle)
        else:
            return


def run_of(entry: Entry) -> int:
    """The run that a letter with a report tells of."""
    return int(entry.key.partition("-")[0])


def _is_due(entry: Entry, game: Game, chronicle: Chronicle) -> bool:
    """Whether the game is so many turns further than after the run, or over."""
    state, delay = chronicle.newest.state, game.file.policies.observer_delay
    if state.over or not delay:
        return True
    return state.turn >= chronicle.record(run_of(entry)).state.turn + delay


def _move(entry: Entry, held: Outbox, box: Outbox, chronicle: Chronicle) -> None:
    """A letter counts as written when it may leave: it is not too old then."""
    if not box.has(entry.key):
        data = read_whole(held.letter(entry.key))
        box.put(entry._replace(written=chronicle.newest.when), data)
    held.forget(entry.key)
