"""pbem.yaml in the games folder: addresses, servers, limits. It is the moderator's.

Everything in it may be left out. Without the file mail comes from the folder `_inbox`, and
letters stay in the folder `outbox` of each game.
"""

import re
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from pbem import disk
from pbem.fields import Fields, read_fields
from pbem.mail.servers import SERVER_KEYS, Server, checked, read_server
from pbem.names import address_fault, player_name_fault
from pbem.problem import Problem
from pbem.versions import read_versions

FILE = "pbem.yaml"
INBOX = "_inbox"
OUTBOX = "_outbox"
LARGEST_FILE = 256 * 1024

Way: TypeAlias = Literal["folder", "smtp", "sendmail"]
Mark: TypeAlias = Literal["mark", "move"]
Unsure: TypeAlias = Literal["hold", "again"]

_WAYS: tuple[Way, ...] = ("folder", "smtp", "sendmail")
_MARKS: tuple[Mark, ...] = ("mark", "move")
_UNSURE: tuple[Unsure, ...] = ("hold", "again")
_NOWHERE = "pbem@pbem.invalid"
_LABEL = r"[a-z0-9]([a-z0-9-]*[a-z0-9])?"
_DOMAIN = re.compile(rf"(?=.{{1,200}}$){_LABEL}(\.{_LABEL})*")
_TIME_OF_DAY = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
_LONGEST_FOLDER = 200


class Addresses(NamedTuple):
    """Who we are in the mail. `domain` stands in the identities of our letters."""

    orders: str = _NOWHERE
    name: str = "Tigris and Euphrates"
    moderator: str | None = None
    bounces: str = _NOWHERE
    domain: str = "pbem.invalid"


class Mailbox(NamedTuple):
    """A mailbox on an IMAP server. `after`: what becomes of a mail once it is stored."""

    server: Server
    folder: str = "INBOX"
    after: Mark = "mark"
    stored: str = "Stored"


class Incoming(NamedTuple):
    """Where mail comes from; the folder `_inbox` is always looked at."""

    mailboxes: tuple[Mailbox, ...] = ()
    maildirs: tuple[Path, ...] = ()


class Outgoing(NamedTuple):
    """How letters leave. `unsure`: what to do with a letter that may have left or not.

    `digest_for`: addresses that get one mail a day, at `digest_at` minutes after midnight UTC.
    """

    way: Way = "folder"
    server: Server | None = None
    command: tuple[str, ...] = ("/usr/sbin/sendmail", "-i")
    unsure: Unsure = "hold"
    digest_at: int = 6 * 60
    digest_for: frozenset[str] = frozenset()


class Limits(NamedTuple):
    """How much is too much. `letters_per_hour` counts for one domain, 0 turns a limit off.

    A letter that could not be sent for `letter_hours` is given up. When `run` was not there for
    `outage_hours`, no deadline is judged until the moderator says so.
    """

    mail_bytes: int = 1_000_000
    order_bytes: int = 65_536
    parts: int = 100
    depth: int = 10
    answers_per_day: int = 50
    letters_per_hour: int = 0
    letter_hours: int = 120
    outage_hours: int = 6


_MAY_BE_OFF = ("answers_per_day", "letters_per_hour", "outage_hours")


class MailConfig(NamedTuple):
    """What pbem.yaml says. `authserv_id`: the name our own server signs its findings with."""

    addresses: Addresses = Addresses()
    authserv_id: str | None = None
    incoming: Incoming = Incoming()
    outgoing: Outgoing = Outgoing()
    limits: Limits = Limits()


class Unusable(Exception):
    """A pbem.yaml that cannot be used, and everything that is wrong with it."""

    def __init__(self, path: Path, problems: tuple[Problem, ...]) -> None:
        super().__init__(f"{path}: it cannot be used")
        self.path = path
        self.problems = problems


def load_config(games: Path) -> MailConfig:
    """What the pbem.yaml of a games folder says; Unusable if it is not sound."""
    path = games / FILE
    if not path.exists() and not path.is_symlink():
        return MailConfig()
    data = disk.read_plain(disk.followed(path), LARGEST_FILE)
    if data is None or len(data) > LARGEST_FILE:
        raise Unusable(path, (Problem(None, "", "this is no file that can be read"),))
    config, problems = read_config(data, games)
    if config is None:
        raise Unusable(path, problems)
    return config


def read_config(data: bytes | str, games: Path) -> tuple[MailConfig | None, tuple[Problem, ...]]:
    """What the text of a pbem.yaml says, None if there are problems. Paths start at `games`."""
    fields, faults = read_fields(data)
    if fields is None:
        return None, tuple(faults.problems)
    config = _read(fields, games) if read_versions(fields) else None
    return (None if faults.problems else config), tuple(faults.problems)


def _read(fields: Fields, games: Path) -> MailConfig:
    named = "addresses" in fields
    addresses = _read_addresses(fields.child("addresses"), named)
    authserv_id = checked(fields, "authserv_id", _domain_fault).lower() or None
    incoming = _read_incoming(fields.child("in"), games)
    outgoing = _read_outgoing(fields.child("out"), games)
    if outgoing.way != "folder" and not named:
        fields.wrong(None, "`addresses` is missing: letters that leave need a sender")
    limits = _read_limits(fields.child("limits"))
    fields.end("schema, rules, addresses, authserv_id, in, out, limits")
    return MailConfig(addresses, authserv_id, incoming, outgoing, limits)


def _read_addresses(fields: Fields, named: bool) -> Addresses:
    if named and "orders" not in fields:
        fields.wrong(None, "`orders` is missing: the address that players write to")
    usual = Addresses()
    orders = checked(fields, "orders", address_fault, usual.orders)
    name = checked(fields, "name", player_name_fault, usual.name)
    moderator = checked(fields, "moderator", address_fault) or None
    bounces = checked(fields, "bounces", address_fault, orders)
    domain = checked(fields, "domain", _domain_fault, orders.rpartition("@")[2])
    fields.end("orders, name, moderator, bounces, domain")
    return Addresses(orders, name, moderator, bounces, domain.lower())


def _read_incoming(fields: Fields, games: Path) -> Incoming:
    mailboxes = tuple(_read_mailbox(each, games) for each in fields.children("imap"))
    maildirs = tuple(games / Path(path) for path in fields.texts("maildir") if path)
    fields.end("imap, maildir")
    return Incoming(mailboxes, maildirs)


def _read_mailbox(fields: Fields, games: Path) -> Mailbox:
    server = read_server(fields, "imap", games)
    if server.login is None:
        fields.wrong(None, "`user` is missing: nobody may look into a mailbox without a login")
    folder = checked(fields, "folder", _folder_fault, "INBOX")
    after = fields.choice("after", _MARKS, "mark")
    if after == "mark" and "stored" in fields:
        fields.wrong("stored", "mails are moved to a folder only with `after: move`")
    stored = checked(fields, "stored", _folder_fault, "Stored")
    if after == "move" and stored == folder:
        fields.wrong("stored", "mails cannot be moved to the folder that they come from")
    fields.end(f"{SERVER_KEYS}, folder, after, stored")
    return Mailbox(server, folder, after, stored)


def _read_outgoing(fields: Fields, games: Path) -> Outgoing:
    usual = Outgoing()
    way = fields.choice("way", _WAYS, usual.way)
    server = _read_smtp(fields.child("smtp"), games) if "smtp" in fields else None
    if way == "smtp" and server is None:
        fields.wrong("way", "`smtp` is missing: the server that letters go to")
    command = fields.texts("sendmail") or usual.command
    if not Path(command[0]).is_absolute():
        fields.wrong("sendmail", f"`{command[0]}` should be a path that begins with `/`")
    unsure = fields.choice("unsure", _UNSURE, usual.unsure)
    at, readers = _read_digest(fields.child("digest"))
    fields.end("way, smtp, sendmail, unsure, digest")
    return Outgoing(way, server, command, unsure, at, readers)


def _read_smtp(fields: Fields, games: Path) -> Server:
    server = read_server(fields, "smtp", games)
    fields.end(SERVER_KEYS)
    return server


def _read_digest(fields: Fields) -> tuple[int, frozenset[str]]:
    at = fields.text("at", "06:00")
    found = _TIME_OF_DAY.fullmatch(at)
    if not found:
        fields.wrong("at", f"`{at}` should be a time of day in UTC such as 06:00")
    readers = fields.texts("for")
    for address in readers:
        if fault := address_fault(address):
            fields.wrong("for", fault)
    fields.end("at, for")
    minutes = 60 * int(found[1]) + int(found[2]) if found else 0
    return minutes, frozenset(address.lower() for address in readers)


def _read_limits(fields: Fields) -> Limits:
    usual = Limits()._asdict()
    taken = {
        key: fields.number(key, value, 0 if key in _MAY_BE_OFF else 1)
        for key, value in usual.items()
    }
    fields.end(", ".join(usual))
    return Limits(**taken)


def _domain_fault(text: str) -> str | None:
    if _DOMAIN.fullmatch(text.lower()):
        return None
    return f"`{text}` is no domain such as example.org"


def _folder_fault(text: str) -> str | None:
    if text and len(text) <= _LONGEST_FOLDER and text.isprintable():
        return None
    return f"`{text[:40]}` is no name of a folder"
