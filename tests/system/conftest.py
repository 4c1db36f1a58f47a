"""What the system tests need from Debian and from npm."""

import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def tools() -> Path:
    """The folder with the browser's and the validator's programs, installed if need be."""
    done = subprocess.run([HERE / "install"], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, f"install: {done.stdout}{done.stderr}"
    return HERE / "tools"
