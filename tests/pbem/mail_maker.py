"""Mails made for tests: a sound one, of which each test changes one thing."""

from itertools import count

ORDERS = (
    "game: ur-1\nplayer: archer\nturn: 7\nactions:\n"
    "  - tile: temple\n    at: F4\n  - leader: king\n    at: F5\n"
)
OTHER = "game: ur-1\nplayer: archer\nturn: 7\nactions:\n  - tile: farm\n    at: C4\n"
PASS = "mx.example.org; spf=pass smtp.mailfrom=example.org; dmarc=pass header.from=example.org"
FAIL = "mx.example.org; spf=fail smtp.mailfrom=example.org; dmarc=fail header.from=example.org"
RECEIVED = (
    "from out.example.org by mx.example.org with ESMTPS id 1 for <orders@example.org>; "
    "Mon, 09 Mar 2026 18:02:00 +0000"
)
PLAIN = 'text/plain; charset="utf-8"'
_numbers = count(1)


def mail(
    body: str | bytes = ORDERS,
    *,
    sender: str | None = "Ada Archer <ada@example.org>",
    results: str | None = PASS,
    kind: str = PLAIN,
    encoding: str | None = "8bit",
    date: str | None = "Mon, 09 Mar 2026 18:02:00 +0000",
    subject: str = "my orders",
    message_id: str | None = "",
    top: tuple[str, ...] = (),
    more: tuple[str, ...] = (),
) -> bytes:
    """A mail of ada's with her orders, unless something else is said."""
    number = next(_numbers)
    head = [
        *top,
        f"Authentication-Results: {results}" if results else None,
        f"Received: {RECEIVED}",
        f"From: {sender}" if sender else None,
        "To: orders@example.org",
        f"Subject: {subject}",
        f"Date: {date}" if date else None,
        None if message_id is None else f"Message-ID: {message_id or f'<{number}@example.org>'}",
        "MIME-Version: 1.0",
        f"Content-Type: {kind}",
        f"Content-Transfer-Encoding: {encoding}" if encoding else None,
        *more,
    ]
    data = body if isinstance(body, bytes) else body.encode()
    lines = "\r\n".join(line for line in head if line is not None)
    return lines.encode("utf-8", "surrogateescape") + b"\r\n\r\n" + data


def parts(*each: tuple[str, str | bytes], kind: str = "mixed", more: str = "") -> tuple[str, bytes]:
    """A multipart body of (headers, content) pairs, and its content type."""
    mark = f"=_{kind}{next(_numbers)}"
    body = b""
    for head, content in each:
        data = content if isinstance(content, bytes) else content.encode()
        body += f"--{mark}\r\n{head}\r\n\r\n".encode() + data + b"\r\n"
    return f'multipart/{kind}; boundary="{mark}"{more}', body + f"--{mark}--\r\n".encode()


def multipart(*each: tuple[str, str | bytes], kind: str = "mixed", **rest: str) -> bytes:
    """A mail of several parts."""
    content_type, body = parts(*each, kind=kind)
    return mail(body, kind=content_type, encoding=None, subject=rest.get("subject", "my orders"))
