"""What was refused or held, counted by why: it tells which players need a word of help.

Mails are counted by the codes in the ledger, order files of a folder by what became of them.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from pbem import disk
from pbem.mail.ledger import ledger_of
from pbem.store import GameFolder

_COUNTED = ("reject", "refused", "hold")
_NO_CODE = "other"
_REFUSED = re.compile(rb"^fate: refused$", re.MULTILINE)
_WHEN = re.compile(rb"^when: ([0-9-]{10})T", re.MULTILINE)
_ENOUGH = 512


def refused_mails(games: Path, since: date | None = None) -> Counter[str]:
    """How many mails were refused or held, by code; a mail counts once for each of its codes."""
    newest: dict[int, tuple[str, ...]] = {}
    data = ledger_of(games)
    for line in data.split(b"\n"):
        if found := _codes(line, since):
            number, codes = found
            newest[number] = codes
    return Counter(code for codes in newest.values() for code in codes)


def _codes(line: bytes, since: date | None) -> tuple[int, tuple[str, ...]] | None:
    """The mail of a line and why it was not taken; no codes if it was. None: no line for us."""
    try:
        entry = json.loads(line) if line else {}
        day = date.fromisoformat(entry["arrival"][:10])
        if since is not None and day < since:
            return None
        if entry["outcome"] not in _COUNTED:
            return int(entry["number"]), ()
        codes = tuple(sorted({str(code) for code in entry.get("why") or ()}))
        return int(entry["number"]), codes or (_NO_CODE,)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def refused_files(folders: Iterable[GameFolder], since: date | None = None) -> int:
    """How many order files were refused by `turn`."""
    found = 0
    for folder in folders:
        place = folder.path / "answers"
        for name in disk.names_in(place):
            head = disk.read_plain(place / name, _ENOUGH) or b""
            when = _WHEN.search(head)
            if _REFUSED.search(head) and (
                since is None or (when and when[1].decode() >= str(since))
            ):
                found += 1
    return found
