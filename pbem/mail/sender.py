"""Who sent a mail: what our own mail server says of it; and the order keys that stand in one.

Only the topmost `Authentication-Results` with our server's name counts; the server must take
those out that come in with its own name (RFC 8601, 5).
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from pbem.mail.headers import Head
from pbem.seats.keys import GONE, key_fits
from pbem.suggest import distance

SHORTEST_KEY = 6
_KEY_ROW = re.compile(
    r"(?:^|(?<=\s)|(?<=[>|{,]))(?P<word>[^\W\d_]{2,5})\s*[:=]\s*(?=(?P<value>[^\n]{1,200}))", re.M
)
_RESULT = re.compile(r"(?P<method>spf|dkim|dmarc|auth)(?:/\d+)?\s*=\s*(?P<result>[a-z]+)", re.I)
_PROPERTY = re.compile(
    r"(?P<name>header\.from|header\.d|header\.i|smtp\.mailfrom|smtp\.auth)\s*=\s*"
    r"(?:\"(?P<quoted>[^\"]*)\"|(?P<plain>[^\s;]+))",
    re.IGNORECASE,
)
_BY = re.compile(r"\bby\s+(?P<host>[\w.-]+)", re.IGNORECASE)
_MOST_KEYS = 500
_MOST_TRIED = 10
_QUOTES = "'\"\u201c\u201d\u2018\u2019 "


class Result(NamedTuple):
    """One method of an `Authentication-Results` header, with its properties."""

    method: str
    result: str
    properties: dict[str, str]


def proven(head: Head, authserv_id: str | None) -> bool:
    """Whether our own server vouches for the address in From."""
    if head.sender is None or head.repeated or not authserv_id:
        return False
    line = _own_results(head, authserv_id)
    if line is None:
        return False
    results = read_results(line)
    domain = head.sender.rpartition("@")[2]
    judged = [each for each in results if each.method == "dmarc" and each.result != "none"]
    if judged:
        return all(_dmarc(each, domain) for each in judged)
    return any(_aligned(each, head.sender, domain) for each in results)


def _own_results(head: Head, authserv_id: str) -> str | None:
    """The topmost results with our name, unless they came in from outside."""
    inside = False
    for name, value in head.message.items():
        low = name.lower()
        if low == "received":
            ours = received_by(str(value), authserv_id)
            if inside and not ours:
                return None
            inside = inside or ours
        elif low == "authentication-results":
            text = _without_comments(str(value))
            words = text.split(";", 1)[0].split()
            if words and words[0].lower().rstrip(".") == authserv_id.lower():
                return text.partition(";")[2]
    return None


def received_by(received: str, authserv_id: str) -> bool:
    """Whether our own mail server wrote this `Received` header, going by its name."""
    found = _BY.search(_without_comments(received))
    return found is not None and found["host"].lower().rstrip(".") == authserv_id.lower()


def _without_comments(text: str) -> str:
    """The header without comments, which may nest; what stands in quotes stays."""
    out, depth, quoted, skip = [], 0, False, False
    for sign in text:
        if skip:
            skip = False
        elif sign == "\\":
            skip = True
        elif sign == '"' and not depth:
            quoted = not quoted
            out.append(sign)
            continue
        elif not quoted and sign in "()":
            depth = max(depth + (1 if sign == "(" else -1), 0)
            continue
        if not depth:
            out.append(sign)
    return "".join(out)


def read_results(text: str) -> list[Result]:
    """The methods of a header, without its name of the server."""
    found = []
    for part in _split(text):
        method = _RESULT.match(part.strip())
        if method:
            properties = {
                each["name"].lower(): (each["quoted"] or each["plain"] or "").lower()
                for each in _PROPERTY.finditer(part)
            }
            found.append(Result(method["method"].lower(), method["result"].lower(), properties))
    return found


def _split(text: str) -> list[str]:
    """At semicolons that do not stand in quotes."""
    parts, quoted = [""], False
    for sign in text:
        quoted ^= sign == '"'
        if sign == ";" and not quoted:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _dmarc(result: Result, domain: str) -> bool:
    return result.result == "pass" and result.properties.get("header.from", domain) == domain


def _aligned(result: Result, sender: str, domain: str) -> bool:
    """A pass of another method, for the domain of From or (a login) for the address itself."""
    if result.result != "pass":
        return False
    said = result.properties
    if result.method == "auth":
        return said.get("smtp.auth") == sender
    if result.method == "spf":
        return said.get("smtp.mailfrom", "").rpartition("@")[2] == domain
    signed = said.get("header.d") or said.get("header.i", "").rpartition("@")[2]
    covers = "." in signed and domain.endswith("." + signed)
    return result.method == "dkim" and (signed == domain or covers)


class Secrets:
    """The order keys that stand in a mail, right or wrong: taken out of all that is said of it."""

    def __init__(self, texts: Iterable[str], keys: Iterable[str | None] = ()) -> None:
        words: set[str] = set()
        for text in texts:
            for row in _KEY_ROW.finditer(text):
                word = row["word"].lower()
                if word != "hey" and distance(word, "key") <= 1:
                    value = row["value"].strip()
                    words |= {value, *value.split()[:1], value.strip(_QUOTES)}
        for key in keys:
            words |= {key, *key.split()} if key else set()
        longest_first = sorted((word for word in words if len(word) > 2), key=len, reverse=True)
        self._words = longest_first[:_MOST_KEYS]

    def __bool__(self) -> bool:
        return bool(self._words)

    def hide(self, text: str) -> str:
        """The text without them."""
        for word in self._words:
            text = text.replace(word, GONE)
        return text

    def fit(self, stored: str | None) -> bool:
        """Whether one of them is the key of which this hash is stored."""
        long_enough = [word for word in self._words if len(word) >= SHORTEST_KEY]
        return any(key_fits(word, stored) for word in long_enough[:_MOST_TRIED])

    def shown_in(self, text: str) -> bool:
        """Whether one of them, long enough to be a key, stands in the text."""
        return any(word in text for word in self._words if len(word) >= SHORTEST_KEY)
