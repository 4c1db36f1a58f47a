"""Letters: the same letter, the same bytes; nothing breaks out of a header; threads hold."""

import re
from datetime import UTC, datetime
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.policy import compat32, default
from pathlib import Path

import pytest

from pbem.mail.config import Addresses
from pbem.mail.letters import (
    LOOP_HEADER,
    MOVE_HEADER,
    Attachment,
    Letter,
    Picture,
    answer_key,
    compose,
    identity,
    report_key,
    subject,
    thread_of,
)

US = Addresses("orders@example.org", "Ur by mail", "gm@example.org", domain="te.example.org")
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
GOLDEN = Path(__file__).parent / "letter.golden.eml"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


def letter(**more: object) -> Letter:
    """A letter with everything, changed where a test wants it."""
    whole = Letter(
        key=report_key("ur-1", 12, "archer"),
        kind="report",
        address="ada@example.org",
        name="Ada Ärcher",
        subject=subject("ur-1", "7b", "yours"),
        text="YOUR MOVE in ur-1\n\nzurück am Fluß\n.\nFrom here on\n",
        written=NOON,
        game="ur-1",
        html='<p>Your move</p><img src="cid:board"><img src="cid:board-2">',
        pictures=(Picture("board", PNG, "the board"), Picture("board-2", PNG[::-1])),
        forms=(Attachment("ur-1-archer.yaml", "game: ur-1\nnote: ü\n"),),
        thread=thread_of("ur-1", 12, "archer", US.domain),
        mine=True,
    )
    return whole._replace(**more)  # type: ignore[arg-type]


def read(data: bytes) -> EmailMessage:
    """The letter as the standard library reads it."""
    message = message_from_bytes(data, policy=default)
    assert isinstance(message, EmailMessage)
    assert not any(part.defects for part in message.walk())
    return message


def header(data: bytes, name: str) -> str:
    """A header decoded as older programs do it."""
    value = message_from_bytes(data, policy=compat32)[name].replace("\r\n", "")
    return str(make_header(decode_header(value)))


def test_the_same_letter_is_the_same_bytes(request: pytest.FixtureRequest) -> None:
    data = compose(letter(), US)
    assert data == compose(letter(), US)
    if request.config.getoption("--update-golden", default=False):
        GOLDEN.write_bytes(data)
    assert data == GOLDEN.read_bytes()


def test_all_parts_are_there() -> None:
    message = read(compose(letter(), US))
    kinds = [part.get_content_type() for part in message.walk()]
    assert kinds == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "image/png",
        "application/yaml",
    ]
    parts = {part.get_content_type(): part for part in reversed(list(message.walk()))}
    assert parts["image/png"].get_content() == PNG
    assert parts["image/png"].get_content_disposition() == "inline"
    assert parts["application/yaml"].get_filename() == "ur-1-archer.yaml"
    assert parts["application/yaml"].get_content() == "game: ur-1\nnote: ü\n".encode()
    text = parts["text/plain"].get_content().replace("\r\n", "\n")
    assert text == "YOUR MOVE in ur-1\n\nzurück am Fluß\n.\nFrom here on\n"
    named = re.findall(r'cid:([^"]+)', parts["text/html"].get_content())
    found = [str(part["Content-ID"]) for part in message.walk() if part["Content-ID"]]
    assert [f"<{name}>" for name in named] == found
    assert len(set(found)) == 2


def test_a_plain_letter_is_plain() -> None:
    data = compose(letter(text="Hello\n", html=None, pictures=(), forms=()), US)
    assert data.endswith(b"7bit\r\n\r\nHello\r\n")
    assert read(data).get_content_type() == "text/plain"


def test_the_headers() -> None:
    message = read(compose(letter(), US))
    facts = {name: str(value) for name, value in message.items()}
    assert facts["From"] == "Ur by mail <orders@example.org>"
    assert facts["To"] == "Ada Ärcher <ada@example.org>"
    assert facts["Subject"] == "ur-1, turn 7b: YOUR MOVE"
    assert facts["Date"] == "Tue, 10 Mar 2026 12:00:00 +0000"
    assert facts["Message-ID"] == "<0012-archer-1.ur-1@te.example.org>"
    assert facts["In-Reply-To"] == facts["References"] == "<0000-archer-1.ur-1@te.example.org>"
    assert facts["List-Id"] == "<ur-1.te.example.org>"
    assert facts["Auto-Submitted"] == "auto-generated"
    assert facts[MOVE_HEADER] == "yours"
    assert facts[LOOP_HEADER] == "orders@example.org"


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("yours", "ur-1, turn 7: YOUR MOVE"),
        ("bull (Bo)", "ur-1, turn 7: waiting for bull (Bo)"),
        ("over", "ur-1: the game is over"),
    ],
)
def test_the_subject_says_whose_move_it_is(move: str, expected: str) -> None:
    assert subject("ur-1", "7", move) == expected


def test_identities_hang_on_game_run_reader_and_version() -> None:
    keys = {
        report_key(game, run, reader, version)
        for game in ("ur-1", "ur.1", "ur_1", "ur-1.2")
        for run in (0, 1, 11)
        for reader in ("archer", "public")
        for version in (1, 2)
    }
    assert len(keys) == 4 * 3 * 2 * 2
    for key in (*keys, answer_key(17), answer_key(17, 2)):
        assert re.fullmatch(r"<[A-Za-z0-9+_-]+(\.[A-Za-z0-9+_-]+)*@x\.org>", identity(key, "x.org"))


def test_each_game_is_one_thread() -> None:
    first = compose(letter(key=report_key("ur-1", 0, "archer"), thread=()), US)
    root = str(read(first)["Message-ID"])
    for run in (1, 5, 12):
        thread = thread_of("ur-1", run, "archer", US.domain)
        message = read(compose(letter(key=report_key("ur-1", run, "archer"), thread=thread), US))
        assert str(message["References"]).split()[0] == root
    assert "In-Reply-To" not in read(first)


def test_an_answer_belongs_to_what_it_answers() -> None:
    thread = ("<one@example.org>", "<two@example.org>", "<three@example.org>")
    data = compose(letter(key=answer_key(3), kind="answer", thread=thread), US)
    message = read(data)
    assert str(message["In-Reply-To"]) == "<three@example.org>"
    assert str(message["References"]).split() == list(thread)
    assert str(message["Auto-Submitted"]) == "auto-replied"


def test_a_long_thread_keeps_its_start_and_its_end() -> None:
    thread = tuple(f"<{number}@{'x' * 100}.example.org>" for number in range(500))
    data = compose(letter(thread=thread), US)
    found = header(data, "References").split()
    assert len(found) == 20
    assert (found[0], found[-1]) == (thread[0], thread[-1])
    assert longest_line(data) <= 998


HOSTILE = [
    "x\r\nBcc: all@example.org",
    "x\nBcc: all@example.org",
    "x\r\n\r\nbody",
    "x\x00y",
    "x\u2028Bcc: all@example.org",
    "x\x85Bcc: all@example.org",
    "=?utf-8?q?x=0D=0ABcc:_all@example.org?=",
    '"><script>',
    "a\\",
    '" <evil@example.org>, "',
    "(comment",
    "\u202eevil",
    "",
    " ",
    "@,;:<>[]",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_breaks_out_of_a_header(text: str) -> None:
    data = compose(letter(subject=text, name=text), US._replace(name=text))
    head, _, _ = data.partition(b"\r\n\r\n")
    names = [line.partition(b":")[0] for line in head.split(b"\r\n") if line[:1] not in b" \t"]
    whole = compose(letter(), US).partition(b"\r\n\r\n")[0]
    usual = [line.partition(b":")[0] for line in whole.split(b"\r\n") if line[:1] not in b" \t"]
    assert names == usual
    message = read(data)
    assert [address.addr_spec for address in message["To"].addresses] == ["ada@example.org"]
    assert [address.addr_spec for address in message["From"].addresses] == ["orders@example.org"]
    assert "\n" not in header(data, "Subject")


@pytest.mark.parametrize("bad", ["<a@b>\r\nX: y", "a@b", "<a b@c>", "<>", "<ü@b>", "<a@b><c@d>"])
def test_identities_of_others_are_taken_only_if_sound(bad: str) -> None:
    data = compose(letter(thread=(bad, "<good@example.org>")), US)
    assert header(data, "References") == "<good@example.org>"
    assert "References" not in read(compose(letter(thread=(bad,)), US))


@pytest.mark.parametrize(
    "address",
    ["", "ana", "a@b@c", "a@b\r\nX: y", "a@b,c@d", "Ana <a@b>", "-f@b", "a b@c", "ü@example.org"],
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="To: "):
        compose(letter(address=address), US)


NAMES = [
    "Ada",
    "Ada Lovelace-Byron III.",
    "Ada (of Ur)",
    "Ångström, Ada",
    "\N{LION FACE}" * 40,
    "\u05d0\u05d1\u05d2 \u05d3\u05d4\u05d5",
    "\u0627\u0644\u0639\u0631\u0627\u0642 " * 13,
    "\u30c1\u30b0\u30ea\u30b9" * 20,
    "a" * 80,
    "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_arrive(name: str) -> None:
    data = compose(letter(name=name, subject=f"ur-1, turn 7: waiting for {name}"), US)
    person = header(data, "To").rpartition("<")[0].strip().strip('"')
    assert person == name.strip()
    assert header(data, "Subject") == f"ur-1, turn 7: waiting for {name}".strip()
    assert data.isascii()
    head = data.partition(b"\r\n\r\n")[0]
    assert longest_line(head) <= 110
    if not name.isascii():
        assert longest_line(head) <= 78


@pytest.mark.parametrize(
    "text",
    [
        "x" * 5000,
        "ü" * 3000,
        "a\n" * 3000,
        " x \n\t.\n..\n",
        "From x\n-- \n",
        "\N{LION FACE}\n",
        "",
    ],
)
def test_lines_are_short_whatever_is_in_them(text: str) -> None:
    data = compose(letter(text=text, html=f"<p>{text}</p>"), US)
    assert longest_line(data) <= 78
    assert data.isascii()
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert b"\r" not in data.replace(b"\r\n", b"")
    body = read(data).get_body(("plain",))
    assert body is not None
    arrived = body.get_content().replace("\r\n", "\n").rstrip("\n")
    assert arrived == text.replace("\t", "    ").rstrip("\n")


def test_strange_names_of_files_and_pictures() -> None:
    odd = (Attachment('../x"\r\ny.yaml', "a: 1\n"),)
    message = read(compose(letter(forms=odd), US))
    names = [str(part.get_filename()) for part in message.walk() if part.get_filename()]
    assert names == ["board.png", "board-2.png", ".._x___y.yaml"]


def longest_line(data: bytes) -> int:
    """The length of the longest line, without its end."""
    return max(len(line) for line in data.split(b"\r\n"))
