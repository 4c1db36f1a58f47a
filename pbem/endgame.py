"""What a report tells of a game that is over, and at no time before."""

from engine.state import State
from engine.tally import Tally, tally
from engine.view import Holdings, Secrets
from pbem.chronicle import Chronicle
from pbem.gamefile import GameFile
from pbem.labels import turn_label
from pbem.reports import Played


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


def played_by(file: GameFile, chronicle: Chronicle, run: int) -> tuple[Played, ...]:
    """Who played which turns: so far every seat is played by one person."""
    takes = chronicle.record(run).turn_takes
    turns = dict.fromkeys(
        (played.before.turn, played.before.active) for played in chronicle.whole(run)
    )
    return tuple(
        Played(
            seat.dynasty,
            seat.name,
            tuple(turn_label(turn, takes) for turn, active in turns if active == seat.dynasty),
        )
        for seat in file.seats
    )
