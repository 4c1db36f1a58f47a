"""What the moderator's digest is made of, read from the games folder."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from pbem.clock import read_time
from pbem.clock.bydefault import by_default
from pbem.commands.inbox import DAY, Senders, item_line
from pbem.commands.summary import ASKED
from pbem.games import by_name, find_games, name_fault
from pbem.health import Health, load_health
from pbem.mail.config import OUTBOX
from pbem.mail.inbox import inbox_of
from pbem.mail.ledger import FOLDER, LEDGER
from pbem.mail.outbox import Entry, Outbox
from pbem.mail.rawstore import RawStore
from pbem.mail.seen import Memory, load
from pbem.overview.digestvalues import Bouncing, DamagedGame, Facts, GameFacts, HeldMail, OddLetter
from pbem.overview.facts import Facts as Known
from pbem.overview.facts import who
from pbem.overview.heads import heads
from pbem.overview.index import index_of
from pbem.sound import Damage
from pbem.store import ARCHIVE, GameFolder
from pbem.waiting import has_new_file


def facts_of_all(games: Path, now: datetime) -> Facts:
    """Everything that the digest looks at. Games that are damaged are named, and stop nothing."""
    damaged: list[DamagedGame] = []
    health = _health(games, damaged)
    since = health.digest or now - DAY
    folders = find_games(games)
    known = {} if damaged else _known(games, folders, damaged)
    found = tuple(facts_of(folder, facts) for folder, facts in known.items())
    hidden = {str(folder.path) for folder, facts in known.items() if facts.anonymous}
    facts = Facts(now, since, found, tuple(damaged), last_run=health.last)
    facts = facts._replace(outage=health.outage, moves=_moves(games, folders, since))
    return _with_letters(_with_mails(facts, games), games, folders, hidden)


def _known(
    games: Path, folders: list[GameFolder], damaged: list[DamagedGame]
) -> dict[GameFolder, Known]:
    """What the index knows of the games; those that are damaged are added to `damaged`."""
    found: dict[GameFolder, Known] = {}
    named = by_name(folders)
    with index_of(games) as index:
        for folder in folders:
            try:
                if clash := name_fault(folder, named[folder.path.name.casefold()]):
                    damaged.append(DamagedGame(folder.name, clash))
                else:
                    found[folder] = index.facts(folder)
            except Damage as damage:
                damaged.append(DamagedGame(folder.name, _fault(damage)))
            except Exception as fault:
                what = f"it cannot be read: {type(fault).__name__}"
                damaged.append(DamagedGame(folder.name, what))
    return found


def facts_of(folder: GameFolder, known: Known) -> GameFacts:
    """What the digest has to know of a game."""
    seat, public, timing = known.asked, known.public, known.timing
    if seat is None:
        return GameFacts(known.game, over=True)
    return GameFacts(
        game=known.game,
        who=who(known),
        player=seat.dynasty,
        question=public["question"],
        asks=ASKED.get(public["asks"], public["asks"]),
        since=read_time(public["since"]),
        until=timing.until if timing else None,
        judged=timing.judged if timing else None,
        late=known.late,
        replaceable=known.replaceable,
        paused=known.stopped.since if known.stopped else None,
        unconfirmed=known.unconfirmed,
        deserted=all(each.dynasty in known.dropped for each in known.seats),
        dropped=seat.dynasty in known.dropped,
        reachable=bool(seat.address),
        orders_lie=has_new_file(folder, seat.dynasty),
        bouncing=tuple(_bouncing(known)),
    )


def _health(games: Path, damaged: list[DamagedGame]) -> Health:
    try:
        return load_health(games)
    except Damage as damage:
        damaged.append(DamagedGame("_run", _fault(damage)))
        return Health()


def _fault(damage: Damage) -> str:
    """The first thing that is wrong, with its place; what was read is left out, it is secret."""
    first = damage.problems[0] if damage.problems else None
    line = f", line {first.line}" if first and first.line else ""
    more = f" (and {len(damage.problems) - 1} more)" if len(damage.problems) > 1 else ""
    return f"{damage.path}{line}{more}"


def _bouncing(known: Known) -> Iterator[Bouncing]:
    for seat in known.seats:
        address = (seat.address or "").lower()
        if (bounced := known.bounced.get(address)) is not None:
            shown = "" if known.anonymous else address
            yield Bouncing(known.game, seat.dynasty, shown, bounced.since, bounced.status)


def _moves(games: Path, folders: list[GameFolder], since: datetime) -> int:
    """The decisions that players have made since a time, in finished games too."""
    return sum(moves_since(folder, since) for folder in (*folders, *find_games(games / ARCHIVE)))


def moves_since(folder: GameFolder, since: datetime) -> int:
    """The decisions of the runs of one game after a time, as far back as they can be read."""
    found = 0
    with suppress(Damage, OSError):  # a damaged game is named elsewhere
        for head in heads(folder):
            if head.when <= since:
                break
            found += sum(by_default(each.source) is None for each in head.decisions)
    return found


def _with_mails(facts: Facts, games: Path) -> Facts:
    """What of the mail needs a person."""
    memory: Memory = load(games / FOLDER / LEDGER)
    inbox = inbox_of(memory.latest(), facts.since)
    senders = Senders(games)
    held = tuple(
        HeldMail(item.number, item_line(item, senders), item.broken, item.ends)
        for item in inbox.items
    )
    numbers = RawStore(games / FOLDER / "raw").numbers()
    unjudged = sum(number not in memory for number in numbers)
    arrived = sum(entry.arrival > facts.since for entry in memory.latest()) + unjudged
    return facts._replace(mails=held, unjudged=unjudged, arrived=arrived)


def _with_letters(facts: Facts, games: Path, folders: list[GameFolder], hidden: set[str]) -> Facts:
    """How many letters wait, and which did not go as they should."""
    odd: list[OddLetter] = []
    waiting: list[Entry] = []
    places = [(games / OUTBOX, bool(hidden))]  # answers name mails, and those name seats
    places += [(folder.outbox, str(folder.path) in hidden) for folder in folders]
    for place, hide in places:
        box = Outbox(place)
        lost = (entry for entry in box.lost() if entry.changed > facts.since)
        for entry in (*box.entries(), *lost):
            if entry.state == "waiting":
                waiting.append(entry)
            elif entry.state in ("unsure", "sending", "failed"):
                to = "its reader" if hide else entry.address
                why = "" if hide else entry.why
                unsure = entry.state != "failed"
                odd.append(OddLetter(entry.key, to, unsure, why or entry.state))
    oldest = min((entry.written for entry in waiting), default=None)
    return facts._replace(letters=tuple(odd), waiting=len(waiting), oldest=oldest)
