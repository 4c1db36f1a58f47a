"""Short letters to one seat that are no report: laid into the outbox of the game."""

from datetime import datetime

from engine.pieces import Dynasty
from pbem.disk import make_folder
from pbem.mail.appointments import Appointment
from pbem.mail.config import Addresses, MailConfig, Unusable, load_config
from pbem.mail.letters import Attachment, Letter, compose, dotless, thread_of
from pbem.mail.outbox import Entry, Outbox
from pbem.sound import Damage
from pbem.store import Game, GameFolder


def lay_brief(
    folder: GameFolder,
    game: Game,
    player: Dynasty,
    what: str,
    page: str,
    now: datetime,
    *,
    forms: tuple[Attachment, ...] = (),
    appointment: Appointment | None = None,
    once: bool = False,
) -> bool:
    """Lay a letter to a seat that has an address; whether there is a new one.

    `page`: the subject in the first line, then the text. `what` begins the key of the letter;
    with `once` it is what tells letters apart, else each call is a letter of its own.
    `appointment`: what calendars are told with it. Damage if pbem.yaml cannot be used.
    """
    seat, name = game.file.seat(player), game.file.game
    if not seat.address:
        return False
    sender = _config(folder).addresses
    subject, _, text = page.partition("\n")
    key = _key(game, player, what)
    if not once:
        key = _free(folder, _key(game, player, f"{what}-{now:%Y%m%dT%H%M%S}"))
    letter = Letter(
        key=key,
        kind="answer",
        address=seat.address,
        name=seat.name,
        subject=subject,
        text=text.lstrip("\n"),
        written=now,
        game=name,
        forms=(*forms, *_calendar(appointment, sender)),
        thread=thread_of(name, 1, player, sender.domain),
    )
    return _put(folder, letter, sender)


def has_brief(folder: GameFolder, game: Game, player: Dynasty, what: str) -> bool:
    """Whether a letter that is laid once was laid to a seat, whatever became of it."""
    box, key = Outbox(folder.outbox), _key(game, player, what)
    if box.has(key):
        box.tidy(key)
        return True
    return False


def _key(game: Game, player: Dynasty, what: str) -> str:
    return f"{what}-{player}.{dotless(game.file.game)}"


def _put(folder: GameFolder, letter: Letter, sender: Addresses) -> bool:
    """Lay a letter into the outbox of its game; whether it is new there."""
    make_folder(folder.outbox)
    entry = Entry(letter.key, letter.address, letter.kind, letter.written)
    return Outbox(folder.outbox).put(entry, compose(letter, sender))


def _calendar(appointment: Appointment | None, sender: Addresses) -> tuple[Attachment, ...]:
    if appointment is None:
        return ()
    from pbem.mail.ical import calendar_entry

    return (calendar_entry(appointment, sender),)


def _config(folder: GameFolder) -> MailConfig:
    try:
        return load_config(folder.games)
    except Unusable as unusable:
        raise Damage(unusable.path, unusable.problems) from None


def _free(folder: GameFolder, key: str) -> str:
    """The key, with a number if a letter of this second has it."""
    box, free, number = Outbox(folder.outbox), key, 2
    while box.has(free):
        free, number = f"{key}-{number}", number + 1
    return free
