"""Judging an order file whole, on what its writer may see (contract 2, rules of use).

A fault that can be seen now refuses the whole file. What depends on a draw, on a conflict or on
somebody's answer is left to its time.
"""

from collections.abc import Iterator, Sequence

from engine import orders as o
from engine import questions as q
from engine.legality import refusal
from pbem.ahead import Ahead, Foresight, never_later
from pbem.answeritems import AnswerItem
from pbem.answers import Unclear, answer_from
from pbem.labels import next_own_turn, question_label, split_label, turn_label
from pbem.language import _
from pbem.notation import PassAll, write_order
from pbem.problem import Problem, by_line
from pbem.seats.dropped import seat_dropped
from pbem.sheets import Played, Sheet, Situation, item_for, keys_for
from pbem.tidings import asks_for, choices_of, rule_broken, turn_taken_back, wrong_turn
from pbem.wording import word


def judge(sheet: Sheet, situation: Situation) -> tuple[Problem, ...]:
    """Every fault of a file that can be seen now; none: it is accepted."""
    if sheet.player in situation.dropped:
        line = sheet.file.line_of("player")
        return (Problem(line, f"player: {sheet.player}", seat_dropped()),)
    if sheet.file.problems:
        return _what_could_be_read(sheet, situation)
    if situation.state.over:
        return tuple(_too_late(sheet))
    found = [*_turn_faults(sheet, situation)]
    if not found and is_for_this_turn(sheet, situation):
        found += judge_actions(sheet, situation).problems
    else:
        found += never_later(sheet, situation.state)
    return (*found, *answer_faults(sheet, situation))


def _what_could_be_read(sheet: Sheet, situation: Situation) -> tuple[Problem, ...]:
    """The faults of a file that cannot be read as a whole, and what else is certain of it."""
    unread = sheet.file.problems
    if situation.state.over or not (sheet.file.actions or sheet.file.answers):
        return unread
    found = [*_turn_faults(sheet, situation)] if sheet.file.turn else []
    found += never_later(sheet, situation.state)
    for item in sheet.file.answers or ():
        problem = _label_fault(item, sheet, situation)
        found += [Problem(item.line, f"question {item.question}", problem)] if problem else []
    lines = {problem.line for problem in unread}
    found = [problem for problem in found if problem.line not in lines]
    return tuple(sorted((*unread, *found), key=by_line))


def _too_late(sheet: Sheet) -> Iterator[Problem]:
    """Once the game is over one can only talk."""
    for name, part in (("actions", sheet.file.actions), ("answers", sheet.file.answers)):
        if part is not None:
            message = _("the game is over; no more orders are taken")
            yield Problem(sheet.file.line_of(name), f"{name}:", message)


def is_for_this_turn(sheet: Sheet, situation: Situation) -> bool:
    """Whether the file's actions are for the turn that is being played, and its writer's."""
    state = situation.state
    return (
        sheet.file.actions is not None
        and state.active == sheet.player
        and sheet.file.turn == turn_label(state.turn, situation.takes)
    )


def is_for_own_next_turn(sheet: Sheet, situation: Situation) -> bool:
    """Whether the file's actions wait for its writer's next turn."""
    following = next_own_turn(situation.state, sheet.player)
    return sheet.file.actions is not None and sheet.file.turn == turn_label(
        following, situation.takes
    )


def _turn_faults(sheet: Sheet, situation: Situation) -> Iterator[Problem]:
    """R94 and the contract: the current turn if it is mine, or my own next turn."""
    if sheet.file.actions is None or is_for_this_turn(sheet, situation):
        return
    if is_for_own_next_turn(sheet, situation):
        return
    state, takes = situation.state, situation.takes
    said = sheet.file.turn or ""
    following = turn_label(next_own_turn(state, sheet.player), takes)
    current = turn_label(state.turn, takes)
    number = int(said.rstrip("abcdefghijklmnopqrstuvwxyz") or 0)
    if said in _older_labels(number, situation):
        message, right = turn_taken_back(said, turn_label(number, takes)), None
    elif state.active == sheet.player:
        message, right = wrong_turn(said, current, following, mine=True), current
    else:
        message, right = wrong_turn(said, current, following, mine=False), following
    line = sheet.file.line_of("turn")
    yield Problem(line, f"turn: {said}", message, right and f"turn: {right}")


def _older_labels(turn: int, situation: Situation) -> list[str]:
    """What a turn was called before it was taken back."""
    times = situation.takes.get(turn, 0)
    return [turn_label(turn, {turn: earlier}) for earlier in range(times)]


def judge_actions(sheet: Sheet, situation: Situation) -> Foresight:
    """The actions of a file for the turn that is being played."""
    problems = [*_changed(sheet, situation.turn_so_far)]
    if problems:
        return Foresight(tuple(problems), (), "")
    return Ahead(sheet, situation).look()


def _changed(sheet: Sheet, turn: Sequence[Played]) -> Iterator[Problem]:
    """Lines already carried out must stand there unchanged; `pass all` is about what is left."""
    for played in turn:
        item = item_for(sheet, played.action) if played.action else None
        if item is None or isinstance(item.order, PassAll) or item.order == played.order:
            continue
        said = write_order(played.order)
        if played.action == 1 and len(sheet.file.actions or ()) == 1:
            message = _(
                "action 1 of this turn was %(order)s and is done; if this is your action 2, write "
                "`action: 2` above the list",
                order=said,
            )
            yield Problem(sheet.file.line_of("actions"), "actions:", message, "action: 2\nactions:")
            continue
        if played.action == 1:
            message = _(
                "action 1 of this turn was %(order)s and is done; write it so, or begin the list "
                "with the next action and write `action: 2`",
                order=said,
            )
        else:
            message = _("action 2 of this turn was %(order)s and is done; write it so", order=said)
        yield Problem(item.line, write_order(item.order), message, said)


def answer_faults(sheet: Sheet, situation: Situation) -> Iterator[Problem]:
    """Each answer must be to the open question, put to its writer, and legal."""
    for item in sheet.file.answers or ():
        if item.question not in sheet.used:
            problem = _answer_fault(item, sheet, situation)
            if problem:
                line = _line_of(item, sheet, situation)
                yield Problem(line, f"question {item.question}", problem)


def _line_of(item: AnswerItem, sheet: Sheet, situation: Situation) -> int:
    """Where an answer says what is at fault: what it decides, or the question it names."""
    question = situation.state.question
    if question is None or _label_fault(item, sheet, situation):
        return item.line
    keys = {key.partition(" ")[0] for key in keys_for(question)}
    return next((line for key, line in item.lines if key in keys), item.line)


def answers_too_early(sheet: Sheet, situation: Situation) -> bool:
    """Whether an answer of the file is to a question of this turn that is still to come."""
    state = situation.state
    here = turn_label(state.turn, situation.takes)
    labels = (split_label(item.question) for item in sheet.file.answers or ())
    return any(turn == here and serial > state.serial for turn, serial in labels)


def _answer_fault(item: AnswerItem, sheet: Sheet, situation: Situation) -> str | None:
    state = situation.state
    label = question_label(state, situation.takes)
    question = state.question
    assert question is not None
    if wrong := _label_fault(item, sheet, situation):
        return wrong
    order = answer_from(item.riders, state, fought=0)
    if order is None and isinstance(question, q.AskWar) and item.riders.wars:
        order = o.ChooseWar(item.riders.wars[0])
    if order is None:
        return asks_for(question, label)
    if isinstance(order, Unclear):
        return choices_of(order.choices)
    broken = refusal(state, sheet.player, order)
    return rule_broken(broken) if broken else None


def _label_fault(item: AnswerItem, sheet: Sheet, situation: Situation) -> str | None:
    """Why an answer cannot be to the question it names."""
    label = question_label(situation.state, situation.takes)
    question = situation.state.question
    if item.question != label:
        return _not_open(item.question, situation)
    if question is None or question.player == sheet.player:
        return None
    return _(
        "question %(label)s is put to %(player)s, not to you; take the answer out",
        label=label,
        player=word("DYNASTY", question.player),
    )


def _not_open(label: str, situation: Situation) -> str:
    """Why a question is not open: answered, taken back, or not asked yet."""
    state, takes = situation.state, situation.takes
    turn, serial = split_label(label)
    number = int(turn.rstrip("abcdefghijklmnopqrstuvwxyz"))
    now = question_label(state, takes)
    if turn in _older_labels(number, situation):
        return turn_taken_back(turn, turn_label(number, takes))
    if turn != turn_label(number, takes):
        return _("there is no turn %(turn)s; the open question is %(now)s", turn=turn, now=now)
    if (number, serial) < (state.turn, state.serial):
        return _(
            "question %(label)s is already answered; the open question is %(now)s",
            label=label,
            now=now,
        )
    return _(
        "question %(label)s is not asked yet; the open question is %(now)s", label=label, now=now
    )
