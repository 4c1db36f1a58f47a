"""What the moderator says to all: which texts will do, and which reports tell them."""

from collections.abc import Iterable, Sequence

from pbem.deskfile import Ruling
from pbem.fields import FORBIDDEN
from pbem.record import Record

LONGEST_SAYING = 2000


def saying_fault(text: str) -> str | None:
    """Why a text cannot be told to all; None if it can."""
    if not text.strip():
        return "there is no text; write what all players are to read"
    if len(text) > LONGEST_SAYING:
        return f"the text has {len(text)} characters; at most {LONGEST_SAYING} are told"
    if found := FORBIDDEN.search(text):
        return f"the text holds the control character U+{ord(found[0]):04X}; take it out"
    return None


def rulings_told(
    rulings: Iterable[Ruling], records: Sequence[Record], run: int
) -> tuple[Ruling, ...]:
    """Those that the report of a run tells: what was said since its reader heard last.

    `records` are the runs that he is told, oldest first. A ruling is told with the runs after
    the one that was the newest then, whatever an undo takes back later.
    """
    first = records[0].run - 1
    return tuple(ruling for ruling in rulings if first <= ruling.run < run)
