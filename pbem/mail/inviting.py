"""The letter that asks a seat to confirm that it plays, before the first turn."""

from datetime import datetime

from engine.pieces import Dynasty
from pbem.language import speaking
from pbem.mail.briefs import lay_brief
from pbem.optiontext import write_options
from pbem.seats.people import names_for
from pbem.store import Game, GameFolder
from pbem.wording import environment

INVITE = "invite"


def invite(
    folder: GameFolder,
    game: Game,
    seat: Dynasty,
    key: str | None,
    now: datetime,
    what: str = INVITE,
) -> None:
    """Lay it into the outbox, once for each `what`; its subject is the command that confirms."""
    file = game.file
    entry, names = file.seat(seat), names_for(file, seat)
    with speaking(entry.language, entry.zone):
        page = (
            environment()
            .get_template("mail_invite.j2")
            .render(
                game=file.game,
                player=seat,
                seats=[(player, names.get(player)) for player in file.players],
                options=write_options(file.options),
                policies=file.policies,
                key=key,
            )
        )
    lay_brief(folder, game, seat, what, page, now, once=True)
