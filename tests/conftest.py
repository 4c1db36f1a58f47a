"""Options and closing lines of the test suite."""

import pytest

from tests.notes import notes


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let tests take data of the same form from outside."""
    group = parser.getgroup("pbem")
    group.addoption("--scenarios", metavar="FILE", help="positions with orders and outcomes (JSON)")
    group.addoption("--oracle", metavar="DIR", help="a folder with whole games (*.jsonl.xz)")
    group.addoption("--mails", metavar="DIR", help="a folder with mails (*.eml, index.json)")


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what was compared and what was left out, a line each."""
    for line in notes(config):
        terminalreporter.write_line(line)
