"""Tables of text for a screen: columns side by side, as wide as they have to be."""

from collections.abc import Sequence

from pbem.lines import columns

GAP = "  "


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table. The last column is not filled up, so that it may be long.

    A column in which nothing stands is left out, and so are its words in the head.
    """
    used = [i for i in range(len(head)) if any(row[i] for row in rows)]
    every = [[row[i] for i in used] for row in (head, *rows)]
    wide = [max(columns(row[i]) for row in every) for i in range(len(used))]
    return [_line(row, wide) for row in every]


def _line(cells: Sequence[str], wide: Sequence[int]) -> str:
    filled = (cell + " " * (room - columns(cell)) for cell, room in zip(cells, wide, strict=True))
    return GAP.join(filled).rstrip()


def clipped(text: str, room: int) -> str:
    """The text, cut if it takes more columns than there are."""
    if columns(text) <= room:
        return text
    while columns(text) > room - 2:
        text = text[:-1]
    return text.rstrip() + ".."
