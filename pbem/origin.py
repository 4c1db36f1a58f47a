"""From which mail an order file was made: its last line says so, with the hash of the mail.

So the file itself carries it from orders/ to the history, whatever is killed in between.
"""

import re
from typing import NamedTuple

_LAST = re.compile(rb"(?:\A|\n)# mail (?P<number>[0-9]{1,9}), SHA-256 (?P<sha256>[0-9a-f]{64})\n\Z")


class Origin(NamedTuple):
    """Where orders came from: `mail 12` or the name of a file, and the hash of that."""

    source: str
    sha256: str


def from_mail(text: str, number: int, sha256: str) -> bytes:
    """Orders in normal form as an order file that names its mail."""
    return f"{text}# mail {number}, SHA-256 {sha256}\n".encode()


def origin_of(data: bytes) -> Origin | None:
    """The mail that an order file names; None if it names none."""
    found = _LAST.search(data)
    if found is None:
        return None
    return Origin(f"mail {int(found['number'])}", found["sha256"].decode())
