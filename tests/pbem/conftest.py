"""What tests of commands begin with."""

from pathlib import Path

import pytest

from tests.pbem.mail_desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A games folder with the game ur-1."""
    made = Desk(tmp_path)
    made.start()
    return made
