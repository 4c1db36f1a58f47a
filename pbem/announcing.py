"""The deadline is written down before anybody is told of it: from then on it moves later only."""

from datetime import datetime

from pbem.chronicle import Chronicle
from pbem.clock import now
from pbem.deadline import deadline_of
from pbem.deskfile import Announced
from pbem.store import Game, GameFolder


def announce(
    folder: GameFolder, game: Game, chronicle: Chronicle, when: datetime | None = None
) -> Game:
    """The game with the deadline of its open question announced; on the disk if it is another.

    `when`: the time now, if the clock is not to be asked. The folder is held by the caller.
    """
    deadline = deadline_of(game, chronicle)
    if deadline is None or deadline.until is None:
        return game
    told = game.desk.announced
    if told and (told.question, told.until) == (deadline.question, deadline.until):
        return game
    announced = Announced(deadline.question, deadline.until, when or now())
    folder.write_desk(folder.load_desk()._replace(announced=announced))
    return game._replace(desk=game.desk._replace(announced=announced))
