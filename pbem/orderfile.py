"""An order file, read strictly and kindly: every fault at once, with what was meant."""

import re
from typing import NamedTuple

from engine.pieces import DYNASTIES, Dynasty
from pbem.answeritems import AnswerItem, read_answers, read_turn
from pbem.entries import Entries, Entry, entries_of, one_text, unknown_key
from pbem.hardlines import flattened, straighten
from pbem.orderitems import ACTIONS_A_TURN, ActionItem, read_actions
from pbem.problem import Findings, Problem, by_line, clipped
from pbem.repair import TOP_KEYS, Repair, corrected, mend, repaired_text
from pbem.suggest import choice, fold, latin, surely
from pbem.yamltext import MAX_PROBLEMS, Mapping, Node, Reading, Scalar, decode, read_yaml

MAX_BYTES = 64 * 1024
MAX_PRESS = 2000
_RECOVERIES = 8
_CORRECTIONS = 3
_CONTENT = ("actions", "answers", "press", "note")


class OrderFile(NamedTuple):
    """What a player wrote. It may be used only if there are no `problems`.

    `turn` is a label, `7` or `7b`; `first_action` the number of the action that `actions`
    begins with. `repairs` name what was mended on the way without changing the meaning.
    `text` is the file after these, `repaired` the same with all certain corrections made and
    the other problems as comments. `lines` say where each key of the file stands.
    """

    game: str
    player: Dynasty | None
    turn: str | None = None
    first_action: int = 1
    actions: tuple[ActionItem, ...] | None = None
    answers: tuple[AnswerItem, ...] | None = None
    press: str | None = None
    note: str | None = None
    key: str | None = None
    problems: tuple[Problem, ...] = ()
    repairs: tuple[Repair, ...] = ()
    text: str = ""
    repaired: str = ""
    lines: tuple[tuple[str, int], ...] = ()

    def line_of(self, key: str) -> int | None:
        """The line in which a key of the file stands."""
        return dict(self.lines).get(key)


def read_order_file(data: bytes) -> OrderFile:
    """Read what a player sent; whatever it holds, this gives a value and never raises."""
    if len(data) > MAX_BYTES:
        message = f"an order file has at most {MAX_BYTES // 1024} KB; this one is larger"
        return OrderFile("", None, problems=(Problem(None, "", message),))
    text, faults = decode(data, stop_at_end=True)
    mended = mend(text)
    problems = [*faults, *mended.problems]
    if joined := flattened(mended.text):
        order_file = OrderFile("", None)
        problems.append(joined)
    else:
        order_file = _read(mended.text, problems)
        _read_again(mended.text, problems)
    every = tuple(sorted(problems, key=by_line)[:MAX_PROBLEMS])
    return order_file._replace(
        problems=tuple(clipped(problem) for problem in every),
        repairs=mended.repairs,
        text=mended.text,
        repaired=repaired_text(mended.text, every),
    )


def _read(text: str, problems: list[Problem]) -> OrderFile:
    straight, hard = straighten(text)
    problems += hard
    reading = _recover(straight)
    problems += reading.problems
    findings = Findings(guessing=reading.broken_at is not None)
    rows = [*straight.split("\n"), ""]
    order_file = _read_document(reading.document, rows, findings)
    unread = {problem.line for problem in reading.problems if problem.line}
    if reading.broken_at is not None:
        unread |= {line + 1 for line in unread if rows[line][:1].isspace()}
    problems += [problem for problem in findings.problems if problem.line not in unread]
    return order_file


def _read_again(text: str, problems: list[Problem]) -> None:
    """Adds what else is wrong in the lines that were put right.

    If the file could not be read before and can be now, this is all that is wrong with it.
    """
    for _ in range(_CORRECTIONS):
        better, _rest = corrected(text, problems)
        both = zip(text.split("\n"), better.split("\n"), strict=True)
        changed = {number for number, (a, b) in enumerate(both, start=1) if a != b}
        more: list[Problem] = []
        if changed:
            _read(better, more)
        whole = changed and read_yaml(straighten(better)[0]).broken_at is None
        more = [p for p in more if p not in problems and (whole or p.line in changed)]
        problems += more
        if not more:
            return


def _recover(text: str) -> Reading:
    """Read the text; a line that breaks the file is left out, to find what else is wrong."""
    reading = read_yaml(text)
    rows = text.split("\n")
    broken: dict[int, Problem] = {}
    last = -1
    while reading.broken_at and len(broken) < _RECOVERIES and rows[reading.broken_at - 1].strip():
        last = reading.broken_at
        found = {p.line: p for p in reading.problems if p.line == last}
        if last - 1 not in broken:
            broken.setdefault(last, found[last])
        else:
            broken[last] = broken[last - 1]
        rows[last - 1] = ""
        reading = read_yaml("\n".join(rows))
    if not broken:
        return reading
    kept = [p for p in reading.problems if p.line not in broken and p.line != reading.broken_at]
    kept = [p for p in kept if p.line is None or p.line - 1 not in broken]
    every = (*dict.fromkeys(broken.values()), *kept)
    return Reading(reading.documents, every, min(broken))


def _read_document(document: Node | None, rows: list[str], findings: Findings) -> OrderFile:
    if isinstance(document, Mapping):
        found = entries_of(document)
        for name in [name for name in found if name not in TOP_KEYS]:
            _unknown(name, found, rows, findings)
        return _read_keys(found, findings)
    if document is None or (isinstance(document, Scalar) and not document.text.strip()):
        findings.missing(None, "there are no orders in this file; it begins with game:")
    else:
        message = "an order file is made of keys: game:, player:, turn:, actions:"
        read = document.text.strip()[:80] if isinstance(document, Scalar) else "-"
        findings.add(document.line, read, message)
    return OrderFile("", None)


def _unknown(name: str, found: Entries, rows: list[str], findings: Findings) -> None:
    line = found[name].key.line
    hint = ""
    if line > 1 and "#" in rows[line - 2]:
        hint = (
            f"if it continues the comment of line {line - 1} (a long line that was wrapped), "
            "begin it with #"
        )
    unknown_key(name, found, TOP_KEYS, findings, hint)


def _read_keys(found: Entries, findings: Findings) -> OrderFile:
    first = _first_action(found, findings)
    actions = _items("actions", found, findings)
    answers = _items("answers", found, findings)
    if "standing" in found:
        key = found["standing"].key
        message = "standing (decisions ahead) is not understood yet and comes later; leave it out"
        findings.add(key.line, f"{key.text}:", message)
    order_file = OrderFile(
        game=_game(found, findings),
        player=_player(found, findings),
        turn=_turn(found, findings),
        first_action=first,
        actions=None if actions is None else read_actions(actions, first, findings),
        answers=None if answers is None else read_answers(answers, findings),
        press=_press(found, findings),
        note=_kept("note", found, findings),
        key=_kept("key", found, findings),
        lines=tuple((name, entry.key.line) for name, entry in found.items()),
    )
    if not any(name in found for name in (*_CONTENT, "standing")):
        findings.missing(None, f"there are no orders in this file: it needs {choice(_CONTENT)}")
    return order_file


def _items(name: str, found: Entries, findings: Findings) -> Node | None:
    if name not in found:
        return None
    entry = found[name]
    if isinstance(entry.value, Scalar):
        empty = not entry.value.text.strip()
    else:
        empty = not entry.value.items
    if empty:
        findings.missing(entry.key.line, f"{name} is empty: write at least one, or leave it out")
        return None
    return entry.value


def _game(found: Entries, findings: Findings) -> str:
    scalar = _required("game", "write game: and the name of the game", found, findings)
    if scalar is None:
        return ""
    name = " ".join(scalar.text.split())
    if not name.isprintable():
        findings.add(scalar.line, ascii(name)[1:-1], "the name of a game holds plain letters only")
        return ""
    return name


def _required(name: str, what: str, found: Entries, findings: Findings) -> Scalar | None:
    if name not in found:
        findings.missing(None, f"{name} is missing: {what}")
        return None
    scalar = one_text(found[name], findings)
    if scalar is not None and not scalar.text.strip():
        findings.missing(scalar.line, f"{name} is empty: {what}")
        return None
    return scalar


def _player(found: Entries, findings: Findings) -> Dynasty | None:
    what = f"write player: and your dynasty, {choice(DYNASTIES)}"
    scalar = _required("player", what, found, findings)
    if scalar is None:
        return None
    name = fold(scalar.text)
    for dynasty in DYNASTIES:
        if name == dynasty:
            return dynasty
    meant = surely(latin(scalar.text), DYNASTIES)
    message = f"{scalar.text} is not a dynasty: {choice(DYNASTIES)}"
    findings.add(scalar.line, scalar.text, message, meant)
    return None


def _turn(found: Entries, findings: Findings) -> str | None:
    if "turn" not in found and "actions" not in found:
        return None
    scalar = _required("turn", "write turn: and the number of your turn", found, findings)
    label = read_turn(scalar.text) if scalar else None
    if scalar and isinstance(label, Problem):
        findings.put(label, scalar.line)
        return None
    return label if isinstance(label, str) else None


def _first_action(found: Entries, findings: Findings) -> int:
    if "action" not in found:
        return 1
    entry = found["action"]
    scalar = entry.value if isinstance(entry.value, Scalar) else Scalar("", entry.value.line)
    number = re.fullmatch(r"0*([1-9])", scalar.text.strip())
    if number and int(number[1]) <= ACTIONS_A_TURN:
        if "actions" not in found:
            findings.missing(entry.key.line, "action says where the list actions: begins; add it")
        return int(number[1])
    message = "action: 1 or action: 2 says with which action the list begins; orders are actions:"
    if "actions" in found or scalar.text.isdigit():
        findings.add(entry.key.line, f"{entry.key.text}:", message)
    else:
        findings.add(entry.key.line, f"{entry.key.text}:", message, "actions:")
        found["actions"] = entry
    return 1


def _press(found: Entries, findings: Findings) -> str | None:
    text = _kept("press", found, findings)
    if text is not None and len(text) > MAX_PRESS:
        line = found["press"].key.line
        message = f"press has at most {MAX_PRESS} characters, this one {len(text)}; shorten it"
        findings.add(line, "press:", message)
    return text


def _kept(name: str, found: Entries, findings: Findings) -> str | None:
    """A text that is kept as it was written; None if it is empty."""
    entry: Entry | None = found.get(name)
    scalar = one_text(entry, findings) if entry else None
    return scalar.text if scalar and scalar.text.strip() else None
