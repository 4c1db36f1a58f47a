"""Whole games driven by order files alone: ahead of time, piece by piece, with junk between."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import orders as o
from engine import questions as q
from engine.advance import advance
from engine.pieces import Dynasty
from engine.state import State
from pbem.labels import next_own_turn
from pbem.notation import read_answer, write_order
from pbem.record import read_record, write_record
from pbem.seal import sealed
from tests.pbem.calls import pbem
from tests.pbem.games import Table, names
from tests.playouts import choose, start

JUNK = (
    "turn: 999\nactions: pass",
    "turn: 1\nactions: tempel A1",
    "answers: 1.1 support 2",
    "answers: 900.2 leave A1",
    "actions: [",
    "press: '",
    "standing: war",
)


class Players:
    """All players of a game. Each writes files from what is asked; `chance` makes it lively."""

    def __init__(self, table: Table, chance: random.Random) -> None:
        self.table = table
        self.chance = chance

    def write(self, state: State, label: str) -> None:
        """Somebody may write junk or press; who is asked writes an answer, others write ahead."""
        assert state.question is not None
        asked = state.question.player
        for seat in state.players:
            if self.chance.random() < 0.1:
                self.table.put(seat, self.chance.choice(JUNK))
            elif seat == asked:
                self.table.put(seat, "\n".join(self.answer(state, label)))
            elif self.chance.random() < 0.2:
                ahead = next_own_turn(state, seat)
                self.table.put(seat, f"turn: {ahead}\nactions: {self.guess(state, seat)}")

    def answer(self, state: State, label: str) -> Iterator[str]:
        """A file for the open question."""
        if self.chance.random() < 0.1:
            yield "press: My move.\nnote: To you."
        order = choose(self.chance, state)
        if not isinstance(state.question, q.AskAction):
            yield f"answers:\n  - question: {label}\n    {rider(order)}"
            return
        yield f"turn: {state.turn}"
        if state.question.number == 2:
            yield "action: 2"
        yield f"actions:\n  - {write_order(order)}"
        if state.question.number == 1 and self.chance.random() < 0.7:
            yield f"  - {self.second(state, order)}"

    def second(self, state: State, first: o.Order) -> str:
        """A second action that may be legal after the first."""
        after = advance(state, state.active, first).state
        if isinstance(after.question, q.AskAction) and not isinstance(first, o.Exchange):
            return write_order(choose(self.chance, after))
        return self.guess(state, state.active)

    def guess(self, state: State, seat: Dynasty) -> str:
        """An action that is legal for the seat now, and perhaps still is in its time."""
        now = state._replace(active=seat, agenda=(q.AskAction(seat, 1),))
        if state.seat(seat).hand.total == 0 or self.chance.random() < 0.2:
            return "pass all"
        return write_order(choose(self.chance, now))


def rider(order: o.Order) -> str:
    """An answer as the long form writes it."""
    match order:
        case o.ChooseWar(colour):
            return f"wars: {colour}"
        case o.BuildMonument():
            line = write_order(order).split()
            assert read_answer(" ".join(line)) == order
            return f"monument: {line[1]}\n    square: {line[2]}"
        case o.DeclineMonument():
            return "monument: none"
        case _:
            return ": ".join(write_order(order).split())


def play(table: Table, chance: random.Random, *, most: int = 2000) -> int:
    """Play a game to its end; the number of calls of `turn`."""
    players = Players(table, chance)
    for count in range(most):
        record = table.record
        if record.state.over:
            return count
        players.write(record.state, table.asks.partition(" ")[0])
        table.turn()
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(
    "number",
    [3, *(pytest.param(n, marks=pytest.mark.slow) for n in range(100, 148))],
)
def test_a_whole_game_by_order_files(tmp_path: Path, number: int) -> None:
    state = start(number)
    table = Table(tmp_path / "games", state, seed=f"playout {number}")
    sent = play(table, random.Random(number))
    assert sent > 20
    assert table.asks == "over"
    assert (table.orders(), table.waiting()) == ([], [])
    assert pbem("replay", table.name, games=table.path.parent).code == 0
    for name in names(table.path / "history"):
        data = (table.path / "history" / name).read_bytes()
        record, problems = read_record(data)
        assert record is not None, problems
        assert sealed(write_record(record)) == data
    received = names(table.path / "received")
    assert [int(name[:4]) for name in received] == list(range(1, len(received) + 1))
    assert names(table.path / "answers") == received
