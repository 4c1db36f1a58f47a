"""The moderator's digest: what needs him, as a pure function of facts. Nothing hidden in it.

Whoever reads it may play: no hand, no order, and in anonymous games dynasties only.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.counted import counted
from pbem.language import when
from pbem.overview.digestvalues import Bouncing, Facts, GameFacts, OddLetter
from pbem.wording import environment

MOST = 20
STALLED = timedelta(days=7)
DAY = timedelta(days=1)
NEEDED = "A decision is needed"
SOMEBODY = "'NAME <ADDRESS>'"


class Line(NamedTuple):
    """Something to know, and the command that ends it or shows more of it."""

    text: str
    command: str


class Digest(NamedTuple):
    """The digest before it is put into words for a page."""

    subject: str
    needs: tuple[Line, ...]
    stalled: tuple[Line, ...]
    deadlines: tuple[Line, ...]
    bounces: tuple[Line, ...]
    health: str


def digest_of(facts: Facts, stalled: timedelta = STALLED) -> Digest:
    """What the moderator has to know now; games that wait longer than `stalled` are named."""
    needs = (*_needs_of_the_program(facts), *_needs_of_games(facts))
    running = [game for game in facts.games if not game.over]
    waiting = [game for game in running if game.since and facts.now - game.since > stalled]
    late = [game for game in running if _is_late(game, facts.now)]
    ahead = [game for game in running if _is_due(game, facts.now)]
    broken = len(facts.damaged) + sum(mail.broken for mail in facts.mails)
    day = f"{facts.now:%a} {facts.now.day} {facts.now:%b}"
    return Digest(
        f"[te] {day}: {counted(facts.moves, 'move')}, "
        f"{counted(len(needs), 'needs', 'need')} you, {len(late)} late, {broken} broken",
        needs,
        tuple(_stalled(game, facts) for game in sorted(waiting, key=_age)),
        tuple(_deadline(game, facts.now) for game in sorted((*late, *ahead), key=_until)),
        (*_bounces(running), *_given_up(facts.letters)),
        _health(facts),
    )


def page_of(digest: Digest, most: int | None = MOST) -> str:
    """The page: the subject in the first line. Long lists are cut after so many lines."""
    lists = {
        NEEDED: digest.needs,
        "Nobody has acted for long": digest.stalled,
        "Late, or due in the next 24 hours": digest.deadlines,
        "Letters that do not arrive": digest.bounces,
    }
    template = environment().get_template("moderator_digest.j2")
    return template.render(
        subject=digest.subject,
        numbered=NEEDED,
        lists=[(title, lines[:most], len(lines[most:]) if most else 0)
               for title, lines in lists.items() if lines],
        health=digest.health,
    )  # fmt: skip


def _needs_of_the_program(facts: Facts) -> Iterator[Line]:
    """An outage, mails, letters in doubt."""
    if facts.outage:
        why = f" ({facts.outage.why})" if facts.outage.why else ""
        text = f"An outage since {when(facts.outage.since)}{why}: no deadline is judged"
        yield Line(text, "pbem resume --all")
    for mail in facts.mails:
        command = f"pbem inbox show {mail.number}; then {' or '.join(mail.ends)}"
        yield Line(f"Mail {mail.line}", command)
    if facts.unjudged:
        mails = counted(facts.unjudged, "mail is", "mails are")
        yield Line(f"{mails} stored and not judged", "pbem mail in")
    for letter in facts.letters:
        if letter.unsure:
            text = f"Letter {letter.key} to {letter.to} may have left or not ({letter.why})"
            ways = f"pbem mail out --sent {letter.key}", f"pbem mail out --again {letter.key}"
            yield Line(text, " or ".join(ways))


def _needs_of_games(facts: Facts) -> Iterator[Line]:
    """Games that cannot go on by themselves."""
    for damaged in facts.damaged:
        look = "pbem doctor" if damaged.game.startswith("_") else f"pbem status {damaged.game}"
        yield Line(f"{damaged.game} is damaged: {damaged.fault}", look)
    for game in facts.games:
        if game.over:
            continue
        if game.deserted:
            ways = f"{_give(game)} or pbem archive {game.game} --unfinished"
            yield Line(f"{game.game}: nobody plays any more, all seats are dropped", ways)
        elif _wants_stand_in(game, facts.now):
            late = f"{game.game}: {game.who} is late with {game.question}"
            text = f"{late}, and there is no stand-in for it"
            yield Line(text, f"{_give(game)} or {_extend(game)}")


def _wants_stand_in(game: GameFacts, now: datetime) -> bool:
    over = game.judged is not None and game.judged <= now
    return over and game.late == "stand-in" and not game.replaceable and not game.orders_lie


def _is_late(game: GameFacts, now: datetime) -> bool:
    return game.until is not None and game.until <= now and not game.orders_lie


def _is_due(game: GameFacts, now: datetime) -> bool:
    return game.until is not None and now < game.until <= now + DAY and not game.orders_lie


def _stalled(game: GameFacts, facts: Facts) -> Line:
    """A game that has waited for long: for whom, for what, and what can be done."""
    assert game.since is not None
    begin = f"{game.game}: since {when(game.since)}"
    if game.unconfirmed:
        first = game.unconfirmed[0]
        text = f"{begin} it waits for {', '.join(game.unconfirmed)} to confirm"
        confirm = f"pbem seat {game.game} {first} --confirm"
        return Line(text, f"{confirm} or pbem seat {game.game} {first} --give {SOMEBODY}")
    text = f"{begin} it waits for {game.who}, {game.question}, {game.asks}"
    remark, command = _remark(game, facts)
    return Line(f"{text}{f'; {remark}' if remark else ''}", command)


def _remark(game: GameFacts, facts: Facts) -> tuple[str, str]:
    """Why a game may wait, and the command that helps."""
    if game.orders_lie:
        return "orders lie there", f"pbem turn {game.game}"
    if facts.outage:
        return "the clock stands still since the outage", "pbem resume --all"
    if game.paused:
        return f"paused since {when(game.paused)}", f"pbem resume {game.game}"
    if game.deserted or game.dropped:
        return "nobody plays this seat", _give(game)
    if any(each.player == game.player for each in game.bouncing):
        return "letters to this seat come back", _give(game)
    if not game.reachable:
        return "this seat has no address", f"pbem report {game.game} --for {game.player}"
    if _is_late(game, facts.now):
        return "late", f"{_extend(game)} or {_give(game)}"
    if game.until:
        return f"it has time until {when(game.until)}", f"pbem status {game.game}"
    return "", _give(game)


def _deadline(game: GameFacts, now: datetime) -> Line:
    """A seat that is late, or has to answer soon."""
    assert game.until is not None
    text = f"{game.game}: {game.who}, {game.question}, {game.asks}"
    if game.until > now:
        return Line(f"{text}, until {when(game.until)}", f"pbem status {game.game}")
    return Line(f"{text}, late since {when(game.until)}", f"{_extend(game)} or {_give(game)}")


def _bounces(games: Iterable[GameFacts]) -> Iterator[Line]:
    """Addresses that letters come back from, each once with all its seats."""
    found: dict[str, list[Bouncing]] = {}
    for game in games:
        for each in game.bouncing:
            found.setdefault(each.address or f"{each.game} {each.player}", []).append(each)
    for seats in found.values():
        first = seats[0]
        named = ", ".join(f"{each.player} in {each.game}" for each in seats[:MOST])
        code = f" ({first.status})" if first.status else ""
        whom = f"{first.address}, {named}" if first.address else named
        text = f"{whom}: letters come back since {when(first.since)}{code}"
        yield Line(text, f"pbem seat {first.game} {first.player} --give {SOMEBODY}")


def _given_up(letters: Iterable[OddLetter]) -> Iterator[Line]:
    for letter in letters:
        if not letter.unsure:
            text = f"Letter {letter.key} to {letter.to} was given up ({letter.why})"
            yield Line(text, f"pbem mail out --again {letter.key}")


def _health(facts: Facts) -> str:
    """One line: the last run, mails, letters."""
    last = f"last run {when(facts.last_run)}" if facts.last_run else "pbem run was never called"
    letters = counted(facts.waiting, "letter waits", "letters wait")
    if facts.oldest:
        letters += f", the oldest since {when(facts.oldest)}"
    mails = f"{counted(facts.arrived, 'mail')} since the last digest"
    games = sum(not game.over for game in facts.games)
    played = f"{counted(games, 'game is', 'games are')} played"
    return f"Health: {last}; {played}; {mails}; {letters}. More: pbem doctor"


def _give(game: GameFacts) -> str:
    return f"pbem seat {game.game} {game.player or 'SEAT'} --give {SOMEBODY}"


def _extend(game: GameFacts) -> str:
    return f"pbem extend {game.game} --by 2d"


def _age(game: GameFacts) -> tuple[datetime, str]:
    assert game.since is not None
    return game.since, game.game


def _until(game: GameFacts) -> tuple[datetime, str]:
    assert game.until is not None
    return game.until, game.game
