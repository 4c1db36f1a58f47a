"""How many letters went to each domain in the last hour: for the limits of providers.

Losing the file does no harm: then a few letters more may go.
"""

from datetime import datetime, timedelta
from pathlib import Path

from pbem import disk
from pbem.clock import write_time
from pbem.fields import read_fields, scalar
from pbem.versions import RULES, SCHEMA, read_versions

HOUR = timedelta(hours=1)
_LARGEST = 1024 * 1024


class Pace:
    """Counts letters by domain. `limit` 0: no limit, nothing is counted."""

    def __init__(self, path: Path, limit: int, now: datetime) -> None:
        self._path = path
        self._limit = limit
        self._sent = _read(path, now) if limit else []
        self._begun: dict[str, int] = {}
        self._now = now

    def allows(self, address: str) -> bool:
        """Whether one more letter may go to this address now."""
        domain = _domain(address)
        sent = sum(number for _, where, number in self._sent if where == domain)
        return not self._limit or sent + self._begun.get(domain, 0) < self._limit

    def count(self, address: str) -> None:
        """One more letter went."""
        domain = _domain(address)
        self._begun[domain] = self._begun.get(domain, 0) + 1

    def save(self) -> None:
        """Remember it for the next run."""
        if not self._limit or not self._begun:
            return
        lines = [f"schema: {SCHEMA}", f"rules: {RULES}", "sent:"]
        now = [(self._now, where, number) for where, number in self._begun.items()]
        for when, where, number in (*self._sent, *now):
            lines.append(
                f"  - {{at: {scalar(write_time(when))}, domain: {scalar(where)}, number: {number}}}"
            )
        self._path.parent.mkdir(mode=disk.FOLDER_OWNER_ONLY, parents=True, exist_ok=True)
        disk.write_over(self._path, ("\n".join(lines) + "\n").encode())


def _read(path: Path, now: datetime) -> list[tuple[datetime, str, int]]:
    """What went in the last hour; nothing if the file cannot be read."""
    data = disk.read_plain(path, _LARGEST)
    fields, faults = read_fields(data or b"")
    if data is None or fields is None or not read_versions(fields):
        return []
    found = [
        (each.time("at"), each.text("domain"), each.number("number"))
        for each in fields.children("sent")
    ]
    return [] if faults.problems else [each for each in found if now - HOUR < each[0] <= now]


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()
