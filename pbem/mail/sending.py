"""`pbem mail out` and `pbem mail doctor`: what they do, and what they print."""

from collections.abc import Iterable

from pbem.clock import now
from pbem.games import find_games
from pbem.mail.config import FILE, MailConfig, Unusable, load_config
from pbem.mail.dispatch import Dispatched, dispatch
from pbem.mail.outbox import Entry
from pbem.mail.say import say
from pbem.outcome import DAMAGED, MISUSED, REFUSED, Outcome, Settings


def mail_out(settings: Settings) -> Outcome:
    """Send what waits in the outboxes of all games."""
    outcome = Outcome()
    config = usable(settings, outcome)
    if config is None:
        return outcome
    from pbem.mail.transport import carrier_of

    folders = [folder.path for folder in find_games(settings.games)]
    done = dispatch(settings.games, folders, config, carrier_of(config), now)
    _tell(outcome, done, config)
    return outcome


def mail_doctor(settings: Settings) -> Outcome:
    """Try each way in and out and say what is wrong."""
    from pbem.mail.doctor import examine

    outcome = Outcome()
    folders = [folder.path for folder in find_games(settings.games)]
    for finding in examine(settings.games, folders):
        if finding.well:
            outcome.say(f"ok     {finding.of}: {finding.sentence}")
        else:
            message = f"WRONG  {finding.of}: {finding.sentence}"
            outcome.complain(REFUSED, message, kind="doctor", of=finding.of)
    return outcome


def mail_decide(settings: Settings, key: str, *, again: bool) -> Outcome:
    """Say of a letter in doubt that it goes again, or that it was sent."""
    from pbem.mail.dispatch import outboxes

    outcome = Outcome()
    folders = [folder.path for folder in find_games(settings.games)]
    for box in outboxes(settings.games, folders):
        with box.locked():
            entry = box.decide(key, now(), again=again)
        if entry is not None:
            outcome.say(_line("goes_again" if again else "counts_as_sent", entry))
            return outcome
    outcome.complain(MISUSED, say("mail_out.j2", "no_doubt", key), kind="use")
    return outcome


def usable(settings: Settings, outcome: Outcome) -> MailConfig | None:
    """The configuration; None, with everything that is wrong named, if it cannot be used."""
    try:
        return load_config(settings.games)
    except Unusable as unusable:
        outcome.damage(FILE, unusable.path, unusable.problems)
        return None


def _tell(outcome: Outcome, done: Dispatched, config: MailConfig) -> None:
    stay = config.outgoing.way == "folder"
    outcome.say(say("mail_out.j2", "summary", done, stay))
    _each(outcome, "later", done.later, complain=False)
    _each(outcome, "failed", done.failed)
    _each(outcome, "unsure", (lying.entry for lying in done.unsure))
    for place in done.busy:
        outcome.complain(REFUSED, say("mail_out.j2", "busy", place), kind="busy")
    if done.fault is not None:
        outcome.complain(REFUSED, done.fault.sentence(), kind="server")
    for damaged in done.damaged:
        outcome.damage("mail", damaged.path, damaged.problems)
        outcome.code = DAMAGED


def _each(outcome: Outcome, macro: str, entries: Iterable[Entry], *, complain: bool = True) -> None:
    for entry in entries:
        if complain:
            outcome.complain(REFUSED, _line(macro, entry), kind=macro, letter=entry.key)
        else:
            outcome.say(_line(macro, entry))


def _line(macro: str, entry: Entry) -> str:
    return say("mail_out.j2", macro, entry)
