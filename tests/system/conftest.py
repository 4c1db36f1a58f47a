"""What the system tests need from Debian and from npm, and servers that several tests share."""

import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.mailservers import MailServer, mail_server
from tests.system.processes import run

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[1]
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


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of a fresh virtual environment with nothing but the wheel in it."""
    place = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", place, CHECKOUT, cwd=place)
    (wheel,) = place.glob("*.whl")
    venv.create(place / "venv", with_pip=True)
    scripts = place / "venv" / "bin"
    run(scripts / "python", "-m", "pip", "install", "--quiet", wheel, cwd=place)
    return scripts
