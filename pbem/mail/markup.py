"""HTML to text, for mails that hold nothing else. Quoted parts get `> `, as in plain mails."""

import re
from html.parser import HTMLParser

_BLOCKS = frozenset(
    [
        "p",
        "div",
        "br",
        "li",
        "tr",
        "ul",
        "ol",
        "table",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "pre",
        "blockquote",
        "section",
        "article",
    ]
)
_UNSEEN = frozenset(["style", "script", "head", "title", "template", "noscript"])
_VOID = frozenset(["br", "hr", "img", "meta", "link", "input", "col", "area", "base", "wbr"])
_QUOTES = re.compile(r"gmail_quote|yahoo_quoted|moz-cite-prefix|divRplyFwdMsg|OLK_SRC", re.I)
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_DEEPEST = 200


def html_texts(html: str) -> tuple[str, ...]:
    """The text of a page: blanks as a browser shows them, and as they stand in the source."""
    texts = dict.fromkeys(_text(html, exact=exact) for exact in (False, True))
    return tuple(texts)


def _text(html: str, *, exact: bool) -> str:
    reader = _Reader(exact=exact)
    try:
        reader.feed(html)
        reader.close()
    except (AssertionError, ValueError):
        pass  # what was read up to the place that cannot be
    return "\n".join(reader.lines())


class _Reader(HTMLParser):
    """Collects lines; knows how deep it is in quotes and in what is not shown."""

    def __init__(self, *, exact: bool) -> None:
        super().__init__(convert_charrefs=True)
        self._exact = exact
        self._open: list[tuple[str, bool, bool]] = []
        self._rows: list[tuple[bool, str]] = []
        self._row = ""

    def lines(self) -> list[str]:
        """The text so far."""
        self._end_row()
        return ["> " + text if is_quote else text for is_quote, text in self._rows]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Blocks begin on a new line."""
        if tag in _BLOCKS and (self._row or tag == "br"):
            self._end_row()
        if tag in _VOID or len(self._open) > _DEEPEST:
            return
        names = " ".join(value or "" for name, value in attrs if name in ("class", "id"))
        is_quote = tag == "blockquote" or bool(_QUOTES.search(names))
        self._open.append((tag, is_quote, tag in _UNSEEN))

    def handle_endtag(self, tag: str) -> None:
        """Blocks end their line; what was left open inside is closed with them."""
        if tag in _BLOCKS and self._row:
            self._end_row()
        for depth in range(len(self._open) - 1, -1, -1):
            if self._open[depth][0] == tag:
                del self._open[depth:]
                return

    def handle_data(self, data: str) -> None:
        """Text; line breaks of the source count in `pre`, and where `exact`."""
        if any(hidden for _, _, hidden in self._open):
            return
        if any(tag == "pre" for tag, _, _ in self._open):
            *rows, last = data.replace("\r\n", "\n").split("\n")
            for row in rows:
                self._row += row
                self._end_row()
            self._row += last
        elif self._exact:
            self._row += data.strip("\n\r\t")
        else:
            text = _BLANKS.sub(" ", data)
            self._row += text if self._row else text.lstrip(" ")

    def _end_row(self) -> None:
        is_quote = any(quote for _, quote, _ in self._open)
        self._rows.append((is_quote, self._row.rstrip(" ")))
        self._row = ""
