"""What a report tells of a game that is over, and at no time before."""

from engine.state import State
from engine.tally import Tally, tally
from engine.view import Holdings, Secrets
from pbem.chronicle import Chronicle


def tally_of(chronicle: Chronicle, run: int) -> Tally:
    """The game in figures."""
    whole = chronicle.whole(run)
    start = whole[0].before if whole else chronicle.record(run).state
    return tally(
        start.players,
        ((played.before.turn, played.events) for played in whole),
        {seat.dynasty: seat.points for seat in start.seats},
    )


def revealed_by(state: State) -> Secrets:
    """What nobody but the moderator knew: the hands, the points, the bag, what left the game."""
    assert state.over
    hands = (Holdings(seat.dynasty, seat.hand, seat.points, seat.treasures) for seat in state.seats)
    return Secrets(tuple(hands), state.bag, state.out)
