"""Whether mail flows: what waits to be judged, what is held, what waits to leave."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from pbem import disk
from pbem.clock.short import about, minute
from pbem.counted import counted
from pbem.mail.config import MailConfig
from pbem.mail.dispatch import outboxes
from pbem.mail.ledger import FOLDER, ledger_of
from pbem.mail.outbox import Entry, Outbox
from pbem.mail.rawstore import RawStore
from pbem.overview.checkup import Finding

JUDGED_WITHIN = timedelta(hours=1)
SENT_WITHIN = timedelta(days=1)


class Incoming(NamedTuple):
    """The mails that were stored. `waiting`: since when the oldest waits that was not judged."""

    stored: int
    unjudged: int
    waiting: datetime | None
    held: int
    newest: datetime | None


def incoming(games: Path) -> Incoming:
    """What lies in `_mail`."""
    store = RawStore(games / FOLDER / "raw")
    outcomes = _outcomes(ledger_of(games))
    numbers = store.numbers()
    waiting = [number for number in numbers if number not in outcomes]
    held = sum(outcome == "hold" for outcome in outcomes.values())
    return Incoming(
        len(numbers),
        len(waiting),
        store.arrival(waiting[0]) if waiting else None,
        held,
        store.arrival(numbers[-1]) if numbers else None,
    )


def of_incoming(found: Incoming, now: datetime) -> Iterator[Finding]:
    """Whether mails are judged, and how many are held."""
    if found.waiting is None:
        yield Finding(True, "mail in", f"{found.stored} stored, all judged")
    else:
        since = f"{found.unjudged} not judged, the oldest since {minute(found.waiting)}"
        well = now - found.waiting <= JUDGED_WITHIN
        yield Finding(well, "mail in", since if well else f"{since} UTC: call `pbem mail in`")
    held = f"{found.held}; `pbem inbox` shows them" if found.held else "none"
    yield Finding(True, "held mails", held)


def of_outgoing(games: Path, folders: list[Path], config: MailConfig, now: datetime) -> Finding:
    """Whether letters leave. Where they stay as files nothing is wrong with one that waits."""
    boxes = outboxes(games, folders)
    failed = sum(1 for box in boxes for _ in box.lost())
    if config.outgoing.way == "folder":
        waiting = sum(len(_names(box)) for box in boxes)
        return Finding(
            True, "mail out", f"{counted(waiting, 'letter')}, kept as files in the outboxes"
        )
    entries = [entry for box in boxes if _names(box) for entry in box.entries()]
    damaged = [each.path for box in boxes for each in box.damaged]
    wrong = [*_late(entries, now), *_in_doubt(entries)]
    wrong += [f"{path} cannot be read: mend or remove it" for path in damaged]
    if failed:
        wrong.append(
            f"{failed} could not be sent: see the folders outbox/failed, remove what is dealt with"
        )
    waiting = sum(entry.state == "waiting" for entry in entries)
    return Finding(
        not wrong, "mail out", "; ".join([counted(waiting, "letter waits", "letters wait"), *wrong])
    )


def _late(entries: list[Entry], now: datetime) -> Iterator[str]:
    oldest = min((e.written for e in entries if e.state == "waiting"), default=now)
    if now - oldest > SENT_WITHIN:
        yield f"the oldest for {about(now - oldest)}: `pbem mail doctor` says why"


def _in_doubt(entries: list[Entry]) -> Iterator[str]:
    doubtful = [entry for entry in entries if entry.state in ("unsure", "sending")]
    if doubtful:
        key = doubtful[0].key
        yield f"{len(doubtful)} in doubt: `pbem mail out --sent {key}`, or --again"


def _names(box: Outbox) -> list[str]:
    return [n for n in disk.names_in(box.folder) if n.endswith(".yaml") and n[0] != "."]


def _outcomes(ledger: bytes) -> dict[int, str]:
    """What became of each mail."""
    found: dict[int, str] = {}
    for line in ledger.split(b"\n"):
        try:
            entry = json.loads(line)
            found[int(entry["number"])] = str(entry["outcome"])
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    return found
