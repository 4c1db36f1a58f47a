"""The body of a letter: text, page, pictures, files, put together byte for byte.

Written by hand because `turn` writes letters, and the library that could do it takes as long to
load as all else that a turn needs.
"""

import hashlib
import re
from binascii import b2a_base64, b2a_qp
from typing import NamedTuple

_LINE = 78
_BASE64_BYTES = 57


class Part(NamedTuple):
    """A part with its own headers."""

    headers: tuple[str, ...]
    body: str

    def written(self) -> str:
        """As it stands in the mail, with CRLF."""
        return "".join(f"{line}\r\n" for line in self.headers) + "\r\n" + self.body


def text(content: str, kind: str) -> Part:
    """A text: as it is if it is plain and short enough in every line, else quoted."""
    lines = content.splitlines()
    if all(line.isascii() and len(line) <= _LINE for line in lines):
        encoding, body = "7bit", "".join(f"{line}\r\n" for line in lines)
    else:
        encoding, body = "quoted-printable", "".join(f"{_quoted(line)}\r\n" for line in lines)
    kind = f'Content-Type: text/{kind}; charset="utf-8"'
    return Part((kind, f"Content-Transfer-Encoding: {encoding}"), body)


def picture(name: str, data: bytes, place: str, description: str) -> Part:
    """A PNG picture, shown where the page says `cid:` and its place."""
    headers = [
        "Content-Type: image/png",
        "Content-Transfer-Encoding: base64",
        f'Content-Disposition: inline; filename="{_plain(name)}.png"',
        f"Content-ID: <{place}>",
    ]
    if description:
        headers.append(f"Content-Description: {_plain(description)}")
    return Part(tuple(headers), _base64(data))


def attached(name: str, content: str, kind: str) -> Part:
    """A text as a file."""
    headers = (
        f'Content-Type: {kind}; charset="utf-8"',
        "Content-Transfer-Encoding: base64",
        f'Content-Disposition: attachment; filename="{_plain(name)}"',
    )
    return Part(headers, _base64(content.encode()))


def together(kind: str, key: str, *parts: Part) -> Part:
    """Several parts as one; `key` makes what parts them."""
    mark = f"={kind[0]}_{hashlib.sha256(f'{kind} {key}'.encode()).hexdigest()[:32]}"
    first = '; type="text/html"' if kind == "related" else ""
    body = "".join(f"--{mark}\r\n{part.written()}\r\n" for part in parts)
    head = f'Content-Type: multipart/{kind};\r\n boundary="{mark}"{first}'
    return Part((head,), f"{body}--{mark}--\r\n")


def _quoted(line: str) -> str:
    return b2a_qp(line.encode(), istext=False).decode("ascii").replace("=\n", "=\r\n")


def _base64(data: bytes) -> str:
    pieces = (data[at : at + _BASE64_BYTES] for at in range(0, len(data), _BASE64_BYTES))
    return "".join(b2a_base64(piece, newline=False).decode("ascii") + "\r\n" for piece in pieces)


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._ -]", "_", name)[:60]
