"""Final scoring: placing the treasures, comparing the colours (R95, R96)."""

from engine.events import FinalRow
from engine.pieces import ByColour
from engine.state import State


def with_treasures(points: ByColour, treasures: int) -> ByColour:
    """R95: each treasure raises the colour that is lowest at the time."""
    raised = list(points)
    for _ in range(treasures):
        raised[raised.index(min(raised))] += 1
    return ByColour(*raised)


def final_rows(state: State) -> tuple[FinalRow, ...]:
    """Everybody's result, best first, as if the game ended now.

    R96: the lowest colours are compared, then the second lowest, and so on; players equal in
    all four share a rank (D37) and stand in turn order.
    """
    after = {seat.dynasty: with_treasures(seat.points, seat.treasures) for seat in state.seats}
    keys = {dynasty: sorted(points) for dynasty, points in after.items()}
    ranked = sorted(state.seats, key=lambda seat: keys[seat.dynasty], reverse=True)
    return tuple(
        FinalRow(
            player=seat.dynasty,
            rank=1 + sum(keys[other] > keys[seat.dynasty] for other in keys),
            before=seat.points,
            treasures=seat.treasures,
            after=after[seat.dynasty],
        )
        for seat in ranked
    )
