"""After the clock of a game was changed: the reports are written again, and everybody hears of it.

A letter has its key from what has happened, so that it is laid once however often this is done.
"""

from datetime import datetime
from typing import Literal, TypeAlias

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.clock.announcing import announce
from pbem.clock.deadline import Deadline, deadline_of
from pbem.clock.timing import timing
from pbem.gamefile import SeatEntry
from pbem.language import speaking
from pbem.lines import one_line
from pbem.overrides import TemplateFault
from pbem.reporting import speaking_in, write_reports
from pbem.reports import WHY_LIMIT
from pbem.store import Game, GameFolder
from pbem.wording import environment

Kind: TypeAlias = Literal["pause", "resume", "extend", "later"]
"""The clock stands, or goes on; the moderator gives more time; the deadline is later."""


def tell(
    folder: GameFolder,
    game: Game,
    chronicle: Chronicle,
    now: datetime,
    kind: Kind,
    *,
    mark: datetime | None = None,
    why: str = "",
) -> TemplateFault | None:
    """Announce the deadline, write the reports, lay a letter to every seat that has an address.

    `mark` tells this news from another of its kind; without one the deadline does. What is
    returned is why no reports were written, if the moderator's templates have a mistake.
    """
    game = announce(folder, game, chronicle, now)
    with speaking_in(game, folder):
        fault = write_reports(folder, game, chronicle)
        deadline = deadline_of(game, chronicle)
        key = _key(kind, deadline, mark)
        for seat in _readers(game):
            _write(folder, game, chronicle, now, seat, kind, key, why)
    return fault


def was_told(folder: GameFolder, game: Game, kind: Kind, mark: datetime) -> bool:
    """Whether all that `tell` does was done: the letters come last. False if there are none."""
    from pbem.mail.briefs import has_brief

    seats = [seat.dynasty for seat in _readers(game)]
    key = _key(kind, None, mark)
    return bool(seats) and all(has_brief(folder, game, seat, key) for seat in seats)


def _readers(game: Game) -> list[SeatEntry]:
    """Who gets a letter: those who play and have an address."""
    return [s for s in game.file.seats if s.address and s.dynasty not in game.desk.dropped]


def _key(kind: Kind, deadline: Deadline | None, mark: datetime | None) -> str:
    if mark is not None:
        return f"{kind}-{mark:%Y%m%dT%H%M%S}"
    until = deadline.until if deadline else None
    return f"{kind}-{deadline.question}-{until:%Y%m%dT%H%M%S}" if deadline and until else kind


def _write(
    folder: GameFolder,
    game: Game,
    chronicle: Chronicle,
    now: datetime,
    seat: SeatEntry,
    kind: Kind,
    key: str,
    why: str,
) -> None:
    from pbem.mail.appointments import Appointment
    from pbem.mail.briefs import lay_brief

    deadline = deadline_of(game, chronicle)
    with speaking(seat.language, seat.zone):
        page = page_of(game, chronicle, seat.dynasty, kind, why)
        entry = None
        if deadline and deadline.player == seat.dynasty:
            name, question, until = game.file.game, deadline.question, deadline.until
            entry = Appointment(name, seat.dynasty, question, until, now)
        lay_brief(folder, game, seat.dynasty, key, page, now, appointment=entry, once=True)


def page_of(game: Game, chronicle: Chronicle, player: Dynasty, kind: str, why: str = "") -> str:
    """A letter on the clock of a game, its subject first, in the voice that speaks."""
    deadline = deadline_of(game, chronicle)
    return (
        environment()
        .get_template("mail_clock.j2")
        .render(
            kind=kind,
            game=game.file.game,
            view=timing(game, chronicle),
            player=player,
            asked=deadline.player if deadline else None,
            question=deadline.question if deadline else None,
            why=one_line(why, WHY_LIMIT),
        )
    )
