"""The intake of mail: from raw bytes to a verdict. Whatever comes, this gives one."""

import hashlib
import re
from email.message import Message

from pbem.disk import Busy
from pbem.mail import answers
from pbem.mail.case import NO_LEAVE, Case, Leave, open_case, with_texts
from pbem.mail.config import Limits
from pbem.mail.decide import decide
from pbem.mail.headers import Head, parse, parse_head, read_head, sent_at
from pbem.mail.parts import Node, TooMuch, content_hash, contents, tree
from pbem.mail.rawstore import RawMail, RawStore
from pbem.mail.reading import forwarded, read
from pbem.mail.robots import robot
from pbem.mail.ruling import Ruling, written_down
from pbem.mail.seen import Entry, Memory
from pbem.mail.verdict import Alert, Verdict
from pbem.mail.world import Why, World, why
from pbem.sound import Damage

MAX_HEAD = 64 * 1024
MAX_BOUNDARIES = 1000
MAX_NESTED = 60
BROKEN = "broken:"
"""How the code begins that says which fault of ours a mail has found."""


_BODY = re.compile(rb"\r?\n\r?\n|\r\r")
_NESTING = re.compile(rb"^content-type\s*:\s*(?:multipart|message)/", re.IGNORECASE | re.MULTILINE)


def judge_mail(mail: RawMail, world: World, memory: Memory, leave: Leave = NO_LEAVE) -> Verdict:
    """What becomes of a mail. A mail that breaks us is held and shown.

    It raises only what a game raises that cannot be looked at now: then nothing was judged.
    """
    try:
        return _judge(mail, world, memory, leave)
    except (Damage, Busy):
        raise
    except Exception as fault:  # one mail must never stop the next
        kind = type(fault).__name__
        entry = Entry(mail.number, mail.arrival, mail.arrival, "", "", mail.sha256, "hold")
        entry = entry._replace(why=(f"{BROKEN}{kind}",))
        return Verdict("hold", entry, alerts=(Alert(f"broken: {kind}"),))


def judge_again(
    store: RawStore, number: int, world: World, memory: Memory, leave: Leave = NO_LEAVE
) -> Verdict:
    """The verdict on a stored mail, with what was known when it came."""
    return judge_mail(store.read(number), world, memory.before(number), leave)


def unjudged(store: RawStore, memory: Memory) -> list[int]:
    """The stored mails that a crash has left without a verdict, in order."""
    return [number for number in store.numbers() if number not in memory]


def read_mail(mail: RawMail, world: World) -> Case:
    """A mail with all that is written in it, as it would lie on the table; it may break us."""
    case, root, limit = _opened(mail, world, Memory(), NO_LEAVE)
    return case if limit else _with_texts(case, root)


def _judge(mail: RawMail, world: World, memory: Memory, leave: Leave) -> Verdict:
    case, root, limit = _opened(mail, world, memory, leave)
    known = memory.same(case.identity, case.mail_id, case.content)
    if known is not None and known.number != mail.number:
        return written_down(case, Ruling("duplicate"))
    return _of_person_or_machine(case, case.head, root, limit)


def _opened(
    mail: RawMail, world: World, memory: Memory, leave: Leave
) -> tuple[Case, Node, Why | None]:
    """A mail with its head read, its parts, and what of it is too much."""
    end = _BODY.search(mail.data.lstrip(b"\r\n"))
    size = end.start() if end else len(mail.data)
    limit = _limit(mail.data, size, world.limits)
    if limit is None:
        message = parse(mail.data)
        try:
            root: Node | None = tree(message, world.limits)
        except TooMuch:
            root, limit = None, why("too_many_parts")
    else:
        message, root = parse_head(mail.data.lstrip(b"\r\n")[: min(size, MAX_HEAD)]), None
    head = read_head(message)
    if root is None:
        content = hashlib.sha256(mail.data[size:]).hexdigest()
        root = _bare(message)
    else:
        content = content_hash(root)
    case = open_case(mail, head, sent_at(head, mail.arrival), content, world, memory)
    sure = case.proven or (leave.vouched and not case.head.repeated)
    return case._replace(proven=sure, leave=leave), root, limit


def _limit(data: bytes, head_size: int, limits: Limits) -> Why | None:
    """What of a mail is too much to be read at all."""
    if len(data) > limits.mail_bytes:
        return why("too_large", limit=limits.mail_bytes // 1000, size=len(data) // 1000)
    if head_size > MAX_HEAD:
        return why("long_head", limit=MAX_HEAD // 1024)
    if data.count(b"\n--") > MAX_BOUNDARIES or len(_NESTING.findall(data)) > MAX_NESTED:
        return why("too_many_parts")
    return None


def _bare(message: "Message[str, str]") -> Node:
    """A mail of which only the head was read, as a part without content."""
    kind = message.get_content_type()
    return Node(kind, "", False, answers.NOTHING, (), message)


def _of_person_or_machine(case: Case, head: Head, root: Node, limit: Why | None) -> Verdict:
    machine = robot(head, root, case.world.server)
    if machine is not None:
        seats = tuple(s for b in machine.bounces for s in case.world.seats_of(b.address))
        alert = Alert(machine.kind, seats or case.own_seats, case.sender)
        alerts = (alert,) if machine.alert else ()
        verdict = written_down(case, Ruling("ignore", alerts=alerts, why=(machine.kind,)))
        return verdict._replace(bounces=machine.bounces)
    if limit is not None:
        if not (case.own_seats or case.proven):
            return written_down(case, Ruling("ignore"))
        letters = answers.useless(case, [limit])
        return written_down(case, Ruling("reject", letters, why=(limit.code,)))
    return decide(_with_texts(case, root))


def _with_texts(case: Case, root: Node) -> Case:
    """The mail with its texts read; a forwarded one in it too, if the moderator vouches for it."""
    found, subject = contents(root), case.head.subject
    reading = read(found, subject)
    if case.leave.vouched and not reading.candidates:
        reading = reading._replace(candidates=forwarded(found, subject))
    return with_texts(case, found, reading)
