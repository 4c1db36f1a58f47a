"""Order keys: how one is made, what is stored of it, whether one fits.

Keys are stored as hashes and compared in constant time; a seat without a key has none that fits.
"""

import hashlib
import hmac
import re
import secrets

HASH = re.compile(r"scrypt:(?P<salt>[0-9a-f]{32}):(?P<hash>[0-9a-f]{64})")
GONE = "(order key)"
"""What stands in the place of a key that is not shown."""

_COST = {"n": 2**12, "r": 8, "p": 1, "dklen": 32}
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_GROUPS, _IN_A_GROUP = 4, 5
_LONGEST = 200
_SHOWN = re.compile(
    rb"^(?P<head> *key: )" + rb"-".join([rb"[A-HJ-NP-Z2-9]{%d}" % _IN_A_GROUP] * _GROUPS), re.M
)


def new_key() -> str:
    """A fresh order key, easy to type."""
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(_IN_A_GROUP)) for _ in range(_GROUPS))
    return "-".join(groups)


def key_hash(key: str) -> str:
    """What is stored of a key."""
    salt = secrets.token_bytes(16)
    return f"scrypt:{salt.hex()}:{_scrypt(key, salt).hex()}"


def key_fits(key: str | None, stored: str | None) -> bool:
    """Whether this is the key; never if none is stored, or none is given."""
    found = HASH.fullmatch(stored or "")
    given = (key or "").strip()
    if found is None or not given or len(given) > _LONGEST:
        return False
    return hmac.compare_digest(
        _scrypt(given, bytes.fromhex(found["salt"])), bytes.fromhex(found["hash"])
    )


def keys_hidden(letter: bytes) -> bytes:
    """A letter of ours as it is kept once it has left: without the keys that it told."""
    return _SHOWN.sub(rb"\g<head>" + GONE.encode(), letter)


def _scrypt(key: str, salt: bytes) -> bytes:
    return hashlib.scrypt(key.strip().encode("utf-8", "replace"), salt=salt, **_COST)
