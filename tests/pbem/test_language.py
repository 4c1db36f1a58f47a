"""Languages: the catalogues are whole, times are told as each language does, no English is left."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from engine.hints import hints
from engine.options import Options
from engine.pieces import DYNASTIES
from pbem.gamefile import LANGUAGE
from pbem.language import Voice, _, among, babel_date, catalogue, speaking, voice, when
from pbem.lines import WIDTH, columns
from pbem.reports import render
from pbem.tidings import refusal_text
from pbem.wording import asked_lines, event_lines, sentence
from tests.messages import catalogues, compiled, marked, read
from tests.pbem.test_reports import play, report_of
from tests.pbem.test_wording import EVENTS, FULL, QUESTIONS

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
PATHS = list(catalogues())
HOLE = re.compile(r"%\((\w+)\)s")
HOLE_AND_ALL = re.compile(r"%\(\w+\)s")
COMMON = {"MAP"}


def named(path: Path) -> str:
    """The language of a catalogue."""
    return path.parts[-3]


def texts(value: object) -> tuple[str, ...]:
    """The one text of a message, or those of its plural."""
    return tuple(value) if isinstance(value, list | tuple) else (str(value),)


@pytest.fixture(params=PATHS, ids=named)
def words(request: pytest.FixtureRequest) -> Catalog:
    """The catalogue of one language."""
    return read(request.param)


def messages(words: Catalog) -> list[Message]:
    """The messages of a catalogue, without its head."""
    return [message for message in words if message.id]


# -- the catalogues --------------------------------------------------------------------------


def test_portuguese_is_there() -> None:
    assert "pt" in {named(path) for path in PATHS}


@pytest.mark.parametrize("path", PATHS, ids=named)
def test_the_compiled_files_are_up_to_date(path: Path) -> None:
    fresh, kept = (
        GNUTranslations(BytesIO(data))
        for data in (compiled(read(path)), path.with_suffix(".mo").read_bytes())
    )
    for message in messages(read(path)):
        for number in (0, 1, 2):
            assert said(fresh, message, number) == said(kept, message, number), "make messages"


def said(words: GNUTranslations, message: Message, number: int) -> str:
    """A message in the words of a compiled file."""
    first, *more = texts(message.id)
    if message.context:
        return words.pgettext(message.context, first)
    return words.ngettext(first, more[0], number) if more else words.gettext(first)


def test_everything_is_translated(words: Catalog) -> None:
    for message in messages(words):
        assert all(texts(message.string)), message.id
        assert not message.fuzzy, message.id
    assert {(m.context, m.id) for m in marked() if m.id} == {
        (m.context, m.id) for m in messages(words)
    }


def test_every_value_stands_in_the_translation_too(words: Catalog) -> None:
    """A plural may leave out its number where that is plain."""
    for message in messages(words):
        wanted = {hole for text in texts(message.id) for hole in HOLE.findall(text)}
        for text in texts(message.string):
            missing = wanted ^ set(HOLE.findall(text))
            assert not missing - ({"num"} if message.pluralizable else set()), text
            assert not re.search(r"%(?!\(\w+\)s|%)", text), text


def test_sentences_end_as_in_english(words: Catalog) -> None:
    for message in messages(words):
        for english, other in zip(texts(message.id), texts(message.string), strict=False):
            for sign in (".", ":", "?", " "):
                assert english.endswith(sign) == other.endswith(sign), other


# -- what is said ----------------------------------------------------------------------------


def test_the_voice_is_english_unless_told_otherwise() -> None:
    assert voice() == Voice()
    assert _("first action") == "first action"
    with among({"bull": "pt"}):
        assert _("first action") == "first action"
        with speaking("pt-BR"):
            assert _("first action") == "primeira ação"
    assert voice() == Voice()


def test_a_variety_falls_back_to_its_language_and_that_to_english() -> None:
    assert catalogue("pt-BR").gettext("temple") == catalogue("pt").gettext("temple") == "templo"
    for unknown in ("xx", "en", "en-US", "zz-Latn-ZZ"):
        assert catalogue(unknown).gettext("temple") == "temple"


def test_the_same_process_speaks_several_languages() -> None:
    english = event_lines(EVENTS)
    with speaking("pt"):
        portuguese = event_lines(EVENTS)
    assert event_lines(EVENTS) == english
    assert not set(english) & set(portuguese)
    assert portuguese[0] == "O arqueiro coloca um templo em F4."
    assert english[0] == "Archer places a temple on F4."


def test_refusals_are_told_in_the_language_of_the_seat() -> None:
    from engine.refusal import Refusal, Rule

    with speaking("pt"):
        for rule in Rule:
            for refusal in (Refusal(rule), Refusal(rule, **FULL)):
                assert no_english(sentence(refusal)) == []
        assert refusal_text((), "game: ur-1").startswith("O seu arquivo de ordens foi recusado")
        for asked in QUESTIONS:
            assert no_english("\n".join(asked_lines(asked))) == []


# -- times -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "zone", "text"),
    [
        ("en", "UTC", "Sunday 1 March 2026, 12:00 UTC"),
        ("en", "Europe/Helsinki", "Sunday 1 March 2026, 14:00 EET (12:00 UTC)"),
        ("en", "America/Sao_Paulo", "Sunday 1 March 2026, 09:00 UTC-3 (12:00 UTC)"),
        ("en", "Asia/Kathmandu", "Sunday 1 March 2026, 17:45 UTC+5:45 (12:00 UTC)"),
        (
            "en",
            "Pacific/Kiritimati",
            "Monday 2 March 2026, 02:00 UTC+14 (Sunday 1 March 2026, 12:00 UTC)",
        ),
        ("en-US", "UTC", "Sunday, March 1, 2026, 12:00 UTC"),
        ("pt", "Europe/Lisbon", "domingo, 1 de março de 2026, 12:00 WET (12:00 UTC)"),
        ("xx-nonsense", "UTC", "Sunday 1 March 2026, 12:00 UTC"),
    ],
)
def test_times_have_weekday_and_zone(language: str, zone: str, text: str) -> None:
    with speaking(language, zone):
        assert when(NOON).replace("Sunday, 1", "Sunday 1") == text
        assert when(NOON.replace(tzinfo=None)) == when(NOON)


def test_english_dates_are_those_of_babel() -> None:
    for days in range(0, 800, 13):
        day = NOON + timedelta(days=days)
        assert when(day).startswith(babel_date(day, LANGUAGE).replace(",", ""))


# -- whole games -----------------------------------------------------------------------------


def sentences() -> Iterator[tuple[str, re.Pattern[str]]]:
    """The English of the catalogue that can be told from other words: its longest piece, all."""
    for message in marked():
        for text in texts(message.id) if message.id else ():
            words = re.findall(r"[A-Za-z]{2,}", HOLE.sub("", text))
            if len(words) > 1 or (words and words[0].isupper() and words[0] not in COMMON):
                whole = ".+?".join(re.escape(part) for part in HOLE_AND_ALL.split(text))
                yield max(HOLE_AND_ALL.split(text), key=len), re.compile(whole)


ENGLISH = list(sentences())


def no_english(page: str) -> list[str]:
    """The English sentences on a page, lines that were folded put together."""
    whole = re.sub(r"\n +(?!-)", " ", page)
    found = (pattern.search(whole) for piece, pattern in ENGLISH if piece in whole)
    return [each[0] for each in found if each]


def test_the_search_for_english_finds_it() -> None:
    assert no_english("- Archer places a temple on F4.")
    assert no_english("WHAT HAPPENED")
    assert not no_english("O arqueiro coloca um templo em F4.")


@pytest.mark.parametrize(("seed", "seats"), [(1, 4), (2, 2)])
def test_a_whole_game_in_portuguese_has_no_english_in_it(seed: int, seats: int) -> None:
    kinds: set[type] = set()
    for number, (state, news) in enumerate(play(seed, DYNASTIES[:seats], Options())):
        known = type(state.question) in kinds
        kinds.add(type(state.question))
        for viewer in () if known and number % 15 else news:
            mine = next((seat for seat in state.players if seat == viewer), None)
            report = report_of(state, news, viewer)._replace(
                language="pt",
                zone="America/Sao_Paulo",
                map_style="list" if number % 2 else "map",
                names={},
                hints=hints(state, mine) if mine else None,
            )
            page = render(report)
            assert no_english(page) == []
            assert all(columns(line) <= WIDTH for line in page.splitlines())
            assert "None" not in page
