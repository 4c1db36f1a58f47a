"""Commands called as the shell would call them, in this process."""

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from pbem.cli import main

NOW = "2026-03-02T08:00:00Z"


class Said(NamedTuple):
    """The exit code of a command, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, Any]:
        """What `--json` printed."""
        found: dict[str, Any] = json.loads(self.out)
        assert list(found) == ["ok", "problems", "games"]
        assert found["ok"] == (self.code == 0)
        assert self.err == ""
        return found


def pbem(*words: str, games: Path | None = None, stdin: bytes = b"", **env: str) -> Said:
    """Call a command; `games` is named with the option in front."""
    out, err = io.StringIO(), io.StringIO()
    where = [] if games is None else ["--games", str(games)]
    source = io.TextIOWrapper(io.BytesIO(stdin))
    with (
        patch.dict(os.environ, {"PBEM_NOW": NOW} | env),
        patch.object(sys, "stdin", source),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main([*where, *words])
        except SystemExit as done:
            code = done.code if isinstance(done.code, int) else 0
            return Said(code, out.getvalue(), err.getvalue())
    raise AssertionError("main exits")
