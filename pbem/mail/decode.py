"""From bytes to text: transfer encodings, the ladder of character sets, format=flowed.

The ladder is byte order mark, declared set, UTF-8, cp1252. Unknown names fall through, and nothing
raises.
"""

import base64
import binascii
import codecs
import quopri
import re
from typing import NamedTuple

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LATIN = ("iso8859-1", "ascii", "iso8859-15")
_ODD = ("unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined", "mbcs", "oem")
_C1 = re.compile(rb"[\x80-\x9f]")
_BASE64_ROW = re.compile(rb"[A-Za-z0-9+/]+={0,2}")
_UUENCODED = ("x-uuencode", "uuencode", "uue", "x-uue")
_HIDDEN_QP = re.compile(rb"=(?:20|3D|C3|E2)|=\r?\n", re.IGNORECASE)


class Bytes(NamedTuple):
    """A part's content. `extra` is text that a gateway has put below base64."""

    data: bytes
    damaged: bool = False
    extra: bytes = b""


def transferred(raw: bytes, encoding: str) -> Bytes:
    """The content of a part, its transfer encoding taken off; unknown ones count as 8bit."""
    name = encoding.strip().strip("\"'").lower()
    if name == "base64":
        return _base64(raw)
    if name == "quoted-printable":
        return Bytes(quopri.decodestring(raw))
    if name in _UUENCODED:
        return _uuencoded(raw)
    odd = name not in ("", "7bit", "8bit", "binary")
    return Bytes(raw, damaged=odd and bool(_HIDDEN_QP.search(raw) or _is_base64(raw)))


def _is_base64(raw: bytes) -> bool:
    rows = raw.split()
    return len(rows) > 1 and all(_BASE64_ROW.fullmatch(row) for row in rows)


def _base64(raw: bytes) -> Bytes:
    """The rows of base64 from the top; below the last of them stands what is not the sender's."""
    rows = [row.strip() for row in raw.replace(b"\r", b"\n").split(b"\n")]
    first = next((i for i, row in enumerate(rows) if row), len(rows))
    width = len(rows[first]) if first < len(rows) else 0
    end = first
    while end < len(rows) and _BASE64_ROW.fullmatch(rows[end]) and len(rows[end]) <= width:
        end += 1
        if len(rows[end - 1]) < width or rows[end - 1].endswith(b"="):
            break
    rest = [row for row in rows[end:] if row]
    if rest and all(_BASE64_ROW.fullmatch(row) and len(row) % 4 == 0 for row in rest):
        chunks = [rows[first:end], *([row] for row in rest)]
        return Bytes(b"".join(_unpacked(b"".join(chunk)) for chunk in chunks))
    text = b"".join(rows[first:end])
    broken = len(text.rstrip(b"=")) % 4 == 1 or (width > 0 and not text)
    return Bytes(_unpacked(text), bool(rest) or broken, b"\n".join(rest))


def _unpacked(text: bytes) -> bytes:
    text = text.rstrip(b"=")
    text = text[: len(text) - (len(text) % 4 == 1)]
    return base64.b64decode(text + b"=" * (-len(text) % 4))


def _uuencoded(raw: bytes) -> Bytes:
    out, damaged = [], False
    for row in raw.replace(b"\r", b"").split(b"\n"):
        if row.startswith((b"begin ", b"end")) or not row.strip():
            continue
        try:
            out.append(binascii.a2b_uu(row))
        except binascii.Error:
            damaged = True
    return Bytes(b"".join(out), damaged)


def text_of(data: bytes, declared: str | None) -> str | None:
    """The text, its lines ended by LF; None if it is no text."""
    text = _by_ladder(data, declared)
    if text is None or "\x00" in text:
        return None
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _by_ladder(data: bytes, declared: str | None) -> str | None:
    for bom, name in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(name, errors="replace")
    if b"\x00" in data:
        return _wide(data)
    names = [name for name in (_codec(declared), "utf-8") if name]
    if names[0] in _LATIN and _C1.search(data):
        names = ["utf-8"]
    for name in names:
        try:
            return data.decode(name)
        except (UnicodeError, ValueError, LookupError):
            continue
    return data.decode("cp1252", errors="replace")


def _codec(declared: str | None) -> str | None:
    """The declared set, if it is known and one for text."""
    try:
        found = codecs.lookup((declared or "").strip(" \"'"))
    except (LookupError, ValueError):
        return None
    usable = found._is_text_encoding and found.name.replace("-", "_") not in _ODD
    return found.name if usable else None


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of plain text is zero."""
    half = max(len(data) // 2, 1)
    for name, start in (("utf-16-le", 1), ("utf-16-be", 0)):
        if data[start::2].count(0) > half * 0.6 and not data[1 - start :: 2].count(0):
            try:
                return data.decode(name)
            except UnicodeError:
                return None
    return None


def joined(text: str, *, delsp: bool) -> str:
    """A text of format=flowed (RFC 3676) with its soft breaks undone.

    A line that was joined to the one above leaves an empty one, so that lines keep their numbers.
    """
    out: list[str] = []
    open_at: int | None = None
    depth = 0
    for row in text.split("\n"):
        body = row.lstrip(">")
        quotes = len(row) - len(body)
        body = body.removeprefix(" ")
        signature = body == "-- "
        if open_at is not None and quotes == depth and not signature:
            out[open_at] += body
            out.append("")
        else:
            out.append(">" * quotes + (" " if quotes else "") + body)
            open_at = len(out) - 1
        depth = quotes
        if not body.endswith(" ") or signature:
            open_at = None
        elif delsp and open_at is not None:
            out[open_at] = out[open_at][:-1]
    return "\n".join(out)
