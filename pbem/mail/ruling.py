"""A verdict before it is written down, and its entry for the ledger."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.refusal import Rule
from pbem.mail.answers import Item
from pbem.mail.case import Case, named_seat
from pbem.mail.seen import Entry, StoredOrders
from pbem.mail.verdict import Alert, Order, Outcome, Reply, Verdict
from pbem.mail.world import Why
from pbem.orderfile import OrderFile
from pbem.problem import Problem

PARTS = ("actions", "answers", "press", "note")
VOUCHED = "vouched"
"""The code of a mail whose sender the moderator has vouched for."""

_RULE = re.compile(r"\(([A-Z_0-9]+)\)\Z")


class Ruling(NamedTuple):
    """A verdict before it is written down. `why`: the codes of its entry in the ledger."""

    outcome: Outcome
    replies: tuple[Reply, ...] = ()
    alerts: tuple[Alert, ...] = ()
    orders: tuple[Order, ...] = ()
    held: tuple[Order, ...] = ()
    why: tuple[str, ...] = ()


def written_down(case: Case, ruling: Ruling) -> Verdict:
    """The verdict, with its entry for the ledger; letters beyond the daily cap are left out."""
    replies = tuple(
        each for each in ruling.replies if each.audience == "gm" or case.world.may_answer(each.to)
    )
    alerts = ruling.alerts
    if len(replies) < len(ruling.replies):
        alerts = (*alerts, Alert("daily cap", address=case.sender))
    entry = Entry(
        case.mail.number,
        case.mail.arrival,
        case.sent.when,
        case.identity,
        case.mail_id,
        case.content,
        ruling.outcome,
        tuple(
            StoredOrders(each.seat.game, each.seat.player, parts_of(each.file))
            for each in ruling.orders
        ),
        tuple(each.to.lower() for each in replies),
        () if ruling.orders else _named(case),
        (*ruling.why, *((VOUCHED,) if case.leave.vouched else ())),
    )
    return Verdict(
        ruling.outcome, entry, ruling.orders, ruling.held, replies, alerts, case.requests
    )


def parts_of(file: OrderFile) -> tuple[str, ...]:
    """The parts that a file contains."""
    return tuple(name for name in PARTS if getattr(file, name) is not None)


def why_refused(faults: Sequence[Why], items: Iterable[Item] = ()) -> tuple[str, ...]:
    """The codes of all that is wrong with a mail, each once; no words of it."""
    codes = [fault.code for fault in faults]
    for item in items:
        codes += [each.code for each in item.whys]
        codes += [_code(each, item.candidate.file) for each in item.problems]
    return tuple(dict.fromkeys(codes))


def _code(problem: Problem, file: OrderFile) -> str:
    """`syntax`; `illegal:RIVER` for a rule of the game; `turn` or `question` for a wrong one."""
    if problem in file.problems:
        return "syntax"
    found = _RULE.search(problem.message)
    if found and found[1] in Rule.__members__:
        return f"illegal:{found[1]}"
    word = problem.read.partition(" ")[0].rstrip(":")
    return word if word in ("turn", "question") else "unfit"


def _named(case: Case) -> tuple[StoredOrders, ...]:
    """The seats that the orders of a mail name, whoever sent them."""
    found: dict[StoredOrders, None] = {}
    for each in case.reading.candidates:
        if seat := named_seat(each, case):
            found[StoredOrders(seat.game, seat.player, parts_of(each.file))] = None
    return tuple(found)
