"""The letter that tells a seat its new order key."""

from datetime import datetime

from engine.pieces import Dynasty
from pbem.mail.briefs import lay_brief
from pbem.store import Game, GameFolder
from pbem.wording import environment


def write_key_letter(
    folder: GameFolder, game: Game, player: Dynasty, key: str, now: datetime
) -> None:
    """Lay it into the outbox of the game. Damage if pbem.yaml cannot be used."""
    template = environment().get_template("mail_key.j2")
    page = template.render(game=game.file.game, player=player, key=key)
    lay_brief(folder, game, player, "key", page, now)
