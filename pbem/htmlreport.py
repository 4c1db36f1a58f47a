"""The HTML report for mail: one file, tables and inline styles, escaped throughout."""

from collections.abc import Iterator
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import jinja2
from markupsafe import Markup

from engine.pieces import LETTER
from pbem.reports import Report, harmless
from pbem.wording import environment


if TYPE_CHECKING:
    from pbem.htmlboard import Rows


class Block(NamedTuple):
    """A paragraph, or the items of a list."""

    text: str
    items: tuple[str, ...] = ()


def render_html(report: Report) -> str:
    """The report as an HTML document."""
    from pbem.htmlboard import board_rows
    from pbem.picture.scene import facts

    made = html_environment()
    rows = board_rows(facts(report.view), report.changed)
    board = _board(made, rows)
    return made.get_template("report.html.j2").render(view=harmless(report), board=board)


@lru_cache(maxsize=4)
def _board(made: jinja2.Environment, rows: "Rows") -> Markup:
    """The board, drawn once for all readers of a run."""
    module: Any = made.get_template("_html_board.j2").module
    drawn: Markup = module.board(rows)
    return drawn


def blocks(text: str) -> Iterator[Block]:
    """A text in paragraphs, a line each, and lists, whose lines begin with a dash."""
    items: list[str] = []
    for line in text.splitlines():
        words = line.strip()
        if words.startswith("- "):
            items.append(words[2:])
            continue
        if items:
            yield Block("", tuple(items))
            items = []
        if words:
            yield Block(words)
    if items:
        yield Block("", tuple(items))


@cache
def html_environment() -> jinja2.Environment:
    """The environment of the text templates, but everything that is put in is escaped."""
    from pbem.picture import colours

    made = environment().overlay(
        autoescape=True, bytecode_cache=None, extensions=["jinja2.ext.i18n"]
    )
    made.install_null_translations(newstyle=True)
    palette = {name: getattr(colours, name) for name in dir(colours) if name.isupper()}
    made.globals = {**made.globals, "palette": MappingProxyType(palette)}
    made.filters = {**made.filters, "blocks": blocks, "letter": LETTER.__getitem__}
    return made
