"""`pbem mail in`: what it does, and what it prints. Nothing secret stands in what is printed."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pbem.clock import now
from pbem.disk import Busy
from pbem.mail.case import Leave
from pbem.mail.config import MailConfig
from pbem.mail.deeds import Unreadable
from pbem.mail.faults import ServerFault
from pbem.mail.intray import sources_of
from pbem.mail.office import Done, NewerOrders, Office
from pbem.mail.rawstore import DamagedMail
from pbem.mail.say import say
from pbem.mail.sending import usable
from pbem.mail.sources import FileSource, Source, StreamSource
from pbem.outcome import DAMAGED, REFUSED, Outcome, Settings, fault_of
from pbem.sound import Damage

_TEXTS = "mail_in.j2"
_STDIN = "-"


def mail_in(settings: Settings, files: list[str], *, store_only: bool = False) -> Outcome:
    """Store the mails in these files, or of all sources if none is named; then judge them."""
    outcome = Outcome()
    config = usable(settings, outcome)
    missing = [name for name in files if name != _STDIN and not Path(name).is_file()]
    for name in missing:
        outcome.misuse(say(_TEXTS, "no_file", name))
    if config is None or missing:
        return outcome
    _receive(settings, config, files, outcome, store_only=store_only)
    return outcome


def mail_from_all(settings: Settings, config: MailConfig) -> Outcome:
    """Store and judge the mails of all sources; problems of the kind `source` name one that
    could not be read."""
    outcome = Outcome()
    _receive(settings, config, [], outcome)
    return outcome


def _receive(
    settings: Settings,
    config: MailConfig,
    files: list[str],
    outcome: Outcome,
    *,
    store_only: bool = False,
) -> None:
    settings.games.mkdir(parents=True, exist_ok=True)
    office = Office(settings.games, config)
    for source in _sources(settings, config, files):
        _take(outcome, office, source)
    if not store_only:
        _at_the_desk(outcome, office, lambda: _judge_all(outcome, office))


def mail_again(settings: Settings, number: int, *, admitted: bool) -> Outcome:
    """Judge a stored mail once more and do what follows; `admitted`: its sender is vouched for."""
    return with_mail(
        settings,
        number,
        lambda _outcome, office: office.judge_again(number, Leave(vouched=admitted)),
    )


def with_mail(
    settings: Settings, number: int, work: Callable[[Outcome, Office], Done | None]
) -> Outcome:
    """Do something with one stored mail while no other program judges mails.

    `work` gives what became of the mail, None if it has said by itself what it did.
    """
    outcome = Outcome()
    config = usable(settings, outcome)
    if config is None:
        return outcome
    office = Office(settings.games, config)
    if number not in office.store.numbers(number - 1)[:1]:
        outcome.misuse(say(_TEXTS, "no_mail", number))
        return outcome

    def one() -> None:
        _finish(outcome, office)
        _one(outcome, number, partial(work, outcome, office))

    _at_the_desk(outcome, office, one)
    return outcome


def _sources(settings: Settings, config: MailConfig, files: list[str]) -> list[Source]:
    if not files:
        return sources_of(config, settings.games)
    limit = config.limits.mail_bytes
    named = [Path(name) for name in files if name != _STDIN]
    found: list[Source] = [FileSource(named, limit)] if named else []
    if _STDIN in files:
        found.append(StreamSource(sys.stdin.buffer, limit, now()))
    return found


def _take(outcome: Outcome, office: Office, source: Source) -> None:
    """Store the mails of one source; its faults stop no other one."""
    number = 0
    try:
        number = office.take(source)
    except ServerFault as fault:
        outcome.complain(REFUSED, fault.fault.sentence(), kind="source")
    except (OSError, Busy) as fault:
        message = say(_TEXTS, "not_stored", source.name, str(fault))
        outcome.complain(DAMAGED, message, kind="mail")
    for each in source.faults:
        outcome.complain(REFUSED, each.sentence(), kind="source")
    if number:
        outcome.say(say(_TEXTS, "stored", source.name, number))


def _at_the_desk(outcome: Outcome, office: Office, work: Callable[[], None]) -> None:
    """Judge while no other program does."""
    try:
        with office.open():
            work()
    except Busy as busy:
        outcome.complain(REFUSED, f"{busy}; {say(_TEXTS, 'later')}", kind="busy")
    except OSError as fault:
        message = f"{fault_of(fault, office.folder)}; {say(_TEXTS, 'later')}"
        outcome.complain(DAMAGED, message, kind="mail")


def _judge_all(outcome: Outcome, office: Office) -> None:
    """First what a killed run has left, then every mail that was not judged yet."""
    _finish(outcome, office)
    for number in office.waiting():
        _one(outcome, number, partial(office.judge, number))


def _finish(outcome: Outcome, office: Office) -> None:
    try:
        for done in office.finish():
            _tell(outcome, done)
    except Unreadable as fault:
        outcome.complain(DAMAGED, str(fault), kind="mail")
    except Damage as damage:
        outcome.damage("mail", damage.path, damage.problems)


def _one(outcome: Outcome, number: int, judge: Callable[[], Done | None]) -> None:
    """One mail: what goes wrong with it stops no other one, and it is tried again."""
    try:
        if (done := judge()) is not None:
            _tell(outcome, done)
    except NewerOrders as fault:
        message = say(_TEXTS, "newer", number, fault.number)
        outcome.complain(REFUSED, message, mail=number, kind="newer")
    except DamagedMail as fault:
        outcome.complain(DAMAGED, str(fault), mail=number, kind="mail")
    except Damage as damage:
        outcome.damage(f"mail {number}", damage.path, damage.problems)
    except Busy:
        raise
    except OSError as fault:
        message = f"mail {number}: {fault_of(fault)}; {say(_TEXTS, 'later')}"
        outcome.complain(DAMAGED, message, mail=number, kind="damage")
    except Exception as fault:
        message = say(_TEXTS, "broken", number, type(fault).__name__)
        outcome.complain(DAMAGED, message, mail=number, kind="program")


def _tell(outcome: Outcome, done: Done) -> None:
    entry = done.entry
    message = say(_TEXTS, "judged", entry, done.finished)
    if entry.outcome in ("reject", "hold"):
        outcome.complain(REFUSED, message, mail=entry.number, kind=entry.outcome)
    else:
        outcome.say(message)
    for order in entry.orders:
        outcome.games.append(
            {"game": order.game, "player": order.player, "mail": entry.number,
             "outcome": entry.outcome}
        )  # fmt: skip
