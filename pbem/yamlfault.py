"""Why a text is not YAML, in words that help, at the line where the mistake was made."""

import re

import yaml

from pbem.problem import Problem

_PROSE_KEY = r"^\s*(?:- )?[A-Za-z][\w ]*: +(?P<value>[^\s\"'|>].*: .*|\S.*:)\s*$"
_SHORT_ITEM = r"^(?P<indent>\s*)- +[^:#]+(#.*)?$"
_NO_SPACE = r"^\s*(?:- +)?(?P<read>(?P<key>[A-Za-z]\w*):(?P<value>[^\s:/].*))$"
_KEY = r"^\s*(?:- +)?[A-Za-z][\w ]*:(\s|$)"


def explain(fault: yaml.YAMLError, text: str) -> Problem:
    """The problem behind an error of the parser."""
    problem = getattr(fault, "problem", None) or getattr(fault, "reason", None) or ""
    lines = text.split("\n")
    line = min(_mark(fault, "problem_mark") or 1, len(lines))
    context = _mark(fault, "context_mark") or line
    if "maximum nesting depth" in problem:
        return Problem(line, _at(lines, line), "too many nested brackets; write it flatter")
    if "mapping values" in problem:
        return _second_colon(lines, line)
    if "expected ':'" in problem:
        return _no_colon(lines, min(context, len(lines)))
    if "end of stream" in problem or "document indicator" in problem:
        message = "a quote that is opened here is never closed"
        return Problem(context, _at(lines, context), message)
    if "cannot start any token" in problem or "alphabetic or numeric" in problem:
        return _bad_start(lines, line, fault)
    return _other(lines, line, context, problem)


def _mark(fault: yaml.YAMLError, name: str) -> int | None:
    mark = getattr(fault, name, None)
    return None if mark is None else mark.line + 1


def _at(lines: list[str], line: int) -> str:
    return lines[line - 1].strip()[:80] if line <= len(lines) else ""


def _before(lines: list[str], line: int) -> int | None:
    """The last line above that holds more than blanks."""
    return next((n for n in range(line - 1, 0, -1) if lines[n - 1].strip()), None)


def missing_space(line: int, found: re.Match[str]) -> Problem:
    """A colon without a space: `key:value`."""
    meant = f"{found['key']}: {found['value']}"
    return Problem(line, found["read"], "a space is missing after the colon", meant)


def _second_colon(lines: list[str], line: int) -> Problem:
    above = _before(lines, line)
    if above and (found := re.match(_NO_SPACE, lines[above - 1].rstrip())):
        return missing_space(above, found)
    if above and (item := re.match(_SHORT_ITEM, lines[above - 1])):
        deeper = len(lines[line - 1]) - len(lines[line - 1].lstrip()) > len(item["indent"])
        if deeper and re.match(_KEY, lines[line - 1]):
            message = (
                "this key belongs to nothing: an order in the short form takes no further keys. "
                f"Write the order of line {above} in the long form"
            )
            return Problem(line, _at(lines, line), message)
    if found := re.match(_PROSE_KEY, lines[line - 1]):
        message = "write each key on a line of its own, or put a text that holds a colon in quotes"
        return Problem(line, found["value"].strip(), message)
    if (
        above
        and not re.match(_KEY, lines[above - 1])
        and not lines[above - 1].lstrip().startswith("#")
    ):
        return _no_colon(lines, above)
    message = "a key is not expected here; look at the indentation and the line above"
    return Problem(line, _at(lines, line), message)


def _no_colon(lines: list[str], line: int) -> Problem:
    if found := re.match(_NO_SPACE, lines[line - 1].rstrip()):
        return missing_space(line, found)
    message = "this line is neither `key: value` nor a list item `- value`"
    above = _before(lines, line)
    if above and "#" in lines[above - 1]:
        message += f"; if it continues the comment of line {above}, begin it with #"
    return Problem(line, _at(lines, line), message)


def _bad_start(lines: list[str], line: int, fault: yaml.YAMLError) -> Problem:
    row = lines[line - 1]
    column = getattr(getattr(fault, "problem_mark", None), "column", 0)
    if "\t" in row[: len(row) - len(row.lstrip())]:
        return Problem(line, _at(lines, line), "a tab in the indentation; use spaces")
    signs = [
        s for s in (row[max(column - 1, 0) : column], row[column : column + 1]) if s in "&*@`%"
    ]
    message = f"a value cannot begin with {(signs or ['this sign'])[0]}; put it in quotes"
    return Problem(line, _at(lines, line), message)


def _other(lines: list[str], line: int, context: int, problem: str) -> Problem:
    row = lines[line - 1]
    if re.match(r"\s*-[^\s-]", row):
        return Problem(line, row.strip(), "a space is missing after the hyphen of the list")
    if "',' or" in problem:
        message = "a bracket that is opened here is not closed, or a comma is missing"
        return Problem(context, _at(lines, context), message)
    if (
        "document start" in problem
        or "block" in problem
        or "indicator" in problem
        or "expected key" in problem
    ):
        message = "the indentation of this line does not fit the lines above"
        return Problem(line, _at(lines, line), message)
    return Problem(line, _at(lines, line), f"this cannot be read: {problem or 'not YAML'}")
