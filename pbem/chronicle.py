"""A game's runs read backwards: what happened follows from the states and the decisions.

Run r was played on the state of run r-1, for no number is used twice. After an undo the game
goes on from the run it went back to; what the undo played again was played on the state of that.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from engine.advance import advance
from engine.cells import cells
from engine.events import Event
from engine.orders import Order
from engine.pieces import Dynasty
from engine.refusal import IllegalOrder
from engine.squares import SQUARES, Square
from engine.state import State
from engine.view import Viewer
from pbem.clock.bydefault import by_default
from pbem.notation import read_order
from pbem.problem import Problem
from pbem.record import Decision, Record
from pbem.sheets import Played, Situation
from pbem.sound import Damage
from pbem.store import GameFolder


class Told(NamedTuple):
    """What a reader has missed: events, oldest first, and the runs they come from.

    `played`: the decisions that brought the events, each with its run.
    """

    events: tuple[Event, ...]
    records: tuple[Record, ...]
    played: tuple[tuple[Record, Played], ...] = ()


class Chronicle:
    """The runs of one game, each read when it is needed."""

    def __init__(self, folder: GameFolder, newest: Record) -> None:
        self.folder = folder
        self.newest = newest
        self._records = {newest.run: newest}
        self._played: dict[int, tuple[Played, ...]] = {}
        self._changed: dict[int, frozenset[Square]] = {}

    def add(self, record: Record, played: tuple[Played, ...]) -> None:
        """A run that was just made."""
        self.newest = record
        self._records[record.run] = record
        self._played[record.run] = played

    @property
    def runs_read(self) -> tuple[int, ...]:
        """The runs that were read so far."""
        return tuple(self._records)

    def record(self, run: int) -> Record:
        """The record of a run."""
        if run not in self._records:
            self._records[run] = self.folder.load_run(run)
        return self._records[run]

    def backwards(self, run: int) -> Iterator[Record]:
        """This run and those before it that stand, newest first."""
        while True:
            record = self.record(run)
            yield record
            if record.kind == "start":
                return
            run = self.before(record).run

    def played(self, record: Record) -> tuple[Played, ...]:
        """The decisions of a run with what they brought."""
        if not record.decisions:
            return ()
        if record.run not in self._played:
            self._played[record.run] = self._play(record)
        return self._played[record.run]

    def before(self, record: Record) -> Record:
        """The run on whose state a run was played; the start has none."""
        return self.record(record.run - 1 if record.undo_to is None else record.undo_to)

    def _play(self, record: Record) -> tuple[Played, ...]:
        state = self.before(record).state
        found = []
        for decision in record.decisions:
            order = self._order(record, decision)
            try:
                outcome = advance(state, decision.player, order)
            except IllegalOrder as illegal:
                rule = illegal.refusal.rule.value
                raise self._damage(record, f"question {decision.question}: {rule}") from None
            label, sha = decision.question, decision.sha256
            by = by_default(decision.source)
            found.append(Played(label, state, order, outcome.events, None, sha, by))
            state = outcome.state
        return tuple(found)

    def _order(self, record: Record, decision: Decision) -> Order:
        order = read_order(decision.order)
        if isinstance(order, Problem):
            raise self._damage(record, order.message)
        return order

    def _damage(self, record: Record, why: str) -> Damage:
        path = self.folder.history / f"{record.run:04d}.yaml"
        before = self.before(record).run
        hint = f"; if that was edited by hand, `undo --to {before} --again` plays on from it"
        message = f"its decisions do not fit the state of run {before}: {why}{hint}"
        return Damage(path, (Problem(None, "", message),))

    def situation(self, dropped: Iterable[Dynasty] = ()) -> Situation:
        """Where the game stands: the newest state, and the decisions of the turn so far.

        `dropped`: the seats that nobody plays any more, as the desk says.
        """
        state = self.newest.state
        turn: list[Played] = []
        for record in self.backwards(self.newest.run):
            played = self.played(record)
            current = [each for each in played if each.before.turn == state.turn]
            turn[:0] = current
            if len(current) < len(played):
                break
        return Situation(state, self.newest.turn_takes, tuple(turn), frozenset(dropped))

    def decisions_of(self, seat: Dynasty, run: int) -> Iterator[tuple[Record, Decision]]:
        """The decisions of a seat that stand, the newest first, each with its run."""
        for record in self.backwards(run):
            for decision in reversed(record.decisions):
                if decision.player == seat:
                    yield record, decision

    def waiting_since(self, run: int) -> datetime:
        """When the question was put that was open after a run; press alone asks nothing new."""
        for record in self.backwards(run):
            if record.decisions or record.kind != "turn":
                return record.when
        raise AssertionError("a game has a start")

    def changed(self, run: int) -> frozenset[Square]:
        """The squares that look otherwise than before the last turn: see `Report`."""
        if run not in self._changed:
            before, now = self._before_turn(run).board, self.record(run).state.board
            signs = (chain.from_iterable(cells(board)) for board in (before, now))
            found = zip(SQUARES, *signs, strict=True)
            self._changed[run] = frozenset(square for square, old, new in found if old != new)
        return self._changed[run]

    def _before_turn(self, run: int) -> State:
        """The state when the last turn began in which something had been decided by then."""
        first: Played | None = None
        for record in self.backwards(run):
            for played in reversed(self.played(record)):
                if first is not None and played.before.turn != first.before.turn:
                    return first.before
                first = played
        return first.before if first else self.record(run).state

    def whole(self, run: int) -> list[Played]:
        """All decisions from the start of the game up to a run that stand."""
        records = reversed([*self.backwards(run)])
        return [played for record in records for played in self.played(record)]

    def news(self, viewer: Viewer, run: int) -> Told:
        """What a reader is told of a run: all that happened in it; a player also what he has
        missed, back to the run before in which he decided last, beginning with his decision."""
        records: list[Record] = []
        found: list[tuple[Record, Played]] = []
        for record in self.backwards(run):
            records.insert(0, record)
            played = self.played(record)
            mine = _first_of(viewer, played)
            shown = played if record.run == run else played[mine or 0 :]
            found[:0] = [(record, each) for each in shown]
            if mine is not None or viewer in ("public", "moderator"):
                break
        events = tuple(event for _, each in found for event in each.events)
        return Told(events, tuple(records), tuple(found))


def _first_of(viewer: Viewer | Dynasty, played: tuple[Played, ...]) -> int | None:
    return next((i for i, each in enumerate(played) if each.player == viewer), None)
