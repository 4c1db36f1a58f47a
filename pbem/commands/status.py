"""`pbem status`: whose move it is, which question, since when, until when; who is late.

One game is told in a sentence, more than one as a table.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pbem.clock import now, read_time, write_time
from pbem.clock.short import minute
from pbem.commands.guard import chosen, every, guarded
from pbem.commands.summary import sentence
from pbem.counted import counted
from pbem.disk import names_in
from pbem.mail.ledger import FOLDER, NOTICES
from pbem.outcome import DONE, Outcome, Settings
from pbem.overview.facts import Facts, who
from pbem.overview.index import index_of
from pbem.overview.remarks import remarks
from pbem.progress import progress
from pbem.sound import Damage
from pbem.store import GameFolder
from pbem.texttable import clipped, table

_WHO = 24
_HEAD = ("GAME", "YOURS", "WAITS FOR", "QUESTION", "SINCE", "DEADLINE (UTC)", "REMARKS")


class Filter(NamedTuple):
    """Which games are shown. `mine`: an address that sits in them; `rebuild`: load them all."""

    late: bool = False
    mine: str | None = None
    rebuild: bool = False


ALL = Filter()


def status(settings: Settings, names: list[str], wanted: Filter = ALL) -> Outcome:
    """Where the games stand that are named, or all of them."""
    outcome = Outcome()
    folders = chosen(settings, names, outcome) if names else every(settings, outcome)
    found = [each for each in _looked_up(settings, folders, outcome, wanted) if _fits(each, wanted)]
    if wanted.late:
        from pbem.commands.latecomers import tell_late

        tell_late(outcome, settings, found, now(), wanted.mine)
    else:
        _tell(outcome, [facts for _, facts in found], wanted, alone=len(folders) == 1)
    if not names and not folders and outcome.code == DONE:
        outcome.say(f"there are no games in {settings.games}; `pbem new` makes one")
    if not wanted.late and not wanted.mine:
        _notices(outcome, settings)
    return outcome


def _looked_up(
    settings: Settings, folders: list[GameFolder], outcome: Outcome, wanted: Filter
) -> Iterator[tuple[GameFolder, Facts]]:
    """The facts of the games; those that are damaged are named."""
    try:
        with index_of(settings.games, rebuild=wanted.rebuild) as index:
            for folder in progress(settings, folders, "games"):
                with guarded(outcome, folder):
                    yield folder, index.facts(folder)
    except Damage as damage:
        outcome.damage("outages", damage.path, damage.problems)


def _fits(found: tuple[GameFolder, Facts], wanted: Filter) -> bool:
    facts = found[1]
    late = not wanted.late or facts.late_since(now()) is not None
    return late and (wanted.mine is None or bool(facts.seats_of(wanted.mine)))


def _tell(outcome: Outcome, found: list[Facts], wanted: Filter, *, alone: bool) -> None:
    moment = now()
    outcome.games += [as_data(facts, moment, wanted.mine) for facts in found]
    if alone and found and not wanted.mine:
        outcome.say(*_in_words(found[0], moment))
    elif found:
        outcome.say(*table(_HEAD, [_row(facts, moment, wanted.mine) for facts in found]))
        outcome.say("", _count(found, moment))
    elif wanted.mine:
        outcome.say(f"{wanted.mine} sits in no game")


def as_data(facts: Facts, moment: datetime, mine: str | None = None) -> dict[str, Any]:
    """The facts for --json; in an anonymous game nothing tells who sits where."""
    timing, late = facts.timing, facts.late_since(moment)
    hidden = facts.anonymous
    return {
        **facts.public,
        "bounced": [] if hidden else sorted(facts.bounced),
        "bounced_seats": list(facts.coming_back()),
        "last_run": write_time(facts.ran),
        "deadline": write_time(timing.until) if timing and timing.until else None,
        "judged": write_time(timing.judged) if timing and timing.judged else None,
        "late_since": write_time(late) if late else None,
        "stopped": write_time(facts.stopped.since) if facts.stopped else None,
        "stopped_why": facts.stopped.why if facts.stopped else None,
        "unconfirmed": list(facts.unconfirmed),
        "dropped": list(facts.dropped),
        "away": {seat: [str(each) for each in days] for seat, days in facts.away.items()},
        "anonymous": hidden,
        "seats": [
            {"player": seat.dynasty, "name": None if hidden else seat.name} for seat in facts.seats
        ],
    } | ({"mine": list(facts.seats_of(mine))} if mine else {})


def _row(facts: Facts, moment: datetime, mine: str | None) -> Sequence[str]:
    public, timing = facts.public, facts.timing
    until = minute(timing.until) if timing and timing.until else "-"
    return (
        facts.game,
        " ".join(facts.seats_of(mine)) if mine else "",
        clipped(who(facts), _WHO),
        f"{public['question']} {public['asks']}" if public["question"] else "-",
        minute(read_time(public["since"])),
        until,
        "; ".join(remarks(facts, moment)),
    )


def _count(found: list[Facts], moment: datetime) -> str:
    over = sum(bool(facts.public["over"]) for facts in found)
    late = sum(facts.late_since(moment) is not None for facts in found)
    games = counted(len(found), "game")
    parts = [f"{number} {what}" for number, what in ((late, "late"), (over, "over")) if number]
    return ", ".join([games, *parts])


def _in_words(facts: Facts, moment: datetime) -> Iterator[str]:
    """One game in sentences."""
    yield sentence(dict(facts.public))
    if facts.timing and facts.timing.until:
        judged = facts.timing.judged
        grace = judged and judged != facts.timing.until
        until = minute(facts.timing.until)
        more = f", with grace until {minute(judged)} UTC" if judged and grace else ""
        yield f"{facts.game}: to be answered until {until} UTC{more}"
    for seat, bounced in facts.coming_back().items():
        name = next(each.name for each in facts.seats if each.dynasty == seat)
        code = f" ({bounced.status})" if bounced.status else ""
        named = seat if facts.anonymous else f"{seat} ({name})"
        since = write_time(bounced.since)
        yield (
            f"{facts.game}: letters to {named} come back since {since}{code}; "
            "mend the address in game.yaml"
        )
    if not facts.public["over"]:
        said = [each for each in remarks(facts, moment) if not each.startswith("letters come")]
        yield from [f"{facts.game}: {'; '.join(said)}"] if said else []


def _notices(outcome: Outcome, settings: Settings) -> None:
    place = settings.games / FOLDER / NOTICES
    notices = [name for name in names_in(place) if name.endswith(".txt")]
    if notices:
        number = counted(len(notices), "notice lies", "notices lie")
        outcome.say(f"{number} in {place}; `pbem inbox` says what ends each")
