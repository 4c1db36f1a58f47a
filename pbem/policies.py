"""The policies of a game, in its game.yaml: time to answer, and who hears of what.

All can be left out. Without `turn_time` a game has no deadlines.
"""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, TypeAlias, TypeVar, get_args

from pbem.clock.spans import (
    WEEKDAYS,
    DaysOff,
    HoursOff,
    Span,
    read_days_off,
    read_hours_off,
    read_span,
)
from pbem.fields import Fields, scalar
from pbem.names import address_fault, player_name_fault, zone_fault

Letters: TypeAlias = Literal["turn", "asked", "all", "none"]
LETTERS: tuple[Letters, ...] = get_args(Letters)
"""When a reader gets letters: when he is asked; at the end of a turn and after a conflict too;
of every run; never."""

Late: TypeAlias = Literal["wait", "pass", "stand-in", "drop"]
LATE: tuple[Late, ...] = get_args(Late)
"""What happens after a deadline and its grace: nothing; the seat passes, supports with nothing;
it is given to the stand-in; it passes, and is dropped after so many misses."""

ZONE = "UTC"
REMINDERS = (Span(0, 24), Span())
MOST_DELAY = 1000
Value = TypeVar("Value")


class Person(NamedTuple):
    """Who plays: a name and an address."""

    name: str
    address: str | None = None

    def __str__(self) -> str:
        """As the command line has it: `Ana <ana@example.org>`."""
        return f"{self.name} <{self.address}>" if self.address else self.name


class Policies(NamedTuple):
    """What the moderator has decided for a game.

    `turn_time`: to answer in one's own turn; `question_time`: out of turn, if it is another.
    `grace`: how long after the deadline nothing happens yet. `misses`: after so many the seat is
    dropped. `reminders`: how long before the deadline. `away_days`: how many a year a player may
    take. `observer_delay`: how many turns observers are behind. `confirm`: all seats confirm
    before the first turn.
    """

    turn_time: Span | None = None
    question_time: Span | None = None
    days_off: DaysOff = DaysOff()
    hours_off: HoursOff = HoursOff()
    zone: str = ZONE
    grace: Span = Span()
    late: Late = "wait"
    misses: int = 3
    stand_in: Person | None = None
    reminders: tuple[Span, ...] = REMINDERS
    away_days: int = 21
    observers: tuple[str, ...] = ()
    observer_delay: int = 0
    moderator_letters: Letters = "none"
    anonymous: bool = False
    confirm: bool = False


KEYS = ", ".join(Policies._fields)


def read_policies(fields: Fields) -> Policies:
    """What stands under `policies`; what is wrong is noted in its faults."""
    usual = Policies()
    lines = {key: fields.line_of(key) for key in Policies._fields}
    found = Policies(
        turn_time=_span(fields, "turn_time", None),
        question_time=_span(fields, "question_time", None),
        days_off=_taken(fields, "days_off", _days_off, usual.days_off),
        hours_off=_taken(fields, "hours_off", _hours_off, usual.hours_off),
        zone=_zone(fields),
        grace=_span(fields, "grace", usual.grace) or usual.grace,
        late=fields.choice("late", LATE, usual.late),
        misses=fields.number("misses", usual.misses, low=1, high=100),
        stand_in=_taken(fields, "stand_in", read_person, None),
        reminders=_taken(fields, "reminders", _reminders, usual.reminders),
        away_days=fields.number("away_days", usual.away_days, high=366),
        observers=_taken(fields, "observers", _addresses, ()),
        observer_delay=fields.number("observer_delay", 0, high=MOST_DELAY),
        moderator_letters=fields.choice("moderator_letters", LETTERS, usual.moderator_letters),
        anonymous=fields.choice("anonymous", ("no", "yes"), "no") == "yes",
        confirm=fields.choice("confirm", ("no", "yes"), "no") == "yes",
    )
    fields.end(KEYS)
    _together(fields, found, lines)
    return found


def write_policies(policies: Policies) -> list[str]:
    """The lines under `policies`, of those that are otherwise than usual."""
    usual = Policies()
    return [
        f"{key}: {scalar(_text(getattr(policies, key)))}"
        for key in Policies._fields
        if getattr(policies, key) != getattr(usual, key)
    ]


def read_person(text: str) -> Person | str:
    """Somebody as in `Ana <ana@example.org>` or `ana@example.org`; or what is wrong with it."""
    name, _, rest = text.strip().partition("<")
    name, address = name.strip(), rest.rstrip().removesuffix(">").strip()
    if not address and "@" in name:
        name, address = name.partition("@")[0], name
    fault = player_name_fault(name) or address_fault(address)
    return fault or Person(name, address)


def _together(fields: Fields, found: Policies, lines: Mapping[str, int]) -> None:
    """What must go together."""
    if len(found.days_off.weekdays) == len(WEEKDAYS):
        fields.wrong("days_off", "a week needs a day that counts", lines["days_off"])
    for key in ("turn_time", "question_time"):
        if getattr(found, key) == Span():
            fields.wrong(key, "the time to answer should be longer than 0h", lines[key])
    if found.turn_time is None:
        for key in ("question_time", "grace"):
            if getattr(found, key):
                why = "it needs `turn_time`: without it there are no deadlines"
                fields.wrong(key, why, lines[key])


def _span(fields: Fields, key: str, default: Span | None) -> Span | None:
    def read(text: str) -> Span | str:
        span = read_span(text)
        wrong = f"`{text}` should be a time of at most a year: 3d, 36h, 2d 12h"
        return wrong if span is None else span

    return _taken(fields, key, read, default)


def _zone(fields: Fields) -> str:
    line = fields.line_of("zone")
    zone = fields.text("zone", ZONE)
    if fault := zone_fault(zone):
        fields.wrong("zone", fault, line)
        return ZONE
    return zone


def _addresses(text: str) -> tuple[str, ...] | str:
    found = tuple(text.replace(",", " ").split())
    faults = [fault for address in found if (fault := address_fault(address))]
    return "; ".join(faults) or found


def _reminders(text: str) -> tuple[Span, ...] | str:
    if text.strip().lower() in ("none", "no", ""):
        return ()
    found = []
    for word in text.replace(",", " ").split():
        span = read_span(word)
        if span is None:
            return f"`{word}` should be a time before the deadline, such as 24h"
        found.append(span)
    return tuple(sorted(set(found), key=lambda span: span.about, reverse=True))


def _days_off(text: str) -> DaysOff | str:
    found = read_days_off(text)
    if isinstance(found, str):
        return f"`{found}` should be a day such as sat, 2026-12-24 or 2026-12-24..2026-12-26"
    return found


def _hours_off(text: str) -> HoursOff | str:
    found = read_hours_off(text)
    return f"`{text}` should be hours such as 22:00-07:00" if found is None else found


def _taken(fields: Fields, key: str, read: Callable[[str], Value | str], default: Value) -> Value:
    """A text, read; `default` if it is not there, or if `read` says what is wrong with it."""
    if key not in fields:
        return default
    line, before = fields.line_of(key), len(fields.faults.problems)
    text = fields.text(key)
    if len(fields.faults.problems) > before:
        return default
    found = read(text)
    if isinstance(found, str):
        fields.wrong(key, found, line)
        return default
    return found


def _text(value: object) -> str:
    match value:
        case True:
            return "yes"
        case False:
            return "no"
        case Span() | DaysOff() | HoursOff() | Person():
            return str(value) or "none"
        case tuple():
            return " ".join(str(each) for each in value) or "none"
        case _:
            return str(value)
