"""The last line of a history file: the hash of all above it.

Files may be edited by hand; the seal tells that one was. It keeps nobody from anything.
"""

import hashlib
import re

_LAST = re.compile(rb"(?:\A|\n)seal: (?P<sha256>[0-9a-f]{64})\n?\Z")


def sealed(text: str) -> bytes:
    """The text with its seal below it."""
    return f"{text}seal: {digest(text.encode())}\n".encode()


def is_broken(data: bytes) -> bool:
    """Whether the text has been changed since it was sealed; older files have no seal at all."""
    if b"\nseal:" not in data and not data.startswith(b"seal:"):
        return False
    last = _LAST.search(data)
    if last is None:
        return True
    above = data[: last.start("sha256") - len(b"seal: ")]
    return last["sha256"].decode() != digest(above)


def digest(data: bytes) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
