"""The mails that concern one game, as they came, with what the ledger says of them."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from pbem.clock import read_time
from pbem.disk import read_plain
from pbem.mail.config import Limits
from pbem.mail.headers import parse, read_head
from pbem.mail.intake import MAX_BOUNDARIES
from pbem.mail.parts import contents, tree
from pbem.mail.rawstore import DamagedMail, RawStore
from pbem.mail.reading import read

LARGEST_LEDGER = 1024 * 1024 * 1024
_CLOCKS_DIFFER = timedelta(days=1)
_UNREAD = ("ignore", "duplicate")


class Filed(NamedTuple):
    """A mail with its lines of the ledger; `fault` says why it is not there, if it is not."""

    number: int
    data: bytes
    lines: tuple[str, ...]
    fault: str = ""


def concerning(
    office: Path, number: int, lines: tuple[str, ...], game: str, since: datetime
) -> Filed | None:
    """A mail that is stored in this folder, if it concerns a game; `lines`: its ledger entries.

    It does if it has set orders for the game, or named it and was refused. One that came before
    `since` cannot. What else lies in the folder may hold orders for other games.
    """
    store = RawStore(office / "raw")
    entries = [json.loads(line) for line in lines]
    try:
        if _ordered(entries, game):
            return Filed(number, store.read(number).data, lines)
        if _may_name(entries[-1], since) and _names(data := store.read(number).data, game):
            return Filed(number, data, lines)
    except DamagedMail as fault:
        return Filed(number, b"", lines, str(fault))
    return None


def ledger_lines(office: Path) -> dict[int, tuple[str, ...]]:
    """The lines of the ledger, as they stand, by the number of their mail; torn ones left out."""
    ledger = office / "ledger.jsonl"
    found: dict[int, tuple[str, ...]] = {}
    for line in (read_plain(ledger, LARGEST_LEDGER) or b"").decode("utf-8", "replace").split("\n"):
        try:
            number = int(json.loads(line)["number"])
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
        found[number] = (*found.get(number, ()), line)
    return found


def _ordered(entries: list[dict[str, Any]], game: str) -> bool:
    """Whether the mail has set orders for the game."""
    orders = (order for entry in entries for order in entry.get("orders", ()))
    return any(str(order.get("game")).casefold() == game.casefold() for order in orders)


def _may_name(entry: dict[str, Any], since: datetime) -> bool:
    """Whether a mail that has set nothing is worth a look."""
    if entry.get("orders") or entry.get("outcome") in _UNREAD:
        return False
    try:
        return read_time(str(entry.get("arrival"))) >= since - _CLOCKS_DIFFER
    except ValueError:
        return False


def _names(data: bytes, game: str) -> bool:
    """Whether there are orders for the game in a mail, whatever became of them."""
    limits = Limits()
    if len(data) > limits.mail_bytes or data.count(b"\n--") > MAX_BOUNDARIES:
        return False
    try:
        message = parse(data)
        reading = read(contents(tree(message, limits)), read_head(message).subject)
    except Exception:  # a mail that broke the intake must not break this
        return False
    return any(each.game.casefold() == game.casefold() for each in reading.candidates)
