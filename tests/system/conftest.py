"""Servers that several tests share."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.mailservers import MailServer, mail_server

BOXES = [f"box{number}" for number in range(40)]
USERS = ["orders", "gm", "ada", "bruno", "chidi", "lena", "mallory", *BOXES]


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
