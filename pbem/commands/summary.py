"""Where a game stands, for `turn` and `status`: nothing hidden, for moderators play too."""

from typing import Any

from pbem.chronicle import Chronicle
from pbem.clock import write_time
from pbem.labels import question_label, turn_label
from pbem.seats.people import public_name
from pbem.seats.unconfirmed import unconfirmed
from pbem.store import Game


def summary(game: Game, chronicle: Chronicle) -> dict[str, Any]:
    """The facts of a game that all may know, as data."""
    record = chronicle.newest
    state = record.state
    question = state.question
    return {
        "game": game.file.game,
        "run": record.run,
        "turn": turn_label(state.turn, record.turn_takes),
        "active": state.active,
        "over": state.over,
        "question": question_label(state, record.turn_takes) if question else None,
        "asks": type(question).__name__.removeprefix("Ask").lower() if question else None,
        "waiting_for": question.player if question else None,
        "name": public_name(game.file, question.player) if question else None,
        "since": write_time(chronicle.waiting_since(record.run)),
        "unconfirmed": list(unconfirmed(game)),
        "dropped": [seat for seat in game.file.players if seat in game.desk.dropped],
    }


ASKED: dict[str | None, str] = {
    "action": "an action",
    "attack": "support as attacker",
    "defence": "support as defender",
    "war": "the colour to fight first",
    "monument": "a monument",
    "treasure": "the treasure that stays",
}


def sentence(facts: dict[str, Any]) -> str:
    """The same in one line."""
    if facts["over"]:
        return f"{facts['game']}: over since run {facts['run']}, {facts['since']}"
    if facts["unconfirmed"]:
        missing = ", ".join(facts["unconfirmed"])
        return f"{facts['game']}: has not begun; these have not confirmed yet: {missing}"
    name = f" ({facts['name']})" if facts["name"] else ""
    return (
        f"{facts['game']}: waits for {facts['waiting_for']}{name}, "
        f"{facts['question']}, {ASKED[facts['asks']]}, since {facts['since']}"
    )
