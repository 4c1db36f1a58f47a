"""The deadline is written down before anybody is told of it: from then on it moves later only."""

from datetime import datetime

from pbem.chronicle import Chronicle
from pbem.clock import now
from pbem.clock.deadline import deadline_of
from pbem.deskfile import Announced
from pbem.store import Game, GameFolder


def announce(
    folder: GameFolder, game: Game, chronicle: Chronicle, when: datetime | None = None
) -> Game:
    """The game with the deadline of its open question announced; on the disk if it is another.

    `when`: the time now, if the clock is not to be asked. The folder is held by the caller.
    Nobody's time begins before he can know of it: a policy may be new, a run may have broken off.
    """
    told, moment = game.desk.announced, when or now()
    deadline = deadline_of(game, chronicle)
    if deadline and not (told and told.question == deadline.question):
        deadline = deadline_of(game, chronicle, moment)
    if deadline is None or deadline.until is None:
        return game
    if told and (told.question, told.until) == (deadline.question, deadline.until):
        return game
    announced = Announced(deadline.question, deadline.until, moment)
    folder.write_desk(folder.load_desk()._replace(announced=announced))
    return game._replace(desk=game.desk._replace(announced=announced))
