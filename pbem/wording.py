"""Sentences: the templates, how they are loaded, and what they may use.

All words stand in `templates/`, those of other languages in `templates/locale`. A moderator may
put templates of his own over ours (`pbem.overrides`).
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import jinja2
from jinja2.runtime import Context
from markupsafe import Markup

from engine.events import Event, TilesDrawn, TilesExchanged, TilesGiven, TilesReceived
from engine.pieces import COLOURS, LEADER, TILE, ByColour, Colour, Dynasty, Pair
from engine.refusal import Refusal
from engine.view import Asked
from pbem.language import Overrides, catalogue, is_foreign, voice, when
from pbem.lines import clean, columns, quoted
from pbem.overrides import TemplateFault, checked, remember, whole
from pbem.sandbox import Sandbox, Watched, bytecode_cache

TEMPLATES = Path(__file__).parents[1] / "templates"


def sentence(refusal: Refusal) -> str:
    """Why an order is not allowed, and what to do: the macro named like the rule."""
    return upfirst(say("_refusals.j2", refusal.rule.name, refusal))


def event_lines(events: Iterable[Event]) -> list[str]:
    """What happened, a sentence an event."""
    told = (event for event, _ in without_twins(events))
    return [upfirst(say("_events.j2", kind(event), event)) for event in told]


def asked_lines(asked: Asked) -> list[str]:
    """What a player is asked, with the numbers that all may know."""
    return say("_asked.j2", kind(asked), asked).splitlines()


def word(table: str, key: str) -> str:
    """The name of a piece, from one of the tables in `_words.j2`."""
    return _table(environment_of(voice().language), table)(None, key)


def page(template: str, view: object) -> str:
    """A whole page; TemplateFault if a template of the moderator's will not do."""
    with checked():
        return whole(environment().get_template(template), view)


class BagShort(NamedTuple):
    """What the bag lacked, told beside the tiles that were drawn all the same (R86)."""

    player: Dynasty
    missing: int


Told: TypeAlias = Event | BagShort


def without_twins(events: Iterable[Event]) -> Iterator[tuple[Told, bool]]:
    """The events without what another one tells, each with whether it is an exchange's draw.

    The number of drawn tiles is told by the exchange just before, or by the tiles themselves
    just after. A shortage is always told, and once.
    """
    held: TilesDrawn | None = None
    swapping = False
    for event in events:
        if isinstance(event, TilesReceived):
            yield from ((told, swapping) for told in _drawn(held, event))
        elif held is not None and (held.missing or not swapping):
            yield held, swapping
        if isinstance(event, TilesDrawn):
            swapping = swapping and held is None
            held = event
        else:
            held = None
            swapping = isinstance(event, TilesExchanged | TilesGiven)
            if not isinstance(event, TilesReceived):
                yield event, False
    if held is not None and (held.missing or not swapping):
        yield held, swapping


def _drawn(number: TilesDrawn | None, tiles: TilesReceived) -> Iterator[Told]:
    """A draw as the one who drew is told it."""
    if number is None or tiles.tiles:
        yield tiles
        if number is not None and number.missing:
            yield BagShort(number.player, number.missing)
    else:
        yield number


def try_templates() -> None:
    """Compile all templates of the moderator's; TemplateFault if one cannot be read."""
    own = voice().overrides
    for name, *_ in own.stamp if own else ():
        with checked():
            try:
                environment().get_template(name)
            except UnicodeDecodeError as fault:
                path = str(own.folder / name) if own else name
                message = f"it is not UTF-8: byte {fault.start + 1}"
                raise TemplateFault(path, None, message) from None


def say(template: str, macro: str, *values: object) -> str:
    """One macro. Where the moderator's own fails, ours speaks: the game must go on."""
    try:
        with checked():
            return _macro(environment(), template, macro, *values)
    except TemplateFault as fault:
        remember(fault)
        return _macro(environment_of(voice().language), template, macro, *values)


def _macro(made: jinja2.Environment, template: str, macro: str, *values: object) -> str:
    text: str = getattr(made.get_template(template).module, macro)(*values)
    return text.strip()


def kind(value: object) -> str:
    """The name of a value's class: the macro that speaks of it."""
    return type(value).__name__


def in_orders(pair: Pair) -> str:
    """A monument as order files write it: `temple/farm`."""
    return f"{TILE[pair[0]]}/{TILE[pair[1]]}"


def upfirst(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


@jinja2.pass_context
def foreign(_context: Context, _nothing: None) -> bool:
    """Whether order files are written in another language than the reader's."""
    return is_foreign()


def underline(text: str) -> str:
    """A line as long as a title."""
    return "-" * columns(text)


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


def environment(*, escaping: bool = False) -> jinja2.Environment:
    """The environment of the templates for the voice that speaks."""
    chosen = voice()
    return environment_of(chosen.language, chosen.overrides, escaping=escaping)


@cache
def environment_of(
    language: str, overrides: Overrides | None = None, *, escaping: bool = False
) -> jinja2.Environment:
    """The templates in one language: sandboxed, strict, without globals but the words.

    `escaping`: for pages in HTML, where everything that is put in is escaped.
    """
    folders = [TEMPLATES] if overrides is None else [overrides.folder, TEMPLATES]
    made = (Sandbox if overrides is None else Watched)(
        loader=jinja2.FileSystemLoader(folders),
        undefined=jinja2.StrictUndefined,
        bytecode_cache=None if escaping else bytecode_cache(),
        auto_reload=False,
        autoescape=escaping,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.speak(_words(catalogue(language), escaping=escaping))
    made.filters.update(_FILTERS)
    tables = {name.lower(): _table(made, name) for name in _TABLES}
    made.filters.update(tables)
    tile = tables["tile"]
    made.filters["monument"] = lambda pair: f"{tile(None, pair[0])}/{tile(None, pair[1])}"
    return made


def _words(words: NullTranslations, *, escaping: bool) -> dict[str, Callable[..., str]]:
    """What stands for `{% trans %}` and `_()` in templates: Jinja's "new style"."""
    made: Callable[[str], str] = Markup if escaping else str
    english = type(words) is NullTranslations

    def gettext(__message: str, **values: Any) -> str:
        return made(__message if english else words.gettext(__message)) % values

    def ngettext(__one: str, __many: str, __n: int, **values: Any) -> str:
        values.setdefault("num", __n)
        return made(words.ngettext(__one, __many, __n)) % values

    def pgettext(__about: str, __message: str, **values: Any) -> str:
        return made(words.pgettext(__about, __message)) % values

    return {"gettext": gettext, "ngettext": ngettext, "pgettext": pgettext, "_": gettext}


def _table(made: jinja2.Environment, name: str) -> Callable[[Context | None, str], str]:
    """A table of names in `_words.j2` as a filter."""
    known: dict[str, str] = {}

    @jinja2.pass_context  # so that no word is compiled into a template
    def name_of(_context: Context | None, key: str) -> str:
        if not known:
            known.update(getattr(made.get_template("_words.j2").module, name))
        return known[key]

    return name_of


_FILTERS: dict[str, Callable[..., Any]] = {
    "in_orders": in_orders,
    "nonzero": nonzero,
    "by_colour": by_colour,
    "in_groups": in_groups,
    "kind": kind,
    "utc": utc,
    "when": when,
    "clean": clean,
    "quoted": quoted,
    "upfirst": upfirst,
    "underline": underline,
    "foreign": foreign,
    "tile_in_orders": TILE.__getitem__,
    "leader_in_orders": LEADER.__getitem__,
}
_TABLES = (
    "TILE", "TILES", "A_TILE", "THE_TILE", "LEADER", "LEADERS", "THE_LEADER", "YOUR_LEADER",
    "COLOUR", "DYNASTY",
)  # fmt: skip
