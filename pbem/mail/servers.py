"""Servers as pbem.yaml names them: the host, the way of encryption, the login."""

import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from pbem import disk
from pbem.fields import Fields

Security: TypeAlias = Literal["tls", "starttls"]
Kind: TypeAlias = Literal["imap", "smtp"]

SERVER_KEYS = (
    "host, port, security, user, password_env, password_file, certificates, timeout_seconds"
)
_SECURITY: tuple[Security, ...] = ("tls", "starttls")
_PORTS = {"imap": {"tls": 993, "starttls": 143}, "smtp": {"tls": 465, "starttls": 587}}
_USUAL: dict[Kind, Security] = {"imap": "tls", "smtp": "starttls"}
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_LONGEST_USER = 254
_LONGEST_PASSWORD = 1024


class Login(NamedTuple):
    """Who we are at a server, and where the password is: a variable or a file."""

    user: str
    variable: str | None = None
    file: Path | None = None


class Server(NamedTuple):
    """A server, how to reach it safely, and who we are there.

    `certificates`: a file with the certificates to trust, where the system's do not serve.
    """

    host: str
    port: int
    security: Security
    login: Login | None = None
    certificates: Path | None = None
    timeout: int = 60


class NoPassword(Exception):
    """A password that cannot be had; `kind` names the sentence, `where` the variable or file."""

    def __init__(self, kind: str, where: str) -> None:
        super().__init__(f"{kind}: {where}")
        self.kind = kind
        self.where = where


def password_of(login: Login) -> str:
    """The password of a login; NoPassword if there is none, or if others could read it."""
    if login.file is None:
        variable = login.variable or ""
        found = os.environ.get(variable, "")
        if not found:
            raise NoPassword("variable_unset", variable)
        return found
    return _password_in(login.file)


def _password_in(path: Path) -> str:
    where = str(path)
    try:
        found = path.stat()
    except OSError:
        raise NoPassword("file_missing", where) from None
    if not stat.S_ISREG(found.st_mode):
        raise NoPassword("file_missing", where)
    if found.st_uid != os.geteuid():
        raise NoPassword("file_of_another", where)
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise NoPassword("file_open", where)
    data = disk.read_plain(disk.followed(path), _LONGEST_PASSWORD)
    if data is None:
        raise NoPassword("file_missing", where)
    try:
        text = data.decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        raise NoPassword("file_unsound", where) from None
    if not text or len(data) > _LONGEST_PASSWORD or not text.isprintable():
        raise NoPassword("file_unsound", where)
    return text


def read_server(fields: Fields, kind: Kind, games: Path) -> Server:
    """Take a server from the configuration; the caller says `end`."""
    if "host" not in fields:
        fields.wrong(None, "`host` is missing: the name of the server")
    host = checked(fields, "host", _host_fault)
    security = fields.choice("security", _SECURITY, _USUAL[kind])
    port = fields.number("port", _PORTS[kind][security], 1, 65535)
    login = _read_login(fields, games)
    certificates = path_of(fields, "certificates", games)
    timeout = fields.number("timeout_seconds", 60, 1, 600)
    return Server(host, port, security, login, certificates, timeout)


def _read_login(fields: Fields, games: Path) -> Login | None:
    if "password" in fields:
        fields.node("password")
        fields.wrong(
            "password",
            "no password stands in this file; name a variable of the environment with "
            "`password_env`, or a file that only you can read with `password_file`",
        )
    user = checked(fields, "user", _user_fault)
    variable = checked(fields, "password_env", _variable_fault) or None
    file = path_of(fields, "password_file", games)
    if user and (variable is None) == (file is None):
        fields.wrong("user", "a login needs `password_env` or `password_file`, one of the two")
    if not user and (variable or file):
        fields.wrong(None, "`user` is missing: a password without a user is no login")
    return Login(user, variable, file) if user else None


def checked(fields: Fields, key: str, check: Callable[[str], str | None], default: str = "") -> str:
    """Take a text that may be absent and must pass a check."""
    if key not in fields:
        return default
    text = fields.text(key)
    fault = check(text)
    if fault:
        fields.wrong(key, fault)
    return default if fault else text


def path_of(fields: Fields, key: str, games: Path) -> Path | None:
    """Take a path that may be absent; it starts at the games folder, `~` at home."""
    if key not in fields:
        return None
    text = fields.text(key)
    if not text:
        fields.wrong(key, "should be a path")
        return None
    try:
        return games / Path(text).expanduser()
    except RuntimeError:
        fields.wrong(key, f"`{text}`: there is no such home folder")
        return None


def _host_fault(text: str) -> str | None:
    if _HOST.fullmatch(text):
        return None
    return f"`{text}` is no name of a server such as mail.example.org"


def _user_fault(text: str) -> str | None:
    if not text or len(text) > _LONGEST_USER or not text.isprintable():
        return f"`{text[:40]}` is no name of a user"
    return None


def _variable_fault(text: str) -> str | None:
    if _VARIABLE.fullmatch(text):
        return None
    return "this should be the name of a variable such as PBEM_PASSWORD, not the password itself"
