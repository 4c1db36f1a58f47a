"""Languages and times: in which words, and by which clock, a reader is told something.

Whoever writes for a reader sets the voice (`speaking`, `speaking_to`), and all words follow it;
without one they are English, and times are in UTC. English stands in the code and in the
templates; the catalogues of other languages lie in `templates/locale`. Babel, which knows how
a language writes a date, is imported for those only.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pbem.gamefile import LANGUAGE
from pbem.names import LOCALES
from pbem.policies import ZONE

DOMAIN = "pbem"
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_CLOCK = "%H:%M"


class Overrides(NamedTuple):
    """A moderator's own templates: their folder, and what tells one state of it from another."""

    folder: Path
    stamp: tuple[tuple[str, int, int], ...]


class Voice(NamedTuple):
    """How is spoken: a language, a time zone, the languages of the seats, the templates.

    `faults`: the mistakes of the moderator's templates that were passed over.
    """

    language: str = LANGUAGE
    zone: str = ZONE
    seats: Mapping[str, str] = MappingProxyType({})
    overrides: Overrides | None = None
    faults: list[Exception] | None = None


_VOICE: ContextVar[Voice] = ContextVar("voice", default=Voice())  # noqa: B039 - never changed


def voice() -> Voice:
    """How is spoken now."""
    return _VOICE.get()


@contextmanager
def _with(new: Voice) -> Iterator[None]:
    token = _VOICE.set(new)
    try:
        yield
    finally:
        _VOICE.reset(token)


def speaking(language: str, zone: str = ZONE) -> AbstractContextManager[None]:
    """Speak this language, and tell times in this zone."""
    return _with(voice()._replace(language=language, zone=zone))


def speaking_to(seat: str) -> AbstractContextManager[None]:
    """Speak the language of a seat, as `among` made it known."""
    return _with(voice()._replace(language=voice().seats.get(seat, LANGUAGE)))


def among(
    seats: Mapping[str, str], overrides: Overrides | None = None
) -> AbstractContextManager[None]:
    """Speak for a game: the languages of its seats, the moderator's own templates."""
    return _with(voice()._replace(seats=seats, overrides=overrides, faults=[]))


def is_foreign() -> bool:
    """Whether another language than that of order files is spoken."""
    return isinstance(catalogue(voice().language), GNUTranslations)


def _family(language: str) -> str:
    return language.partition("-")[0]


@cache
def catalogue(language: str) -> NullTranslations:
    """The words of a language: those of its variety, else of the language, else English."""
    for name in (language.replace("-", "_"), _family(language)):
        path = LOCALES / name / "LC_MESSAGES" / f"{DOMAIN}.mo"
        if path.is_file():
            with path.open("rb") as file:
                return GNUTranslations(file)
    return NullTranslations()


def _(message: str, **values: object) -> str:
    """A sentence for a reader, in his language, with its values put in."""
    return catalogue(voice().language).gettext(message) % values


def when(moment: datetime) -> str:
    """A time with its weekday and zone: `Sunday 1 March 2026, 14:00 EET (12:00 UTC)`."""
    in_utc = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    chosen = voice()
    if chosen.zone == ZONE:
        return f"{_date(in_utc, chosen.language)}, {in_utc.strftime(_CLOCK)} UTC"
    from zoneinfo import ZoneInfo

    local = in_utc.astimezone(ZoneInfo(chosen.zone))
    there = f"{_date(local, chosen.language)}, {local.strftime(_CLOCK)} {_zone_name(local)}"
    if local.date() == in_utc.date():
        return f"{there} ({in_utc.strftime(_CLOCK)} UTC)"
    return f"{there} ({_date(in_utc, chosen.language)}, {in_utc.strftime(_CLOCK)} UTC)"


def _zone_name(local: datetime) -> str:
    """`EET`; `UTC-3` for a zone that has no letters of its own."""
    name = local.tzname() or ""
    if name.isalpha():
        return name
    offset = local.strftime("%z")
    minutes = "" if offset[3:5] == "00" else f":{offset[3:5]}"
    return f"UTC{offset[0]}{int(offset[1:3])}{minutes}"


def _date(day: datetime, language: str) -> str:
    """The date with its weekday. Babel would write it so too for English, but takes 30 ms."""
    if language == LANGUAGE:
        return f"{_DAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]} {day.year}"
    return babel_date(day, language)


def babel_date(day: datetime, language: str) -> str:
    """The date as a language writes it; English has the day before the month (en-US: behind)."""
    from babel import Locale, UnknownLocaleError
    from babel.dates import format_date

    try:
        name = "en-GB" if language == LANGUAGE else language
        locale = Locale.parse(name, sep="-")
    except (ValueError, UnknownLocaleError):
        locale = Locale.parse("en-GB", sep="-")
    return format_date(day, format="full", locale=locale)
