"""`pbem inbox show NUMBER`: one mail, raw and decoded, and what it would do. It shows orders."""

from functools import partial
from typing import Any

from pbem.clock import write_time
from pbem.language import when
from pbem.lines import quoted
from pbem.mail.case import Case, Leave
from pbem.mail.inbox import HELD, LATE, item_of, reason
from pbem.mail.ledger import NOTICES
from pbem.mail.office import Done, Office
from pbem.mail.parts import TooMuch
from pbem.mail.rawstore import RawMail
from pbem.mail.receiving import with_mail
from pbem.mail.seen import Entry
from pbem.mail.verdict import Verdict
from pbem.normalform import normal_form
from pbem.orderkey import hide_key
from pbem.outcome import Outcome, Settings

WARNING = "This page shows orders and who sent them. Do not read on if you play in that game."
_BECAME = {
    "accept": "accepted", "accept_warn": "accepted with a remark", "reject": "refused",
    "refused": "refused by you", HELD: "held", "ignore": "ignored", "duplicate": "repeated",
}  # fmt: skip


def show(settings: Settings, number: int) -> Outcome:
    """Print a mail with all that is known of it; nothing is changed."""
    outcome = with_mail(settings, number, partial(_show, number))
    outcome.wanted = True
    return outcome


def _show(number: int, outcome: Outcome, office: Office) -> Done | None:
    mail, entry = office.store.read(number), office.entry(number)
    facts: dict[str, Any] = {"mail": number}
    outcome.games.append(facts)
    outcome.say(WARNING, "")
    case = _read(office, mail)
    _head(outcome, facts, office, mail, case)
    _judged(outcome, facts, entry)
    notice = office.folder / NOTICES / f"{number:06}.txt"
    if notice.is_file():
        _part(outcome, "NOTICE", notice.read_text("utf-8", errors="replace"))
    if case is None:
        _part(outcome, "THE MAIL AS IT CAME", mail.data.decode("utf-8", errors="replace"))
        return None
    facts["texts"] = [{"place": t.place, "text": hide_key(t.variants[0])} for t in _texts(case)]
    for text in facts["texts"]:
        _part(outcome, f"THE TEXT ({text['place']})", text["text"])
    facts["orders"] = [_orders(each.file) for each in case.reading.candidates]
    for orders in facts["orders"]:
        _part(outcome, "THE ORDERS AS THEY ARE UNDERSTOOD", orders)
    if entry is not None and entry.outcome == HELD:
        _foresee(outcome, facts, office, number)
    return None


def _read(office: Office, mail: RawMail) -> Case | None:
    """What is written in it; None if it is one of those that break us."""
    try:
        return office.read(mail)
    except TooMuch:
        return None
    except Exception:  # it is shown as it came
        return None


def _texts(case: Case) -> list[Any]:
    return [text for text in case.contents.texts if text.variants]


def _orders(file: Any) -> str:
    """Orders in the long form; a file that cannot be read, as it stands."""
    return hide_key(file.text) if file.problems else normal_form(file._replace(key=None))


def _head(
    outcome: Outcome, facts: dict[str, Any], office: Office, mail: RawMail, case: Case | None
) -> None:
    """Where it came from, where it lies."""
    path = office.store.path(mail.number)
    facts |= {"arrival": write_time(mail.arrival), "file": str(path), "size": len(mail.data),
              "sha256": mail.sha256}  # fmt: skip
    outcome.say(f"Mail:       {mail.number}", f"Arrived:    {when(mail.arrival)}")
    if case is not None:
        sure = "proven" if case.proven else "not proven"
        facts |= {"from": case.sender, "proven": case.proven, "subject": case.head.subject,
                  "date": case.sent.claim, "message_id": case.head.message_id}  # fmt: skip
        outcome.say(
            f"From:       {case.sender or ' '.join(case.head.values('from'))} ({sure})",
            f"Subject:    {case.secrets.hide(case.head.subject)}",
            f"Date:       {case.sent.claim or 'none'} (what the sender says)",
            f"Message-ID: {case.head.message_id or 'none'}",
        )
    outcome.say(f"File:       {path}, {len(mail.data)} bytes", f"SHA-256:    {mail.sha256}")


def _judged(outcome: Outcome, facts: dict[str, Any], entry: Entry | None) -> None:
    """What became of it, and how it ends if it is held."""
    if entry is None:
        outcome.say("Judged:     not yet: pbem mail in")
        return
    facts |= {"outcome": entry.outcome, "why": list(entry.why)}
    became = _BECAME.get(entry.outcome, entry.outcome)
    if entry.outcome != HELD:
        codes = f" ({', '.join(entry.why)})" if entry.why else ""
        outcome.say(f"Judged:     {became}{codes}")
        return
    item = item_of(entry)
    facts["ends"] = list(item.ends)
    outcome.say(f"Judged:     held: {item.why}", f"Ends with:  {' or '.join(item.ends)}")


def _foresee(outcome: Outcome, facts: dict[str, Any], office: Office, number: int) -> None:
    """What would become of it if the moderator vouched for it, and took it as if in time."""
    verdict = office.foresee(number, Leave(vouched=True))
    facts["released"] = verdict.outcome
    if verdict.outcome == HELD and LATE in verdict.entry.why:
        outcome.say("", f"Released it would still be held: {reason(verdict.entry)}.")
        facts["admitted"] = _would(outcome, office.foresee(number, Leave(True, True)), "ADMITTED")
    else:
        _would(outcome, verdict, "RELEASED")
    if verdict.outcome == "reject" and (back := office.overtaken(number)):
        outcome.say(
            f"What it is for was decided meanwhile: pbem undo {back.game} --to {back.back} --yes "
            "would open it again."
        )


def _would(outcome: Outcome, verdict: Verdict, how: str) -> str:
    """The letters that would go out say it best."""
    became = _BECAME.get(verdict.outcome, verdict.outcome)
    outcome.say("", f"IF IT WERE {how}: {became}")
    for reply in verdict.replies:
        _part(outcome, f"Letter to {reply.to}: {reply.subject}", reply.text)
    return verdict.outcome


def _part(outcome: Outcome, title: str, text: str) -> None:
    outcome.say("", title, "", *quoted(text).split("\n"))
