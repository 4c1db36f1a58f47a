"""The words of an order file as its writer put them, for messages."""

import re

from pbem.notation import write_order
from pbem.orderitems import ActionItem

_LONG = re.compile(r"(tile|leader|withdraw|catastrophe|swap|pass)\s*:", re.IGNORECASE)
_MORE = re.compile(r"(at|from)\s*:", re.IGNORECASE)


def as_written(item: ActionItem, text: str) -> str:
    """An action as it stands in the file: `tile: red, at: F4`; one of several in a line as read."""
    rows = text.split("\n")
    row = rows[item.line - 1] if item.line <= len(rows) else ""
    first = row.strip().removeprefix("-").strip()
    if not _LONG.match(first):
        return (
            first if row.lstrip().startswith("- ") and "," not in row else write_order(item.order)
        )
    words = [first]
    for more in rows[item.line :]:
        if not more.startswith(" ") or more.lstrip().startswith("-"):
            break
        if _MORE.match(more.strip()):
            words.append(more.strip())
    return ", ".join(words)
