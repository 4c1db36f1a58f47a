"""Options and closing lines of the test suite."""

from collections.abc import Iterator

import pytest

from tests.notes import notes


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let tests take data of the same form from outside."""
    group = parser.getgroup("pbem")
    group.addoption("--scenarios", metavar="FILE", help="positions with orders and outcomes (JSON)")
    group.addoption("--oracle", metavar="DIR", help="a folder with whole games (*.jsonl.xz)")
    group.addoption("--mails", metavar="DIR", help="a folder with mails (*.eml, index.json)")
    group.addoption("--update-golden", action="store_true", help="write the golden games anew")


@pytest.fixture(scope="session", autouse=True)
def _no_templates_in_the_home_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiled templates go to a folder of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what was compared and what was left out, a line each."""
    for line in notes(config):
        terminalreporter.write_line(line)
