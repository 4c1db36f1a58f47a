"""What a moderator types for a player, as the order file that the player would have sent."""

import json
import re

from engine import questions as q
from engine.pieces import Dynasty
from pbem.judge import judge
from pbem.labels import next_own_turn, question_label, turn_label
from pbem.normalform import normal_form
from pbem.orderfile import OrderFile, read_order_file
from pbem.origin import from_moderator
from pbem.problem import Problem
from pbem.seal import digest
from pbem.sheets import Sheet, Situation, actions_done

_ANSWER = re.compile(r"(?P<label>[0-9]+[a-z]*\.[0-9]+)\s*:?\s+(?P<rest>\S.*)", re.DOTALL)
_AHEAD = re.compile(r"(?:support|wars?|monument|leave)\b", re.IGNORECASE)
_FILE = re.compile(
    r"^(?:game|player|turn|actions?|answers?|press|note)[ \t]*:", re.IGNORECASE | re.MULTILINE
)
_HIDDEN = "NOT_IN_HAND"


def entered(
    text: str, game: str, player: Dynasty, situation: Situation
) -> tuple[Sheet | None, tuple[Problem, ...]]:
    """The orders as a file that says who entered it; or every reason why it cannot be used.

    Game, player, turn and question are filled in where they are missing. Nothing of the player's
    hand is told.
    """
    problems: tuple[Problem, ...] = ()
    for head, body in _readings(text.strip(), player, situation):
        lines = [line for line in (f"game: {game}", f"player: {player}", *head) if line]
        missing = [line for line in lines if not _has(body, line.partition(":")[0])]
        data = "\n".join([*missing, body, ""]).encode(errors="surrogatepass")
        file = read_order_file(data)
        sheet = _sheet(file, player)
        faults = judge(sheet, situation) or _elsewhere(file, game, player)
        if not faults:
            return sheet, ()
        problems = problems or tuple(_told(each, len(missing)) for each in faults)
    return None, problems


def _readings(
    text: str, player: Dynasty, situation: Situation
) -> list[tuple[tuple[str, ...], str]]:
    """How the text may be meant, the likeliest first: the lines to fill in, and the rest."""
    turn = f"turn: {_turn(player, situation)}"
    if answer := _ANSWER.fullmatch(text):
        return [((), f"answers: {json.dumps(answer['label'] + ' ' + answer['rest'])}")]
    if _FILE.search(text):
        return [((turn,) if _has(text, "actions") else (), text)]
    if _AHEAD.match(text) and (label := _asked(player, situation)):
        return [((), f"answers: {json.dumps(f'{label} {text}')}")]
    actions = f"actions: {', '.join(line.strip(' -') for line in text.splitlines())}"
    readings: list[tuple[tuple[str, ...], str]] = [((turn,), actions)]
    done = actions_done(situation.state)
    if situation.state.active == player and done == 1:
        readings.insert(0, ((turn, "action: 2"), actions))
    return readings


def _has(text: str, key: str) -> bool:
    return bool(re.search(rf"^{key}[ \t]*:", text, re.IGNORECASE | re.MULTILINE))


def _turn(player: Dynasty, situation: Situation) -> str:
    """The turn that actions are for: the one in progress, or the player's next."""
    state, takes = situation.state, situation.takes
    if state.active == player and actions_done(state) < 2:
        return turn_label(state.turn, takes)
    return turn_label(next_own_turn(state, player), takes)


def _asked(player: Dynasty, situation: Situation) -> str | None:
    """The open question if it is put to the player and asks for no action."""
    question = situation.state.question
    if question is None or question.player != player or isinstance(question, q.AskAction):
        return None
    return question_label(situation.state, situation.takes)


def _sheet(file: OrderFile, player: Dynasty) -> Sheet:
    data = from_moderator(normal_form(file))
    return Sheet(player, file, digest(data), f"orders/{player}.yaml", data)


def _elsewhere(file: OrderFile, game: str, player: Dynasty) -> tuple[Problem, ...]:
    """That the text names another game or another player."""
    found = []
    if file.game.casefold() != game.casefold():
        found.append(Problem(file.line_of("game"), file.game, f"this game is {game}"))
    if file.player != player:
        message = f"these orders are to be those of {player}"
        found.append(Problem(file.line_of("player"), file.player or "", message))
    return tuple(found)


def _told(problem: Problem, filled_in: int) -> Problem:
    """A problem for the moderator: its line in what he wrote, and nothing of the hand."""
    line = problem.line - filled_in if problem.line and problem.line > filled_in else None
    message, meant = problem.message, problem.meant
    if _HIDDEN in message:
        message, meant = f"the seat does not hold what this needs ({_HIDDEN})", None
    return problem._replace(line=line, message=message, meant=meant)
