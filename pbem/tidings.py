"""What a player is told about his own orders: one sentence or two for each thing."""

from collections.abc import Iterable

from engine import questions as q
from engine.pieces import Colour
from engine.refusal import Refusal
from engine.squares import Square
from pbem.notation import write_order
from pbem.orderitems import ActionItem
from pbem.orderkey import hide_key, without_key
from pbem.problem import Problem
from pbem.wording import sentence

ASKS_FOR: dict[type, str] = {
    q.AskAction: "an action: write it under `actions`",
    q.AskAttack: "support: write `support:` with a number, all, none or win",
    q.AskDefence: "support: write `support:` with a number, all, none or win",
    q.AskWar: "the colour to fight first: write `wars:`",
    q.AskMonument: "a monument: write `monument:` with its two colours or none, and `square:`",
    q.AskTreasure: "the treasure that stays: write `leave:` with its square",
}


def rule_broken(refusal: Refusal) -> str:
    """The sentence of a rule, with the rule's name."""
    return f"{sentence(refusal)} ({refusal.rule.value})"


def action_dropped(number: int, item: ActionItem, refusal: Refusal) -> str:
    """An action that had to be judged in its time, and is illegal now."""
    return (
        f"Action {number} of your file, {write_order(item.order)} (line {item.line}), could not "
        f"be carried out: {rule_broken(refusal)} You are asked again."
    )


def origin_wrong(colour: Colour, wanted: str, found: Square | None) -> str:
    """Why a leader is not where `from` says."""
    where = f"on {found}" if found else "in your hand"
    return f"your {colour} leader is not {_place(wanted)}, it is {where}"


def _place(wanted: str) -> str:
    return "in your hand" if wanted == "hand" else f"on {wanted}"


def action_misplaced(number: int, item: ActionItem, why: str) -> str:
    """A leader that is no longer where the file expected it."""
    return (
        f"Action {number} of your file, {write_order(item.order)} (line {item.line}), was not "
        f"carried out: {why}. You are asked again."
    )


def answer_dropped(line: int, label: str, refusal: Refusal) -> str:
    """Something said ahead that is illegal now that its question has come."""
    return (
        f"What line {line} of your file says ahead does not fit question {label}: "
        f"{rule_broken(refusal)} You are asked."
    )


def choices_of(squares: tuple[Square, ...]) -> str:
    """What is missing of a monument that could stand on several blocks."""
    return f"the monument needs `square:` as well: one of {', '.join(squares)}"


def answer_unclear(line: int, label: str, squares: tuple[Square, ...]) -> str:
    """A monument that could stand on several blocks."""
    return (
        f"Line {line} of your file names a monument but no square, and there are several for "
        f"question {label}: {', '.join(squares)}. You are asked."
    )


def lapsed(line: int, keys: tuple[str, ...]) -> str:
    """Answers whose question never came."""
    what = ", ".join(f"`{key}`" for key in keys)
    return f"What line {line} of your file says ahead for {what} was not asked, and has lapsed."


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """Each fault in one line: where, what was read, what is wrong, what was meant."""
    lines = []
    for problem in problems:
        where = f"line {problem.line}: " if problem.line else ""
        read = f"`{problem.read}`: " if problem.read else ""
        message = problem.message
        if problem.meant and "did you mean" not in message:
            message = f"{message.rstrip('.')}. Did you mean `{problem.meant}`?"
        lines.append(f"{where}{read}{message}")
    return lines


# No name of a file in received/ is told: its number would tell how many files others have sent.
WITHDRAWN = "Your order file was taken out of orders/: nothing of it is used."
REPEATED = "Your order file came once more: it was used already."


def refusal_text(problems: Iterable[Problem], again: str) -> str:
    """Why a file was not used: all its faults with their lines, and the file once more."""
    return _with_the_file("Your order file was refused, nothing of it is used", problems, again)


def dropped_text(problems: Iterable[Problem], again: str) -> str:
    """Why a file that waited was not used when its turn began."""
    opening = "The order file that waited for this turn does not fit it: nothing of it is used"
    return _with_the_file(opening, problems, again)


def _with_the_file(opening: str, problems: Iterable[Problem], again: str) -> str:
    lines = [f"{opening}:", ""]
    lines += [f"- {line}" for line in problem_lines(map(without_key, problems))]
    lines += ["", "The file again, put right as far as that is certain:", ""]
    return "\n".join([*lines, *hide_key(again).rstrip("\n").split("\n")])


def wrong_turn(said: str, current: str, following: str, *, mine: bool) -> str:
    """An order for a turn that is over, not the writer's, or too far ahead."""
    where = f"the game is at turn {current}, {'which is yours' if mine else 'not yours'}"
    return f"turn {said} is not to be had: {where}, and your next turn is {following}"


def turn_taken_back(said: str, now: str) -> str:
    """An order for a turn that an undo took back."""
    return (
        f"turn {said} was taken back by the moderator; it is played again as turn {now}: "
        f"read the newest report and write `turn: {now}`"
    )


def action_open(number: int) -> str:
    """An action that a file does not hold."""
    return f"action {number} of your turn; you are asked for it when its time comes"


def answer_open() -> str:
    """A question that the actions of a file bring, and that it does not answer."""
    return "a question that your action brings; you are asked as soon as it is carried out"


def question_open(label: str, kind: type) -> str:
    """The question that is put to the writer and that his file leaves open."""
    return f"question {label} is put to you and asks for {ASKS_FOR[kind]}"


def actions_wait(turn: str) -> str:
    """Actions for the writer's own next turn."""
    return f"The actions wait and are judged when turn {turn} begins."
