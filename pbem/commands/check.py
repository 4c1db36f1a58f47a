"""`pbem check`: what can be known of an order file, on its writer's view; changes nothing."""

import sys
from pathlib import Path
from typing import Any

from engine.pieces import Dynasty
from pbem.answersahead import what_it_answers
from pbem.chronicle import Chronicle
from pbem.commands.guard import chosen, guarded
from pbem.foreseen import foresee
from pbem.judge import is_for_this_turn, judge
from pbem.orderfile import OrderFile, read_order_file
from pbem.orderkey import hide_key, without_key
from pbem.outcome import REFUSED, Outcome, Settings
from pbem.problem import Problem
from pbem.repair import Repair, repaired_text
from pbem.seal import digest
from pbem.sheets import Sheet, Situation
from pbem.store import LARGEST_ORDER_FILE, GameFolder
from pbem.tidings import problem_lines
from pbem.wording import event_lines


def check(settings: Settings, name: str, path: str) -> Outcome:
    """Judge the order file at `path` (`-` is standard input) as `turn` would."""
    outcome = Outcome()
    try:
        data = _read(path)
    except (OSError, ValueError) as fault:
        outcome.misuse(f"{path}: {getattr(fault, 'strerror', None) or fault}")
        return outcome
    for folder in chosen(settings, [name], outcome):
        with guarded(outcome, folder):
            _check(outcome, folder, data)
    return outcome


def _read(path: str) -> bytes:
    """What the file holds, as far as an order file may be long."""
    if path == "-":
        return sys.stdin.buffer.read(LARGEST_ORDER_FILE)
    with Path(path).open("rb") as file:
        return file.read(LARGEST_ORDER_FILE)


def _check(outcome: Outcome, folder: GameFolder, data: bytes) -> None:
    game = folder.load()
    file = read_order_file(data)
    problems = [*file.problems, *_misfit(file, game.file.game, game.file.players)]
    player = file.player
    facts: dict[str, Any] = {"game": game.file.game, "player": player, "accepted": False}
    outcome.games.append(facts)
    if not problems and player is not None:
        sha256 = digest(data)
        used = game.record.open_files.get(sha256, ())
        sheet = Sheet(player, file, sha256, "", data, used)
        situation = Chronicle(folder, game.record).situation(game.desk.dropped)
        problems += judge(sheet, situation)
        if not problems:
            facts["accepted"] = True
            _foresee(outcome, facts, sheet, situation)
    if problems:
        _refuse(outcome, facts, file, problems)


def _misfit(file: OrderFile, game: str, players: tuple[Dynasty, ...]) -> list[Problem]:
    """A file for another game, or from somebody who does not play in it."""
    found = []
    if file.game and file.game.casefold() != game.casefold():
        line = file.line_of("game")
        found.append(Problem(line, f"game: {file.game}", f"this game is {game}", f"game: {game}"))
    if file.player is not None and file.player not in players:
        line = file.line_of("player")
        message = f"{file.player} does not play here: {', '.join(players)}"
        found.append(Problem(line, f"player: {file.player}", message))
    return found


def _refuse(
    outcome: Outcome, facts: dict[str, Any], file: OrderFile, problems: list[Problem]
) -> None:
    problems = [without_key(problem) for problem in problems]
    again = hide_key(repaired_text(file.text, problems))
    facts["repaired"] = again
    for problem, line in zip(problems, problem_lines(problems), strict=True):
        outcome.complain(
            REFUSED,
            line,
            line=problem.line,
            read=problem.read,
            meant=problem.meant,
            kind="refused",
        )
    outcome.say("The file again, put right as far as that is certain:", "", *again.split("\n"))


def _repaired(repair: Repair) -> str:
    done = "" if repair.kind == "comment" else "; read as if it were right"
    return f"line {repair.line}: {repair.what}{done}"


def _foresee(outcome: Outcome, facts: dict[str, Any], sheet: Sheet, situation: Situation) -> None:
    """What the file does as far as it is certain, and what the rest depends on."""
    outcome.say("This file can be used.")
    outcome.say(*map(_repaired, sheet.file.repairs))
    foreseen = foresee(sheet, situation)
    if is_for_this_turn(sheet, situation):
        facts["foreseen"], facts["until"] = [*foreseen.lines], foreseen.until
        outcome.say(*(f"- {line}" for line in foreseen.lines))
        if foreseen.until:
            outcome.say(f"What comes then depends on {foreseen.until}.")
    elif sheet.file.actions is not None:
        outcome.say(f"Its actions wait and are judged when turn {sheet.file.turn} begins.")
    if answered := what_it_answers(sheet, situation):
        lines = event_lines(answered.events)
        facts["answers"] = [{"question": label, "order": said} for label, said in answered.orders]
        facts["answers_bring"], facts["answers_until"] = lines, answered.until
        outcome.say(*(f"Question {label}: {said}." for label, said in answered.orders))
        outcome.say(*(f"- {line}" for line in lines))
        if answered.until:
            outcome.say(f"What comes then depends on {answered.until}.")
