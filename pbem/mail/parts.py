"""A mail taken apart: which texts may hold orders, and what else is in it.

Of alternatives the plain text counts, wherever it stands. Other mails inside are never read as
orders; they are only looked at to say so.
"""

import hashlib
import re
from collections.abc import Iterator
from email.message import Message
from typing import NamedTuple

from pbem.lines import one_line
from pbem.mail.config import Limits
from pbem.mail.decode import Bytes, joined, text_of, transferred
from pbem.mail.headers import decoded
from pbem.mail.markup import html_texts

MAX_TEXT = 512 * 1024
_NAMED_TEXT = (".yaml", ".yml", ".txt", ".text")
_NEVER = ("image", "audio", "video", "font", "model")
_NO_ORDERS = (
    "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature",
    "application/pgp-keys", "application/pdf", "application/zip", "text/calendar", "text/vcard",
    "text/x-vcard", "application/ics", "message/delivery-status", "text/rfc822-headers",
    "message/disposition-notification", "application/ms-tnef", "application/vnd.ms-tnef",
)  # fmt: skip
_BEGIN_PGP = "-----BEGIN PGP MESSAGE-----"
_CLEAR = re.compile(
    r"^-----BEGIN PGP SIGNED MESSAGE-----\n(?:[^\n]+\n)*\n(?P<text>.*?)"
    r"^-----BEGIN PGP SIGNATURE-----.*?^-----END PGP SIGNATURE-----$",
    re.DOTALL | re.MULTILINE,
)


class Node(NamedTuple):
    """A part of the mail, or the mail itself."""

    kind: str
    name: str
    attached: bool
    content: Bytes
    children: tuple["Node", ...]
    message: "Message[str, str]"

    def all(self) -> Iterator["Node"]:
        """This part and all that is in it, mails inside it too."""
        yield self
        for child in self.children:
            yield from child.all()


class Text(NamedTuple):
    """A text that may hold orders. `place` is how people are told of it.

    `variants` are the ways of reading it, the likeliest first: a flowed text joined and as it
    stands, a page as it is shown and as it is written.
    """

    place: str
    variants: tuple[str, ...]
    is_html: bool = False
    is_body: bool = True
    damaged: bool = False


class Contents(NamedTuple):
    """What is in a mail."""

    texts: tuple[Text, ...]
    inner: tuple[str, ...] = ()
    encrypted: bool = False
    winmail: bool = False


class TooMuch(Exception):
    """More parts, or deeper ones, than a mail may have."""


def tree(message: "Message[str, str]", limits: Limits, depth: int = 0) -> Node:
    """The mail as a tree, everything decoded; TooMuch if it has too many parts."""
    if depth > limits.depth:
        raise TooMuch
    kind = message.get_content_type()
    payload = message.get_payload()
    children: tuple[Node, ...] = ()
    content = Bytes(b"")
    if isinstance(payload, list):
        if len(payload) > limits.parts:
            raise TooMuch
        children = tuple(tree(child, limits, depth + 1) for child in payload)  # type: ignore[arg-type]
    else:
        encoding = str(message.get("content-transfer-encoding", ""))
        content = transferred(_raw(message), encoding)
    attached = str(message.get("content-disposition", "")).strip().lower().startswith("attach")
    node = Node(kind, _file_name(message), attached, content, children, message)
    if depth == 0 and sum(1 for _ in node.all()) > limits.parts:
        raise TooMuch
    return node


def _raw(message: "Message[str, str]") -> bytes:
    """The bytes of a leaf: the library gives them out only where nothing is to be decoded."""
    del message["content-transfer-encoding"]
    payload = message.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _file_name(message: "Message[str, str]") -> str:
    try:
        name = message.get_filename() or ""
    except (ValueError, LookupError, TypeError):
        name = ""
    return one_line(decoded(str(name)), 80)


def content_hash(root: Node) -> str:
    """What the decoded parts are, without trace headers."""
    found = hashlib.sha256()
    for node in root.all():
        if not node.children:
            data = node.content.data.replace(b"\r\n", b"\n").rstrip(b"\n")
            found.update(f"{node.kind}\0{node.name}\0{len(data)}\0".encode())
            found.update(data)
    return found.hexdigest()


def contents(root: Node) -> Contents:
    """Sort out what is in the mail."""
    texts: list[Text] = []
    inner: list[str] = []
    pages: list[Text] = []
    nodes = list(root.all())
    for node in _readable(root):
        if node.kind.startswith("message/") and node.children:
            inner += [text for each in _readable(node.children[0]) for text in _plain(each)]
        elif node.kind == "text/html" and not node.attached:
            pages += [_page(node)]
        elif text := _text(node, texts):
            texts.append(text)
    if not any(text.variants[0].strip() for text in texts):
        texts += pages
    bodies = [text.variants[0] for text in texts]
    return Contents(
        tuple(texts),
        tuple(inner),
        encrypted=any(_encrypted(node) for node in nodes) or any(_BEGIN_PGP in b for b in bodies),
        winmail=any(n.kind.endswith("ms-tnef") or n.name.lower() == "winmail.dat" for n in nodes),
    )


def _readable(node: Node) -> Iterator[Node]:
    """The leaves that count, in order: the best of alternatives, of a signed mail the content."""
    if node.kind == "multipart/alternative" and node.children:
        plain = [child for child in node.children if _has_plain(child)]
        yield from _readable(plain[0] if plain else node.children[-1])
    elif node.kind == "multipart/signed" and node.children:
        yield from _readable(node.children[0])
    elif node.children and not node.kind.startswith("message/"):
        for child in node.children:
            yield from _readable(child)
    else:
        yield node


def _has_plain(node: Node) -> bool:
    if node.children:
        return any(_has_plain(child) for child in node.children)
    return node.kind == "text/plain" and bool(node.content.data.strip())


def _plain(node: Node) -> Iterator[str]:
    if node.kind == "text/html":
        yield from _page(node).variants[:1]
    elif text := _text(node, []):
        yield text.variants[0]


def _encrypted(node: Node) -> bool:
    if node.kind == "multipart/encrypted":
        return True
    return node.kind in ("application/pkcs7-mime", "application/x-pkcs7-mime")


def _page(node: Node) -> Text:
    text = text_of(node.content.data[:MAX_TEXT], node.message.get_content_charset()) or ""
    return Text("the body (HTML)", html_texts(text), is_html=True, damaged=node.content.damaged)


def _text(node: Node, before: list[Text]) -> Text | None:
    """A text in which orders may stand; None if it is something else."""
    family = node.kind.partition("/")[0]
    named = node.name.lower().endswith(_NAMED_TEXT)
    if (family in _NEVER or node.kind in _NO_ORDERS) and not named:
        return None
    is_body = family in ("text", "multipart") and not node.attached and not node.name
    if not is_body and not named and node.kind == "text/html":
        return None
    text = text_of(node.content.data[:MAX_TEXT], _charset(node.message))
    if text is None:
        return None
    if node.content.extra:
        text += "\n\n" + (text_of(node.content.extra, "utf-8") or "")
    bodies = sum(1 for each in before if each.is_body)
    place = node.name or f"attachment {len(before) + 1}"
    if is_body:
        place = f"the body, part {bodies + 1}" if bodies else "the body"
    variants = _variants(_signed(text), node.message)
    return Text(place, variants, is_body=is_body, damaged=node.content.damaged)


def _charset(message: "Message[str, str]") -> str | None:
    try:
        return message.get_content_charset()
    except (ValueError, LookupError, TypeError):
        return None


def _signed(text: str) -> str:
    """A text that PGP has signed without hiding it: the lines as they were before."""
    found = _CLEAR.search(text)
    if found is None:
        return text
    above = text[: found.start()] + "\n" * text.count("\n", found.start(), found.start("text"))
    rows = [row.removeprefix("- ") for row in found["text"].split("\n")]
    return above + "\n".join(rows) + text[found.end() :]


def _variants(text: str, message: "Message[str, str]") -> tuple[str, ...]:
    flowed = str(_parameter(message, "format")).strip().lower() == "flowed"
    if not flowed:
        return (text,)
    delsp = str(_parameter(message, "delsp")).strip().lower() == "yes"
    return tuple(dict.fromkeys((joined(text, delsp=delsp), text)))


def _parameter(message: "Message[str, str]", name: str) -> object:
    try:
        return message.get_param(name, "")
    except (ValueError, LookupError, TypeError):
        return ""
