"""From a mail on the table to a verdict. Identity comes first: whatever depends on the game is
worked out, and said, only for the seat that has proven who it is."""

from typing import NamedTuple

from pbem.mail import answers
from pbem.mail.answers import Item
from pbem.mail.blocks import find
from pbem.mail.case import Case, Standing, copied_to, oddities, same_address, standing
from pbem.mail.commands import CheckWanted, HelpWanted, Request, Unclear
from pbem.mail.punctual import in_grace, too_late
from pbem.mail.reading import hidden_orders
from pbem.mail.seen import Entry, StoredOrders
from pbem.mail.verdict import Alert, Order, Outcome, Reply, Verdict
from pbem.mail.world import Seat, Why, why
from pbem.normalform import normal_form
from pbem.orderfile import OrderFile

PARTS = ("actions", "answers", "press", "note")
_OF_ONE_PART = ("actions", "answers")


class Ruling(NamedTuple):
    """A verdict before it is written down."""

    outcome: Outcome
    replies: tuple[Reply, ...] = ()
    alerts: tuple[Alert, ...] = ()
    orders: tuple[Order, ...] = ()
    held: tuple[Order, ...] = ()


def decide(case: Case) -> Verdict:
    """What becomes of a mail that a person wrote."""
    if case.head.repeated:
        ruling = _two_senders(case)
    elif case.reading.candidates:
        ruling = _orders(case)
    elif case.requests and not case.reading.faults:
        ruling = _requests(case)
    else:
        ruling = _nothing(case)
    return written_down(case, ruling)


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
    )
    return Verdict(
        ruling.outcome, entry, ruling.orders, ruling.held, replies, alerts, case.requests
    )


def parts_of(file: OrderFile) -> tuple[str, ...]:
    """The parts that a file contains."""
    return tuple(name for name in PARTS if getattr(file, name) is not None)


def _two_senders(case: Case) -> Ruling:
    """Two From or Subject headers: programs disagree which of them counts."""
    seats = _named_seats(case)
    letters = answers.held(case, "two_headers", seats)
    return Ruling("hold", letters, (Alert("two headers", seats, case.sender),))


def _named_seats(case: Case) -> tuple[Seat, ...]:
    """The seats that the orders of a mail name."""
    found = [standing(each, case).seat for each in case.reading.candidates]
    return tuple(dict.fromkeys(seat for seat in found if seat))


def _orders(case: Case) -> Ruling:
    items = [Item(each, standing(each, case)) for each in case.reading.candidates]
    kinds = {item.standing.kind for item in items}
    if "unproven" in kinds:
        return _unproven(case, items)
    if "other" in kinds:
        others = tuple(
            i.standing.seat for i in items if i.standing.kind == "other" and i.standing.seat
        )
        letters = answers.wrong_seat(case, others)
        return Ruling("reject", letters, (Alert("wrong seat", others, case.sender),))
    faults = (*case.reading.faults, *_double(items, case))
    items = [_judged(item, case) for item in items]
    if faults or any(item.whys or item.problems for item in items):
        told = (*faults, *_from_elsewhere(case, items))
        return Ruling("reject", answers.refused(case, items, told), _tags(case, items))
    return _sound(case, items)


def _unproven(case: Case, items: list[Item]) -> Ruling:
    seats = tuple(dict.fromkeys(item.standing.seat for item in items if item.standing.seat))
    letters = answers.held(case, "unproven", seats)
    held = tuple(_order(i) for i in items if i.standing.seat and not i.candidate.file.problems)
    return Ruling("hold", letters, (Alert("unproven", seats, case.sender),), held=held)


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
    warnings = [*oddities(case), *copied_to(case, seats), *_from_elsewhere(case, items)]
    outcome: Outcome = "accept_warn" if warnings else "accept"
    extra = _extra(case, tuple(seats))
    if CheckWanted() in case.requests:
        return Ruling(outcome, answers.receipts(case, items, warnings, extra, stored=False))
    orders = tuple(_order(item) for item in items)
    if late := too_late(case, items):
        letters = answers.late(case, items, late)
        return Ruling("hold", letters, (Alert("late", tuple(late), case.sender),), held=orders)
    told = [*warnings, *in_grace(case, items)]
    letters = answers.receipts(case, items, told, extra)
    return Ruling(outcome, letters, _opponents(case, items), orders)


def _from_elsewhere(case: Case, items: list[Item]) -> tuple[Why, ...]:
    """The owner of a seat is told when his key comes from another address than his."""
    return tuple(
        why("other_address", address=case.sender, game=item.standing.game)
        for item in items
        if item.standing.kind == "key" and not _at_home(item, case)
    )


def _at_home(item: Item, case: Case) -> bool:
    seat = item.standing.seat
    return seat is not None and same_address(seat.address, case.sender)


def _opponents(case: Case, items: list[Item]) -> tuple[Alert, ...]:
    """A seat's key in the mail of another player of the same game is worth a look."""
    found = tuple(
        seat
        for item in items
        if item.standing.kind == "key" and (seat := item.standing.seat) and not _at_home(item, case)
        if any(each.game == seat.game for each in case.own_seats)
    )
    return (Alert("key of another seat", found, case.sender),) if found else ()


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
        seats = case.own_seats[:1]
        letters = answers.held(case, "unproven_request", seats)
        return Ruling("hold", letters, (Alert("unproven", seats, case.sender),))
    unclear = [each for each in wanted if isinstance(each, Unclear)]
    if unclear or CheckWanted() in wanted or (wanted and not case.own_seats):
        whys = [why("unclear_request", line=each.line, why=each.why) for each in unclear]
        return Ruling("reject", answers.useless(case, whys or [_empty(case)]))
    return Ruling("accept", answers.fulfilled(case, _extra(case, case.own_seats)))


def _empty(case: Case) -> Why:
    return why("no_orders" if case.own_seats else "stranger")


def _nothing(case: Case) -> Ruling:
    """A mail without orders that could be used: say what is in it instead."""
    if _forwarded(case):
        seats = case.own_seats[:1]
        letters = answers.held(case, "forwarded", seats, to_sender=case.proven)
        return Ruling("hold", letters, (Alert("forwarded", seats, case.sender),))
    if case.listed or not (case.own_seats or case.proven):
        return Ruling("ignore")
    whys = [*case.reading.faults, *_instead(case)] or [_empty(case)]
    return Ruling("reject", answers.useless(case, whys))


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
