"""Who has seen tiles that lie in the bag again once runs are taken back."""

from collections.abc import Set

from engine.events import TilesReceived
from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.record import Record
from pbem.sound import Damage


def who_knows(chronicle: Chronicle, kept: Set[int], target: int) -> list[Dynasty]:
    """The seats that have seen tiles which lie in the bag again once the target run stands.

    The bag keeps its order for the whole game, so a run that an earlier undo took back counts
    as well, whenever it was played. After the end of a game every report showed the bag.
    """
    left = len(chronicle.record(target).state.bag)
    known = chronicle.folder.has_run
    knowing: set[Dynasty] = set()
    for run in range(1, chronicle.newest.run + 1):
        if run in kept or not (known(run) and known(run - 1)):
            continue
        record = chronicle.record(run)
        if record.state.over:
            return [*record.state.players]
        knowing |= _saw(chronicle, record, left)
    return [player for player in chronicle.newest.state.players if player in knowing]


def _saw(chronicle: Chronicle, record: Record, left: int) -> set[Dynasty]:
    """Who drew, in one run, what lies behind the last `left` tiles of the bag."""
    try:
        decisions = chronicle.played(record)
    except Damage:  # a state before it was edited by hand: it may have been anybody
        return {*record.state.players} if len(record.state.bag) < left else set()
    found: set[Dynasty] = set()
    for played in decisions:
        bag = len(played.before.bag)
        for event in played.events:
            if isinstance(event, TilesReceived):
                bag -= len(event.tiles)
                if event.tiles and bag < left:
                    found.add(event.player)
    return found
