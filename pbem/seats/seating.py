"""Who sits where now: game.yaml, and on top of it who has taken over a seat since."""

from pbem.deskfile import DeskFile
from pbem.gamefile import GameFile, SeatEntry
from pbem.policies import Person


def seated(file: GameFile, desk: DeskFile) -> GameFile:
    """The seats with those who have taken over.

    A handover holds as long as game.yaml says what it said then: it is the moderator's.
    """
    return file._replace(seats=tuple(_seated(seat, desk) for seat in file.seats))


def person_of(seat: SeatEntry) -> Person:
    """Who plays a seat."""
    return Person(seat.name, seat.address)


def _seated(seat: SeatEntry, desk: DeskFile) -> SeatEntry:
    for each in reversed(desk.handovers):
        if each.seat == seat.dynasty and each.instead == person_of(seat):
            return seat._replace(name=each.person.name, address=each.person.address)
    return seat
