"""Days on which a player is away, noted on the desk of a game; all hear of a later deadline.

That somebody is away is seen in nothing else.
"""

from datetime import datetime, timedelta

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.clock.awaydays import cancel, today_in, together
from pbem.clock.deadline import deadline_of
from pbem.clock.spans import Days
from pbem.clock.telling import tell
from pbem.deskfile import DeskFile
from pbem.overrides import TemplateFault
from pbem.store import Game, GameFolder

_DAY = timedelta(days=1)


def set_leave(
    folder: GameFolder,
    game: Game,
    chronicle: Chronicle,
    player: Dynasty,
    days: Days | None,
    now: datetime,
) -> TemplateFault | None:
    """Add days that may be booked; None takes back what lies ahead. Done twice it is the same.

    The folder is held by the caller. What is returned is why no reports were written, if the
    moderator's templates have a mistake.
    """
    desk = folder.load_desk()
    booked = desk.away.get(player, ())
    if days is None:
        changed = cancel(booked, today_in(game.file.seat(player).zone, now))
    else:
        changed = together((*booked, days))
    after = game._replace(desk=desk_with(desk, player, changed))
    if after.desk != desk:
        folder.write_desk(after.desk)
    if days is not None and _moved_by(days, after, chronicle, player):
        return tell(folder, after, chronicle, now, "later")
    return None


def desk_with(desk: DeskFile, player: Dynasty, booked: tuple[Days, ...]) -> DeskFile:
    """The desk with these days of a player."""
    away = {seat: days for seat, days in desk.away.items() if seat != player}
    return desk._replace(away={**away, player: booked} if booked else away)


def _moved_by(days: Days, game: Game, chronicle: Chronicle, player: Dynasty) -> bool:
    """Whether the open question's deadline is what it is because of these days.

    This follows from what is stored alone: a run that was killed finds it again.
    """
    now = deadline_of(game, chronicle)
    if now is None or now.until is None or now.player != player:
        return False
    untold = game.desk._replace(announced=None)
    rest = tuple(_without(days, untold.away[player]))
    with_days = deadline_of(game._replace(desk=untold), chronicle)
    others = deadline_of(game._replace(desk=desk_with(untold, player, rest)), chronicle)
    if with_days is None or others is None:
        return False
    return with_days.until == now.until and with_days.until != others.until


def _without(days: Days, booked: tuple[Days, ...]) -> list[Days]:
    """What is left of booked days without these."""
    found = []
    for each in booked:
        if each.last < days.first or each.first > days.last:
            found.append(each)
            continue
        if each.first < days.first:
            found.append(Days(each.first, days.first - _DAY))
        if each.last > days.last:
            found.append(Days(days.last + _DAY, each.last))
    return found
