"""A game in figures: what is counted, and that it is what the game itself holds at its end."""

from collections import Counter
from collections.abc import Iterator

import pytest

from engine import events as e
from engine.pieces import ByColour, Dynasty
from engine.tally import Deeds, Standing, tally
from tests.playouts import Game, play

PLAYERS: tuple[Dynasty, ...] = ("bull", "archer")


def ended(winner: Dynasty, union: str | None) -> e.Event:
    """A conflict that bull began."""
    none = e.Strength(0, 0)
    return e.ConflictEnded("black", "bull", "archer", none, none, winner, union)


def scored(player: Dynasty, points: int) -> e.Event:
    """Black points."""
    return e.PointsScored(player, "black", points, "war", "E5")


def test_points_are_summed_turn_by_turn() -> None:
    history: list[tuple[int, list[e.Event]]] = [
        (1, [scored("bull", 2)]),
        (1, [scored("bull", 1), scored("archer", 4)]),
        (2, []),
        (3, [scored("archer", 1)]),
    ]
    found = tally(PLAYERS, history, {"archer": ByColour(red=3)})
    assert found.standings == (
        Standing(1, (ByColour(black=3), ByColour(red=3, black=4))),
        Standing(2, (ByColour(black=3), ByColour(red=3, black=4))),
        Standing(3, (ByColour(black=3), ByColour(red=3, black=5))),
    )


def test_wars_and_revolts_are_told_apart() -> None:
    events = [ended("bull", "E5"), ended("archer", "E5"), ended("bull", "F5"), ended("bull", None)]
    bull, archer = tally(PLAYERS, [(1, events)]).deeds
    assert bull == Deeds("bull", 2, 1, 1, 0, 0, 0)
    assert archer == Deeds("archer", 1, 2, 0, 1, 0, 0)


def test_monuments_and_treasures_are_counted() -> None:
    events: list[e.Event] = [
        e.MonumentBuilt("bull", ("red", "blue"), "E5", "red"),
        e.TreasuresTaken("archer", ("B2", "B8"), "F3"),
        e.TreasuresTaken("archer", ("F3",), "I7"),
        e.MonumentDeclined("archer"),
    ]
    bull, archer = tally(PLAYERS, [(1, events)]).deeds
    assert (bull.monuments, bull.treasures) == (1, 0)
    assert (archer.monuments, archer.treasures) == (0, 3)


def test_a_game_without_events() -> None:
    found = tally(PLAYERS, [])
    assert found.standings == ()
    assert found.deeds == tuple(Deeds(player, 0, 0, 0, 0, 0, 0) for player in PLAYERS)


def by_turn(game: Game) -> Iterator[tuple[int, list[e.Event]]]:
    """The events of a game, a piece for each turn."""
    turn, piece = 1, list[e.Event]()
    for event in game.events:
        if isinstance(event, e.TurnBegan):
            yield turn, piece
            turn, piece = event.turn, []
        piece.append(event)
    yield turn, piece


@pytest.mark.parametrize("number", [1, 30, 55])
def test_the_last_standing_is_what_the_game_holds(number: int) -> None:
    game = play(number)
    found = tally(game.end.players, by_turn(game))
    assert [each.turn for each in found.standings] == list(range(1, game.end.turn + 1))
    assert found.standings[-1].points == tuple(seat.points for seat in game.end.seats)
    assert [each.treasures for each in found.deeds] == [seat.treasures for seat in game.end.seats]
    kinds = Counter(type(event) for event in game.events)
    assert sum(each.monuments for each in found.deeds) == kinds[e.MonumentBuilt]
    assert sum(each.wars_won for each in found.deeds) == kinds[e.WarBegan]
    assert sum(each.revolts_lost for each in found.deeds) == kinds[e.RevoltBegan]
