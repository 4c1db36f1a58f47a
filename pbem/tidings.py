"""What a player is told about his own orders: one sentence or two for each thing."""

from collections.abc import Collection, Iterable

from engine import questions as q
from engine.pieces import Colour
from engine.refusal import Refusal
from engine.squares import Square
from pbem.language import _
from pbem.notation import write_order
from pbem.orderitems import ActionItem
from pbem.orderkey import hide_key, without_key
from pbem.problem import Problem
from pbem.wording import sentence, word


def asks_for(question: q.Question, label: str) -> str:
    """What an open question wants to be answered with."""
    match question:
        case q.AskAction():
            return _("question %(label)s asks for an action: write it under `actions`", label=label)
        case q.AskAttack() | q.AskDefence():
            return _(
                "question %(label)s asks for support: write `support:` with a number, all, none "
                "or win",
                label=label,
            )
        case q.AskWar():
            return _(
                "question %(label)s asks for the colour to fight first: write `wars:`", label=label
            )
        case q.AskMonument():
            return _(
                "question %(label)s asks for a monument: write `monument:` with its two colours "
                "or none, and `square:`",
                label=label,
            )
        case q.AskTreasure():
            return _(
                "question %(label)s asks for the treasure that stays: write `leave:` with its "
                "square",
                label=label,
            )


def rule_broken(refusal: Refusal) -> str:
    """The sentence of a rule, with the rule's name."""
    return f"{sentence(refusal)} ({refusal.rule.value})"


def action_dropped(number: int, item: ActionItem, refusal: Refusal) -> str:
    """An action that had to be judged in its time, and is illegal now."""
    return _(
        "Action %(number)s of your file, %(order)s (line %(line)s), could not be carried out: "
        "%(reason)s You are asked again.",
        number=number,
        order=write_order(item.order),
        line=item.line,
        reason=rule_broken(refusal),
    )


def origin_wrong(colour: Colour, wanted: str, found: Square | None) -> str:
    """Why a leader is not where `from` says."""
    leader = word("YOUR_LEADER", colour)
    if found is None:
        return _(
            "%(leader)s is not on %(wanted)s, it is in your hand", leader=leader, wanted=wanted
        )
    if wanted == "hand":
        return _("%(leader)s is not in your hand, it is on %(found)s", leader=leader, found=found)
    return _(
        "%(leader)s is not on %(wanted)s, it is on %(found)s",
        leader=leader,
        wanted=wanted,
        found=found,
    )


def action_misplaced(number: int, item: ActionItem, why: str) -> str:
    """A leader that is no longer where the file expected it."""
    return _(
        "Action %(number)s of your file, %(order)s (line %(line)s), was not carried out: "
        "%(reason)s. You are asked again.",
        number=number,
        order=write_order(item.order),
        line=item.line,
        reason=why,
    )


def answer_dropped(line: int, label: str, refusal: Refusal) -> str:
    """Something said ahead that is illegal now that its question has come."""
    return _(
        "What line %(line)s of your file says ahead does not fit question %(label)s: %(reason)s "
        "You are asked.",
        line=line,
        label=label,
        reason=rule_broken(refusal),
    )


def choices_of(squares: tuple[Square, ...]) -> str:
    """What is missing of a monument that could stand on several blocks."""
    return _("the monument needs `square:` as well: one of %(squares)s", squares=", ".join(squares))


def answer_unclear(line: int, label: str, squares: tuple[Square, ...]) -> str:
    """A monument that could stand on several blocks."""
    return _(
        "Line %(line)s of your file names a monument but no square, and there are several for "
        "question %(label)s: %(squares)s. You are asked.",
        line=line,
        label=label,
        squares=", ".join(squares),
    )


def lapsed(line: int, keys: tuple[str, ...]) -> str:
    """Answers whose question never came."""
    return _(
        "What line %(line)s of your file says ahead for %(keys)s was not asked, and has lapsed.",
        line=line,
        keys=", ".join(f"`{key}`" for key in keys),
    )


def replaced_action(number: int, order: str) -> str:
    """An action that a newer file put out of force."""
    return _("action %(number)s, %(order)s", number=number, order=order)


def replaced_actions(turn: str, lost: list[str]) -> str:
    """The actions and what was said ahead for them that a newer file put out of force."""
    return _(
        "What it said for turn %(turn)s is no longer in force: %(lost)s.",
        turn=turn,
        lost=", ".join(lost),
    )


def replaced_answers(labels: list[str]) -> str:
    """The answers that a newer file put out of force."""
    return _(
        "What it answered to %(labels)s is no longer in force.",
        labels=", ".join(labels),
    )


def replaced(lost: list[str]) -> str:
    """A newer file took the place of one that waited."""
    return " ".join([_("An order file of yours that waited was replaced by a newer one."), *lost])


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """Each fault in one line: where, what was read, what is wrong, what was meant."""
    lines = []
    for problem in problems:
        read = f"`{problem.read}`: " if problem.read else ""
        text = f"{read}{problem.message}"
        if problem.meant and "did you mean" not in problem.message:
            fault, meant = text.rstrip("."), problem.meant.replace("\n", "`, `")
            text = _("%(fault)s. Did you mean `%(meant)s`?", fault=fault, meant=meant)
        if problem.line:
            text = _("line %(line)s: %(fault)s", line=problem.line, fault=text)
        lines.append(text)
    return lines


# No name of a file in received/ is told: its number would tell how many files others have sent.
def withdrawn(used: Collection[str]) -> str:
    """A waiting file that was taken out of orders/; `used`: for what it had its say before."""
    if not used:
        return _("Your order file was taken out of orders/: nothing of it is used.")
    return _(
        "Your order file was taken out of orders/: no more of it is used. What it brought before "
        "stands."
    )


def repeated() -> str:
    """A file that had been used came once more."""
    return _("Your order file came once more: it was used already.")


def refusal_text(problems: Iterable[Problem], again: str) -> str:
    """Why a file was not used: all its faults with their lines, and the file once more."""
    opening = _("Your order file was refused, nothing of it is used:")
    return _with_the_file(opening, problems, again)


def dropped_text(problems: Iterable[Problem], again: str, *, used: bool) -> str:
    """Why a file that waited was not used when its turn began; `used`: its press has gone out."""
    if used:
        opening = _("The order file that waited for this turn does not fit it: no order is used:")
    else:
        opening = _(
            "The order file that waited for this turn does not fit it: nothing of it is used:"
        )
    return _with_the_file(opening, problems, again)


def _with_the_file(opening: str, problems: Iterable[Problem], again: str) -> str:
    lines = [opening, ""]
    lines += [f"- {line}" for line in problem_lines(map(without_key, problems))]
    lines += ["", _("The file again, put right as far as that is certain:"), ""]
    return "\n".join([*lines, *hide_key(again).rstrip("\n").split("\n"), "", "end:"])


def wrong_turn(said: str, current: str, following: str, *, mine: bool) -> str:
    """An order for a turn that is over, not the writer's, or too far ahead."""
    if mine:
        return _(
            "turn %(said)s is not to be had: the game is at turn %(current)s, which is yours, "
            "and your next turn is %(following)s",
            said=said,
            current=current,
            following=following,
        )
    return _(
        "turn %(said)s is not to be had: the game is at turn %(current)s, and your next turn "
        "is %(following)s",
        said=said,
        current=current,
        following=following,
    )


def turn_taken_back(said: str, now: str) -> str:
    """An order for a turn that an undo took back."""
    return _(
        "turn %(said)s was taken back by the moderator; it is played again as turn %(now)s: "
        "read the newest report and write `turn: %(now)s`",
        said=said,
        now=now,
    )


def action_open(number: int) -> str:
    """An action that a file does not hold."""
    return _(
        "action %(number)s of your turn; you are asked for it when its time comes", number=number
    )


def answer_open() -> str:
    """A question that the actions of a file bring, and that it does not answer."""
    return _("a question that your action brings; you are asked as soon as it is carried out")


def question_open(question: q.Question, label: str) -> str:
    """The question that is put to the writer and that his file leaves open."""
    return asks_for(question, label)


def actions_wait(turn: str) -> str:
    """Actions for the writer's own next turn."""
    return f"The actions wait and are judged when turn {turn} begins."
