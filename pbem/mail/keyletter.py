"""The letter that tells a seat its new order key."""

from datetime import datetime

from engine.pieces import Dynasty
from pbem.disk import make_folder
from pbem.mail.config import Unusable, load_config
from pbem.mail.letters import Letter, compose, dotless, thread_of
from pbem.mail.outbox import Entry, Outbox
from pbem.store import Damage, Game, GameFolder
from pbem.wording import environment


def write_key_letter(
    folder: GameFolder, game: Game, player: Dynasty, key: str, now: datetime
) -> None:
    """Lay it into the outbox of the game. Damage if pbem.yaml cannot be used."""
    try:
        sender = load_config(folder.path.resolve().parent).addresses
    except Unusable as unusable:
        raise Damage(unusable.path, unusable.problems) from None
    seat, name = game.file.seat(player), game.file.game
    page = environment().get_template("mail_key.j2").render(game=name, player=player, key=key)
    subject, _, text = page.partition("\n")
    letter = Letter(
        key=_free(folder, f"key-{now:%Y%m%dT%H%M%S}-{player}.{dotless(name)}"),
        kind="answer",
        address=seat.address or "",
        name=seat.name,
        subject=subject,
        text=text.lstrip("\n"),
        written=now,
        game=name,
        thread=thread_of(name, 1, player, sender.domain),
    )
    make_folder(folder.path / "outbox")
    entry = Entry(letter.key, letter.address, letter.kind, letter.written)
    Outbox(folder.path / "outbox").put(entry, compose(letter, sender))


def _free(folder: GameFolder, key: str) -> str:
    """The key, with a number if a letter of this second has it."""
    box, free, number = Outbox(folder.path / "outbox"), key, 2
    while box.has(free):
        free, number = f"{key}-{number}", number + 1
    return free
