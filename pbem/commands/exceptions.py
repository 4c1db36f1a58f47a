"""`pbem release`, `refuse`, `admit-late`: what ends a mail that is held."""

from functools import partial

from pbem.lines import clean
from pbem.mail.case import Leave
from pbem.mail.inbox import HELD, ends, late, reason
from pbem.mail.office import OVERTAKEN, Done, NewerOrders, NotUsable, Office
from pbem.mail.receiving import with_mail
from pbem.mail.ruling import VOUCHED
from pbem.mail.seen import Entry
from pbem.outcome import REFUSED, Outcome, Settings

LONGEST_REASON = 2000
_BECAME = {
    "accept": "it was accepted",
    "accept_warn": "it was accepted",
    "reject": "it was refused, and its sender was told why",
    "refused": "you have refused it",
    "ignore": "it was ignored",
    "duplicate": "it is the same as an earlier one",
}


def release(settings: Settings, number: int) -> Outcome:
    """Vouch for the sender of a held mail: its orders are taken for the seat that they name."""
    return with_mail(settings, number, partial(_release, number))


def admit_late(settings: Settings, number: int) -> Outcome:
    """Take orders that are held as late as if they had come in time."""
    return with_mail(settings, number, partial(_admit_late, number))


def refuse(settings: Settings, number: int, because: str) -> Outcome:
    """Refuse a held mail; whose seat it names is told why."""
    because = clean(because).strip()
    if not because or len(because) > LONGEST_REASON:
        outcome = Outcome()
        outcome.misuse(f"--because: say why, in at most {LONGEST_REASON} characters")
        return outcome
    return with_mail(settings, number, partial(_refuse, number, because))


def _release(number: int, outcome: Outcome, office: Office) -> Done | None:
    entry = _held(number, outcome, office)
    if entry is None:
        return None
    leave = Leave(vouched=True)
    foreseen = office.foresee(number, leave)
    if foreseen.outcome == HELD and not _moves_on(entry, foreseen.entry):
        _stays(outcome, entry)
        return None
    if foreseen.outcome == "reject" and (back := office.overtaken(number)):
        entry = entry._replace(why=(OVERTAKEN, VOUCHED), answered=())
        office.leave_held(entry)
        _overtaken(outcome, number, back.game, back.back)
        return None
    return _with_leave(number, leave, outcome, office)


def _admit_late(number: int, outcome: Outcome, office: Office) -> Done | None:
    entry = _held(number, outcome, office)
    if entry is None:
        return None
    if not late(entry):
        _stays(outcome, entry)
        return None
    leave = Leave(vouched=VOUCHED in entry.why, in_time=True)
    return _with_leave(number, leave, outcome, office)


def _with_leave(number: int, leave: Leave, outcome: Outcome, office: Office) -> Done | None:
    """Judge it again. A mail that cannot be used any more stays held, and it is said why."""
    try:
        done = office.judge_again(number, leave, or_stay=leave.in_time)
    except NewerOrders as fault:
        message = (
            f"mail {number}: nothing was done, for mail {fault.number} is newer and has set the "
            f"same orders; what is left: pbem refuse {number} --because '..'"
        )
        outcome.complain(REFUSED, message, mail=number, kind="newer")
        return None
    except NotUsable as fault:
        if back := office.overtaken(number):
            _overtaken(outcome, number, back.game, back.back)
        else:
            _not_usable(outcome, number, fault.verdict.entry)
        return None
    if done.entry.outcome == HELD:
        _stays(outcome, done.entry)
        return None
    return done


def _refuse(number: int, because: str, outcome: Outcome, office: Office) -> Done | None:
    if _held(number, outcome, office) is None:
        return None
    done = office.refuse(number, because)
    told = " and ".join(done.entry.answered) or "nobody: no address is on file for it"
    outcome.say(f"mail {number}: refused; told: {told}")
    _note_games(outcome, done.entry)
    return None


def _held(number: int, outcome: Outcome, office: Office) -> Entry | None:
    """What the ledger says of a mail that is held; complained of if it is not."""
    entry = office.entry(number)
    if entry is not None and entry.outcome == HELD:
        return entry
    if entry is None:
        message = f"mail {number} was not judged yet: pbem mail in"
    else:
        message = f"mail {number} is not held: {_BECAME.get(entry.outcome, entry.outcome)}"
    outcome.complain(REFUSED, message, mail=number, kind="not held")
    return None


def _moves_on(before: Entry, after: Entry) -> bool:
    """Whether a mail would be held for another reason than now."""
    return {*before.why} - {VOUCHED} != {*after.why} - {VOUCHED}


def _stays(outcome: Outcome, entry: Entry) -> None:
    message = (
        f"mail {entry.number} is held: {reason(entry)}; it ends with {' or '.join(ends(entry))}"
    )
    outcome.complain(REFUSED, message, mail=entry.number, kind=HELD)


def _overtaken(outcome: Outcome, number: int, game: str, back: int) -> None:
    message = (
        f"mail {number} stays held: what it is for was decided meanwhile; to play that again: "
        f"pbem undo {game} --to {back} --yes, then pbem admit-late {number}; or pbem refuse "
        f"{number} --because '..'"
    )
    outcome.complain(REFUSED, message, mail=number, game=game, kind=OVERTAKEN)


def _not_usable(outcome: Outcome, number: int, entry: Entry) -> None:
    message = (
        f"mail {number} stays held: its orders would be refused now ({', '.join(entry.why)}); "
        f"pbem inbox show {number} says why; it ends with pbem refuse {number} --because '..'"
    )
    outcome.complain(REFUSED, message, mail=number, kind="unusable")


def _note_games(outcome: Outcome, entry: Entry) -> None:
    for each in entry.named:
        outcome.games.append(
            {"game": each.game, "player": each.player, "mail": entry.number,
             "outcome": entry.outcome}
        )  # fmt: skip
