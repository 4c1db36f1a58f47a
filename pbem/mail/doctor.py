"""`pbem mail doctor`: tries each way in and out, and says what is wrong in sentences.

It changes nothing: no mail is marked, no letter is sent.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pbem.mail.config import FILE, INBOX, Mailbox, MailConfig, Unusable, load_config
from pbem.mail.dispatch import outboxes
from pbem.mail.faults import Fault, ServerFault, name_of
from pbem.mail.outbox import Outbox
from pbem.mail.say import say


class Finding(NamedTuple):
    """One thing that was tried: whether it is well, and a sentence. `of`: what it is about."""

    well: bool
    of: str
    sentence: str


def examine(games: Path, folders: list[Path]) -> list[Finding]:
    """Everything, in the order in which mail travels. `folders` are the games."""
    try:
        config = load_config(games)
    except Unusable as unusable:
        return [_fault_of(problem.line, problem.message) for problem in unusable.problems]
    found = [_good("config", "configured" if (games / FILE).exists() else "unconfigured", FILE)]
    if not config.authserv_id:
        found.append(_good("config", "nobody_proven", FILE))
    found.append(_folder(games / INBOX))
    found += [_maildir(path) for path in config.incoming.maildirs]
    for mailbox in config.incoming.mailboxes:
        found += _tried("imap", partial(_look, mailbox))
    found += _way_out(config)
    found.append(_outboxes(outboxes(games, folders)))
    return found


def _look(mailbox: Mailbox) -> Iterator[Finding]:
    """Into one mailbox."""
    from pbem.mail.imapserver import look

    state = look(mailbox)
    where = f"{name_of(mailbox.server)} {mailbox.folder}"
    yield _good("imap", "imap_works", where, state.waiting)
    if mailbox.after == "mark" and not state.keeps_keywords:
        yield Finding(False, "imap", say("mail_doctor.j2", "no_keywords", where, 0))


def _way_out(config: MailConfig) -> Iterator[Finding]:
    outgoing = config.outgoing
    match outgoing.way:
        case "folder":
            yield _good("out", "letters_stay", "outbox")
        case "sendmail":
            yield from _tried("sendmail", lambda: _command(outgoing.command[0]))
        case "smtp":
            yield from _tried("smtp", lambda: _smtp(config))


def _smtp(config: MailConfig) -> Iterator[Finding]:
    """Log in and offer our sender, then break off."""
    from pbem.mail.faults import said
    from pbem.mail.transport import connect

    server = config.outgoing.server
    assert server is not None
    smtp = connect(server)
    try:
        code, reply = smtp.mail(config.addresses.bounces)
        smtp.rset()
    finally:
        with suppress(OSError):
            smtp.close()
    if code != 250:
        raise ServerFault(Fault("sender", name_of(server), f"{code} {said(reply)}"))
    yield _good("smtp", "smtp_works", name_of(server))


def _command(command: str) -> Iterator[Finding]:
    if not os.access(command, os.X_OK) or not Path(command).is_file():
        raise ServerFault(Fault("no_command", command, "it is no program that may be run"))
    yield _good("sendmail", "command_works", command)


def _tried(of: str, attempt: Callable[[], Iterator[Finding]]) -> list[Finding]:
    """What an attempt found, its fault included."""
    found: list[Finding] = []
    try:
        found.extend(attempt())
    except ServerFault as trouble:
        found.append(Finding(False, of, trouble.fault.sentence()))
    except OSError as error:
        found.append(Finding(False, of, Fault("lost", of, str(error)).sentence()))
    return found


def _folder(path: Path) -> Finding:
    if not path.exists():
        return _good("inbox", "inbox_missing", str(path))
    if not path.is_dir():
        return Finding(False, "inbox", Fault("unreadable", str(path), "no folder").sentence())
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        fault = Fault("not_writable", str(path), "permission denied")
        return Finding(False, "inbox", fault.sentence())
    waiting = sum(entry.is_file() for entry in path.iterdir() if entry.name[0] != ".")
    return _good("inbox", "inbox_works", str(path), waiting)


def _maildir(path: Path) -> Finding:
    if not (path / "new").is_dir() or not (path / "cur").is_dir():
        return Finding(False, "maildir", Fault("no_maildir", str(path)).sentence())
    if not os.access(path / "cur", os.W_OK | os.X_OK):
        fault = Fault("not_writable", str(path / "cur"), "permission denied")
        return Finding(False, "maildir", fault.sentence())
    waiting = sum(1 for _ in (path / "new").iterdir())
    return _good("maildir", "maildir_works", str(path), waiting)


def _outboxes(boxes: list[Outbox]) -> Finding:
    """What lies in all outboxes, and whether somebody has to decide."""
    counts = dict.fromkeys(("waiting", "retried", "unsure", "damaged", "failed"), 0)
    for box in boxes:
        for entry in box.entries():
            counts["waiting"] += entry.state == "waiting"
            counts["retried"] += entry.state == "waiting" and entry.tries > 0
            counts["unsure"] += entry.state in ("unsure", "sending")
        counts["damaged"] += len(box.damaged)
        failed = box.folder / "failed"
        counts["failed"] += len(list(failed.glob("*.yaml"))) if failed.is_dir() else 0
    well = not (counts["unsure"] or counts["damaged"])
    return Finding(well, "outbox", say("mail_doctor.j2", "outbox", "", counts))


def _good(of: str, macro: str, where: str, number: int = 0) -> Finding:
    return Finding(True, of, say("mail_doctor.j2", macro, where, number))


def _fault_of(line: int | None, message: str) -> Finding:
    place = f"{FILE}, line {line}" if line else FILE
    return Finding(False, "config", f"{place}: {message}")
