"""Mails that no person wrote: auto-replies, bounces, receipts, calendars, our own letters.

They are logged, some are shown to the moderator, and they are never answered.
"""

import re
from typing import NamedTuple

from pbem.mail.headers import Head
from pbem.mail.letters import LOOP_HEADER
from pbem.mail.parts import Node

_AWAY = re.compile(
    r"(?:automatic reply|auto(?:matic)? ?-?(?:reply|response)|auto:|out of (?:the )?office|ooo:"
    r"|away from (?:the )?(?:office|mail)|on vacation|vacation reply"
    r"|automatische antwort|abwesenheit|abwesend|au\u00dfer haus|nicht im b\u00fcro"
    r"|r\u00e9ponse automatique|absence du bureau|absent du bureau|respuesta autom\u00e1tica"
    r"|fuera de la oficina|risposta automatica|fuori sede|automatisch antwoord|afwezig"
    r"|resposta autom\u00e1tica|automatiskt svar|autosvar|automaattinen vastaus"
    r"|odpowied\u017a automatyczna|\u0430\u0432\u0442\u043e\u043e\u0442\u0432\u0435\u0442)",
    re.IGNORECASE,
)
_BOUNCE = re.compile(
    r"(?:undeliver(?:ed|able)|delivery (?:status notification|failure)|mail delivery (?:failed|sub)"
    r"|returned mail|failure notice|mail system error|warning: (?:message|could not send)"
    r"|unzustellbar|non remis|no entregado)",
    re.IGNORECASE,
)
_CHALLENGE = re.compile(
    r"(?:please confirm (?:your|this) (?:message|e-?mail|mail)"
    r"|(?:prove|confirm|verify) (?:that )?you are (?:a )?human"
    r"|your (?:message|e-?mail) (?:is|was) (?:awaiting|held|waiting)"
    r"|sender (?:verification|confirmation)|challenge.response|boxbe|spamarrest)",
    re.IGNORECASE,
)
_RECEIPT = re.compile(r"(?:read|gelesen|lu|le\u00eddo|letto)\s*:", re.IGNORECASE)
_DAEMON = re.compile(r"(?:mailer-daemon|postmaster|mail-daemon|mdaemon)@", re.IGNORECASE)
_AUTO = ("x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-response-suppress")
_BULK = ("bulk", "junk", "auto_reply", "auto-reply")
_LIST = ("list-id", "list-post", "list-unsubscribe")
_RECIPIENT = re.compile(
    r"^(?:final|original)-recipient\s*:[^;\n]*;\s*<?(?P<to>[^\s>]+)", re.I | re.M
)
_STATUS = re.compile(r"^status\s*:\s*(?P<code>[245]\.\d{1,3}\.\d{1,3})", re.I | re.M)
_ACTION = re.compile(r"^action\s*:\s*(?P<word>\w+)", re.I | re.M)


class Bounce(NamedTuple):
    """A letter of ours that was not delivered. `permanent`: trying again is of no use."""

    address: str
    status: str
    permanent: bool


class Robot(NamedTuple):
    """A mail of a machine: of what kind, whether the moderator is told, and what bounced."""

    kind: str
    alert: bool
    bounces: tuple[Bounce, ...] = ()


def robot(head: Head, root: Node, server: str) -> Robot | None:
    """What machine wrote this mail; None if a person did, as far as can be seen."""
    if head.values(LOOP_HEADER) or head.sender == server.lower():
        return Robot("loop", alert=True)
    if (report := _report(head, root)) is not None:
        return report
    if _calendar(root):
        return Robot("calendar", alert=False)
    if _CHALLENGE.search(head.subject):
        return Robot("challenge", alert=True)
    if _automatic(head) or _AWAY.match(head.subject):
        return Robot("auto-reply", alert=True)
    return None


def from_list(head: Head) -> bool:
    """Whether the mail came through a mailing list."""
    words = [value.strip().lower() for value in head.values("precedence")]
    return "list" in words or any(head.values(name) for name in _LIST[:2])


def _report(head: Head, root: Node) -> Robot | None:
    """Reports on letters of ours: receipts, and failures of delivery."""
    kinds = [node.kind for node in root.all()]
    if "message/disposition-notification" in kinds or (
        root.kind == "multipart/report" and _RECEIPT.match(head.subject)
    ):
        return Robot("receipt", alert=False)
    daemon = bool(head.sender and _DAEMON.match(head.sender))
    if "message/delivery-status" in kinds and root.kind == "multipart/report":
        return Robot("bounce", alert=True, bounces=_bounces(root))
    null = any(value.strip() == "<>" for value in head.values("return-path")[:1])
    if daemon or (null and _BOUNCE.search(head.subject)):
        return Robot("bounce", alert=True, bounces=_bounces(root))
    if root.kind == "multipart/report":
        return Robot("report", alert=True)
    return Robot("null sender", alert=True) if null else None


def _bounces(root: Node) -> tuple[Bounce, ...]:
    """The addresses that a failure of delivery names."""
    found: dict[str, Bounce] = {}
    for node in root.all():
        if node.kind != "message/delivery-status":
            continue
        rows = "\n\n".join(_status_text(each) for each in node.all()).replace("\r\n", "\n")
        for group in rows.split("\n\n"):
            to, status, action = (p.search(group) for p in (_RECIPIENT, _STATUS, _ACTION))
            if to:
                code = status["code"] if status else ""
                failed = action is None or action["word"].lower() == "failed"
                address = to["to"].lower()[:254]
                found[address] = Bounce(address, code, failed and not code.startswith("4"))
    return tuple(found.values())


def _status_text(node: Node) -> str:
    """The fields of a delivery status; the library reads each group as a mail of its own."""
    fields = "\n".join(f"{key}: {value}" for key, value in node.message.items())
    return fields + "\n\n" + node.content.data.decode("utf-8", errors="replace")


def _calendar(root: Node) -> bool:
    """An answer to an invitation."""
    for node in root.all():
        if node.kind == "text/calendar":
            method = str(node.message.get("content-type", "")).lower()
            text = node.content.data[:4000].upper()
            if "method=reply" in method.replace('"', "") or b"METHOD:REPLY" in text:
                return True
    return root.kind == "text/calendar"


def _automatic(head: Head) -> bool:
    submitted = [value.strip().lower() for value in head.values("auto-submitted")]
    if any(value and not value.startswith("no") for value in submitted):
        return True
    if any(head.values(name) for name in _AUTO):
        return True
    words = [value.strip().lower() for value in head.values("precedence")]
    return any(word in _BULK for word in words)
