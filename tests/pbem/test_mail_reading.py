"""Hazards of reading (1 to 43 of the list of 82) that the sample mails do not cover."""

import base64
from pathlib import Path

import pytest

from tests.pbem.mail_checks import accepted, refused, words_of
from tests.pbem.mail_maker import ORDERS, OTHER, PLAIN, mail, multipart
from tests.pbem.mail_world import Office

TYPE = "Content-Type:"
TEXT = f"{TYPE} {PLAIN}"
QUOTE = "".join(f"> {line}\n" for line in OTHER.splitlines())


@pytest.fixture
def office(tmp_path: Path) -> Office:
    """A fresh store."""
    return Office(tmp_path / "mail")


def html(body: str) -> bytes:
    """A mail that holds HTML only."""
    return mail(body, kind='text/html; charset="utf-8"')


def test_02_soft_break_inside_a_character(office: Office) -> None:
    body = ORDERS + "note: zur=c3=\r\n=bcck\n"
    accepted(office.take(mail(body, encoding="quoted-printable")), warned=False, note="zurück")


def test_03_encoded_line_ends(office: Office) -> None:
    body = ORDERS.replace("\n", "=0D=0A")
    accepted(office.take(mail(body, encoding="quoted-printable")), warned=False)


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"])
def test_03_line_ends(office: Office, end: str) -> None:
    accepted(office.take(mail(ORDERS.replace("\n", end), encoding="binary")), warned=False)


@pytest.mark.parametrize("footer", ["-- \nThis list is public: read on.", "Scanned by a gateway."])
def test_04_base64_with_a_footer(office: Office, footer: str) -> None:
    body = base64.encodebytes(ORDERS.encode()).decode() + "\n" + footer + "\n"
    verdict = office.take(mail(body, encoding="base64"))
    accepted(verdict, warned=True)
    assert "damaged" in words_of(verdict)


def test_04_base64_in_pieces(office: Office) -> None:
    half = len(ORDERS) // 6 * 3
    pieces = (ORDERS[:half], ORDERS[half:])
    body = "\n".join(base64.b64encode(piece.encode()).decode() for piece in pieces)
    accepted(office.take(mail(body, encoding="base64")))


@pytest.mark.parametrize("encoding", ["8bits", '8BIT"', "7bit", "quoted", "x-unknown", None])
def test_05_odd_transfer_encodings(office: Office, encoding: str | None) -> None:
    body = ORDERS + "note: zurück\n"
    accepted(office.take(mail(body, encoding=encoding)), warned=False, note="zurück")


def test_05_odd_encoding_that_hides_quoted_printable(office: Office) -> None:
    body = ORDERS + "note: a =3D b\n"
    verdict = office.take(mail(body, encoding="qp"))
    accepted(verdict, warned=True)
    assert "damaged" in words_of(verdict)


def test_06_html_that_lost_its_lines(office: Office) -> None:
    refused(office.take(html(f"<p>{' '.join(ORDERS.split())}</p>")), "one line")
    accepted(office.take(html(f"<p>{ORDERS}</p>")), warned=True)


@pytest.mark.parametrize("tag", ["pre", "div"])
def test_06_html_with_its_blanks(office: Office, tag: str) -> None:
    rows = ORDERS if tag == "pre" else "<br>".join(ORDERS.splitlines())
    accepted(office.take(html(f"<html><body><{tag}>{rows}</{tag}></body></html>")), warned=True)


def test_06_html_quote_is_a_quote(office: Office) -> None:
    rows = "<br>".join(ORDERS.splitlines())
    refused(office.take(html(f"<p>Thanks!</p><blockquote>{rows}</blockquote>")), "quoted")
    refused(office.take(html(f'<p>Ok</p><div class="gmail_quote">{rows}</div>')), "quoted")
    refused(office.take(html(f"<blockquote>Yes\n{ORDERS}</blockquote>")), "quoted")


def test_08_empty_plain_part_leaves_the_html(office: Office) -> None:
    rows = "<br>".join(ORDERS.splitlines())
    page = ('Content-Type: text/html; charset="utf-8"', f"<div>{rows}</div>")
    accepted(office.take(multipart((TEXT, " \r\n"), page, kind="alternative")), warned=True)


def test_09_several_bodies(office: Office) -> None:
    accepted(office.take(multipart((TEXT, "Hello"), (TEXT, ORDERS), (TEXT, "Bye"))), warned=False)
    verdict = office.take(multipart((TEXT, ORDERS), (TEXT, OTHER)))
    refused(verdict, "two different orders", "the body, part 2")


def test_09_the_same_orders_twice_are_one(office: Office) -> None:
    attached = f'{TEXT}; name="a.yaml"'
    accepted(office.take(multipart((TEXT, ORDERS), (attached, ORDERS))), warned=False)


def test_11_flowed_and_delsp(office: Office) -> None:
    body = ORDERS.replace("\n  ", "\n   ") + "note: one two thr \r\nee\r\n"
    kind = f"{PLAIN}; format=Flowed; DelSp=Yes"
    accepted(office.take(mail(body, kind=kind)), warned=False, note="one two three")


def test_11_flowed_that_means_two_things(office: Office) -> None:
    body = ORDERS + "note: |\n  one \n  two\n"
    verdict = office.take(mail(body, kind=f"{PLAIN}; format=flowed"))
    refused(verdict, "joined", "attachment")


def test_12_a_blank_after_a_key_in_a_flowed_mail(office: Office) -> None:
    body = ORDERS.replace("actions:\n", "actions: \n")
    accepted(office.take(mail(body, kind=f"{PLAIN}; format=flowed")), warned=False)


@pytest.mark.parametrize("sign", ["\u200b", "\u00ad", "\u200e", "\ufeff"])
def test_19_invisible_signs(office: Office, sign: str) -> None:
    verdict = office.take(mail(ORDERS.replace("player", f"{sign}player")))
    accepted(verdict, warned=True)
    assert f"U+{ord(sign):04X}" in words_of(verdict)


def test_19_invisible_sign_before_the_first_key(office: Office) -> None:
    accepted(office.take(mail("\u200b" + ORDERS)), warned=True)


def test_20_look_alikes(office: Office) -> None:
    refused(office.take(mail(ORDERS.replace("F4", "\u0415" + "4"))), "line 6", "U+0415")


@pytest.mark.parametrize("sign", ["\u2028", "\u0085", "\u000b", "\u0001"])
def test_21_27_other_line_ends_and_controls(office: Office, sign: str) -> None:
    body = ORDERS.replace("F4", f"F4{sign}x: 1")
    refused(office.take(mail(body)), "line 6", f"U+{ord(sign):04X}")


@pytest.mark.parametrize("name", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_23_wide_texts(office: Office, name: str) -> None:
    head = 'Content-Type: application/octet-stream; name="o.txt"\r\nContent-Transfer-Encoding: '
    data = base64.encodebytes(ORDERS.encode(name))
    verdict = office.take(multipart((TEXT, "See file."), (head + "base64", data)))
    if name in ("utf-16-le", "utf-16-be", "utf-16", "utf-32", "utf-8-sig"):
        accepted(verdict, warned=False)


@pytest.mark.parametrize("charset", ["x-klingon", '"UTF-8"', "utf8", "unicode_escape", "ascii", ""])
def test_25_26_unknown_and_quoted_charsets(office: Office, charset: str) -> None:
    body = ORDERS + "note: zurück\n"
    accepted(office.take(mail(body, kind=f"text/plain; charset={charset}")), note="zurück")


def test_24_cp1252_in_an_unknown_charset(office: Office) -> None:
    body = (ORDERS + "note: don\u2019t\n").encode("cp1252")
    kind = "text/plain; charset=us-ascii"
    accepted(office.take(mail(body, kind=kind)), warned=False, note="don\u2019t")


OUTLOOK = (
    "From: UR-1 Moderator <orders@example.org>\nSent: Monday, March 9, 2026 10:00\n"
    "To: Ada\nSubject: your move\n\n"
)
VON = "Von: Moderator\nGesendet: Montag, 9. März 2026\nAn: Ada\nBetreff: dein Zug\n\n"


@pytest.mark.parametrize("head", [OUTLOOK, "-----Original Message-----\n" + OUTLOOK, VON])
def test_29_outlook_quote(office: Office, head: str) -> None:
    accepted(office.take(mail(f"{ORDERS}\n{head}{OTHER}", subject="RE: your move")), warned=False)
    refused(office.take(mail(f"See below\n\n{head}{OTHER}", subject="RE: your move")), "quoted")


@pytest.mark.parametrize(
    "attribution",
    [
        "Am Montag, den 09.03.2026, 10:00 +0000 schrieb UR-1 Moderator:",
        "Le lun. 9 mars 2026 à 10:00, UR-1 Moderator\n<orders@example.org> a écrit :",
        "El lun, 9 mar 2026 a las 10:00, UR-1\nModerator (<orders@example.org>)\nescribió:",
        "2026-03-09 10:00 GMT+01:00 UR-1 <orders@example.org>:",
        "9 mars 2026 kl. 10:00 skrev UR-1 <orders@example.org>:",
    ],
)
def test_30_attributions(office: Office, attribution: str) -> None:
    accepted(office.take(mail(f"{ORDERS}\n{attribution}\n{QUOTE}")), warned=False)
    accepted(office.take(mail(f"{ORDERS}{attribution}\n\n{QUOTE}")), warned=False)


def test_30_attribution_above_a_quote_without_marks(office: Office) -> None:
    head = "On Mon, 9 Mar 2026 at 10:00, UR-1 Moderator <orders@example.org> wrote:\n\n"
    accepted(office.take(mail(f"{ORDERS}\n{head}{OTHER}")), warned=False)


def test_31_bottom_posting(office: Office) -> None:
    head = "On Mon, 9 Mar 2026 at 10:00, UR-1 <orders@example.org> wrote:\n"
    verdict = office.take(mail(f"{head}{QUOTE}>\n\nHere:\n\n{ORDERS}\nBye\n"))
    accepted(verdict, warned=False)
    assert "quoted text" in words_of(verdict)


def test_33_orders_below_a_signature(office: Office) -> None:
    refused(office.take(mail(f"Hi\n-- \nAda\n\n{ORDERS}")), "signature")


@pytest.mark.parametrize("name", ["orders", "Züge.yaml", "a.txt", "orders.doc"])
@pytest.mark.parametrize("kind", ["application/x-yaml", "*/*", "application/msword", "text/x-foo"])
def test_37_attachments_by_content(office: Office, name: str, kind: str) -> None:
    head = f'Content-Type: {kind}\r\nContent-Disposition: attachment; filename="{name}"'
    accepted(office.take(multipart((TEXT, "See file."), (head, ORDERS))), warned=False)


def test_40_pgp_clear_signed(office: Office) -> None:
    rows = ORDERS.replace("  - ", "- ").replace("    at", "  at")
    text = "".join(f"- {row}\n" if row.startswith("-") else f"{row}\n" for row in rows.split("\n"))
    body = (
        f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{text}"
        "-----BEGIN PGP SIGNATURE-----\n\niQEzBAEBCAAdFiEE\n-----END PGP SIGNATURE-----\n"
    )
    accepted(office.take(mail(body)), warned=False)


def test_41_opaque_smime_and_inline_pgp(office: Office) -> None:
    kind = 'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"'
    refused(office.take(mail("AAAA", kind=kind, encoding="base64")), "encrypted")
    body = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n"
    refused(office.take(mail(body)), "encrypted")


@pytest.mark.parametrize(
    "head",
    [
        "---------- Forwarded message ---------\nFrom: Chidi <chidi@example.org>\n\n",
        "Begin forwarded message:\n\n",
        "-------- Weitergeleitete Nachricht --------\n",
    ],
)
def test_43_inline_forward(office: Office, head: str) -> None:
    verdict = office.take(mail(f"for Chidi\n\n{head}{ORDERS}", subject="Fwd: orders"))
    assert verdict.outcome == "hold"
    assert verdict.alerts
    assert "forwarded" in words_of(verdict)
    accepted(office.take(mail(f"{ORDERS}\n{head}{OTHER}")), warned=False)


def test_43_outlook_forward(office: Office) -> None:
    verdict = office.take(mail(f"fyi\n\n{OUTLOOK}{ORDERS}", subject="FW: orders"))
    assert verdict.outcome == "hold"
