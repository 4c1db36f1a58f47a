"""The folder of all mails and its ledger as they lie there, for those who only look."""

from pathlib import Path

FOLDER = "_mail"
LEDGER = "ledger.jsonl"
NOTICES = "notices"
"""The folder of what the moderator has to know; `status` counts it."""


def ledger_of(games: Path) -> bytes:
    """The lines of the ledger; nothing if there is none."""
    path = games / FOLDER / LEDGER
    return path.read_bytes() if path.is_file() else b""
