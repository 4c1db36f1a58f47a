"""What the system tests need from Debian and from npm, and servers that several tests share."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.mailservers import MailServer, mail_server

HERE = Path(__file__).parent
BOXES = [f"box{number}" for number in range(40)]
USERS = ["orders", "gm", "ada", "bruno", "chidi", "lena", "mallory", *BOXES]


@pytest.fixture(scope="session")
def tools() -> Path:
    """The folder with the browser's and the validator's programs, installed if need be."""
    done = subprocess.run([HERE / "install"], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, f"install: {done.stdout}{done.stderr}"
    return HERE / "tools"


@pytest.fixture(scope="module")
def mail() -> Iterator[MailServer]:
    """Dovecot and Postfix with mailboxes for four players, for us, and some to use up."""
    folder = Path(tempfile.mkdtemp(prefix="mail-"))  # short: sockets have short names
    try:
        with mail_server(folder, USERS) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def box(mail: MailServer) -> str:
    """A mailbox that no other test uses."""
    return mail.fresh()
