"""The answers of an order file, each with the question it answers."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pbem.entries import Entries, Entry, entries_of, lines_of, one_text, unknown_key
from pbem.notation import read_action
from pbem.orderitems import variant_message
from pbem.problem import Findings, Problem
from pbem.riders import RIDER_KEYS, VARIANT_KEYS, Riders, read_riders
from pbem.splitting import MAX_ITEMS
from pbem.suggest import choice, fold, surely
from pbem.words import fault
from pbem.yamltext import Listing, Mapping, Node, Scalar

_TURN = re.compile(r"0*(?P<number>[1-9][0-9]{0,4})(?P<again>[b-z]|(?!st|nd|rd|th)[a-z]{2})?")
_QUESTION = re.compile(r"(?P<turn>[0-9]{1,6}[a-z]{0,2})\.0*(?P<serial>[1-9][0-9]{0,3})")
_NEARLY = re.compile(r"#?\(?([0-9]{1,5}[a-z]?) ?[.,:;/-] ?([0-9]{1,4})[.:)]?")
_LINE = re.compile(r"(?P<label>\S+)\s+(?P<key>\S+?):?(?:\s+(?P<value>.*))?", re.DOTALL)


class AnswerItem(NamedTuple):
    """What a player answers to one question, named by its label: `7.3`, `7b.1`.

    `lines` say where each key of it stands.
    """

    question: str
    line: int
    riders: Riders
    lines: tuple[tuple[str, int], ...] = ()

    def line_of(self, key: str) -> int:
        """The line in which a key of it stands; its first line if there is no such key."""
        return dict(self.lines).get(key, self.line)


def read_turn(text: str) -> str | Problem:
    """The label of a turn, `7`, or `7b` when it is played again after an undo."""
    found = _TURN.fullmatch(fold(text))
    if found:
        return found["number"] + (found["again"] or "")
    number = re.fullmatch(r"(?:turn )?#?0*([1-9][0-9]{0,4})(?:st|nd|rd|th|\.0*|\.)?", fold(text))
    return fault(text, "turn is a number, such as 7", number and number[1])


def read_question(text: str) -> str | Problem:
    """The label of a question: `7.3`."""
    found = _QUESTION.fullmatch(fold(text))
    turn = read_turn(found["turn"]) if found else None
    if found and isinstance(turn, str):
        return f"{turn}.{found['serial']}"
    near = _NEARLY.fullmatch(fold(text))
    meant = f"{near[1]}.{near[2]}" if near else None
    return fault(
        text, "a question is named as in the report: turn, dot, number, such as 7.3", meant
    )


def read_answers(node: Node, findings: Findings) -> tuple[AnswerItem, ...]:
    """All answers of a file."""
    items: dict[str, AnswerItem] = {}
    for item in _all_items(node, findings):
        if item is None:
            continue
        if item.question in items:
            first = items[item.question].line
            message = f"question {item.question} is answered here and on line {first}; keep one"
            findings.add(item.line, item.question, message)
        items.setdefault(item.question, item)
    return tuple(items.values())


def _all_items(node: Node, findings: Findings) -> Iterator[AnswerItem | None]:
    if isinstance(node, Mapping):
        message = "each answer begins with a hyphen and a space: write `- ` before the first key"
        findings.add(node.line, f"{node.items[0][0].text}:" if node.items else "", message)
    parts = node.items[: MAX_ITEMS + 1] if isinstance(node, Listing) else (node,)
    if len(parts) > MAX_ITEMS:
        message = f"more than {MAX_ITEMS} answers in one file; take some out"
        findings.add(parts[-1].line, "", message)
    for part in parts[:MAX_ITEMS]:
        if isinstance(part, Mapping):
            yield _read_long(part, findings)
        elif isinstance(part, Listing):
            findings.add(part.line, "", "a list within the list: write one answer in each item")
        else:
            for piece in _split(part.text):
                yield _read_short(piece, part.line, findings)


def _split(text: str) -> list[str]:
    """The answers of one line. A piece that names no question continues the one before it."""
    pieces: list[str] = []
    for piece in text.split(",", MAX_ITEMS):
        if pieces and not re.match(r"\s*[0-9]+[a-z]{0,2}\.", piece, re.IGNORECASE):
            pieces[-1] += f",{piece}"
        else:
            pieces.append(piece)
    return [piece.strip() for piece in pieces]


def _read_short(text: str, line: int, findings: Findings) -> AnswerItem | None:
    found = _LINE.fullmatch(text)
    if found is None:
        message = "an answer is a question and what you decide: 7.3 support 2"
        findings.add(line, text, message)
        return None
    label = read_question(found["label"])
    if isinstance(label, Problem):
        findings.put(label, line)
    key = _answer_key(text, found, line, findings)
    if key is None:
        return None
    entry = Entry(Scalar(found["key"], line), Scalar(found["value"] or "", line))
    return _finish(label, line, {key: entry}, findings)


def _answer_key(text: str, found: re.Match[str], line: int, findings: Findings) -> str | None:
    word = fold(found["key"])
    key = {"war": "wars"}.get(word, word)
    if key in RIDER_KEYS:
        return key
    if key in VARIANT_KEYS:
        findings.add(line, found["key"], variant_message(key))
    elif not isinstance(read_action(text.partition(found["label"])[2]), Problem):
        findings.add(line, text, "an action is no answer: write it under actions:")
    else:
        message = f"{found['key']} is not an answer; write {choice(RIDER_KEYS)}"
        findings.add(line, found["key"], message, surely(key, RIDER_KEYS))
    return None


def _read_long(mapping: Mapping, findings: Findings) -> AnswerItem | None:
    found = entries_of(mapping)
    if "question" not in found and _is_short_with_colon(mapping, findings):
        return None
    _refuse_keys(found, findings)
    label = _label(mapping, found, findings)
    if not set(found) & {*RIDER_KEYS, *VARIANT_KEYS}:
        findings.missing(mapping.line, f"this answer says nothing; add {choice(RIDER_KEYS)}")
        return None
    return _finish(label, mapping.line, found, findings)


def _is_short_with_colon(mapping: Mapping, findings: Findings) -> bool:
    for key, value in mapping.items[:1]:
        if isinstance(value, Scalar) and not isinstance(read_question(key.text), Problem):
            message = "an answer in the short form has no colon, and no further keys"
            meant = f"{key.text} {value.text}" if len(mapping.items) == 1 else None
            findings.add(key.line, f"{key.text}: {value.text}", message, meant)
            return True
    return False


def _label(mapping: Mapping, found: Entries, findings: Findings) -> str | Problem:
    if "question" not in found:
        findings.missing(mapping.line, "an answer names its question: add question: 7.3")
        return fault("", "")
    scalar = one_text(found["question"], findings)
    label = read_question(scalar.text) if scalar else fault("", "")
    if scalar and isinstance(label, Problem):
        findings.put(label, scalar.line, scalar.text or "question:")
    return label


def _refuse_keys(found: Entries, findings: Findings) -> None:
    known = ("question", *RIDER_KEYS)
    for name, entry in list(found.items()):
        if name in VARIANT_KEYS:
            findings.add(entry.key.line, f"{entry.key.text}:", variant_message(name))
        elif name not in known:
            unknown_key(name, found, known, findings)


def _finish(
    label: str | Problem, line: int, found: Entries, findings: Findings
) -> AnswerItem | None:
    riders = read_riders(found, RIDER_KEYS, findings)
    if isinstance(label, Problem):
        return None
    return AnswerItem(label, line, riders, lines_of(found))
