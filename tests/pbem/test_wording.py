"""Every rule, event and question has its words; templates are strict, caged and cached."""

import os
import tempfile
from pathlib import Path
from typing import Any, get_args

import jinja2
import pytest
from jinja2.exceptions import SecurityError

import engine.view as v
from engine import events as e
from engine.pieces import ByColour, Leader
from engine.refusal import Refusal, Rule
from pbem import wording
from pbem.lines import WIDTH, clean, columns, fold, fold_all, one_line, quoted

KING = Leader("archer", "black")
FULL: dict[str, Any] = {
    "player": "bull",
    "colour": "red",
    "at": "F4",
    "pair": ("red", "blue"),
    "have": 1,
    "want": 2,
    "leaders": (KING,),
    "kingdoms": ((KING, Leader("bull", "red")), (Leader("lion", "green"),)),
    "choices": ("E5", "F6"),
}
STRENGTH = e.Strength(3, 2)
EVENTS: tuple[e.Event, ...] = (
    e.TilePlaced("archer", "red", "F4", False),
    e.TilePlaced("archer", "red", "F4", True),
    e.LeaderPlaced("archer", "black", "F5", None),
    e.LeaderPlaced("archer", "black", "F5", "E5"),
    e.LeaderReturned("bull", "black", "F5", "withdrawn"),
    e.LeaderReturned("bull", "black", "F5", "revolt"),
    e.LeaderReturned("bull", "black", "F5", "war"),
    e.LeaderReturned("bull", "black", "F5", "no temple"),
    e.CatastrophePlaced("lion", "F9", None),
    e.CatastrophePlaced("lion", "F9", "blue"),
    e.TilesExchanged("pot", 1),
    e.ActionPassed("pot"),
    e.RevoltBegan("black", "archer", "bull", "E5", "F7"),
    e.WarBegan("green", "archer", "bull", "G5"),
    e.WarChosen("lion", "red"),
    e.SupportSent("archer", "red", 0, "attack"),
    e.SupportSent("bull", "red", 1, "defence"),
    e.ConflictEnded("red", "archer", "bull", STRENGTH, e.Strength(4, 0), "archer", None),
    e.ConflictEnded("red", "archer", "bull", STRENGTH, e.Strength(5, 0), "bull", "G5"),
    e.TilesRemoved("bull", "green", ("E5", "E6")),
    e.PointsScored("bull", "red", 1, "tile", "F4"),
    e.PointsScored("bull", "red", 1, "revolt", None),
    e.PointsScored("bull", "black", 3, "war", "G5"),
    e.PointsScored("bull", "black", 1, "monument", "E5"),
    e.MonumentBuilt("bull", ("red", "blue"), "E5", "red"),
    e.MonumentDeclined("bull"),
    e.TreasuresTaken("bull", ("B2",), "I7"),
    e.TreasuresTaken("bull", ("B2", "B8"), "I7"),
    e.TilesDrawn("bull", 1, 0),
    e.TilesDrawn("bull", 0, 2),
    e.TurnEnded("bull", 7),
    e.TurnBegan("lion", 8),
    e.GameEnded(("treasures", "bag")),
    e.FinalScores((e.FinalRow("bull", 1, ByColour(1), 1, ByColour(1, 1)),)),
    e.TilesGiven("bull", ByColour(red=2, black=1)),
    e.TilesReceived("bull", "rbk"),
    e.TilesReceived("bull", ""),
)
SIDE = v.Side(KING, "F4", 3, ("E5", "E6"))
WAR = v.ConflictView("black", "black", "G5", SIDE, v.Side(Leader("bull", "black"), "H5", 4, ()))
QUESTIONS: tuple[v.Asked, ...] = (
    v.ActionAsked("bull", 1),
    v.ActionAsked("bull", 2),
    v.SupportAsked("archer", "attack", WAR, None, (WAR,)),
    v.SupportAsked("bull", "defence", WAR._replace(union=None), 2, ()),
    v.WarAsked("lion", "G5", (WAR, WAR)),
    v.MonumentAsked("lion", "F5", (v.BlockView("E4", "red", (("red", "blue"),)),)),
    v.TreasureAsked("pot", "F5", ("B2", "I7"), ("B8",), ("B8",)),
)


def macros(template: str) -> set[str]:
    """The names of the macros of a template that do not begin with a small letter."""
    found = vars(wording.environment().get_template(template).module)
    return {name for name in found if name[0].isupper()}


@pytest.mark.parametrize("rule", Rule)
def test_every_rule_has_a_sentence_whatever_is_known(rule: Rule) -> None:
    short, full = wording.sentence(Refusal(rule)), wording.sentence(Refusal(rule, **FULL))
    for text in (short, full):
        assert text.endswith(".")
        assert "(R" in text
        assert "None" not in text
        assert text.isascii()
        assert "\n" not in text
        assert "  " not in text


def test_no_sentence_is_left_over() -> None:
    assert macros("_refusals.j2") == {rule.name for rule in Rule}
    assert macros("_events.j2") == {kind.__name__ for kind in get_args(e.Event)}
    assert macros("_asked.j2") == {kind.__name__ for kind in get_args(v.Asked)}


def test_the_samples_here_cover_all_events_and_questions() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(e.Event))
    assert {type(asked) for asked in QUESTIONS} == set(get_args(v.Asked))


@pytest.mark.parametrize(
    ("refusal", "text"),
    [
        (
            Refusal(Rule.NO_TEMPLE, at="A1"),
            "A1 is not beside a face-up temple; a leader must touch one (R21)."
            " Corners do not count.",
        ),
        (
            Refusal(Rule.NOT_IN_HAND, colour="red", have=0, at="F4"),
            "You have no temples in hand to place on F4 (R32, R40, R85). Use what you hold.",
        ),
        (
            Refusal(Rule.TERRAIN, colour="blue", at="F4"),
            "F4 is land; farms go on river squares only (R40)."
            " Choose a square marked ~~ on the map.",
        ),
    ],
)
def test_a_refusal_names_square_rule_and_way_out(refusal: Refusal, text: str) -> None:
    assert wording.sentence(refusal) == text


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_is_one_sentence(event: e.Event) -> None:
    (line,) = wording.event_lines([event])
    assert line.endswith(".")
    assert line.isascii()
    assert "None" not in line
    assert "  " not in line


def test_events_are_told_in_words() -> None:
    assert wording.event_lines(EVENTS[15:18]) == [
        "Archer sends no temples to attack.",
        "Bull sends 1 temple to defend.",
        "Archer wins the revolt of the priests: attack 3 + 2 = 5, defence 4 + 0 = 4.",
    ]


def test_a_number_of_drawn_tiles_is_told_once() -> None:
    drawn, tiles = e.TilesDrawn("bull", 2, 0), e.TilesReceived("bull", "rb")
    swap, given = e.TilesExchanged("bull", 2), e.TilesGiven("bull", ByColour(2))
    other, short = e.TilesDrawn("pot", 1, 0), e.TilesDrawn("bull", 1, 1)
    cases: tuple[tuple[list[e.Event], list[e.Event]], ...] = (
        ([swap, drawn, drawn], [swap, drawn]),
        ([swap, given, drawn, tiles, drawn, tiles], [swap, given, tiles, tiles]),
        ([drawn, tiles, other], [tiles, other]),
        ([drawn, other, drawn], [drawn, other, drawn]),
        ([swap, short, tiles], [swap, short, tiles]),
    )
    for told, left in cases:
        assert list(wording.without_twins(told)) == left


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: type(asked).__name__)
def test_a_question_is_told_with_its_numbers(asked: v.Asked) -> None:
    lines = wording.asked_lines(asked)
    assert lines
    assert "None" not in "".join(lines)


# -- the cage --------------------------------------------------------------------------------


def run(source: str, view: object = KING) -> str:
    """A template's text on one value."""
    return wording.environment().from_string(source).render(view=view)


@pytest.mark.parametrize(
    "source",
    [
        "{{ view.__class__ }}",
        "{{ view._asdict() }}",
        "{{ view.total.__globals__ }}",
        "{{ ''.__class__.__mro__ }}",
        "{{ '{0.__class__}'.format(view) }}",
        "{{ [].append(1) }}",
    ],
)
def test_templates_are_caged(source: str) -> None:
    with pytest.raises((SecurityError, jinja2.UndefinedError)):
        run(source, ByColour())


def test_templates_see_view_and_nothing_else() -> None:
    assert not wording.environment().globals
    with pytest.raises(jinja2.UndefinedError):
        run("{{ range(3) }}")
    with pytest.raises(jinja2.UndefinedError):
        run("{{ view.nothing }}")


# -- compiled templates ----------------------------------------------------------------------


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder and a template folder of this test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(wording, "TEMPLATES", tmp_path)
    (tmp_path / "a.j2").write_text("one")
    return tmp_path


def fresh() -> str:
    """What a new process would render."""
    return wording.environment.__wrapped__().get_template("a.j2").render()


def test_compiled_templates_are_kept_and_changes_noticed(shelf: Path) -> None:
    assert fresh() == "one"
    (kept,) = (shelf / "pbem").iterdir()
    assert fresh() == "one"
    (shelf / "a.j2").write_text("two")
    assert fresh() == "two"
    assert list((shelf / "pbem").iterdir()) == [kept]


def test_a_damaged_cache_does_no_harm(shelf: Path) -> None:
    fresh()
    (kept,) = (shelf / "pbem").iterdir()
    whole = kept.read_bytes()
    for damaged in (b"", whole[:10], whole[:30], whole[:-9], b"x" * 99):
        kept.write_bytes(damaged)
        assert fresh() == "one"


def test_a_cache_that_others_can_write_to_is_not_used(shelf: Path) -> None:
    (shelf / "pbem").mkdir()
    (shelf / "pbem").chmod(0o777)
    assert fresh() == "one"
    assert not list((shelf / "pbem").iterdir())


def test_where_there_is_no_home_a_temporary_folder_serves(shelf: Path) -> None:
    (shelf / "pbem").write_text("a file in the way")
    assert fresh() == "one"
    (folder,) = shelf.glob("pbem-*")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert list(folder.iterdir())


def test_no_cache_is_no_fault(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", os.devnull)
    monkeypatch.setattr(tempfile, "tempdir", os.devnull)
    assert fresh() == "one"
    assert [path.name for path in shelf.iterdir()] == ["a.j2"]


# -- lines -----------------------------------------------------------------------------------


def test_cleaning_keeps_words_and_drops_what_harms() -> None:
    assert clean("Zoë 東京 \N{GRINNING FACE}") == "Zoë 東京 \N{GRINNING FACE}"
    assert clean("a\x1b[31mb\x07\u202ec\ud800\ufeff") == "a[31mbc"
    assert clean("a\r\nb\u2028c\x0bd\te") == "a\nb\nc\nd    e"
    assert clean("e" + "\N{COMBINING ACUTE ACCENT}" * 99) == "e" + "\N{COMBINING ACUTE ACCENT}" * 3


def test_a_name_becomes_one_short_line() -> None:
    assert one_line("  Ana\n Maria ", 24) == "Ana Maria"
    assert one_line("x" * 10_000, 24) == "x" * 22 + ".."
    assert columns(one_line("東" * 40, 24)) <= 24
    assert one_line("\u202e\x1b", 24) == ""


@pytest.mark.parametrize(
    ("line", "folded"),
    [
        ("- one two three", ["- one two", "  three"]),
        ("  - one two", ["  - one", "    two"]),
        ("| one two three", ["| one two", "| three"]),
        ("# one two three", ["# one two", "# three"]),
        ("abcdefghijklmno", ["abcdefghij", "klmno"]),
        ("东东东东东东", ["东东东东东", "东"]),
        ("a  b", ["a  b"]),
        ("", [""]),
    ],
)
def test_lines_fold(line: str, folded: list[str]) -> None:
    assert list(fold(line, 10)) == folded


def test_a_page_has_no_wide_line_and_no_gap() -> None:
    page = fold_all("\n\na\n\n\n\n" + " " * 300 + "x" * 300 + " \n\n" + "| " + " " * 90 + "y\n\n")
    assert page.startswith("a\n\n")
    assert page.endswith("y\n")
    assert max(map(len, page.splitlines())) <= WIDTH


def test_quoted_words_cannot_pass_for_the_reports_own() -> None:
    assert quoted("YOUR MOVE\n\u2028game: x\n") == "| YOUR MOVE\n|\n| game: x"
