"""The letters that answer a mail. Words stand in `templates/mail_*.j2`; here is who gets which."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from pbem.lines import one_line
from pbem.mail.case import Case, Standing, same_address
from pbem.mail.commands import HelpWanted
from pbem.mail.decode import Bytes
from pbem.mail.reading import Candidate, without_key
from pbem.mail.verdict import Audience, Reply
from pbem.mail.world import Judgement, Seat, Why, why
from pbem.normalform import normal_form
from pbem.problem import Problem
from pbem.repair import repaired_text
from pbem.tidings import problem_lines
from pbem.wording import environment

NOTHING = Bytes(b"")
_LONGEST_FILE = 32 * 1024
_MOST_ROWS = 200
_MOST_FORMS = 5
_SQUARE = re.compile(r"(?<!\w)[a-p](?:[1-9]|1[01])(?!\w)", re.IGNORECASE)
_ORDER = re.compile(
    r"(?<!\w)(?:temple|farm|market|settlement|king|priest|farmer|trader|pass|swap|withdraw"
    r"|catastrophe|red|blue|green|black|game:)(?!\w)",
    re.IGNORECASE,
)


class Item(NamedTuple):
    """One order file of the mail, and what was found out about it."""

    candidate: Candidate
    standing: Standing
    judgement: Judgement = Judgement()
    problems: tuple[Problem, ...] = ()
    whys: tuple[Why, ...] = ()


def say(reason: Why) -> str:
    """The sentences of a reason."""
    text: str = getattr(environment().get_template("mail_reasons.j2").module, reason.code)(
        reason.facts
    )
    return text.strip("\n")


def receipts(
    case: Case,
    items: list[Item],
    warnings: list[Why],
    extra: tuple[str, ...],
    *,
    stored: bool = True,
) -> tuple[Reply, ...]:
    """To each owner the receipt of his orders; a short notice to a sender who is not one."""
    letters = []
    for to, own in _by_owner(case, items):
        page = _page(
            "mail_receipt.j2",
            case,
            stored=stored,
            orders=[_order(case, item) for item in own],
            warnings=[case.secrets.hide(say(each)) for each in warnings],
            passed=_passed(case),
            extra=extra,
            help=_help(case),
        )
        letters.append(_letter(case, to, page))
    return _with_notice(case, items, letters, "stored" if stored else "checked")


def refused(case: Case, items: list[Item], faults: Sequence[Why]) -> tuple[Reply, ...]:
    """To each owner what is wrong, with his file put right as far as that is certain."""
    letters = []
    for to, own in _by_owner(case, items):
        page = _page(
            "mail_refusal.j2",
            case,
            reasons=[say(each) for item in own for each in item.whys] + [say(e) for e in faults],
            files=[_wrong(case, item, alone=len(items) == 1) for item in own if item.problems],
            forms=[],
            passed=_passed(case),
            help="",
        )
        letters.append(_letter(case, to, page))
    return _with_notice(case, items, letters, "refused")


def late(case: Case, items: list[Item], seats: list[Seat]) -> tuple[Reply, ...]:
    """Orders that came after the deadline."""
    letters = []
    for to, own in _by_owner(case, items):
        mine = [item.standing.seat for item in own]
        until = [_times(case, seat) for seat in seats if seat in mine]
        page = _page("mail_hold.j2", case, reason="late", seats=mine, until=until)
        letters.append(_letter(case, to, page))
    return _with_notice(case, items, letters, "held")


def _times(case: Case, seat: Seat) -> dict[str, Any]:
    """The deadline of a seat, and when its grace ended."""
    due, end = case.world.due(seat), case.world.deadline(seat)
    return {"game": seat.game, "player": seat.player, "deadline": due or end, "grace": end}


def held(
    case: Case, reason: str, seats: Sequence[Seat], *, to_sender: bool = False
) -> tuple[Reply, ...]:
    """A mail that waits for the moderator; only addresses on file hear of it."""
    page = _page("mail_hold.j2", case, reason=reason, seats=list(seats), until=[])
    if to_sender:
        return (_letter(case, case.sender, page),)
    on_file = dict.fromkeys(seat.address for seat in (*seats, *case.own_seats[:1]) if seat.address)
    first = [seat.address for seat in seats if seat.address] or list(on_file)
    return tuple(_letter(case, to, page) for to in dict.fromkeys(first))


def wrong_seat(case: Case, seats: Sequence[Seat]) -> tuple[Reply, ...]:
    """A player has sent orders for somebody else's seat."""
    reasons = [say(why("wrong_seat", game=seat.game, player=seat.player)) for seat in seats]
    page = _page("mail_refusal.j2", case, reasons=reasons, files=[], forms=[], passed=[], help="")
    letter = _letter(case, case.sender, page)
    if not case.world.moderator:
        return (letter,)
    subject, text = _page("mail_moderator.j2", case, reasons=reasons, sender=case.sender)
    return (letter, Reply(case.world.moderator, "gm", subject, text))


def useless(case: Case, reasons: Sequence[Why]) -> tuple[Reply, ...]:
    """A mail without orders that can be used: why, and how it is done. Forms for proven seats."""
    if not case.sender or case.listed:
        return ()
    page = _page(
        "mail_refusal.j2",
        case,
        reasons=[case.secrets.hide(say(each)) for each in reasons],
        files=[],
        forms=_forms(case),
        passed=_passed(case),
        help=_help_page(),
    )
    return (_letter(case, case.sender, page),)


def fulfilled(case: Case, texts: Sequence[str], to: str | None = None) -> tuple[Reply, ...]:
    """The answer to a mail that asks for something; to its sender, or to an address on file."""
    page = _page("mail_request.j2", case, texts=list(texts), help=_help(case))
    return (_letter(case, to or case.sender, page),)


def shown(case: Case, text: str) -> str:
    """Somebody's order file as it may be shown to him: without his key, and not too long."""
    return case.secrets.hide(without_key(text)[:_LONGEST_FILE])


def in_subject(case: Case) -> bool:
    """Whether the subject looks as if orders stood in it."""
    subject = case.head.subject
    return bool(_ORDER.search(subject) and (_SQUARE.search(subject) or "pass" in subject.lower()))


def _by_owner(case: Case, items: list[Item]) -> list[tuple[str, list[Item]]]:
    """The addresses that may read everything of these orders, each with its own ones."""
    owners: dict[str, list[Item]] = {}
    for item in items:
        seat = item.standing.seat
        key_only = item.standing.kind in ("key", "vouched")
        address = seat.address if seat and key_only else case.sender
        if address:
            owners.setdefault(address.lower(), []).append(item)
    return list(owners.items())


def _with_notice(
    case: Case, items: list[Item], letters: list[Reply], became: str
) -> tuple[Reply, ...]:
    """A sender who is known by the key only hears what became of his mail, and no more."""
    told = any(same_address(letter.to, case.sender) for letter in letters)
    told = told or all(item.standing.kind == "vouched" for item in items)
    if told or not case.sender or case.listed:
        return tuple(letters)
    games = sorted({item.standing.game for item in items})
    page = _page("mail_notice.j2", case, became=became, games=games, sender=case.sender)
    return (_letter(case, case.sender, page), *letters)


def _letter(case: Case, to: str, page: tuple[str, str]) -> Reply:
    subject, text = page
    if not same_address(to, case.sender):
        return Reply(to, "registered", subject, text)
    audience: Audience = "sender"
    return Reply(to, audience, subject, text, case.head.thread)


def _page(template: str, case: Case, **values: Any) -> tuple[str, str]:
    """A letter: its first line is the subject."""
    text = (
        environment()
        .get_template(template)
        .render(
            number=case.mail.number,
            arrival=case.mail.arrival,
            sha256=case.mail.sha256,
            content=case.content,
            **values,
        )
    )
    subject, _, body = text.partition("\n")
    return one_line(subject, 120), body.strip("\n") + "\n"


def _order(case: Case, item: Item) -> dict[str, Any]:
    seat = item.standing.seat
    assert seat is not None
    file = item.candidate.file._replace(game=seat.game, key=None)
    parts = tuple(part for part in ("actions", "answers") if getattr(file, part) is not None)
    earlier = case.memory.newest(seat.game, seat.player, parts)
    return {
        "game": seat.game,
        "player": seat.player,
        "turn": file.turn,
        "place": item.candidate.place,
        "line": item.candidate.line,
        "text": normal_form(file),
        "judgement": item.judgement,
        "earlier": earlier,
    }


def _wrong(case: Case, item: Item, *, alone: bool) -> dict[str, Any]:
    """The faults of one file, and the file again."""
    file = item.candidate.file
    again = file.repaired if item.problems == file.problems else ""
    again = again or repaired_text(file.text, item.problems)
    return {
        "place": "" if alone and item.candidate.place == "the body" else item.candidate.place,
        "problems": [case.secrets.hide(line) for line in problem_lines(item.problems)],
        "again": shown(case, again),
    }


def _passed(case: Case) -> list[str]:
    """Every line that was not read, and what it was taken for."""
    several = len({each.place for each in case.reading.passed}) > 1
    lines = []
    for each in case.reading.passed[:_MOST_ROWS]:
        where = f"{each.place}, " if several or each.kind == "attachment" else ""
        reason = why("passed", first=each.first, last=each.last, kind=each.kind, text=each.text)
        lines.append(where + case.secrets.hide(say(reason)))
    if len(case.reading.passed) > _MOST_ROWS:
        lines.append(say(why("passed_more", number=len(case.reading.passed) - _MOST_ROWS)))
    return lines


def _forms(case: Case) -> list[str]:
    """The order forms of a proven player: of the game he speaks of, or of all his games."""
    if not case.proven:
        return []
    seats: Iterable[Seat] = case.own_seats
    named = [seat for seat in seats if seat.game.lower() in case.head.subject.lower()]
    forms = [case.world.form(seat) for seat in (named or case.own_seats)[:_MOST_FORMS]]
    return [form for form in forms if form]


def _help(case: Case) -> str:
    return _help_page() if HelpWanted() in case.requests else ""


def _help_page() -> str:
    return environment().get_template("mail_help.j2").render()
