"""`pbem digest`: the moderator's daily mail, printed, or laid into the outbox once a day."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.clock import now
from pbem.clock.spans import read_span
from pbem.health import load_health, save_health
from pbem.mail.config import OUTBOX, MailConfig
from pbem.mail.digest import last_time
from pbem.mail.letters import Letter, compose
from pbem.mail.outbox import Entry, Outbox
from pbem.outcome import DAMAGED, Outcome, Settings
from pbem.overview.digest import MOST, STALLED, Digest, digest_of, page_of
from pbem.overview.digestfacts import facts_of_all


def digest(settings: Settings, stalled: str | None, *, every: bool) -> Outcome:
    """Print what needs the moderator; `every`: lists are not cut."""
    outcome = Outcome()
    limit = _limit(stalled, outcome)
    if limit is None:
        return outcome
    if settings.named and not settings.games.is_dir():
        outcome.misuse(f"{settings.games}: there is no such folder of games")
        return outcome
    facts = facts_of_all(settings.games, now())
    found = digest_of(facts, limit)
    outcome.wanted = True
    outcome.say(*page_of(found, None if every else MOST).rstrip("\n").split("\n"))
    outcome.games.append(_data(found))
    for each in facts.damaged:
        message = f"{each.game} is damaged: {each.fault}; pbem status {each.game} says more"
        outcome.complain(DAMAGED, message, game=each.game, kind="damage")
    return outcome


def post_digest(games: Path, config: MailConfig, at: datetime) -> bool:
    """Lay the digest for the moderator into the outbox, once for each time of day that is set
    for digests; whether it was laid now. Damage if _run/run.yaml is not sound.

    Killed after the letter and before the note of it, the next call lays no second one.
    """
    to, health = config.addresses.moderator, load_health(games)
    due = last_time(at, config.outgoing.digest_at)
    if to is None or (health.digest is not None and health.digest >= due):
        return False
    facts = facts_of_all(games, at)
    facts = facts._replace(last_run=facts.last_run or at)  # the first run is a run
    subject, _, text = page_of(digest_of(facts)).partition("\n")
    letter = Letter(
        key=f"moderator-{due:%Y%m%dT%H%M}",
        kind="notice",
        address=to,
        name="",
        subject=subject,
        text=text.strip("\n") + "\n",
        written=at,
    )
    entry = Entry(letter.key, letter.address, letter.kind, letter.written)
    laid = Outbox(games / OUTBOX).put(entry, compose(letter, config.addresses))
    save_health(games, load_health(games)._replace(digest=at))
    return laid


def _limit(stalled: str | None, outcome: Outcome) -> timedelta | None:
    span = read_span(stalled) if stalled is not None else None
    if stalled is not None and not span:
        outcome.misuse(f"--stalled: `{stalled}` should be a time such as 7d")
        return None
    return span.about if span else STALLED


def _data(found: Digest) -> dict[str, Any]:
    def lines(name: str) -> list[dict[str, str]]:
        return [each._asdict() for each in getattr(found, name)]

    lists = ("needs", "stalled", "deadlines", "bounces")
    return {"subject": found.subject, **{n: lines(n) for n in lists}, "health": found.health}
