"""What players ask for by mail, answered for the seats that are proven."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.commands.summary import sentence, summary
from pbem.deadline import unconfirmed
from pbem.mail.commands import Away, ConfirmWanted, ReportWanted, Request, RulesWanted, StatusWanted
from pbem.mail.say import say
from pbem.mail.world import Seat
from pbem.optiontext import FOR_GAMES, write_options
from pbem.reporting import report_text
from pbem.spans import Days
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


def fulfil(request: Request, seats: tuple[Seat, ...], look: Look) -> tuple[str, Sequence[Wish]]:
    """The answer to one request, and what it changes."""
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
            return _away(Days(first, last) if first and last else None, seats)
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


def _away(days: Days | None, seats: tuple[Seat, ...]) -> tuple[str, list[Wishes]]:
    games = list(dict.fromkeys(seat.game for seat in seats))
    wishes = [Wishes(seat.game, seat.player, days) for seat in seats]
    if days is None:
        return say(_TEXTS, "back", games), wishes
    return say(_TEXTS, "away", days.first, days.last, games), wishes


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
