"""`pbem inbox`: the mails that need a person; `show`: one mail whole; `done`: notices put away."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.clock import now, read_time, write_time
from pbem.counted import counted
from pbem.disk import names_in
from pbem.health import load_health
from pbem.language import when
from pbem.mail.directory import Directory
from pbem.mail.inbox import HELD, Inbox, Item, inbox_of
from pbem.mail.ledger import FOLDER, LEDGER, NOTICES
from pbem.mail.rawstore import RawStore
from pbem.mail.seen import Memory, load
from pbem.outcome import REFUSED, Outcome, Settings
from pbem.sound import Damage

MOST = 20
DAY = timedelta(days=1)
_NOTICE = ".txt"


def inbox(settings: Settings, since: str | None) -> Outcome:
    """List the mails that wait for the moderator, and count the others."""
    outcome = Outcome()
    start = _start(settings.games, since, outcome)
    if start is None:
        return outcome
    memory = load(settings.games / FOLDER / LEDGER)
    found = inbox_of(memory.latest(), start)
    outcome.say(head_line(found))
    shown = Senders(settings.games)
    for item in found.items:
        outcome.say(item_line(item, shown), f"    {how_it_ends(item)}")
    unjudged = [n for n in RawStore(settings.games / FOLDER / "raw").numbers() if n not in memory]
    if unjudged:
        mails = counted(len(unjudged), "mail is", "mails are")
        outcome.say(f"{mails} stored and not judged yet: pbem mail in")
    notices = notices_to_read(settings.games, memory)
    if notices:
        outcome.say(_notices_line(notices))
    outcome.games.append(_data(found, shown, unjudged, notices))
    return outcome


def done(settings: Settings, numbers: list[int], *, every: bool) -> Outcome:
    """Put away the notices of these mails; those of mails that are held stay."""
    outcome = Outcome()
    memory = load(settings.games / FOLDER / LEDGER)
    there = notices_to_read(settings.games, memory)
    if every == bool(numbers):
        outcome.misuse("name the mails whose notices are dealt with, or say --all")
        return outcome
    for number in there if every else numbers:
        entry = memory.entry(number)
        if entry is not None and entry.outcome == HELD:
            message = f"mail {number} is held; release or refuse it: pbem inbox show {number}"
            outcome.complain(REFUSED, message, mail=number, kind=HELD)
        elif number not in there:
            outcome.misuse(f"there is no notice of mail {number}", mail=number)
        else:
            _path(settings.games, number).unlink(missing_ok=True)
            outcome.say(f"the notice of mail {number} is put away; the mail itself stays")
    return outcome


def notices_to_read(games: Path, memory: Memory) -> list[int]:
    """The mails with a notice that asks for no decision: bounces, automatic replies, .."""
    names = [name for name in names_in(games / FOLDER / NOTICES) if name.endswith(_NOTICE)]
    stems = sorted(int(name.removesuffix(_NOTICE)) for name in names if name[:-4].isdecimal())
    entries = ((number, memory.entry(number)) for number in stems)
    return [number for number, entry in entries if entry is None or entry.outcome != HELD]


class Senders:
    """How the sender of a held mail is named to a moderator who may play: in an anonymous game
    his address tells nobody who plays there."""

    def __init__(self, games: Path) -> None:
        self._directory = Directory(games)

    def name(self, item: Item) -> str:
        """The sender of a mail and whether it is proven that it is him."""
        sure = "proven" if item.proven else "not proven"
        return f"{self._address(item) or 'nobody that can be read'} ({sure})"

    def _address(self, item: Item) -> str:
        for each in item.seats:
            try:
                folder = self._directory.folder(each.game)
                if folder is None or not folder.load_file().policies.anonymous:
                    continue
                seats = self._directory.seats(each.game)
            except Damage:
                return "an address that is not shown: a file of its game is damaged"
            own = next((s.address for s in seats if s.player == each.player), None)
            same = (own or "").lower() == item.sender.lower()
            return "the address on file" if same else "another address than that on file"
        return item.sender


def head_line(found: Inbox) -> str:
    """How many mails became what."""
    counts, since = found.counts, found.since
    parts = [
        f"{counts['accepted']} accepted",
        f"{counts['refused']} refused (answered)",
        f"{counts['held']} held",
        f"{counts['robots']} robots",
        *([f"{counts['repeated']} repeated"] if counts["repeated"] else []),
        f"{counts['broken']} broken",
    ]
    return f"since {when(since)}: {', '.join(parts)}" if since else ", ".join(parts)


def item_line(item: Item, senders: Senders) -> str:
    """A mail that is held, in one line."""
    seats = ", ".join(f"{each.game} {each.player}" for each in item.seats)
    of = f", for {seats}" if seats else ""
    return f"{item.number}: {when(item.arrival)}, from {senders.name(item)}{of}: {item.why}"


def how_it_ends(item: Item) -> str:
    """The commands that end a mail."""
    return f"pbem inbox show {item.number}; then {' or '.join(item.ends)}"


def _start(games: Path, since: str | None, outcome: Outcome) -> datetime | None:
    """Since when mails are counted: a time that was named, else the last digest, else a day."""
    if since is None:
        try:
            return load_health(games).digest or now() - DAY
        except Damage as damage:
            outcome.damage("run", damage.path, damage.problems)
            return now() - DAY
    try:
        return read_time(since)
    except ValueError:
        outcome.misuse(f"--since: `{since}` should be a time such as 2026-03-01T12:30:00Z")
        return None


def _path(games: Path, number: int) -> Path:
    return games / FOLDER / NOTICES / f"{number:06}{_NOTICE}"


def _notices_line(notices: list[int]) -> str:
    named = ", ".join(map(str, notices[:MOST])) + (", .." if len(notices) > MOST else "")
    of = counted(len(notices), "notice asks", "notices ask")
    return (
        f"{of} for no decision (of mail {named}): pbem inbox show NUMBER; "
        "then pbem inbox done NUMBER, or --all"
    )


def _data(
    found: Inbox, senders: Senders, unjudged: Iterable[int], notices: Iterable[int]
) -> dict[str, Any]:
    return {
        "since": write_time(found.since) if found.since else None,
        "counts": found.counts,
        "mails": [
            {"mail": item.number, "arrival": write_time(item.arrival),
             "from": senders.name(item), "proven": item.proven,
             "seats": [{"game": s.game, "player": s.player} for s in item.seats],
             "why": item.why, "broken": item.broken, "ends": list(item.ends)}
            for item in found.items
        ],
        "unjudged": list(unjudged),
        "notices": list(notices),
    }  # fmt: skip
