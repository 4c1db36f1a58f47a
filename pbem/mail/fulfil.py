"""What players ask for by mail, answered for the seats that are proven."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.clock import now
from pbem.clock.away import desk_with
from pbem.clock.awaydays import NotBooked, ahead_of, book, cancel, today_in
from pbem.clock.deadline import Deadline, deadline_of
from pbem.clock.spans import Days
from pbem.commands.summary import sentence, summary
from pbem.language import speaking, voice
from pbem.mail.commands import Away, ConfirmWanted, ReportWanted, Request, RulesWanted, StatusWanted
from pbem.mail.say import say
from pbem.mail.world import Seat
from pbem.optiontext import FOR_GAMES, write_options
from pbem.reporting import report_text
from pbem.seats.unconfirmed import unconfirmed
from pbem.store import Game

_TEXTS = "mail_fulfil.j2"
_RULES = "mail_rules.j2"
_MOST_REPORTS = 10

Look: TypeAlias = Callable[[str], tuple[Game, Chronicle]]


class Wishes(NamedTuple):
    """The days on which a player says he is away; None: he is back."""

    game: str
    player: Dynasty
    days: Days | None


class Confirmed(NamedTuple):
    """A player says that he will play."""

    game: str
    player: Dynasty


Wish: TypeAlias = Wishes | Confirmed


class Booking(NamedTuple):
    """What became of a wish to be away from one game.

    `until`: the deadline of a question that waits for the player now, None if none does.
    """

    game: str
    refused: NotBooked | None
    question: str | None = None
    until: datetime | None = None


def fulfil(
    request: Request, seats: tuple[Seat, ...], look: Look, before: Sequence[Wishes] = ()
) -> tuple[str, Sequence[Wish]]:
    """The answer to one request, and what it changes. `before`: what the mail has changed."""
    match request:
        case StatusWanted(game):
            return _each(_named(seats, game), game, lambda seat: _status(seat, look)), []
        case ReportWanted(game, run):
            chosen = _named(seats, game)[:_MOST_REPORTS]
            return _each(chosen, game, lambda seat: _report(seat, run, look)), []
        case RulesWanted(option):
            return _rules(option, seats, look), []
        case ConfirmWanted(game):
            return _confirm(_named(seats, game), game, look)
        case Away(first, last):
            if first is None or last is None:
                return _back(seats), [Wishes(seat.game, seat.player, None) for seat in seats]
            return _away(Days(first, last), seats, look, before)
        case _:
            return "", []


def _named(seats: tuple[Seat, ...], game: str | None) -> tuple[Seat, ...]:
    return tuple(s for s in seats if game is None or s.game.casefold() == game.casefold())


def _each(seats: tuple[Seat, ...], game: str | None, text: Callable[[Seat], str]) -> str:
    if not seats:
        return say(_TEXTS, "no_seat", game or "")
    return "\n".join(dict.fromkeys(text(seat) for seat in seats))


def _status(seat: Seat, look: Look) -> str:
    return sentence(summary(*look(seat.game)))


def _report(seat: Seat, run: int | None, look: Look) -> str:
    """The newest report of a seat, or that of a run."""
    game, chronicle = look(seat.game)
    newest = game.record.run
    if run is not None and not chronicle.folder.has_run(run):
        return say(_TEXTS, "no_run", seat.game, run, newest)
    return report_text(game, chronicle, seat.player, run)


def _rules(text: str, seats: tuple[Seat, ...], look: Look) -> str:
    """What an option means, and what it is in the player's games."""
    name = "_".join(text.partition("=")[0].replace("-", " ").split())
    name = next((each for each in FOR_GAMES if name == each), "")
    if not name:
        return say(_RULES, "unknown", text, FOR_GAMES)
    chosen = []
    for game in dict.fromkeys(seat.game for seat in seats):
        lines = write_options(look(game)[0].record.state.options)
        chosen += [(game, line.partition(": ")[2]) for line in lines if line.startswith(f"{name}:")]
    return f"{say(_RULES, name)}\n{say(_RULES, 'chosen', chosen, name)}"


def _back(seats: tuple[Seat, ...]) -> str:
    if not seats:
        return say(_TEXTS, "no_seat", "")
    return say(_TEXTS, "back", list(dict.fromkeys(seat.game for seat in seats)))


def _away(
    days: Days, seats: tuple[Seat, ...], look: Look, before: Sequence[Wishes]
) -> tuple[str, list[Wishes]]:
    """Days that are booked in each game that has room for them."""
    if not seats:
        return say(_TEXTS, "no_seat", ""), []
    lines, wishes = [], []
    for seat in seats:
        game, chronicle = look(seat.game)
        entry = game.file.seat(seat.player)
        today = today_in(entry.zone, now())
        booked = game.desk.away.get(seat.player, ())
        for wish in before:
            if (wish.game, wish.player) == (seat.game, seat.player):
                booked = cancel(booked, today) if wish.days is None else (*booked, wish.days)
        every = book(booked, days, today, game.file.policies.away_days)
        ahead = ahead_of(days, today)
        if isinstance(every, NotBooked) or ahead is None:
            booking = Booking(seat.game, every if isinstance(every, NotBooked) else NotBooked())
        else:
            wishes.append(Wishes(seat.game, seat.player, ahead))
            game = game._replace(desk=desk_with(game.desk, seat.player, every))
            booking = _booking(seat, deadline_of(game, chronicle))
        with speaking(voice().language, entry.zone):
            lines.append(say(_TEXTS, "booked", booking))
    return say(_TEXTS, "away", days.first, days.last, lines, bool(wishes)), wishes


def _booking(seat: Seat, deadline: Deadline | None) -> Booking:
    if deadline is None or deadline.player != seat.player:
        return Booking(seat.game, None)
    return Booking(seat.game, None, deadline.question, deadline.until)


def _confirm(seats: tuple[Seat, ...], game: str | None, look: Look) -> tuple[str, list[Confirmed]]:
    """Note that somebody plays in the games that have asked; if he names none, all of those."""
    asked, lines, fresh = game is not None, list[str](), list[Confirmed]()
    for seat in seats:
        missing = unconfirmed(look(seat.game)[0])
        if seat.player in missing:
            mine = {each.player for each in seats if each.game == seat.game}
            left = [each for each in missing if each not in mine]
            lines.append(say(_TEXTS, "confirmed", seat.game, seat.player, left))
            fresh.append(Confirmed(seat.game, seat.player))
        elif asked:
            lines.append(say(_TEXTS, "no_need_to_confirm", seat.game, seat.player))
    return "\n".join(lines) or say(_TEXTS, "nothing_to_confirm", game or ""), fresh
