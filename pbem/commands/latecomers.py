"""`pbem status --late`: who is late, since when, and what may be the reason."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from pbem import disk
from pbem.clock import now, write_time
from pbem.clock.bydefault import is_own
from pbem.clock.short import minute
from pbem.commands.guard import guarded
from pbem.mail.ledger import ledger_of
from pbem.mail.letters import dotless
from pbem.mail.seen import Entry, read_entry
from pbem.outcome import Outcome, Settings
from pbem.overview.facts import Facts, Sitting, who
from pbem.overview.heads import heads
from pbem.store import GameFolder
from pbem.texttable import clipped, table

_HEAD = ("GAME", "SEAT", "QUESTION", "LATE SINCE (UTC)", "REMINDED", "LAST SIGN OF LIFE", "REMARKS")
_WRITTEN = re.compile(rb"^written: *(\S+)", re.MULTILINE)
_UNPROVEN = {"unproven", "unproven_request"}
_WHO = 24


class Late(NamedTuple):
    """Who is late. `sign`: his last decision or mail. `robot`: his last mail was an auto-reply,
    when it came."""

    facts: Facts
    seat: Sitting
    since: datetime
    reminders: int
    sign: datetime | None
    robot: datetime | None


def tell_late(
    outcome: Outcome,
    settings: Settings,
    found: Iterable[tuple[GameFolder, Facts]],
    moment: datetime,
    mine: str | None = None,
) -> None:
    """Say who is late; the one who has been late for longest comes first."""
    ledger = ledger_of(settings.games)
    late = []
    for folder, facts in found:
        asked, since = facts.asked, facts.late_since(moment)
        if asked and since and (mine is None or asked.dynasty in facts.seats_of(mine)):
            with guarded(outcome, folder):
                late.append(_look(folder, facts, asked, since, ledger))
    late.sort(key=lambda each: each.since)
    outcome.games += [_as_data(each) for each in late]
    if late:
        outcome.say(*table(_HEAD, [_row(each) for each in late]))
    else:
        outcome.say("nobody is late")


def _look(folder: GameFolder, facts: Facts, seat: Sitting, since: datetime, ledger: bytes) -> Late:
    asked_since = facts.timing.since if facts.timing else since
    mails = _mails_of(ledger, seat.address) if seat.address else []
    human = next((each.arrival for each in mails if _is_his(each)), None)
    robot = next((each.arrival for each in mails if each.outcome == "ignore"), None)
    signs = [when for when in (human, _last_decision(folder, seat)) if when]
    reminders = _reminders(folder, facts.game, seat, asked_since)
    return Late(facts, seat, since, reminders, max(signs, default=None), robot)


def _last_decision(folder: GameFolder, seat: Sitting) -> datetime | None:
    """When the player of a seat decided something himself."""
    for head in heads(folder):
        for each in reversed(head.decisions):
            if each.player == seat.dynasty and is_own(each.source):
                return each.when
    return None


def _mails_of(ledger: bytes, address: str) -> list[Entry]:
    """The mails of an address back to the last one of its own, newest first."""
    mark = f':{address.lower()}"'.encode()
    text, found = ledger.lower(), list[Entry]()
    at = text.rfind(mark)
    while at >= 0:
        first, last = ledger.rfind(b"\n", 0, at) + 1, ledger.find(b"\n", at)
        entry = read_entry(ledger[first : last if last >= 0 else None].decode("utf-8", "replace"))
        if entry is not None and entry.identity.lower().endswith(mark[:-1].decode()):
            found.append(entry)
            if _is_his(entry):
                return found
        at = text.rfind(mark, 0, first)
    return found


def _is_his(mail: Entry) -> bool:
    """Whether a person wrote it who is proven, where that matters."""
    return mail.outcome != "ignore" and _UNPROVEN.isdisjoint(mail.why)


def _reminders(folder: GameFolder, game: str, seat: Sitting, since: datetime) -> int:
    """How many reminders of the open question were written, sent or not."""
    box, end = folder.outbox, f"-{seat.dynasty}.{dotless(game)}.yaml"
    places = [place / name for place in (box, box / "sent") for name in disk.names_in(place)
              if name.startswith("reminder") and name.endswith(end)]  # fmt: skip
    return sum(_written(place) >= write_time(since) for place in places)


def _written(path: Path) -> str:
    found = _WRITTEN.search(disk.read_plain(path, 4096) or b"")
    return found[1].decode("ascii", "replace") if found else ""


def _row(late: Late) -> Sequence[str]:
    facts = late.facts
    return (
        facts.game,
        clipped(who(facts), _WHO),
        f"{facts.public['question']} {facts.public['asks']}",
        minute(late.since),
        str(late.reminders),
        minute(late.sign) if late.sign else "none",
        "; ".join(_reasons(late)),
    )


def _reasons(late: Late) -> list[str]:
    """What may be why he does not answer."""
    found, facts = list[str](), late.facts
    if back := facts.coming_back().get(late.seat.dynasty):
        code = f" ({back.status})" if back.status else ""
        found.append(f"letters come back since {minute(back.since)}{code}")
    if late.robot:
        found.append(f"auto-reply {minute(late.robot)}")
    if not late.seat.address:
        found.append("no address")
    ahead = (days for days in facts.away.get(late.seat.dynasty, ()) if days.last >= now().date())
    return found + [f"away {days}" for days in ahead]


def _as_data(late: Late) -> dict[str, Any]:
    facts = late.facts
    return {
        **facts.public,
        "late_since": write_time(late.since),
        "judged": write_time(facts.timing.judged) if facts.timing and facts.timing.judged else None,
        "reminders": late.reminders,
        "last_sign": write_time(late.sign) if late.sign else None,
        "auto_reply": write_time(late.robot) if late.robot else None,
        "reasons": _reasons(late),
    }
