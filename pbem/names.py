"""Names that reach the disk and the mail: games, players, addresses, languages.

Each check says what is wrong in a sentence, or nothing. What passes holds no path, control
character or line break.
"""

import re
import unicodedata
from functools import cache
from pathlib import Path

from pbem.suggest import choice

LOCALES = Path(__file__).parents[1] / "templates" / "locale"
GAME_NAME_LENGTH = 40
PLAYER_NAME_LENGTH = 80
ADDRESS_LENGTH = 254

_GAME_NAME = re.compile(r"[A-Za-z0-9._-]+")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_ADDRESS = re.compile(r"[A-Za-z0-9._%+=!#$&'*/?^{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
_DEVICES = {
    "con", "prn", "aux", "nul",
    *(f"{port}{number}" for port in ("com", "lpt") for number in range(10)),
}  # fmt: skip
_JOINERS = "\u200c\u200d"
_UNSEEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}


def game_name_fault(name: str) -> str | None:
    """What is wrong with the name of a game, if anything."""
    if not name:
        return "the name of a game is empty"
    if len(name) > GAME_NAME_LENGTH:
        return f"a game's name has at most {GAME_NAME_LENGTH} characters, this one {len(name)}"
    if not _GAME_NAME.fullmatch(name):
        wrong = next(sign for sign in name if not _GAME_NAME.fullmatch(sign))
        return f"{shown(name)}: a game's name has letters a-z, digits, - _ . and no {shown(wrong)}"
    return _reserved(name)


def _reserved(name: str) -> str | None:
    lower = name.lower()
    if lower.startswith(("_", "pbem.")):
        return f"`{name}`: names that begin with `_` or `pbem.` belong to the program"
    if lower.startswith((".", "-")) or lower.endswith("."):
        return f"`{name}`: a game's name starts with a letter or digit and does not end in a dot"
    if lower.split(".")[0] in _DEVICES:
        return f"`{name}`: some systems keep this name for a device"
    return None


def player_name_fault(name: str) -> str | None:
    """What is wrong with the name of a person, if anything."""
    if not name.strip():
        return "the name of a player is empty"
    if len(name) > PLAYER_NAME_LENGTH:
        return f"a player's name has at most {PLAYER_NAME_LENGTH} characters, this one {len(name)}"
    if name != name.strip():
        return f"{shown(name)}: a player's name has no spaces at its ends"
    wrong = next((sign for sign in name if _is_unseen(sign)), None)
    if wrong is not None:
        return f"{shown(name)}: a player's name holds no invisible sign such as {shown(wrong)}"
    return None


def address_fault(address: str) -> str | None:
    """What is wrong with a mail address, if anything. Only plain addresses pass."""
    if len(address) > ADDRESS_LENGTH:
        return f"an address has at most {ADDRESS_LENGTH} characters, this one {len(address)}"
    if address.count("@") != 1:
        return f"{shown(address)}: an address has one `@`, as in ana@example.org"
    wrong = next((sign for sign in address if sign.isspace() or _is_unseen(sign)), None)
    if wrong is not None:
        return f"{shown(address)}: an address holds no {shown(wrong)}"
    if address.startswith("-") or not _ADDRESS.fullmatch(address):
        return f"{shown(address)} is no plain address such as ana@example.org"
    return None


def language_fault(language: str) -> str | None:
    """What is wrong with the name of a language (`en`, `pt-BR`), if anything."""
    if len(language) > PLAYER_NAME_LENGTH or not _LANGUAGE.fullmatch(language):
        return f"{shown(language[:PLAYER_NAME_LENGTH])} is no language such as en or pt-BR"
    known = spoken()
    if language.partition("-")[0] not in known and language.replace("-", "_") not in known:
        return f"{language} is no language of reports: {choice(sorted(known))}"
    return None


@cache
def spoken() -> frozenset[str]:
    """The languages of reports: English, and those that have a catalogue."""
    return frozenset(["en", *(path.name for path in LOCALES.iterdir() if path.is_dir())])


def zone_fault(zone: str) -> str | None:
    """What is wrong with the name of a time zone (`Europe/Lisbon`), if anything."""
    if zone == "UTC":
        return None
    from zoneinfo import ZoneInfo

    try:
        if len(zone) <= PLAYER_NAME_LENGTH:
            ZoneInfo(zone)
            return None
    except (KeyError, ValueError, OSError):  # unknown, no zone, out of bounds, a folder
        pass
    return f"{shown(zone[:PLAYER_NAME_LENGTH])} is no time zone such as UTC or Europe/Lisbon"


def same_name(one: str, other: str) -> bool:
    """Whether two game names are the same: case does not matter."""
    return one.casefold() == other.casefold()


def shown(text: str) -> str:
    """The text in quotes for a message, with everything invisible as a code."""
    if text == " ":
        return "space"
    return f"`{''.join(_code(sign) if _is_unseen(sign) else sign for sign in text)}`"


def _is_unseen(sign: str) -> bool:
    return sign not in _JOINERS and unicodedata.category(sign) in _UNSEEN


def _code(sign: str) -> str:
    return f"<U+{ord(sign):04X}>"
