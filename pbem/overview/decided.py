"""Who decided what when in a game, and how long he took: what figures are made of.

Only the heads of the history files are read, no state and no order.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem.clock.bydefault import by_default, is_own
from pbem.clock.elapsed import elapsed
from pbem.deskfile import DeskFile, Stop
from pbem.gamefile import GameFile
from pbem.labels import split_label
from pbem.overview.heads import RunHead, heads
from pbem.seats.seating import person_of
from pbem.store import GameFolder


class Move(NamedTuple):
    """One decision. `took`: how long the player took, None if it was said before it was asked or
    was not his own. `begins`: it is the first of a turn. `missed`: the deadline decided."""

    person: str
    when: datetime
    took: timedelta | None = None
    begins: bool = False
    own: bool = True
    missed: bool = False


class Past(NamedTuple):
    """What happened in one game, oldest first, and when somebody last decided something."""

    game: str
    moves: tuple[Move, ...]
    last: datetime | None


def past_of(folder: GameFolder, outages: tuple[Stop, ...] = ()) -> Past:
    """The decisions of a game. Damage if a file cannot be read."""
    file, desk = folder.load_file(), folder.load_desk()
    runs = list(heads(folder))[::-1]
    stops = (*desk.pauses, *outages)
    moves = tuple(_moves(file, desk, runs, stops))
    own = [move.when for move in moves if move.own]
    return Past(file.game, moves, own[-1] if own else None)


def _moves(
    file: GameFile, desk: DeskFile, runs: list[RunHead], stops: tuple[Stop, ...]
) -> Iterator[Move]:
    asked: datetime | None = None
    for head in runs:
        missed = False
        for number, each in enumerate(head.decisions):
            person = person_at(file, desk, each.player, head)
            own = by_default(each.source) is None
            first = by_default(each.source) == "deadline" and not missed
            took = None
            if number == 0 and asked and is_own(each.source) and head.kind == "turn":
                took = elapsed(_began(desk, each.player, asked, head.when), head.when, stops)
            begins = split_label(each.question)[1] == 1
            yield Move(person, each.when, took, begins, own, first)
            missed = missed or first
        if head.decisions or head.kind != "turn":
            asked = head.when


def _began(desk: DeskFile, player: Dynasty, asked: datetime, when: datetime) -> datetime:
    """When the time for a question began: not before its player sat down, and all confirmed."""
    began = [h.when for h in desk.handovers if h.seat == player and asked < h.when <= when]
    began += [each for each in desk.confirmed.values() if asked < each <= when]
    return max([asked, *began])


def person_at(file: GameFile, desk: DeskFile, seat: Dynasty, head: RunHead) -> str:
    """Who played a seat in a run: his address, else his name; in an anonymous game the seat.

    A seat that was given away in the second of a run was given away after it, if it says so.
    """
    if file.policies.anonymous:
        return f"{seat}@{file.game}"
    person = person_of(file.seat(seat))
    for each in desk.handovers:
        taken = (each.when, each.run) < (head.when, head.run)
        if each.seat == seat and each.instead == person_of(file.seat(seat)) and taken:
            person = each.person
    return person.address.lower() if person.address else f"{person.name} ({file.game})"
