"""Until when the open question of a game has to be answered. It follows from the game's policies,
from when the question was put, and from what stopped the clock since then."""

from datetime import datetime
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.counting import Away, Calendar, shifted
from pbem.deskfile import Announced, Stop
from pbem.labels import question_label
from pbem.spans import Span
from pbem.store import Game


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


def deadline_of(game: Game, chronicle: Chronicle) -> Deadline | None:
    """The deadline of the open question; None if the game has none now.

    It is never before the one that was announced.
    """
    policies, state = game.file.policies, game.record.state
    asked, since = state.question, _since(game, chronicle)
    if asked is None or since is None or policies.turn_time is None:
        return None
    if asked.player in game.desk.dropped:
        return None
    in_turn = asked.player == state.active
    span = policies.turn_time if in_turn else policies.question_time or policies.turn_time
    label = question_label(state, game.record.turn_takes)
    until = _reached(game, asked.player, since, span)
    if until and (told := _told(game, label)):
        until = max(until, told.until)
    judged = until and _reached(game, asked.player, until, policies.grace)
    stopped = next((stop for stop in stops_of(game) if stop.until is None), None)
    if stopped:
        until = judged = None
    return Deadline(label, asked.player, since, until, judged, stopped)


def stops_of(game: Game) -> tuple[Stop, ...]:
    """What has stopped the clock of a game: its pauses, and outages of the program."""
    return (*game.desk.pauses, *game.outages)


def calendar_of(game: Game, player: Dynasty) -> Calendar:
    """Which moments count for a seat."""
    policies, seat = game.file.policies, game.file.seat(player)
    away = Away(game.desk.away.get(player, ()), seat.zone)
    return Calendar(policies.zone, policies.days_off, policies.hours_off, away)


def unconfirmed(game: Game) -> tuple[Dynasty, ...]:
    """The seats that have to confirm before the game can begin."""
    if not game.file.policies.confirm or game.record.run > 0:
        return ()
    return tuple(seat for seat in game.file.players if seat not in game.desk.confirmed)


def _reached(game: Game, player: Dynasty, since: datetime, span: Span) -> datetime | None:
    """When so much of the time of a seat is over; None while the clock stands still."""
    calendar = calendar_of(game, player)
    until = calendar.after(since, span) if span else since
    stops = [(stop.since, stop.until) for stop in stops_of(game)]
    moved = shifted(since, until, stops)
    if moved is None or moved == until:
        return moved
    return calendar.next_counted(moved)


def _since(game: Game, chronicle: Chronicle) -> datetime | None:
    """When the time for the open question began; None if it has not."""
    asked = game.record.state.question
    if asked is None or unconfirmed(game):
        return None
    begins = [chronicle.waiting_since(game.record.run)]
    begins += [each.when for each in game.desk.handovers if each.seat == asked.player]
    if game.record.run == 0:
        begins += game.desk.confirmed.values()
    return max(begins)


def _told(game: Game, label: str) -> Announced | None:
    told = game.desk.announced
    return told if told and told.question == label else None
