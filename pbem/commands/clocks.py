"""What the commands of the clock share: how a game stands, in data and in one line."""

from typing import Any

from pbem.chronicle import Chronicle
from pbem.clock import write_time
from pbem.clock.deadline import deadline_of, stops_of
from pbem.commands.guard import complain_of
from pbem.outcome import Outcome
from pbem.overrides import TemplateFault
from pbem.store import GameFolder


def say_how_it_stands(
    outcome: Outcome, folder: GameFolder, did: str, fault: TemplateFault | None = None
) -> None:
    """What was done to a game, and who has how much time now; read from the disk again."""
    game = folder.load()
    facts = clock_facts(folder)
    outcome.games.append(facts)
    outcome.say(f"{game.file.game}: {did}; {_sentence(facts)}")
    complain_of(outcome, folder, fault)


def clock_facts(folder: GameFolder) -> dict[str, Any]:
    """The facts of a game that its clock shows: nothing hidden."""
    game = folder.load()
    deadline = deadline_of(game, Chronicle(folder, game.record))
    stopped = next((stop for stop in stops_of(game) if stop.until is None), None)
    until = deadline.until if deadline else None
    return {
        "game": game.file.game,
        "question": deadline.question if deadline else None,
        "waiting_for": deadline.player if deadline else None,
        "deadline": write_time(until) if until else None,
        "stopped_since": write_time(stopped.since) if stopped else None,
    }


def _sentence(facts: dict[str, Any]) -> str:
    if facts["stopped_since"]:
        return f"the clock stands still since {facts['stopped_since']}"
    if facts["deadline"]:
        who, question = facts["waiting_for"], facts["question"]
        return f"{who} has until {facts['deadline']} to answer {question}"
    return "no deadline runs"
