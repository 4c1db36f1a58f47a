"""A seat passes to another person."""

from datetime import datetime

from engine.pieces import Dynasty
from pbem.deskfile import Handover
from pbem.policies import Person
from pbem.seating import person_of
from pbem.store import Game, GameFolder


def hand_over(folder: GameFolder, game: Game, seat: Dynasty, person: Person, now: datetime) -> Game:
    """Give a seat to somebody; the caller holds the game. The game as it is then."""
    desk, instead = game.desk, person_of(folder.load_file().seat(seat))
    handover = Handover(seat, person, game.record.state.turn, now, instead)
    dropped = {each: when for each, when in desk.dropped.items() if each != seat}
    folder.write_desk(desk._replace(handovers=(*desk.handovers, handover), dropped=dropped))
    return folder.load()
