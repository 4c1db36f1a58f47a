"""The letters of a game at rest: nobody sends them while something else is done with the game."""

from collections.abc import Iterator
from contextlib import contextmanager

from pbem.mail.outbox import Outbox
from pbem.store import GameFolder


@contextmanager
def letters_at_rest(folder: GameFolder) -> Iterator[None]:
    """Nobody sends the letters of the game meanwhile; Busy if somebody does."""
    if not folder.outbox.is_dir():
        yield
        return
    with Outbox(folder.outbox).locked():
        yield
