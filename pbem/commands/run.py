"""`pbem run`: mail in, deadlines, turns, letters, mail out, for all games; for cron or a timer.

Each game is done on its own: one that fails is named and stops nobody. Two runs never meet. It
can be killed anywhere and run again.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.archive import archive_finished
from pbem.clock import now, write_time
from pbem.clock.watch import Finding, Watch, watched
from pbem.commands.digest import post_digest
from pbem.commands.gameday import Day, game_day
from pbem.commands.guard import every, guarded
from pbem.disk import Busy
from pbem.games import NoSuchGame, find_games
from pbem.health import load_health, one_run_at_a_time, save_health
from pbem.mail.config import MailConfig
from pbem.mail.inbox import held_late
from pbem.mail.receiving import mail_from_all
from pbem.mail.sending import mail_out, usable
from pbem.outcome import DAMAGED, REFUSED, Outcome, Settings, fault_of
from pbem.progress import progress
from pbem.sound import Damage
from pbem.store import ARCHIVE

OUTAGE = (
    "an outage since {since}, when the last run before it was: no deadline is judged until you say "
    "that it is over, with `pbem resume --all`"
)
BACK = (
    "the clock says {now}, but the last run was at {last}: no deadline is judged until the clock "
    "is right, or you say that it is, with `pbem resume --all`"
)
NOT_READ = "not all mail could be read, and orders may be in it: no deadline was judged"


class Call(NamedTuple):
    """One call at work. `began`: all mail that came before was read, if it could be."""

    settings: Settings
    config: MailConfig
    outcome: Outcome
    began: datetime


def run(settings: Settings) -> Outcome:
    """Do all that is due."""
    outcome = Outcome()
    config = usable(settings, outcome)
    if config is not None:
        settings.games.mkdir(parents=True, exist_ok=True)
        outcome.include(run_games(settings, config))
    return outcome


def run_games(settings: Settings, config: MailConfig, *, sends: bool = True) -> Outcome:
    """Do all that is due with this configuration; without `sends` letters stay where they lie."""
    outcome = Outcome()
    try:
        with one_run_at_a_time(settings.games):
            _run(Call(settings, config, outcome, now()), sends=sends)
    except Busy:
        message = f"{settings.games}: another run is at work, so this one did nothing"
        outcome.complain(REFUSED, message, kind="busy")
    except Damage as damage:
        outcome.damage("run", damage.path, damage.problems)
    except OSError as fault:
        outcome.complain(DAMAGED, fault_of(fault, settings.games), kind="damage")
    return outcome


def _run(call: Call, *, sends: bool) -> None:
    """The order matters: mail first, so that nobody is late whose orders lie there."""
    settings, outcome = call.settings, call.outcome
    watch = _watch(call)
    mails = mail_from_all(settings, call.config)
    outcome.include(mails)
    judge = watch.may_judge and _was_read(mails)
    if watch.may_judge and not judge:
        outcome.complain(REFUSED, NOT_READ, kind="mail")
    day = _games(call, judge=judge)
    post_digest(settings.games, call.config, call.began)
    if sends:
        outcome.include(mail_out(settings))
        _archive(call, day)
    if watch.finding is not Finding.BACK:
        health = load_health(settings.games)
        save_health(settings.games, health._replace(last=call.began))
    outcome.say(day.sentence())


def _watch(call: Call) -> Watch:
    """Look at the clock; an outage is on the disk before any deadline is looked at."""
    limit = timedelta(hours=call.config.limits.outage_hours)
    health = load_health(call.settings.games)
    watch = watched(health, call.began, limit)
    if watch.health != health:
        save_health(call.settings.games, watch.health)
    told = {"now": write_time(call.began), "last": write_time(health.last or call.began)}
    if watch.finding is Finding.BACK:
        call.outcome.complain(REFUSED, BACK.format(**told), kind="clock")
    if outage := watch.health.outage:
        told = {"since": write_time(outage.since)}
        call.outcome.complain(REFUSED, OUTAGE.format(**told), kind="outage")
    return watch


def _was_read(mails: Outcome) -> bool:
    """Whether every source of mail was read: a single mail that breaks us does not count."""
    kinds = {each["kind"] for each in mails.problems if "mail" not in each}
    return kinds.isdisjoint({"source", "mail", "busy"})


def _games(call: Call, *, judge: bool) -> Day:
    """All games, one after the other."""
    day = Day(judge=judge, now=call.began, excused=held_late(call.settings.games))
    folders = every(call.settings, call.outcome)
    for folder in progress(call.settings, folders, "games"):
        day.games += 1
        with guarded(call.outcome, folder):
            game_day(call.outcome, folder, day)
    return day


def _archive(call: Call, day: Day) -> None:
    """Games that are over, and whose letters have left, are put away."""
    way = call.config.outgoing.way
    for folder in find_games(call.settings.games):
        with guarded(call.outcome, folder):
            try:
                gone = archive_finished(call.settings.games, folder, call.began, way)
            except NoSuchGame as fault:
                call.outcome.complain(REFUSED, str(fault), game=folder.name, kind="archive")
                continue
            if gone:
                day.archived += 1
                call.outcome.say(f"{folder.name}: over, put away in {ARCHIVE}")
