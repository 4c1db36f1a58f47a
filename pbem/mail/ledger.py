"""The ledger of mails as it lies there, for those who only look."""

from pathlib import Path

PLACE = Path("_mail") / "ledger.jsonl"


def ledger_of(games: Path) -> bytes:
    """The lines of the ledger; nothing if there is none."""
    path = games / PLACE
    return path.read_bytes() if path.is_file() else b""
