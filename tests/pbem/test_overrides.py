"""A moderator's own templates: they take the place of ours, and their mistakes do no harm."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.commands.turn import turn
from pbem.language import among
from pbem.outcome import REFUSED, Settings
from pbem.overrides import TemplateFault, overrides_in
from pbem.reports import render
from pbem.wording import TEMPLATES
from tests.pbem.games import Table, tree
from tests.pbem.test_reports import told


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "games")


def own(table: Table, name: str, text: str) -> Path:
    """Put a template of the moderator's beside the games."""
    folder = table.path.parent / "_templates"
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text)
    return path


def moves(table: Table) -> None:
    """Archer sends a legal turn."""
    turn = table.state.turn
    table.put(table.state.active, f"turn: {turn}\nactions: pass all")


# -- what they can do ------------------------------------------------------------------------


def test_a_page_of_the_moderators_takes_the_place_of_ours(table: Table) -> None:
    own(table, "report.txt.j2", "{{ view.game }}, dear {{ view.viewer }}!")
    moves(table)
    assert table.turn().fault is None
    assert table.report("bull") == "ur-1, dear bull!\n"
    assert table.report("moderator") == "ur-1, dear moderator!\n"


def test_one_sentence_can_be_replaced_and_ours_are_there_to_use(table: Table) -> None:
    ours = (TEMPLATES / "_events.j2").read_text()
    assert "{% macro ActionPassed(e) %}" in ours
    own(table, "_events.j2", ours.replace(" passes.", " rests."))
    own(table, "_words.j2", (TEMPLATES / "_words.j2").read_text().replace('"temple"', '"shrine"'))
    moves(table)
    assert table.turn().fault is None
    assert "- Archer rests." in table.report("bull")
    own(table, "report.txt.j2", '{% from "_words.j2" import when %}{{ when(view.written) }}')
    moves(table)
    table.turn()
    assert table.report("bull") == "Sunday 1 March 2026, 12:30 UTC\n"


def test_refusals_can_be_replaced(table: Table) -> None:
    ours = (TEMPLATES / "_refusals.j2").read_text()
    own(table, "_refusals.j2", ours.replace("Corners do not count.", "Corners never count."))
    table.play("archer", "turn: 1\nactions: king A1, pass")
    assert "Corners never count." in table.report("archer")


def test_without_own_templates_the_folder_is_as_if_it_were_not_there(table: Table) -> None:
    assert overrides_in(table.path.parent) is None
    (table.path.parent / "_templates").mkdir()
    (table.path.parent / "_templates" / "notes.txt").write_text("{{ not a template")
    assert overrides_in(table.path.parent) is None


def test_a_game_elsewhere_keeps_our_words(table: Table, tmp_path: Path) -> None:
    own(table, "report.txt.j2", "short")
    other = Table(tmp_path / "other")
    for each in (table, other, table):
        moves(each)
        each.turn()
    assert table.report("bull") == "short\n"
    assert "WHAT HAPPENED" in other.report("bull")


# -- mistakes --------------------------------------------------------------------------------

MISTAKES = {
    "syntax": ("{% if %}", 2),
    "no such tag": ("{% nonsense %}", 2),
    "undefined": ("{{ view.nothing }}", 2),
    "no such filter": ("{{ view.game|nothing }}", 2),
    "no such template": ('{% include "nothing.j2" %}', 2),
    "sandbox": ("{{ view.view.__class__ }}", 2),
    "method": ("{{ view._replace(game=1) }}", 2),
    "zero": ("{{ 1 // 0 }}", 2),
    "type": ("{{ view.run + view.game }}", 2),
    "state": ("{{ view.state }}", 2),
    "globals": ("{{ range(9) }}", 2),
    "itself": ('{% include "report.txt.j2" %}', None),
    "grows": ("{{ view.game * 1000000000 }}", 2),
    "power": ("{{ 9 ** 999999999 }}", 2),
    "wide": ('{{ "%999999999d" % view.run }}', 2),
    "long": (
        "{% for a in view.view.cells %}{% for b in view.view.cells %}{% for c in view.view.cells %}"
        "{% for d in view.view.cells %}{{ view.view.cells }}{% endfor %}{% endfor %}{% endfor %}"
        "{% endfor %}",
        None,
    ),
    "steps": (
        "{% set s = view.view.cells[0] %}{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}"
        "{% endif %}{% endmacro %}{{ m(100) }}",
        2,
    ),
}


@pytest.mark.parametrize(("text", "line"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_with_its_place_and_no_report_is_written(
    table: Table, text: str, line: int | None
) -> None:
    path = own(table, "report.txt.j2", f"first line\n{text}\nlast line\n")
    before = tree(table.path / "reports")
    moves(table)
    result = table.turn()
    assert result.run == 1
    assert isinstance(result.fault, TemplateFault)
    assert result.fault.path == str(path)
    assert line in (None, result.fault.line)
    assert str(path) in str(result.fault)
    assert tree(table.path / "reports") == before
    assert table.record.run == 1
    path.unlink()
    assert table.turn().run is None
    assert "Archer passes." in table.report("bull")


def test_a_mistake_that_one_reader_meets_stops_the_reports_of_all(table: Table) -> None:
    own(table, "report.txt.j2", '{% if view.viewer == "moderator" %}{{ nothing }}{% endif %}ok')
    before = tree(table.path / "reports")
    moves(table)
    assert table.turn().fault is not None
    assert tree(table.path / "reports") == before


def test_a_template_that_is_not_used_yet_is_tried_too(table: Table) -> None:
    path = own(table, "_refusals.j2", "{% macro OCCUPIED(r) %}")
    moves(table)
    fault = table.turn().fault
    assert fault is not None
    assert (fault.path, fault.line) == (str(path), 1)


def test_a_refusal_with_a_mistake_does_not_stop_the_game(table: Table) -> None:
    ours = (TEMPLATES / "_refusals.j2").read_text()
    text = "{% macro NO_TEMPLE(r) %}\n"
    assert text in ours
    path = own(table, "_refusals.j2", ours.replace(text, text + "{{ nothing }}"))
    result = table.play("archer", "turn: 1\nactions: king A1, pass")
    assert [closed.sheet.player for closed in result.refused] == ["archer"]
    assert result.fault is not None
    assert result.fault.path == str(path)
    path.unlink()
    table.turn()
    assert "A1 is not beside a face-up temple" in table.report("archer")


def test_bytes_that_are_no_text_are_a_mistake(table: Table) -> None:
    own(table, "report.txt.j2", "").write_bytes(b"\xff\xfe\x80")
    moves(table)
    assert table.turn().fault is not None


def test_the_command_says_so_and_other_games_go_on(table: Table, tmp_path: Path) -> None:
    path = own(table, "report.txt.j2", "{{ view.nothing }}")
    moves(table)
    outcome = turn(Settings(tmp_path / "games"), ["ur-1"], all_games=False)
    assert outcome.code == REFUSED
    assert outcome.lines
    (said,) = outcome.problems
    assert (said["file"], said["line"], said["kind"]) == (str(path), 1, "template")
    assert f"ur-1: {path}, line 1: " in outcome.complaints[0]
    assert "no report was written" in outcome.complaints[0]


def test_the_report_command_names_the_place_as_well(table: Table) -> None:
    path = own(table, "report.txt.j2", "\n\n{{ view.nothing }}")
    words = [sys.executable, "-m", "pbem", "--games", str(table.path.parent), "--json"]
    done = subprocess.run(
        [*words, "report", "ur-1", "--for", "bull"], capture_output=True, text=True, check=False
    )
    assert done.returncode == REFUSED
    (said,) = json.loads(done.stdout)["problems"]
    assert (said["file"], said["line"]) == (str(path), 3)


def test_our_own_pages_stay_far_below_the_limits(table: Table) -> None:
    own(table, "mine.j2", "")
    found = overrides_in(table.path.parent)
    assert found is not None
    with among({}, found):
        assert render(told()) == render(told())


def test_a_template_that_never_ends_is_stopped(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It prints nothing and calls nothing, so that only the clock can tell."""
    monkeypatch.setattr("pbem.overrides.LONGEST_TIME", 0.2)
    loops = "".join(f"{{% for x{n} in 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' %}}" for n in range(9))
    own(table, "report.txt.j2", loops + "{% endfor %}" * 9)
    moves(table)
    fault = table.turn().fault
    assert fault is not None
    assert "it is not done after" in str(fault)


def test_a_template_in_another_encoding_is_named(table: Table) -> None:
    path = own(table, "_words.j2", "")
    path.write_bytes(b"{# caf\xe9 #}")
    moves(table)
    assert str(table.turn().fault) == f"{path}: it is not UTF-8: byte 7"
