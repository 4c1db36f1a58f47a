"""Where an order file comes from that its player did not lay there: its last line says so.

It names the mail that it was made from, with the hash of that, or says that the moderator entered
it. So the file itself carries it from orders/ to the history, whatever is killed in between.
"""

import re
from typing import NamedTuple

BY_MODERATOR = "moderator"
_ENTERED = b"# entered by the moderator\n"
_LAST = re.compile(rb"(?:\A|\n)# mail (?P<number>[0-9]{1,9}), SHA-256 (?P<sha256>[0-9a-f]{64})\n\Z")


class Origin(NamedTuple):
    """Where orders came from: `mail 12` with its hash, or `BY_MODERATOR`."""

    source: str
    sha256: str | None = None


def from_mail(text: str, number: int, sha256: str) -> bytes:
    """Orders in normal form as an order file that names its mail."""
    return f"{text}# mail {number}, SHA-256 {sha256}\n".encode()


def from_moderator(text: str) -> bytes:
    """Orders in normal form as an order file that the moderator has entered for its player."""
    return text.encode() + _ENTERED


def origin_of(data: bytes) -> Origin | None:
    """What an order file says of where it comes from; None if it says nothing."""
    if data.endswith(b"\n" + _ENTERED):
        return Origin(BY_MODERATOR)
    found = _LAST.search(data)
    if found is None:
        return None
    return Origin(f"mail {int(found['number'])}", found["sha256"].decode())
