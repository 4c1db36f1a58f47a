"""The order key of a file, kept out of everything that is written about the file."""

import re

from pbem.problem import Problem

HIDDEN = "???"

_ROW = re.compile(r"""(?P<head>\s*["']?key["']?\s*:\s*)(?P<value>\S.*)?""", re.IGNORECASE)
_INSIDE = re.compile(
    r"""(?P<head>[{,]\s*["']?key["']?\s*:\s*)(?:"[^"]*"|'[^']*'|[^,}\n]*)""", re.IGNORECASE
)


def hide_key(text: str) -> str:
    """The text with `???` in the place of the key, however it is written there."""
    kept: list[str] = []
    hiding: int | None = None
    for row in text.split("\n"):
        indent = len(row) - len(row.lstrip())
        if hiding is not None and (not row.strip() or indent > hiding):
            continue
        found = _ROW.fullmatch(row)
        hiding = indent if found else None
        if found:
            kept.append(f"{found['head'].rstrip()} {HIDDEN}")
        else:
            kept.append(_INSIDE.sub(rf"\g<head>{HIDDEN}", row))
    return "\n".join(kept)


def without_key(problem: Problem) -> Problem:
    """The same problem; the key is not quoted."""
    meant = problem.meant and hide_key(problem.meant)
    return problem._replace(read=hide_key(problem.read), meant=meant)
