"""`pbem away`: days on which a player is away, within the budget of the game."""

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.clock import now
from pbem.clock.away import set_leave
from pbem.clock.awaydays import NotBooked, ahead_of, book, today_in
from pbem.clock.spans import Days, read_days
from pbem.commands.clocks import say_how_it_stands
from pbem.commands.guard import chosen, guarded, seat_named
from pbem.outcome import REFUSED, Outcome, Settings
from pbem.store import Game, GameFolder
from pbem.wording import say

NONE = ("none", "off")


def away(settings: Settings, name: str, seat: str, text: str) -> Outcome:
    """Book these days for a seat; `none` takes back what lies ahead."""
    outcome = Outcome()
    words = text.strip().lower()
    days = None if words in NONE else read_days(words)
    if days is None and words not in NONE:
        outcome.misuse(f"`{text}` should be days such as 2026-07-01..2026-07-14, or none")
        return outcome
    for folder in chosen(settings, [name], outcome):
        with guarded(outcome, folder), folder.locked():
            _away(outcome, folder, seat, days)
    return outcome


def _away(outcome: Outcome, folder: GameFolder, text: str, days: Days | None) -> None:
    game = folder.load()
    seat = seat_named(outcome, folder, game, text)
    if seat is None:
        return
    if days is not None:
        today = today_in(game.file.seat(seat).zone, now())
        refused = book(game.desk.away.get(seat, ()), days, today, game.file.policies.away_days)
        if isinstance(refused, NotBooked):
            message = f"{folder.name}: {seat}: {say('_away.j2', 'refused', refused)}"
            outcome.complain(REFUSED, message, game=folder.name, player=seat, kind="away")
            return
        days = ahead_of(days, today)
    _note(outcome, folder, game, seat, days)


def _note(
    outcome: Outcome, folder: GameFolder, game: Game, seat: Dynasty, days: Days | None
) -> None:
    fault = set_leave(folder, game, Chronicle(folder, game.record), seat, days, now())
    did = f"{seat} is away {days}" if days else f"{seat} is back"
    say_how_it_stands(outcome, folder, did, fault)
