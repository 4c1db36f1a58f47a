"""What the system tests share: commands as processes, as a user calls them."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

LONGEST = 300


def run(*words: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> str:
    """Run a command that must succeed; what it prints."""
    done = subprocess.run(
        words, cwd=cwd, env=env, capture_output=True, text=True, timeout=LONGEST, check=False
    )
    assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout
