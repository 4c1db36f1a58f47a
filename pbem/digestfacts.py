"""What the moderator's digest is made of, read from the games folder."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from engine.pieces import Dynasty
from pbem import disk
from pbem.chronicle import Chronicle
from pbem.clock import read_time
from pbem.commands.inbox import DAY, Senders, item_line
from pbem.commands.summary import ASKED, summary
from pbem.confirmations import unconfirmed
from pbem.deadline import deadline_of
from pbem.digestvalues import Bouncing, DamagedGame, Facts, GameFacts, HeldMail, OddLetter
from pbem.games import by_name, find_games, name_fault
from pbem.health import Health, load_health
from pbem.mail.inbox import inbox_of
from pbem.mail.office import FOLDER, LEDGER
from pbem.mail.outbox import Entry, Outbox
from pbem.mail.rawstore import RawStore
from pbem.mail.seen import Memory, load
from pbem.seating import person_of
from pbem.sound import Damage
from pbem.store import ARCHIVE, Game, GameFolder

OUTBOX = "_outbox"
_HEAD_ENDS = b"\nstate:"
_WHEN = re.compile(rb"^when: (\S+)$", re.MULTILINE)
_QUESTION = re.compile(rb"^  - question: ", re.MULTILINE)
_BY_ITSELF = re.compile(rb"^    source: (?:deadline|dropped)$", re.MULTILINE)
_LARGEST_STATE = 1024 * 1024


def facts_of_all(games: Path, now: datetime) -> Facts:
    """Everything that the digest looks at. Games that are damaged are named, and stop nothing."""
    damaged: list[DamagedGame] = []
    health = _health(games, damaged)
    since = health.digest or now - DAY
    found: list[GameFacts] = []
    hidden: set[str] = set()
    folders = find_games(games)
    named = by_name(folders)
    for folder in folders:
        try:
            if clash := name_fault(folder, named[folder.path.name.casefold()]):
                damaged.append(DamagedGame(folder.name, clash))
                continue
            game = folder.load()
            found.append(facts_of(folder, game, Chronicle(folder, game.record)))
            if game.file.policies.anonymous:
                hidden.add(str(folder.path))
        except Damage as damage:
            damaged.append(DamagedGame(folder.name, _fault(damage)))
        except Exception as fault:
            damaged.append(DamagedGame(folder.name, f"it cannot be read: {type(fault).__name__}"))
    facts = Facts(now, since, tuple(found), tuple(damaged), last_run=health.last)
    facts = facts._replace(outage=health.outage, moves=_moves(games, folders, since))
    return _with_letters(_with_mails(facts, games), games, folders, hidden)


def facts_of(folder: GameFolder, game: Game, chronicle: Chronicle) -> GameFacts:
    """What the digest has to know of a game."""
    told = summary(game, chronicle)
    player: Dynasty | None = told["waiting_for"]
    if player is None:
        return GameFacts(told["game"], over=True)
    policies, desk, seat = game.file.policies, game.desk, game.file.seat(player)
    deadline = deadline_of(game, chronicle)
    stand_in = policies.stand_in
    return GameFacts(
        game=told["game"],
        who=player if policies.anonymous else f"{player} ({seat.name})",
        player=player,
        question=told["question"],
        asks=ASKED.get(told["asks"], told["asks"]),
        since=read_time(told["since"]),
        until=deadline.until if deadline else None,
        judged=deadline.judged if deadline else None,
        late=policies.late,
        replaceable=stand_in is not None and stand_in != person_of(seat),
        paused=next((stop.since for stop in desk.pauses if stop.until is None), None),
        unconfirmed=unconfirmed(game),
        deserted=all(each in desk.dropped for each in game.file.players),
        dropped=player in desk.dropped,
        reachable=bool(seat.address),
        orders_lie=(folder.inbox / f"{player}.yaml").exists(),
        bouncing=tuple(_bouncing(game)),
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


def _bouncing(game: Game) -> Iterator[Bouncing]:
    hidden = game.file.policies.anonymous
    for seat in game.file.seats:
        address = (seat.address or "").lower()
        if (bounced := game.desk.bounced.get(address)) is not None:
            shown = "" if hidden else address
            yield Bouncing(game.file.game, seat.dynasty, shown, bounced.since, bounced.status)


def _moves(games: Path, folders: list[GameFolder], since: datetime) -> int:
    """The decisions that players have made since a time, in finished games too."""
    archive = games / ARCHIVE
    archived = [archive / name for name in disk.names_in(archive) if not name.startswith(".")]
    return sum(moves_since(path / "history", since) for path in
               (*(folder.path for folder in folders), *archived))  # fmt: skip


def moves_since(history: Path, since: datetime) -> int:
    """The decisions of the runs of one game after a time; only the heads of files are read."""
    found = 0
    for name in sorted(disk.names_in(history), key=lambda name: (len(name), name), reverse=True):
        if name.startswith("."):
            continue
        head = (disk.read_plain(history / name, _LARGEST_STATE) or b"").partition(_HEAD_ENDS)[0]
        told = _WHEN.search(head)
        try:
            when = read_time(told[1].decode()) if told else since
        except ValueError:
            continue
        if when <= since:
            break
        found += len(_QUESTION.findall(head)) - len(_BY_ITSELF.findall(head))
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
