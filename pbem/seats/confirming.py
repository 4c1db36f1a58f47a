"""Before the first turn every seat confirms that it plays; then the game begins.

By mail, by its first orders, or the moderator does it.
"""

from collections.abc import Iterable
from datetime import datetime

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.intake import take_in
from pbem.overrides import TemplateFault
from pbem.reporting import speaking_in, write_reports
from pbem.seats.unconfirmed import unconfirmed
from pbem.store import Game, GameFolder


def confirm(
    folder: GameFolder, game: Game, seats: Iterable[Dynasty], now: datetime
) -> tuple[Game, TemplateFault | None]:
    """Note that these seats play; the caller holds the game. The last one begins it: the first
    letters go out. The fault of a template, if no reports could be written."""
    missing = unconfirmed(game)
    fresh = {seat: now for seat in missing if seat in {*seats}}
    if not fresh:
        return game, None
    desk = game.desk._replace(confirmed={**game.desk.confirmed, **fresh})
    folder.write_desk(desk)
    game = game._replace(desk=desk)
    with speaking_in(game, folder):
        return game, write_reports(folder, game, Chronicle(folder, game.record), now=now)


def confirm_by_orders(
    folder: GameFolder, game: Game, now: datetime
) -> tuple[Game, TemplateFault | None]:
    """Whoever has orders lying there has confirmed by them."""
    if not unconfirmed(game):
        return game, None
    return confirm(folder, game, {sheet.player for sheet in take_in(folder, game).sheets}, now)
