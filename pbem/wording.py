"""Sentences: the templates, how they are loaded, and what they may use.

All words stand in `templates/`; names of tiles and leaders come from `engine.pieces`.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import jinja2.compiler
from jinja2.bccache import Bucket, FileSystemBytecodeCache
from jinja2.sandbox import ImmutableSandboxedEnvironment

from engine.events import Event, TilesDrawn, TilesExchanged, TilesGiven, TilesReceived
from engine.pieces import COLOURS, LEADER, TILE, ByColour, Colour, Pair
from engine.refusal import Refusal
from engine.view import Asked
from pbem.lines import clean, quoted

TEMPLATES = Path(__file__).parents[1] / "templates"


def sentence(refusal: Refusal) -> str:
    """Why an order is not allowed, and what to do: the macro named like the rule."""
    return _say("_refusals.j2", refusal.rule.name, refusal)


def event_lines(events: Iterable[Event]) -> list[str]:
    """What happened, a sentence an event."""
    return [_say("_events.j2", kind(event), event) for event in without_twins(events)]


def asked_lines(asked: Asked) -> list[str]:
    """What a player is asked, with the numbers that all may know."""
    return _say("_asked.j2", kind(asked), asked).splitlines()


def without_twins(events: Iterable[Event]) -> Iterator[Event]:
    """The events, without the numbers of drawn tiles that another event next to it tells.

    That is the exchange before it, or the tiles themselves after it. A shortage is always told.
    """
    exchanged = False
    number: TilesDrawn | None = None
    for event in events:
        if number is not None and not isinstance(event, TilesReceived):
            yield number
        number = None
        if isinstance(event, TilesDrawn) and not event.missing:
            number = None if exchanged else event
        else:
            yield event
        exchanged = isinstance(event, TilesExchanged | TilesGiven)
    if number is not None:
        yield number


def _say(template: str, macro: str, *values: object) -> str:
    text: str = getattr(environment().get_template(template).module, macro)(*values)
    return text.strip()


def kind(value: object) -> str:
    """The name of a value's class: the macro that speaks of it."""
    return type(value).__name__


def monument(pair: Pair) -> str:
    """A monument as order files write it: `temple/farm`."""
    return f"{TILE[pair[0]]}/{TILE[pair[1]]}"


def nonzero(numbers: ByColour) -> list[tuple[Colour, int]]:
    """The colours that occur, with their numbers."""
    return [pair for pair in by_colour(numbers) if pair[1]]


def by_colour(numbers: ByColour) -> list[tuple[Colour, int]]:
    """All four colours with their numbers."""
    return list(zip(COLOURS, numbers, strict=True))


def in_groups(letters: str, size: int) -> list[str]:
    """Letters in groups of `size`, for reading a long row."""
    return [letters[i : i + size] for i in range(0, len(letters), size)]


def utc(when: datetime) -> datetime:
    """The time in UTC."""
    return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)


@cache
def environment() -> jinja2.Environment:
    """The one environment of all templates: sandboxed, strict, without globals."""
    made = _Sandbox(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        bytecode_cache=_bytecode_cache(),
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.clear()
    filters: dict[str, Any] = {
        "tile": TILE.__getitem__,
        "leader": LEADER.__getitem__,
        "monument": monument,
        "nonzero": nonzero,
        "by_colour": by_colour,
        "in_groups": in_groups,
        "kind": kind,
        "utc": utc,
        "clean": clean,
        "quoted": quoted,
    }
    made.filters.update(filters)
    return made


class _Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, quicker for the values that views are made of: tuples cannot be changed."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """What a template reads when it says `obj.attribute`."""
        if isinstance(obj, tuple) and not attribute.startswith("_"):
            value = getattr(obj, attribute, self)
            if value is not self:
                return value
        return super().getattr(obj, attribute)


def _bytecode_cache() -> "_Cache | None":
    """A folder that only this user can write to; None if there is no such folder."""
    for folder in _cache_folders():
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            found = folder.lstat()
            private = found.st_uid == os.getuid() and not found.st_mode & 0o022
            if private and os.access(folder, os.W_OK):
                return _Cache(str(folder), "%s.template")
    return None


def _cache_folders() -> Iterator[Path]:
    """Where compiled templates may lie: the user's folder; if it is read-only, a temporary one."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or "")
    if base.is_absolute():
        yield base / "pbem"
    elif home := os.environ.get("HOME"):
        yield Path(home) / ".cache" / "pbem"
    yield Path(tempfile.gettempdir()) / f"pbem-{os.getuid()}"


class _Cache(FileSystemBytecodeCache):
    """Compiled templates; whatever goes wrong with the folder is not an error."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take the compiled template if it is there and whole."""
        try:
            super().load_bytecode(bucket)
        except Exception:  # a damaged file can make pickle and marshal raise anything
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the compiled template if that is possible."""
        try:
            super().dump_bytecode(bucket)
        except OSError:
            return

    def get_source_checksum(self, source: str) -> str:
        """Changes with the template, with the compiler and with the filters."""
        return _stamp() + hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()


@cache
def _stamp() -> str:
    """When the compiler and this file were installed."""
    files = (jinja2.__file__, jinja2.compiler.__file__, __file__)
    return "".join(f"{Path(name).stat().st_mtime_ns:x}-" for name in files)
