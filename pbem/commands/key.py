"""`pbem key`: make the order key of a seat. What is stored of it is a hash."""

from collections.abc import Mapping

from engine.pieces import DYNASTIES, Dynasty
from pbem.clock import now
from pbem.commands.guard import chosen, guarded, seat_named
from pbem.deskfile import DeskFile
from pbem.outcome import REFUSED, Outcome, Settings
from pbem.seats.keys import key_hash, new_key
from pbem.store import GameFolder


def key(settings: Settings, name: str, seat: str, *, another: bool) -> Outcome:
    """Make a key for a seat that has none, or with `another` a new one; the old one is void."""
    outcome = Outcome()
    for folder in chosen(settings, [name], outcome):
        with guarded(outcome, folder), folder.locked():
            _make(outcome, folder, seat, another=another)
    return outcome


def _make(outcome: Outcome, folder: GameFolder, text: str, *, another: bool) -> None:
    game = folder.load()
    seat = seat_named(outcome, folder, game, text)
    if seat is None:
        return
    if seat in game.desk.keys and not another:
        message = (
            f"{folder.name}: {seat} has an order key, and what is stored of it does not tell it; "
            "--new makes another one, and the old one is void then"
        )
        outcome.complain(REFUSED, message, game=folder.name, player=seat, kind="key")
        return
    made = new_key()
    folder.write_desk(with_keys(game.desk, {seat: made}))
    outcome.games.append({"game": game.file.game, "player": seat, "key": made})
    outcome.say(f"the order key of {seat} in {game.file.game}, told only now: {made}")
    if game.file.seat(seat).address is not None:
        from pbem.mail.keyletter import write_key_letter

        write_key_letter(folder, game, seat, made, now())
        outcome.say("a letter with it lies in the outbox")


def with_keys(desk: DeskFile, made: Mapping[Dynasty, str]) -> DeskFile:
    """The desk with the hashes of these keys in the place of older ones."""
    fresh = {seat: key_hash(made[seat]) for seat in DYNASTIES if seat in made}
    return desk._replace(keys={**desk.keys, **fresh})
