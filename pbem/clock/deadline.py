"""Until when the open question of a game has to be answered. It follows from the game's policies,
from when the question was put, and from what stopped the clock since then."""

from datetime import datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.clock.counting import Calendar, at_local
from pbem.clock.spans import Days, Span
from pbem.deskfile import Announced, Stop
from pbem.labels import question_label, without_takes
from pbem.seats.unconfirmed import unconfirmed
from pbem.store import Game

_DAY = timedelta(days=1)
_INSTANT = timedelta(seconds=1)


class Deadline(NamedTuple):
    """The time that a seat has for the open question.

    `since`: when its time began. `until`: when it ends, None while the clock stands still.
    `judged`: when its grace has ended too. `stopped`: what stops the clock.
    """

    question: str
    player: Dynasty
    since: datetime
    until: datetime | None
    judged: datetime | None
    stopped: Stop | None = None


def deadline_of(
    game: Game, chronicle: Chronicle, begins: datetime | None = None
) -> Deadline | None:
    """The deadline of the open question; None if the game has none now.

    It is never before the one that was announced. `begins`: its time begins then at the earliest.
    """
    game = game._replace(record=chronicle.newest)
    policies, state = game.file.policies, game.record.state
    asked, since = state.question, _since(game, chronicle)
    if asked is None or since is None or policies.turn_time is None:
        return None
    if asked.player in game.desk.dropped:
        return None
    label = question_label(state, game.record.turn_takes)
    stopped = next((stop for stop in stops_of(game) if stop.until is None), None)
    if stopped:
        return Deadline(label, asked.player, since, None, None, stopped)
    since = max(since, begins or since)
    in_turn = asked.player == state.active
    span = policies.turn_time if in_turn else policies.question_time or policies.turn_time
    until = _reached(game, asked.player, since, span)
    if told := _told(game, label):
        promised = _made_good(game, asked.player, told.when or told.until, told.until)
        until = max(until, promised)
    judged = _reached(game, asked.player, until, policies.grace)
    return Deadline(label, asked.player, since, until, judged)


def stops_of(game: Game) -> tuple[Stop, ...]:
    """What has stopped the clock of a game: its pauses, and outages of the program."""
    return (*game.desk.pauses, *game.outages)


def calendar_of(game: Game, player: Dynasty) -> Calendar:
    """Which moments count for a seat: of the days of the game none on which its player is away."""
    policies, seat = game.file.policies, game.file.seat(player)
    days = game.desk.away.get(player, ())
    away = tuple(_there(each, seat.zone, policies.zone) for each in days)
    off = policies.days_off._replace(dates=(*policies.days_off.dates, *away))
    return Calendar(policies.zone, off, policies.hours_off)


def _there(days: Days, zone: str, there: str) -> Days:
    """Days of one zone as days of another: all that they touch."""
    first = at_local(days.first, time(), zone)
    last = at_local(days.last + _DAY, time(), zone) - _INSTANT
    return Days(*(each.astimezone(ZoneInfo(there)).date() for each in (first, last)))


def _reached(game: Game, player: Dynasty, since: datetime, span: Span) -> datetime:
    """When so much of the time of a seat is over."""
    until = calendar_of(game, player).after(since, span) if span else since
    return _made_good(game, player, since, until)


def _made_good(game: Game, player: Dynasty, since: datetime, until: datetime) -> datetime:
    """`until`, later by what was lost since then; the clock is running now."""
    stops = ((stop.since, stop.until) for stop in stops_of(game))
    return calendar_of(game, player).made_good(since, until, stops) or until


def _since(game: Game, chronicle: Chronicle) -> datetime | None:
    """When the time for the open question began; None if it has not.

    Never before another one was announced: a clock that was put back shortens no time.
    """
    record, told = game.record, game.desk.announced
    asked = record.state.question
    if asked is None or unconfirmed(game):
        return None
    begins = [chronicle.waiting_since(record.run)]
    begins += [each.when for each in game.desk.handovers if each.seat == asked.player]
    if record.run == 0:
        begins += game.desk.confirmed.values()
    if told and told.when and not _told(game, question_label(record.state, record.turn_takes)):
        begins.append(told.when)
    return max(begins)


def _told(game: Game, label: str) -> Announced | None:
    """What was announced for a question, also under the name it had before an undo."""
    told = game.desk.announced
    return told if told and without_takes(told.question) == without_takes(label) else None
