"""Lines of an order file that YAML would misread: what they mean is plain, but must be asked.

The file is refused for them; the rest is read as if they stood right, so that all faults are
found at once.
"""

import re

from pbem.problem import Problem
from pbem.repair import in_quotes, text_rows

_NO_SPACE = r"\s*(?P<read>[-\u2010-\u2015\u2212](?P<item>[^\W\d_][^-].*))"
_TEXT = re.compile(r"(?:press|note)\s*:\s+(?P<text>\S.*)", re.IGNORECASE)
_NEEDS_QUOTES = r"[*&!@%`{}\[\],?].*|-\s.*|.*:(?:\s.*|)"
_QUOTED = r"""(?:'(?:[^']|'')*'|"(?:[^"\\]|\\.)*")(?:\s+#.*)?"""
_TOP = re.compile(r"(?<!\w)(game|player|turn|actions|answers|question)\s*:", re.IGNORECASE)
_FLAT = 3


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
