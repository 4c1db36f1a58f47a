"""Lines that a test run says at its end: what was compared, and what was left out."""

import pytest

_LINES = pytest.StashKey[list[str]]()


def note(config: pytest.Config, line: str) -> None:
    """Say this line at the end of the run, once."""
    lines = config.stash.setdefault(_LINES, [])
    if line not in lines:
        lines.append(line)


def notes(config: pytest.Config) -> list[str]:
    """All lines noted so far."""
    return config.stash.get(_LINES, [])
