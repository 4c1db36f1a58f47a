"""Lines of an order file that YAML would misread: what they mean is plain, but must be asked.

The file is refused for them; the rest is read as if they stood right, so that all faults are
found at once.
"""

import re
from collections.abc import Collection
from itertools import takewhile

from pbem.notation import read_action
from pbem.problem import Problem
from pbem.repair import in_quotes, row_put_right, text_rows

_NO_SPACE = r"\s*(?P<read>[-\u2010-\u2015\u2212](?P<item>[^\W\d_][^-].*))"
_TEXT = re.compile(r"(?:press|note)\s*:\s+(?P<text>\S.*)", re.IGNORECASE)
_NEEDS_QUOTES = r"[*&!@%`{}\[\],?].*|-\s.*|.*:(?:\s.*|)"
_QUOTED = r"""(?:'(?:[^']|'')*'|"(?:[^"\\]|\\.)*")(?:\s+#.*)?"""
_TOP = re.compile(r"(?<!\w)(game|player|turn|actions|answers|question)\s*:", re.IGNORECASE)
_FLAT = 3
_HEAD = re.compile(r"(?P<name>actions|answers)\s*:\s*(?P<bar>[|>]-?)?(?:\s+#.*)?", re.IGNORECASE)
_ITEMS = {
    "answers": re.compile(r"question\s*:", re.IGNORECASE),
    "actions": re.compile(r"(?:tile|leader|withdraw|catastrophe|swap|pass)\s*:", re.IGNORECASE),
}
_NUMBERED = re.compile(r"[0-9]{1,2}\s*[.):]\s*")


def flattened(text: str) -> Problem | None:
    """The refusal of a file whose lines were all joined to one."""
    for number, row in enumerate(text.split("\n"), start=1):
        found = {name.lower() for name in _TOP.findall(row)}
        if len(found) >= _FLAT and not row.lstrip().startswith(("#", "{", "press", "note")):
            message = (
                "several keys stand in one line; each key needs a line of its own. If your mail "
                "program joined the lines, send the orders as an attachment (a text file)"
            )
            return Problem(number, row.strip()[:80], message)
    return None


def straighten(text: str) -> tuple[str, tuple[Problem, ...]]:
    """The text with such lines put right, and a problem for each."""
    rows = text.split("\n")
    inside = text_rows(rows)
    problems: list[Problem] = []
    for problem in _unlisted(rows, inside):
        problems.append(problem)
        index = (problem.line or 1) - 1
        rows[index] = row_put_right(rows[index], problem) or rows[index]
    for index, row in enumerate(rows):
        if index not in inside and (found := re.fullmatch(_NO_SPACE, row.rstrip())):
            meant = f"- {found['item']}"
            message = "a space is missing after the hyphen"
            problems.append(Problem(index + 1, found["read"], message, meant))
            rows[index] = row.replace(found["read"], meant, 1)
        elif inside.get(index) == index and (quoted := _quoted(rows, index)):
            problems.append(quoted._replace(line=index + 1))
            rows[index] = row.replace(quoted.read, quoted.meant or "", 1)
    return "\n".join(rows), tuple(problems)


def _unlisted(rows: list[str], inside: Collection[int]) -> list[Problem]:
    """What the hyphens are missing of, under `actions:` and `answers:`."""
    found: list[Problem] = []
    for index, row in enumerate(rows):
        head = None if index in inside else _HEAD.fullmatch(row.rstrip())
        if head is None:
            continue
        under = [
            number
            for number in range(index + 1, _end_of_block(rows, index + 1))
            if rows[number].strip() and not rows[number].lstrip().startswith("#")
        ]
        name = head["name"].lower()
        more = _keys_without(rows, under, name) if head["bar"] is None else []
        if not more and name == "actions":
            more = _short_without(rows, under)
            if more and head["bar"]:
                message = "write each action in a list, without the sign after actions:"
                read = row.strip()
                more.insert(0, Problem(index + 1, read, message, f"{head['name']}:"))
        found += more
    return found


def _end_of_block(rows: list[str], first: int) -> int:
    """Where the rows end that stand deeper."""
    deeper = takewhile(lambda row: not row.strip() or row[0] in " #", rows[first:])
    return first + len(list(deeper))


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())


def _keys_without(rows: list[str], under: list[int], name: str) -> list[Problem]:
    """The rows that begin an item in the long form, all without a hyphen."""
    if not under or any(rows[number].lstrip().startswith("-") for number in under):
        return []
    deep, heads = _indent(rows[under[0]]), _ITEMS[name]
    first = [n for n in under if _indent(rows[n]) == deep and heads.match(rows[n].lstrip())]
    if deep < len("- ") or first[:1] != under[:1]:
        return []
    message = f"each {name[:-1]} begins with a hyphen and a space"
    reads = [(number, rows[number].strip()) for number in first]
    return [Problem(number + 1, read, message, f"- {read}") for number, read in reads]


def _short_without(rows: list[str], under: list[int]) -> list[Problem]:
    """The rows of actions in the short form, a row each, without hyphens, perhaps numbered."""
    texts = [rows[number].strip() for number in under]
    bare = [_NUMBERED.sub("", text) for text in texts]
    if len(texts) < (1 if bare != texts else 2) or any(text.startswith("-") for text in texts):
        return []
    if any(isinstance(read_action(text), Problem) for text in bare):
        return []
    message = "each action stands in a line of its own that begins with a hyphen and a space"
    return [
        Problem(number + 1, text, message, f"- {action}")
        for number, text, action in zip(under, texts, bare, strict=True)
    ]


def _quoted(rows: list[str], index: int) -> Problem | None:
    found = _TEXT.fullmatch(rows[index].rstrip())
    goes_on = index + 1 < len(rows) and rows[index + 1][:1].isspace()
    if found is None or goes_on:
        return None
    text = found["text"]
    if re.fullmatch(_QUOTED, text) or text[0] in "|>#":
        return None
    if text[0] in "\"'" or re.fullmatch(_NEEDS_QUOTES, text):
        message = "this text holds signs that mean something in the file: it needs quotes round it"
        return Problem(None, text, message, in_quotes(text))
    return None
