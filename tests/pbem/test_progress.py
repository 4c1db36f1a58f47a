"""The progress bar: nothing at first, nothing where nobody watches, and never a thing lost."""

import io
import sys
from itertools import count

import pytest

from pbem import progress as module
from pbem.outcome import Settings
from pbem.progress import progress


class Terminal(io.StringIO):
    """A standard error that somebody watches."""

    def isatty(self) -> bool:
        return True


def watched(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Somebody watches. No fixture: pytest puts its own standard error in place after those."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    return screen


def each_takes(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look at the clock finds it so much later than the one before."""
    ticks = count()
    monkeypatch.setattr(module, "monotonic", lambda: next(ticks) * seconds)


def test_work_that_is_quick_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch)
    each_takes(0.1, monkeypatch)
    assert [*progress(Settings(), range(19), "games")] == [*range(19)]
    assert screen.getvalue() == ""


def test_work_that_takes_long_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch)
    each_takes(1, monkeypatch)
    walk = progress(Settings(), "abcd", "games")
    assert (next(walk), screen.getvalue()) == ("a", "")
    assert next(walk) == "b"
    assert "games" in screen.getvalue()
    assert "25%" in screen.getvalue()
    assert [*walk] == ["c", "d"]
    assert "100%" in screen.getvalue()
    assert screen.getvalue().endswith("\x1b[?25h\n")


def test_a_bar_ends_with_the_walk_that_breaks_off(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch)
    each_takes(3, monkeypatch)
    walk = progress(Settings(), "ab", "games")
    next(walk)
    walk.close()  # type: ignore[attr-defined]
    assert "100%" not in screen.getvalue()
    assert screen.getvalue().endswith("\x1b[?25h\n")


@pytest.mark.parametrize("settings", [Settings(json=True), Settings(quiet=True)])
def test_nothing_where_it_was_not_asked_for(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = watched(monkeypatch)
    each_takes(3, monkeypatch)
    assert [*progress(settings, "ab", "games")] == ["a", "b"]
    assert screen.getvalue() == ""


def test_nothing_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    each_takes(3, monkeypatch)
    assert [*progress(Settings(), [], "games")] == []
    assert [*progress(Settings(), "ab", "games")] == ["a", "b"]
    assert screen.getvalue() == ""
