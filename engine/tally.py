"""A whole game in figures, for its end: points over time, wars and revolts, monuments, treasures.

Made from events that all saw, but the running totals are hidden until the game is over
(rules 3.13): nobody is shown a tally before that, unless the points are open.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from engine import events as e
from engine.pieces import COLOURS, NONE, ByColour, Colour, Dynasty


class Standing(NamedTuple):
    """The points of the players, in their order, when a turn was over; without treasures (R95)."""

    turn: int
    points: tuple[ByColour, ...]


class Deeds(NamedTuple):
    """What one player did in the whole game. `treasures`: how many he took (R80)."""

    player: Dynasty
    wars_won: int
    wars_lost: int
    revolts_won: int
    revolts_lost: int
    monuments: int
    treasures: int


class Comparison(NamedTuple):
    """What put one player before the next one (R96).

    `place`: 1 if the lowest colours decided it, 2 the second lowest, and so on; 0 if all four
    are equal, then the rest is about the lowest ones.
    """

    place: int
    better: Dynasty
    colour: Colour
    points: int
    worse: Dynasty
    other_colour: Colour
    other_points: int


class Tally(NamedTuple):
    """A game in figures: a standing for each turn, the deeds of each player."""

    players: tuple[Dynasty, ...]
    standings: tuple[Standing, ...]
    deeds: tuple[Deeds, ...]


def tally(
    players: Sequence[Dynasty],
    history: Iterable[tuple[int, Iterable[e.Event]]],
    before: Mapping[Dynasty, ByColour] | None = None,
) -> Tally:
    """The figures of a game.

    `history`: pieces of the game in their order, each with the turn it belongs to; a turn may
    come in several pieces. `before`: points held at the start, if it was not an empty one.
    """
    points = {player: (before or {}).get(player, NONE) for player in players}
    standings: dict[int, Standing] = {}
    counts: Counter[tuple[str, Dynasty]] = Counter()
    for turn, events in history:
        for event in events:
            if isinstance(event, e.PointsScored):
                held = points[event.player]
                points[event.player] = held.plus(event.colour, event.points)
            _count(counts, event)
        standings[turn] = Standing(turn, tuple(points.values()))
    deeds = tuple(_deeds(counts, player) for player in players)
    return Tally(tuple(players), tuple(standings.values()), deeds)


def _count(counts: Counter[tuple[str, Dynasty]], event: e.Event) -> None:
    """Add what an event brings to its players' deeds."""
    match event:
        case e.ConflictEnded(attacker=attacker, defender=defender, winner=winner, union=union):
            kind = "revolt" if union is None else "war"
            counts[f"{kind} won", winner] += 1
            counts[f"{kind} lost", defender if winner == attacker else attacker] += 1
        case e.MonumentBuilt(player):
            counts["monument", player] += 1
        case e.TreasuresTaken(player, squares):
            counts["treasure", player] += len(squares)
        case _:
            return


def _deeds(counts: Counter[tuple[str, Dynasty]], player: Dynasty) -> Deeds:
    return Deeds(
        player=player,
        wars_won=counts["war won", player],
        wars_lost=counts["war lost", player],
        revolts_won=counts["revolt won", player],
        revolts_lost=counts["revolt lost", player],
        monuments=counts["monument", player],
        treasures=counts["treasure", player],
    )


def comparison(better: e.FinalRow, worse: e.FinalRow) -> Comparison:
    """What decided between two rows of the final table (R96)."""
    first, second = _lowest_first(better.after), _lowest_first(worse.after)
    unequal = (i for i in range(len(first)) if first[i][0] != second[i][0])
    place = next(unequal, None)
    points, colour = first[place or 0]
    other_points, other_colour = second[place or 0]
    number = 0 if place is None else place + 1
    return Comparison(
        number, better.player, colour, points, worse.player, other_colour, other_points
    )


def _lowest_first(points: ByColour) -> list[tuple[int, Colour]]:
    return sorted(zip(points, COLOURS, strict=True), key=lambda pair: pair[0])
