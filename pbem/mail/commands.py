"""What a player may ask for by mail: one command a line, or as the subject.

A command is a line that holds nothing else, so that no sentence is taken for one:

    help
    check                                 the orders of this mail are judged, not stored
    status / status ur-1
    report ur-1 / report ur-1 12          the newest report, or that of a run
    rules english                         the rules of an option
    confirm / confirm ur-1                he will play, said before the first turn
    away 2026-07-01 to 2026-07-14         also away: 2026-07-01..2026-07-14; away none
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from pbem.clock import read_day

LONGEST_AWAY = 366


@dataclass(frozen=True, slots=True)
class HelpWanted:
    """The one-page guide."""


@dataclass(frozen=True, slots=True)
class CheckWanted:
    """Judge the orders of this mail, store nothing."""


@dataclass(frozen=True, slots=True)
class StatusWanted:
    """Whose move it is, in one game or in all of the player's."""

    game: str | None = None


@dataclass(frozen=True, slots=True)
class ReportWanted:
    """The player's own report, the newest or that of a run."""

    game: str | None = None
    run: int | None = None


@dataclass(frozen=True, slots=True)
class RulesWanted:
    """The rules of an option."""

    option: str


@dataclass(frozen=True, slots=True)
class Away:
    """The player is away on these days, both included; no days: he is back."""

    first: date | None = None
    last: date | None = None


@dataclass(frozen=True, slots=True)
class ConfirmWanted:
    """The player will play, in one game or in all that wait for him to say so."""

    game: str | None = None


@dataclass(frozen=True, slots=True)
class Unclear:
    """A command that cannot be followed, and why."""

    line: str
    why: str


Request: TypeAlias = (
    HelpWanted
    | CheckWanted
    | StatusWanted
    | ReportWanted
    | RulesWanted
    | Away
    | ConfirmWanted
    | Unclear
)

_REPLY = re.compile(r"(?:(?:re|aw|sv|antw|odp|ref)\s*:|\[[^\]]*\])\s*", re.IGNORECASE)
_GAME = r"[A-Za-z0-9._-]{1,40}"
_PLAIN = re.compile(r"(help|check)", re.IGNORECASE)
_STATUS = re.compile(rf"status(?:[ :]+(?P<game>{_GAME}))?", re.IGNORECASE)
_REPORT = re.compile(
    rf"report(?:[ :]+(?P<game>{_GAME})(?:[ ,]+(?:at |run )?(?P<run>\d{{1,9}}))?)?", re.IGNORECASE
)
_RULES = re.compile(r"rules?[ :]+(?P<option>[A-Za-z][\w ./=-]{0,60})", re.IGNORECASE)
_CONFIRM = re.compile(rf"confirm(?:[ :]+(?P<game>{_GAME}))?", re.IGNORECASE)
_AWAY = re.compile(r"away[ :]+(?P<days>none|off|\d.*)", re.IGNORECASE)
_DAYS = re.compile(r"(\d{4}-\d{2}-\d{2})(?:(?: ?\.\.\.? ?| (?:to|until|-|\u2013) )(\S+))?")


def requests(subject: str, lines: Iterable[str]) -> tuple[Request, ...]:
    """All commands of a mail: its own lines (not quoted, not orders), and its subject."""
    while found := _REPLY.match(subject):
        subject = subject[found.end() :]
    every = [request for text in (subject, *lines) if (request := command(text))]
    return tuple(dict.fromkeys(every))


def command(text: str) -> Request | None:
    """The command that a line is, None if it is none."""
    line = " ".join(text.split()).rstrip(".!?;")
    if not line or len(line) > 120:
        return None
    if plain := _PLAIN.fullmatch(line):
        return HelpWanted() if plain[1].lower() == "help" else CheckWanted()
    if status := _STATUS.fullmatch(line):
        return StatusWanted(status["game"])
    if confirmed := _CONFIRM.fullmatch(line):
        return ConfirmWanted(confirmed["game"])
    if report := _REPORT.fullmatch(line):
        run = report["run"]
        return ReportWanted(report["game"], int(run) if run else None)
    if (rules := _RULES.fullmatch(line)) and len(line.split()) <= 4:
        return RulesWanted(rules["option"].lower())
    if away := _AWAY.fullmatch(line):
        return _away(line, away["days"])
    return None


def _away(line: str, days: str) -> Request:
    if days.lower() in ("none", "off"):
        return Away()
    found = _DAYS.fullmatch(days)
    try:
        first = read_day(found[1]) if found else None
        last = read_day(found[2] or found[1]) if found else None
    except ValueError:
        first = last = None
    if first is None or last is None:
        return Unclear(line, "write the days as in `away: 2026-07-01..2026-07-14`")
    if last < first:
        return Unclear(line, f"{last} is before {first}")
    if (last - first).days > LONGEST_AWAY:
        return Unclear(line, "that is more than a year")
    return Away(first, last)
