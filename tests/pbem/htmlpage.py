"""An HTML page taken apart: its elements, its texts, the colours they have."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

Style = Mapping[str, str]
_VOID = re.compile(r"<(meta|br)([^>]*)>")
_RULE = re.compile(r"\.([a-z]+)\s*\{([^}]*)\}")


class Coloured(NamedTuple):
    """A piece of text with its colours."""

    text: str
    ink: str
    ground: str


def parsed(page: str) -> ET.Element:
    """The page as a tree: it is well-formed XML as soon as its void elements are closed."""
    head, _, rest = page.partition("\n")
    assert head == "<!DOCTYPE html>"
    return ET.fromstring(_VOID.sub(r"<\1\2/>", rest))


def elements(page: str, tag: str) -> list[ET.Element]:
    """All elements of a kind, in their order."""
    return [*parsed(page).iter(tag)]


def words(element: ET.Element) -> str:
    """The text in an element, spaces joined."""
    return " ".join("".join(element.itertext()).split())


def style_of(element: ET.Element) -> dict[str, str]:
    """The inline style of an element."""
    return dict(declarations(element.get("style", "")))


@cache
def declarations(text: str) -> Style:
    """The declarations of a style."""
    pairs = (each.partition(":") for each in text.split(";") if each.strip())
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs}


def dark_rules(page: str) -> dict[str, Style]:
    """What the page changes in dark surroundings, by class."""
    (sheet,) = (element.text or "" for element in elements(page, "style"))
    dark = sheet[sheet.index("dark)") : sheet.index("@media (min-width")]
    return {name: declarations(body) for name, body in _RULE.findall(dark)}


def coloured(page: str, dark: bool = False) -> Iterator[Coloured]:
    """Each piece of text with the colours it is shown in."""
    (body,) = elements(page, "body")
    yield from _coloured(body, {}, dark_rules(page) if dark else {})


def _coloured(element: ET.Element, outer: Style, rules: Mapping[str, Style]) -> Iterator[Coloured]:
    own = style_of(element)
    for name in element.get("class", "").split():
        if name in rules:
            own |= rules[name]
    picked: Style = {key: own[key] for key in ("color", "background") if key in own}
    now = {**outer, **picked}
    if (element.text or "").strip():
        yield Coloured(element.text or "", now["color"], now["background"])
    for child in element:
        yield from _coloured(child, now, rules)
        if (child.tail or "").strip():
            yield Coloured(child.tail or "", now["color"], now["background"])
