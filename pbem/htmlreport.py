"""The HTML report for mail: one file, tables and inline styles, escaped throughout."""

from collections.abc import Iterator
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, NamedTuple

import jinja2
from markupsafe import Markup

from engine.pieces import LETTER
from pbem.htmlboard import Rows, board_rows
from pbem.language import speaking
from pbem.overrides import checked, whole
from pbem.reports import Report, harmless
from pbem.wording import environment


class Block(NamedTuple):
    """A paragraph, or the items of a list."""

    text: str
    items: tuple[str, ...] = ()


def render_html(report: Report) -> str:
    """The report as an HTML document."""
    with speaking(report.language, report.zone), checked():
        return whole(_environment().get_template("report.html.j2"), harmless(report))


def _environment() -> jinja2.Environment:
    """The escaping environment of the voice that speaks, with what only HTML needs."""
    made = environment(escaping=True)
    if "palette" not in made.globals:
        from pbem.picture import colours

        names = (name for name in dir(colours) if name.isupper())
        made.globals["palette"] = MappingProxyType({n: getattr(colours, n) for n in names})
        made.filters |= {"blocks": blocks, "halves": halves, "letter": LETTER.__getitem__}
        made.filters["drawn"] = partial(_drawn, made)
    return made


def _drawn(made: jinja2.Environment, report: Report) -> Markup:
    """The board of a report."""
    from pbem.picture.scene import facts

    return _board(made, board_rows(facts(report.view), report.changed))


@lru_cache(maxsize=4)
def _board(made: jinja2.Environment, rows: Rows) -> Markup:
    """The board, drawn once for all readers of a run in this language."""
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
        if items and words:
            yield Block("", tuple(items))
            items = []
        if words:
            yield Block(words)
    if items:
        yield Block("", tuple(items))


def halves(sentence: str) -> tuple[str, str]:
    """What stands before the first colon, and behind it; all is behind it if there is none."""
    name, colon, rest = sentence.partition(": ")
    return (name, rest) if colon else (sentence[:0], sentence)
