"""Game folders made for a test or a measurement: any position, and the files players send."""

import random
from datetime import UTC, datetime
from pathlib import Path

from engine import questions as q
from engine.advance import advance
from engine.orders import Order
from engine.pieces import Dynasty
from engine.state import State
from pbem.gamefile import GameFile, SeatEntry
from pbem.games import create_game
from pbem.labels import question_label
from pbem.notation import write_order
from pbem.record import Record, Start
from pbem.store import GameFolder
from tests.playouts import choose

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAMES: dict[Dynasty, str] = {"archer": "Ana", "bull": "Ben", "lion": "Lea", "pot": "Pia"}


def make_game(games: Path, name: str, state: State) -> GameFolder:
    """A game that starts from this position."""
    seats = tuple(
        SeatEntry(each, NAMES[each], f"{NAMES[each].lower()}@example.org") for each in state.players
    )
    start = Start(state.players, state.options, f"secret of {name}", "from a position")
    record = Record(run=0, kind="start", when=NOON, state=state, start=start)
    return create_game(games, GameFile(name, seats, state.options), record)


def actions_file(game: str, state: State, actions: list[Order]) -> str:
    """An order file with the next actions of the active player."""
    head = [f"game: {game}", f"player: {state.active}", f"turn: {state.turn}"]
    question = state.question
    if isinstance(question, q.AskAction) and question.number == 2:
        head.append("action: 2")
    return "\n".join([*head, "actions:", *(f"  - {write_order(each)}" for each in actions), ""])


def answer_file(game: str, state: State, order: Order) -> str:
    """An order file that answers the open question, whatever it is."""
    question = state.question
    assert question is not None
    if isinstance(question, q.AskAction):
        return actions_file(game, state, [order])
    label = question_label(state, {})
    head = [f"game: {game}", f"player: {question.player}"]
    return "\n".join([*head, f"answers: {label} {write_order(order)}", ""])


def send(folder: GameFolder, player: Dynasty, text: str) -> None:
    """Put an order file where its player puts it."""
    (folder.inbox / f"{player}.yaml").write_text(text)


def whole_turn(chance: random.Random, state: State) -> list[Order]:
    """Two actions in a row that ask nobody anything in between."""
    while True:
        first = choose(chance, state)
        after = advance(state, state.active, first).state
        if isinstance(after.question, q.AskAction) and after.turn == state.turn:
            return [first, choose(chance, after)]
