"""From a mail on the table to a verdict. Identity comes first: whatever depends on the game is
worked out, and said, only for the seat that has proven who it is."""

from pbem.mail import answers
from pbem.mail.answers import Item
from pbem.mail.blocks import find
from pbem.mail.case import (
    Case,
    Standing,
    confirmed_by_key,
    copied_to,
    named_seat,
    oddities,
    standing,
)
from pbem.mail.commands import CheckWanted, HelpWanted, Request, Unclear
from pbem.mail.elsewhere import from_elsewhere, opponents
from pbem.mail.punctual import in_grace, too_late
from pbem.mail.reading import Candidate, hidden_orders
from pbem.mail.renaming import renamed
from pbem.mail.ruling import Ruling, parts_of, why_refused, written_down
from pbem.mail.verdict import Alert, Order, Outcome, Verdict
from pbem.mail.world import Seat, Why, why
from pbem.normalform import normal_form
from pbem.orderfile import OrderFile

_OF_ONE_PART = ("actions", "answers")


def decide(case: Case) -> Verdict:
    """What becomes of a mail that a person wrote."""
    if case.head.repeated and not case.leave.vouched:
        ruling = _two_senders(case)
    elif case.reading.candidates:
        ruling = _orders(case)
    elif case.requests and not case.reading.faults:
        ruling = _requests(case)
    else:
        ruling = _nothing(case)
    return written_down(case, ruling)


def _two_senders(case: Case) -> Ruling:
    """Two From or Subject headers: programs disagree which of them counts."""
    seats = _named_seats(case)
    letters = answers.held(case, "two_headers", seats)
    alerts = (Alert("two headers", seats, case.sender),)
    return Ruling("hold", letters, alerts, why=("two_headers",))


def _named_seats(case: Case) -> tuple[Seat, ...]:
    """The seats that the orders of a mail name."""
    found = [named_seat(each, case) for each in case.reading.candidates]
    return tuple(dict.fromkeys(seat for seat in found if seat))


def _orders(case: Case) -> Ruling:
    items = [_item(each, case) for each in case.reading.candidates]
    kinds = {item.standing.kind for item in items}
    if "unproven" in kinds:
        return _unproven(case, items)
    if "other" in kinds:
        others = tuple(
            i.standing.seat for i in items if i.standing.kind == "other" and i.standing.seat
        )
        letters = answers.wrong_seat(case, others)
        alerts = (Alert("wrong seat", others, case.sender),)
        return Ruling("reject", letters, alerts, why=("wrong_seat",))
    faults = (*case.reading.faults, *_double(items, case))
    items = [_judged(item, case) for item in items]
    if faults or any(item.whys or item.problems for item in items):
        told = (*faults, *from_elsewhere(case, items))
        letters = answers.refused(case, items, told)
        return Ruling("reject", letters, _tags(case, items), why=why_refused(faults, items))
    return _sound(case, items)


def _item(candidate: Candidate, case: Case) -> Item:
    """Orders and their standing. Those that count as if they had come in time are for the turn
    that was taken back for them, whatever it is called now."""
    found = standing(candidate, case)
    if case.leave.in_time and found.seat is not None:
        file = renamed(candidate.file, case.world.takes(found.game))
        candidate = candidate._replace(file=file)
    return Item(candidate, found)


def _unproven(case: Case, items: list[Item]) -> Ruling:
    seats = tuple(dict.fromkeys(item.standing.seat for item in items if item.standing.seat))
    letters = answers.held(case, "unproven", seats)
    held = tuple(_order(i) for i in items if i.standing.seat and not i.candidate.file.problems)
    alerts = (Alert("unproven", seats, case.sender),)
    return Ruling("hold", letters, alerts, held=held, why=("unproven",))


def _double(items: list[Item], case: Case) -> tuple[Why, ...]:
    """Two orders for one seat: nobody can know which is meant."""
    found = []
    for index, item in enumerate(items):
        for earlier in items[:index]:
            seat = item.standing.seat
            if seat is not None and earlier.standing.seat == seat:
                both = (earlier.candidate, item.candidate)
                places = [
                    {
                        "place": each.place,
                        "line": each.line,
                        "text": answers.shown(case, each.file.text),
                    }
                    for each in both
                ]
                found.append(why("two_orders", game=seat.game, player=seat.player, places=places))
    return tuple(found)


def _judged(item: Item, case: Case) -> Item:
    """One order file: what is wrong with it, or what it will do."""
    file, seat = item.candidate.file, item.standing.seat
    if file.problems:
        return item._replace(problems=file.problems)
    if seat is None:
        return item._replace(whys=(_nobody(item.standing, case, file),))
    if any(case.secrets.shown_in(text) for text in (file.press, file.note) if text):
        return item._replace(whys=(why("key_in_text"),))
    said = case.world.judge(seat, file, item.candidate.data)
    whys = () if said.problems else _overtaken(seat, file, case)
    return item._replace(problems=said.problems, judgement=said, whys=whys)


def _nobody(found: Standing, case: Case, file: OrderFile) -> Why:
    own = sorted({seat.game for seat in case.own_seats})
    if not found.game:
        return why("unknown_game", game=file.game, games=own)
    mine = [seat.player for seat in case.own_seats if seat.game == found.game]
    return why("no_such_player", game=found.game, player=file.player, mine=mine)


def _overtaken(seat: Seat, file: OrderFile, case: Case) -> tuple[Why, ...]:
    """Older orders that arrive after newer ones do not take their place."""
    parts = tuple(part for part in parts_of(file) if part in _OF_ONE_PART)
    newer = case.memory.newest(seat.game, seat.player, parts)
    if newer is None or case.sent.oddity or case.sent.when >= newer.sent:
        return ()
    return (why("older", sent=case.sent.when, newer=newer.sent, arrival=newer.arrival),)


def _tags(case: Case, items: list[Item]) -> tuple[Alert, ...]:
    """Tags in YAML are how programs are attacked; the moderator hears of them."""
    tags = [each for item in items for each in item.problems if each.read.startswith("!!")]
    seats = tuple(item.standing.seat for item in items if item.standing.seat)
    return (Alert("tag", seats, case.sender),) if tags else ()


def _sound(case: Case, items: list[Item]) -> Ruling:
    """Orders with nothing wrong: checked only, held as late, or stored."""
    seats = [item.standing.seat for item in items if item.standing.seat]
    warnings = [*oddities(case), *copied_to(case, seats), *from_elsewhere(case, items)]
    outcome: Outcome = "accept_warn" if warnings else "accept"
    extra = _extra(case, tuple(seats))
    if CheckWanted() in case.requests:
        return Ruling(outcome, answers.receipts(case, items, warnings, extra, stored=False))
    orders = tuple(_order(item) for item in items)
    if late := too_late(case, items):
        letters = answers.late(case, items, late)
        alerts = (Alert("late", tuple(late), case.sender),)
        return Ruling("hold", letters, alerts, held=orders, why=("late",))
    told = [*warnings, *in_grace(case, items)]
    letters = answers.receipts(case, items, told, extra)
    return Ruling(outcome, letters, opponents(case, items), orders)


def _order(item: Item) -> Order:
    seat = item.standing.seat
    assert seat is not None
    file = item.candidate.file._replace(game=seat.game, key=None)
    return Order(seat, file, normal_form(file))


def _extra(case: Case, seats: tuple[Seat, ...]) -> tuple[str, ...]:
    """The answers to what else the mail asks for."""
    seats = case.own_seats if case.proven else seats
    return tuple(
        case.world.fulfil(request, seats)
        for request in case.requests
        if not isinstance(request, CheckWanted | HelpWanted | Unclear)
    )


def _requests(case: Case) -> Ruling:
    """A mail that orders nothing and asks for something."""
    wanted: list[Request] = [each for each in case.requests if not isinstance(each, HelpWanted)]
    if case.listed or not (case.own_seats or case.proven):
        return Ruling("ignore")
    if not case.proven and wanted:
        if keyed := confirmed_by_key(case):
            return Ruling("accept", answers.fulfilled(case, _extra(case, keyed), keyed[0].address))
        seats = case.own_seats[:1]
        letters = answers.held(case, "unproven_request", seats)
        alerts = (Alert("unproven", seats, case.sender),)
        return Ruling("hold", letters, alerts, why=("unproven_request",))
    unclear = [each for each in wanted if isinstance(each, Unclear)]
    if unclear or CheckWanted() in wanted or (wanted and not case.own_seats):
        whys = [why("unclear_request", line=each.line, why=each.why) for each in unclear]
        whys = whys or [_empty(case)]
        return Ruling("reject", answers.useless(case, whys), why=why_refused(whys))
    return Ruling("accept", answers.fulfilled(case, _extra(case, case.own_seats)))


def _empty(case: Case) -> Why:
    return why("no_orders" if case.own_seats else "stranger")


def _nothing(case: Case) -> Ruling:
    """A mail without orders that could be used: say what is in it instead."""
    if _forwarded(case):
        seats = case.own_seats[:1]
        letters = answers.held(case, "forwarded", seats, to_sender=case.proven)
        alerts = (Alert("forwarded", seats, case.sender),)
        return Ruling("hold", letters, alerts, why=("forwarded",))
    if case.listed or not (case.own_seats or case.proven):
        return Ruling("ignore")
    whys = [*case.reading.faults, *_instead(case)] or [_empty(case)]
    return Ruling("reject", answers.useless(case, whys), why=why_refused(whys))


def _forwarded(case: Case) -> bool:
    if any(find(text).blocks for text in case.contents.inner):
        return True
    return bool(hidden_orders(case.contents, case.head.subject, "forward"))


def _instead(case: Case) -> list[Why]:
    found = []
    if case.contents.encrypted:
        found.append(why("encrypted"))
    if case.contents.winmail:
        found.append(why("winmail"))
    if quoted := hidden_orders(case.contents, case.head.subject, "quote"):
        found.append(why("quoted", orders=[answers.shown(case, each) for each in quoted[:3]]))
    if signed := hidden_orders(case.contents, case.head.subject, "signature"):
        found.append(why("in_signature", orders=[answers.shown(case, e) for e in signed[:3]]))
    if not found and answers.in_subject(case):
        found.append(why("subject_only", subject=case.secrets.hide(case.head.subject)))
    return found
