"""What the moderator says to all stands in everybody's next report, and only there."""

from pathlib import Path

import pytest

from tests.pbem.calls import Said, pbem
from tests.pbem.games import Table
from tests.pbem.mail_desk import Desk, text_of

EVERYBODY = ("archer", "bull", "public", "moderator")
TEXT = "A king beside a temple\n  may stay there: rule R21."
TITLE = "THE MODERATOR SAYS"


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A game in which one turn was played."""
    table = Table(tmp_path / "games")
    table.acts("archer", "king K2", "pass")
    return table


def note(table: Table, *words: str, stdin: bytes = b"") -> Said:
    return pbem("note", table.name, *words, games=table.path.parent, stdin=stdin)


def test_it_stands_in_the_next_report_of_each_reader(table: Table) -> None:
    assert note(table, TEXT).code == 0
    for who in EVERYBODY:
        assert TITLE not in table.report(who)
    table.play("bull", "turn: 2\nactions: king B1")
    for who in EVERYBODY:
        assert f"{TITLE}\n" in table.report(who)
        assert "| A king beside a temple\n|   may stay there: rule R21.\n" in table.report(who)
    table.play("bull", "turn: 2\nactions: king B1, pass")
    assert TITLE not in table.report("public")
    assert TITLE not in table.report("bull")
    assert TITLE in table.report("archer")
    table.play("archer", "turn: 3\nactions: pass")
    assert TITLE not in table.report("archer")
    assert TITLE in table.again("bull", 2)
    assert TITLE not in table.again("bull", 1)


def test_it_stands_in_html_and_json_too(table: Table) -> None:
    note(table, TEXT)
    table.play("bull", "turn: 2\nactions: king B1")
    for form in ("html", "json"):
        page = pbem("report", "ur-1", "--for", "archer", "--format", form, games=table.path.parent)
        assert "rule R21." in page.out


def test_after_an_undo_it_stays(table: Table) -> None:
    table.play("bull", "turn: 2\nactions: king B1")
    note(table, TEXT)
    pbem("undo", "ur-1", "--yes", games=table.path.parent)
    for who in EVERYBODY:
        assert TITLE in table.report(who)


def test_the_list(table: Table) -> None:
    assert note(table, "--list").out == "ur-1: nothing was said so far\n"
    note(table, "One.")
    note(table, "-", stdin="Zwei: é\r\n".encode())
    done = note(table, "--list")
    assert done.out.splitlines() == [
        "after run 1, 2026-03-02T08:00:00Z: One.",
        "after run 1, 2026-03-02T08:00:00Z: Zwei: é",
    ]
    told = note(table, "--list", "--json").data["games"][0]["rulings"]
    assert [each["text"] for each in told] == ["One.", "Zwei: é"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "there is no text"),
        (" \n", "there is no text"),
        ("x" * 2001, "at most 2000"),
        ("a\x1b[1mb", "U+001B"),
        ("a\u2028b", "U+2028"),
    ],
)
def test_what_cannot_be_told(table: Table, text: str, why: str) -> None:
    done = note(table, text)
    assert (done.code, why in done.err) == (2, True)
    assert not (table.path / "desk.yaml").exists()


def test_wrong_use(table: Table) -> None:
    assert note(table).code == 2
    assert note(table, "Hello", "--list").code == 2


def test_now_sends_a_short_letter_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    for _ in range(2):
        assert desk.call("note", "ur-1", TEXT, "--now").code == 0
    letters = desk.letters("says-*.eml")
    assert [letter["Subject"] for letter in letters] == ["ur-1: the moderator says"] * 2
    assert sorted(letter["To"].addresses[0].addr_spec for letter in letters) == [
        "ada@example.org", "bruno@example.org",
    ]  # fmt: skip
    assert all("rule R21." in text_of(letter) for letter in letters)
    assert len(desk.desk()["rulings"]) == 1
