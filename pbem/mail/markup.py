"""HTML to text, for mails that hold nothing else. Quoted parts get `> `, as in plain mails.

A scanner of its own: it goes over the page once, whatever stands there. The library's parser
takes minutes for some pages of a few kilobytes.
"""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

LARGEST_PAGE = 256 * 1024
_BLOCKS = frozenset((
    "p", "div", "br", "li", "tr", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
    "pre", "blockquote", "section", "article",
))  # fmt: skip
_UNSEEN = frozenset(("style", "script", "head", "title", "template", "noscript"))
_RAW = frozenset(["style", "script", "title"])
_VOID = frozenset(["br", "hr", "img", "meta", "link", "input", "col", "area", "base", "wbr"])
_NAME = re.compile(r"/?[A-Za-z][A-Za-z0-9:]{0,30}")
_QUOTES = re.compile(r"gmail_quote|yahoo_quoted|moz-cite-prefix|divRplyFwdMsg|OLK_SRC", re.I)
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_LONGEST_TAG = 4000
_DEEPEST = 200


def html_texts(page: str) -> tuple[str, ...]:
    """The text of a page: blanks as a browser shows them, and as they stand in the source."""
    pieces = list(_pieces(page[:LARGEST_PAGE].replace("\r\n", "\n")))
    return tuple(dict.fromkeys(_Reader(exact=exact).read(pieces) for exact in (False, True)))


class _Piece(NamedTuple):
    """A tag (`p`, `/p`, with what stands in it), or with no tag a text."""

    tag: str
    text: str


class _Open(NamedTuple):
    """A tag that is open, and whether it or one around it is a quote, not shown, or `pre`."""

    tag: str
    quote: bool
    hidden: bool
    exact: bool


def _pieces(page: str) -> Iterator[_Piece]:
    """The page as tags and texts; comments, and the contents of scripts, are left out."""
    at, gt = 0, -1
    while (lt := page.find("<", at)) >= 0:
        yield _Piece("", page[at:lt])
        if page.startswith("<!--", lt):
            at = _after(page, "-->", lt + 4)
            continue
        gt = gt if gt > lt else _after(page, ">", lt) - 1
        name = _NAME.match(page, lt + 1)
        inner = page[lt + 1 : min(gt, lt + _LONGEST_TAG)]
        if page.startswith(("<!", "<?"), lt):
            at = gt + 1
        elif name is None or "<" in inner or gt - lt > _LONGEST_TAG or gt >= len(page):
            yield _Piece("", "<")
            at = lt + 1
        else:
            tag = name[0].lower()
            yield _Piece(tag, inner)
            at = _after(page, f"</{tag}", gt + 1, before=True) if tag in _RAW else gt + 1
    yield _Piece("", page[at:])


def _after(page: str, mark: str, start: int, *, before: bool = False) -> int:
    """Where the next mark ends (or begins); beyond the end of the page if there is none."""
    found = re.compile(re.escape(mark), re.IGNORECASE).search(page, start)
    if found is None:
        return len(page) + 1
    return found.start() if before else found.end()


class _Reader:
    """Collects lines; knows how deep it is in quotes and in what is not shown."""

    def __init__(self, *, exact: bool) -> None:
        self._exact = exact
        self._open = [_Open("", quote=False, hidden=False, exact=False)]
        self._rows: list[str] = []
        self._row: list[str] = []

    def read(self, pieces: list[_Piece]) -> str:
        """The text of a page."""
        for piece in pieces:
            if not piece.tag:
                self._text(html.unescape(piece.text))
            elif piece.tag.startswith("/"):
                self._close(piece.tag[1:])
            else:
                self._start(piece)
        self._end_row()
        return "\n".join(self._rows)

    def _start(self, piece: _Piece) -> None:
        if piece.tag in _BLOCKS and (self._row or piece.tag == "br"):
            self._end_row()
        if piece.tag in _VOID or piece.text.endswith("/") or len(self._open) > _DEEPEST:
            return
        around = self._open[-1]
        quote = around.quote or piece.tag == "blockquote" or bool(_QUOTES.search(piece.text))
        hidden = around.hidden or piece.tag in _UNSEEN
        self._open.append(_Open(piece.tag, quote, hidden, around.exact or piece.tag == "pre"))

    def _close(self, tag: str) -> None:
        """The end of a tag; what was left open inside is closed with it."""
        if tag in _BLOCKS and self._row:
            self._end_row()
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].tag == tag:
                del self._open[depth:]
                return

    def _text(self, text: str) -> None:
        """Line breaks of the source count in `pre`, and where `exact`."""
        around = self._open[-1]
        if not text or around.hidden:
            return
        if around.exact:
            *rows, last = text.split("\n")
            for row in rows:
                self._row.append(row)
                self._end_row()
            text = last
        elif self._exact:
            text = text.strip("\n\t")
        else:
            text = _BLANKS.sub(" ", text)
            text = text if self._row else text.lstrip(" ")
        if text:
            self._row.append(text)

    def _end_row(self) -> None:
        mark = "> " if self._open[-1].quote else ""
        self._rows += [mark + row.rstrip(" ") for row in "".join(self._row).split("\n")]
        self._row = []
