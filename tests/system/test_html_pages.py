"""Every HTML report of a whole game: a real validator, a real browser on a phone and on a desk."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import engine.view as v
from engine.hints import hints
from pbem.htmlreport import render_html
from pbem.reports import Report
from tests.pbem.htmlgame import MARKUP, reports
from tests.pbem.picture.boards import full_board
from tests.pbem.test_reports import NASTY, QUESTIONS, report_of, seen, told

pytestmark = pytest.mark.system

PICTURES = Path(__file__).parents[2] / "build" / "pictures"
LONGEST = 1800
VIEWS = 6


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all pages."""
    folder = tmp_path_factory.mktemp("pages")

    def keep(name: str, page: str) -> None:
        (folder / f"{name}.html").write_text(page, encoding="utf-8")

    wanted: dict[str, Report] = {}
    for name, report in reports(1):
        keep(f"game-{name}", render_html(report))
        if report.mine or (report.view.over and report.plays):
            wanted.setdefault(_subject(report.view), report)
    for name, report in wanted.items():
        keep(f"look-{name}", render_html(report))
    for name, asked in QUESTIONS.items():
        keep(f"asked-{name}", render_html(told("bull", seen(asked=asked))))
    for number, text in enumerate(NASTY):
        names: Any = {"archer": text, "bull": text}
        wild: dict[str, Any] = {"names": names, "notes": (text,), "messages": (text,)}
        keep(f"nasty-{number}", render_html(told("archer", **wild)))
    state = full_board("advanced")
    report = report_of(state, {"bull": []}, "bull")._replace(
        changed=frozenset(("A10", "E9", "B8")), hints=hints(state, "bull"), notes=(MARKUP,)
    )
    keep("look-full", render_html(report))
    keep("look-list", render_html(report._replace(map_style="list")))
    keep("look-portuguese", render_html(report._replace(language="pt", zone="Europe/Lisbon")))
    return folder


def _subject(view: v.View) -> str:
    """The opening, the middle and the end of a game, and every kind of question."""
    if view.asked is None:
        return "end"
    if isinstance(view.asked, v.ActionAsked):
        return "opening" if view.turn == 1 else "middle" if view.turn > 25 else "early"
    return type(view.asked).__name__.removesuffix("Asked").lower()


def validated(tools: Path, *files: Path) -> list[str]:
    """What the Nu Html Checker says of these files."""
    jar = tools / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"
    command: list[str | Path] = [
        "java",
        "-Xss4m",
        "-jar",
        jar,
        "--format",
        "json",
        "--stdout",
        *files,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
    found = json.loads(done.stdout)["messages"]
    assert bool(done.returncode) == any(each["type"] == "error" for each in found), done.stderr
    return [f"{Path(each['url']).name}: {each['message']}" for each in found]


def test_the_validator_finds_nothing(pages: Path, tools: Path) -> None:
    files = sorted(pages.glob("*.html"))
    assert len(files) > 300
    as_written = "Unicode Normalization Form C"  # what people write stays as it is
    assert [said for said in validated(tools, *files) if as_written not in said] == []


def test_the_validator_would_find_something(tools: Path, tmp_path: Path) -> None:
    page = tmp_path / "wrong.html"
    page.write_text('<!DOCTYPE html><html lang="en"><title>x</title><p><table cellpadding="0">')
    assert len(validated(tools, page)) > 1


def looked_at(pages: Path, tools: Path, pictures: Path) -> list[dict[str, Any]]:
    """What the browser reports of each view of each page."""
    pictures.mkdir(parents=True, exist_ok=True)
    home = {**os.environ, "HOME": str(pages)}
    done = subprocess.run(
        ["node", tools / "look.mjs", "/usr/bin/chromium", pages, pictures],
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
        env=home,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_browser_shows_all_without_scrolling(pages: Path, tools: Path) -> None:
    views = looked_at(pages, tools, PICTURES)
    assert len(views) == VIEWS * len([*pages.glob("*.html")])
    assert {view["room"] for view in views} == {360, 1024}
    assert [view for view in views if view["wide"] > view["room"]] == []
    assert [view for view in views if view["said"]] == []
    assert [view for view in views if view["faults"]] == []
    close = [view for view in views if view["close"]]
    assert len(close) >= 8 * VIEWS
    assert len([*PICTURES.glob("*.png")]) >= len(close)


def test_the_browser_would_see_what_is_wrong(tools: Path, tmp_path: Path) -> None:
    grey = '<p style="width:2000px;color:#777;background:#888">A text in grey.</p>'
    wrong = f'{grey}<img src="http://example.org/"><script>no script</script>'
    page = f'<!DOCTYPE html><html lang="en"><title>Wrong</title><style></style>{wrong}'
    (tmp_path / "look-wrong.html").write_text(page)
    views = looked_at(tmp_path, tools, tmp_path)
    assert len(views) == VIEWS
    said = {each.partition(":")[0] for view in views for each in view["said"]}
    assert {"request", "error"} <= said
    for view in views:
        assert view["wide"] > view["room"]
        assert any(fault.startswith("color-contrast") for fault in view["faults"])
