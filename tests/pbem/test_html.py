"""The HTML report: allowed elements, readable colours, the board, nothing hidden or harmful."""

import random
import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import engine.view as v
from engine.hints import hints
from engine.options import Options
from engine.pieces import DYNASTIES, ByColour, Dynasty
from engine.sight import view
from engine.squares import SQUARES
from engine.tally import Standing, Tally
from pbem.htmlreport import blocks, halves, render_html
from pbem.language import among
from pbem.overrides import TemplateFault, overrides_in
from pbem.reports import Report, render
from pbem.reportvalues import Press
from pbem.wording import TEMPLATES
from tests.pbem.htmlgame import reports
from tests.pbem.htmlpage import (
    coloured,
    dark_rules,
    declarations,
    elements,
    parsed,
    style_of,
    words,
)
from tests.pbem.picture.boards import full_board
from tests.pbem.picture.eyes import SIGHTS, contrast
from tests.pbem.test_reports import (
    NASTY,
    QUESTIONS,
    SEATED,
    VIEWERS,
    headings,
    play,
    redeal,
    report_of,
    seen,
    told,
)

ELEMENTS = {
    "html", "head", "meta", "title", "style", "body", "main", "table", "tr", "th", "td", "h1", "h2",
    "h3", "p", "ul", "li", "span", "b", "bdi", "br", "pre", "blockquote",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "charset", "name", "content", "class", "style", "role", "scope", "title", "dir",
    "aria-label", "aria-hidden",
}  # fmt: skip
# Without these the page is the same to everybody who can see; they only serve dark surroundings
# and wide screens.
CLASSES = {"o", "p", "q", "s", "h", "v", "f", "l", "w", "g", "b", "kt", "kr", "kb", "kl"}
PROPERTIES = {
    "background", "border", "border-bottom", "border-collapse", "border-left", "border-radius",
    "border-right", "border-top", "color", "display", "font-family", "font-size", "font-weight",
    "height", "letter-spacing", "line-height", "margin", "margin-left", "margin-right",
    "margin-top", "max-width", "overflow-wrap", "padding", "table-layout", "text-align",
    "text-decoration", "vertical-align", "white-space", "width", "word-break",
}  # fmt: skip
MAIL_LIMIT = 102_000
"""Mail programs that are much used show no more bytes than this of a message."""


def is_sound(page: str) -> None:
    """Whatever must be true of each page."""
    root = parsed(page)
    for element in root.iter():
        assert element.tag in ELEMENTS
        assert set(element.attrib) <= ATTRIBUTES
        assert set(style_of(element)) <= PROPERTIES
        assert set(element.get("class", "").split()) <= CLASSES
    for word in ("http:", "https:", "url(", "@import", "None"):
        assert word not in page
    assert [*root.attrib] == ["lang"]
    levels = [int(each.tag[1]) for each in root.iter() if re.fullmatch("h[1-6]", each.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    for table in root.iter("table"):
        heads = [th for row in table.findall("tr") for th in row.findall("th")]
        assert bool(heads) == (table.get("role") != "presentation")
        assert all(th.get("scope") in ("row", "col") for th in heads)


class Tags(HTMLParser):
    """The tags as a forgiving reader finds them, the texts beside them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - of the library
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def board_of(page: str) -> list[list[ET.Element]]:
    """The squares of the board, row by row."""
    (table,) = (each for each in elements(page, "table") if each.get("aria-label"))
    return [[*row][1:-1] for row in table.findall("tr")[1:-1]]


def cell(page: str, square: str) -> ET.Element:
    """One square of the board."""
    return [each for row in board_of(page) for each in row][SQUARES.index(square)]


def full() -> Report:
    """A report of a board with everything on it."""
    state = full_board()
    return report_of(state, {"bull": []}, "bull")


# -- what it says ----------------------------------------------------------------------------


@pytest.mark.parametrize("asked", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_question_is_put(asked: v.Asked, viewer: v.Viewer) -> None:
    report = told(viewer, seen(viewer, asked=asked))
    page = render_html(report)
    is_sound(page)
    first, *_ = (line for line in render(report).splitlines() if "ur-1" in line)
    assert words(elements(page, "h1")[0]) == first
    assert words(elements(page, "title")[0]) == first


@pytest.mark.parametrize("viewer", VIEWERS)
def test_it_has_the_sections_of_the_text_in_their_order(viewer: v.Viewer) -> None:
    extra: dict[str, Any] = {
        "press": (Press("bull", "Hi"),),
        "notes": ("Note",),
        "messages": ("Dropped.",),
    }
    for report in (told(viewer, **extra), full()._replace(hints=hints(full_board(), "bull"))):
        page = render_html(report)
        is_sound(page)
        assert [words(each) for each in elements(page, "h2")] == headings(render(report))


def test_the_form_is_that_of_the_text() -> None:
    for asked in QUESTIONS.values():
        report = told("bull", seen(asked=asked))
        (form,) = elements(render_html(report), "pre")
        assert "".join(form.itertext()).strip() in render(report)


def test_the_map_can_be_a_list() -> None:
    page = render_html(full()._replace(map_style="list"))
    is_sound(page)
    assert not [each for each in elements(page, "table") if each.get("aria-label")]
    assert "Outside the kingdoms" in page


def test_the_end_is_told() -> None:
    *_, (state, news) = play(1, DYNASTIES, Options())
    standings = tuple(Standing(turn, (ByColour(turn, 1, 2, 3),) * 4) for turn in range(1, 60))
    end = Tally(DYNASTIES, standings, ())
    revealed = view(state, "moderator").secrets
    report = report_of(state, news, "bull")._replace(tally=end, revealed=revealed)
    page = render_html(report)
    is_sound(page)
    titles = [words(each) for each in elements(page, "h2")]
    assert {"FINAL SCORE", "WARS AND REVOLTS", "POINTS OVER TIME"} <= set(titles)
    assert "<b>1</b> (7)" in page


def test_it_speaks_the_language_of_the_seat() -> None:
    report = full()._replace(language="pt", zone="Europe/Lisbon")
    page = render_html(report)
    is_sound(page)
    (root, main) = (elements(page, tag)[0] for tag in ("html", "main"))
    assert root.get("lang") == main.get("lang") == "pt"
    assert [words(each) for each in elements(page, "h2")] == headings(render(report))
    assert cell(page, "B2").get("title") != cell(render_html(full()), "B2").get("title")


def test_a_moderator_may_change_how_it_looks(tmp_path: Path) -> None:
    folder = tmp_path / "_templates"
    folder.mkdir()
    ours = (TEMPLATES / "_html_look.j2").read_text()
    assert "max-width:700px" in ours
    (folder / "_html_look.j2").write_text(ours.replace("max-width:700px", "max-width:710px"))
    with among({}, overrides_in(tmp_path)):
        page = render_html(full())
    is_sound(page)
    assert "max-width:710px" in page
    (folder / "_html_board.j2").write_text(
        "{% macro board(rows) %}\n{{ rows.nothing }}{% endmacro %}"
    )
    with (
        among({}, overrides_in(tmp_path)),
        pytest.raises(TemplateFault, match=r"board\.j2, line 2"),
    ):
        render_html(full())


def test_lines_of_text_become_paragraphs_and_lists() -> None:
    text = "Zero\nOne\n- a\n\n- b\n\nTwo\n- c\n"
    found = [(each.text, each.items) for each in blocks(text)]
    assert found == [("Zero", ()), ("One", ("a", "b")), ("Two", ("c",))]
    assert halves("Since: now: or then") == ("Since", "now: or then")
    assert halves("no colon") == ("", "no colon")


# -- the board -------------------------------------------------------------------------------


def test_squares_have_their_places_and_four_sides_have_names() -> None:
    page = render_html(full())
    (table,) = (each for each in elements(page, "table") if each.get("aria-label"))
    rows = [[words(each) for each in row] for row in table.findall("tr")]
    assert rows[0][1:-1] == rows[-1][1:-1] == list("ABCDEFGHIJKLMNOP")
    assert [row[0] for row in rows[1:-1]] == [row[-1] for row in rows[1:-1]]
    assert [row[0] for row in rows[1:-1]] == [str(number) for number in range(1, 12)]
    assert {len(row) for row in rows} == {18}
    told_of = {each.get("title", "").partition(":")[0] for row in board_of(page) for each in row}
    assert {"A6", "A10", "P10", "H8"} <= told_of


def test_every_sign_can_be_told_without_colours() -> None:
    """The texts of two squares are equal only if the same lies on them."""
    report = full()
    looks: dict[str, set[str]] = defaultdict(set)
    signs = [sign for row in report.view.cells for sign in row]
    squares = [each for row in board_of(render_html(report)) for each in row]
    for sign, square in zip(signs, squares, strict=True):
        text = "".join(square.itertext()).translate(str.maketrans("", "", "0123456789"))
        looks[text].add(sign)
    halves_of_monuments = {text for text, found in looks.items() if found <= {"xx", "x*"}}
    assert all(len(found) == 1 for found in looks.values())
    assert len(halves_of_monuments) == 5  # four shapes, and a treasure under no monument
    assert len(looks) > 28


def test_the_signs_of_a_square_are_those_of_the_map() -> None:
    page = render_html(full())
    assert words(cell(page, "A10")).endswith("Ar")
    assert cell(page, "A10").get("aria-label") == "A10: archer's priest, kingdom 1"
    assert words(cell(page, "B2")) == "▲r*"
    assert cell(page, "B2").get("title") == "B2: temple, with a treasure, framed"
    assert cell(page, "A6").get("title") == "A6: monument temple/farm"


def test_kingdoms_are_outlined() -> None:
    page = render_html(full())
    edge, middle = (cell(page, square) for square in ("A10", "C10"))
    assert {"border-top", "border-left", "border-bottom"} <= set(style_of(edge))
    assert set(edge.get("class", "").split()) >= {"kt", "kl", "kb"}
    assert "border-left" not in style_of(middle)


def test_what_changed_is_marked_by_more_than_colour() -> None:
    changed = full()._replace(changed=frozenset({"A10", "E9"}))
    page = render_html(changed)
    for square in changed.changed:
        marked = [style_of(each) for each in cell(page, square).iter()]
        assert any(style.get("text-decoration") == "underline" for style in marked)
        assert (cell(page, square).get("title") or "").endswith("changed")
    marked = [style_of(each) for each in cell(page, "B10").iter()]
    assert not any("text-decoration" in style for style in marked)


def test_strengths_stand_beside_the_leaders() -> None:
    for state, news in play(1, DYNASTIES, Options()):
        shown = view(state, "public")
        if isinstance(shown.asked, v.SupportAsked) and shown.asked.sent:
            war = shown.asked.conflict
            page = render_html(report_of(state, news, "public"))
            attack = f"{war.attack.strength}+{shown.asked.sent}"
            assert words(cell(page, war.attack.at)).endswith(attack)
            assert words(cell(page, war.defence.at)).endswith(str(war.defence.strength))
            assert f"strength {attack}" in (cell(page, war.attack.at).get("title") or "")
            return
    raise AssertionError("there was no conflict in this game")


# -- colours ---------------------------------------------------------------------------------


def pages_in_all_colours() -> Iterator[str]:
    """Pages that show every colour there is."""
    yield render_html(full()._replace(changed=frozenset({"A10", "E9", "E1", "B8"})))
    for viewer in ("bull", "archer", "moderator"):
        for name in ("first", "defence", "war"):
            asked = QUESTIONS[name]
            press = (Press("bull", "Hi"),)
            yield render_html(told(viewer, seen(viewer, asked=asked), press=press))
    *_, (state, news) = play(1, DYNASTIES, Options())
    yield render_html(report_of(state, news, "bull"))
    for state, news in play(2, DYNASTIES, Options()):
        if isinstance(view(state, "public").asked, v.WarAsked):
            yield render_html(report_of(state, news, "public"))
            return


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_texts_contrast_for_all_kinds_of_sight(dark: bool) -> None:
    pairs = {
        (each.ink, each.ground) for page in pages_in_all_colours() for each in coloured(page, dark)
    }
    assert len(pairs) > 15
    low = [
        (sight, *pair, round(contrast(*pair, sight), 2))
        for sight in SIGHTS
        for pair in pairs
        if contrast(*pair, sight) < 4.5
    ]
    assert not low


def test_a_ground_never_comes_without_its_ink() -> None:
    """A mail program that forces its own dark colours must find both to change both."""
    for page in pages_in_all_colours():
        for element in parsed(page).iter():
            style = style_of(element)
            assert "color" in style or "background" not in style
        for rule in dark_rules(page).values():
            assert "color" in rule or "background" not in rule


def test_dark_rules_are_for_classes_that_occur() -> None:
    used = {
        name
        for page in pages_in_all_colours()
        for element in parsed(page).iter()
        for name in element.get("class", "").split()
    }
    assert used == CLASSES
    assert set(dark_rules(render_html(full()))) <= CLASSES
    assert declarations("a: b !important; c:d") == {"a": "b", "c": "d"}


# -- what people write, what is hidden ---------------------------------------------------------


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_what_people_write_does_no_harm(text: str) -> None:
    names: dict[Dynasty, str] = {"archer": text, "bull": text}
    wild: dict[str, Any] = {"names": names, "press": (Press("archer", text),), "notes": (text,)}
    page = render_html(told("archer", **wild, messages=(text,)))
    is_sound(page)
    page.encode()
    assert not set(page) & set("\x1b\x07\x00\r\u202e\u2066\u2028\x85")
    calm = render_html(told("archer", notes=("n",), press=(Press("bull", "p"),), messages=("m",)))
    assert [each.tag for each in parsed(page).iter() if each.tag != "bdi"] == [
        each.tag for each in parsed(calm).iter() if each.tag != "bdi"
    ]
    reader = Tags()
    reader.feed(page)
    assert reader.tags == [each.tag for each in parsed(page).iter()]


def test_markup_of_players_is_text() -> None:
    page = render_html(told(press=(Press("bull", "<b>&amp;</b>\n  <script>{{ 1 }}</script>"),)))
    assert "<blockquote" in page
    assert "&lt;b&gt;&amp;amp;&lt;/b&gt;\n  &lt;script&gt;{{ 1 }}&lt;/script&gt;" in page


def test_every_report_of_a_whole_game_is_sound() -> None:
    sizes = []
    for _, report in reports(1):
        page = render_html(report)
        is_sound(page)
        if report.plays:
            sizes.append(len(page.encode()))
    assert len(sizes) > 300
    assert max(sizes) < MAIL_LIMIT


def test_a_redeal_of_what_is_hidden_changes_no_page() -> None:
    rng = random.Random(5)
    for number, (state, news) in enumerate(play(4, DYNASTIES, Options())):
        if number % 9 == 0:
            for viewer in SEATED:
                other, others_news = redeal(state, news, viewer, rng)
                assert render_html(report_of(state, news, viewer)) == render_html(
                    report_of(other, others_news, viewer)
                )
