"""Orders for a turn that was taken back, under the name that the turn has now."""

from pbem.answeritems import AnswerItem
from pbem.labels import Takes, turn_label
from pbem.orderfile import OrderFile

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def renamed(file: OrderFile, takes: Takes) -> OrderFile:
    """The orders with `7` as `7b`, `7.3` as `7b.3`, if turn 7 was taken back once."""
    turn = file.turn and _now(file.turn, takes)
    answers = file.answers and tuple(_answer(each, takes) for each in file.answers)
    return file._replace(turn=turn, answers=answers)


def _answer(item: AnswerItem, takes: Takes) -> AnswerItem:
    turn, dot, serial = item.question.partition(".")
    return item._replace(question=f"{_now(turn, takes)}{dot}{serial}")


def _now(label: str, takes: Takes) -> str:
    number = label.rstrip(_LETTERS)
    return turn_label(int(number), takes) if number.isdecimal() else label
