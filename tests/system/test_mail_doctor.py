"""The doctor against real servers: one sentence for each fault, none when all is well."""

import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from pbem.mail.doctor import Finding, examine
from tests.system.mailservers import MailServer, free_ports, make_certificate

pytestmark = pytest.mark.system

HEAD = "schema: 1\nrules: 1\naddresses: {orders: orders@example.org, moderator: gm@example.org}\n"


def server(mail: MailServer, **more: object) -> str:
    """A server as pbem.yaml names it."""
    facts = {
        "host": "localhost",
        "user": "orders",
        "password_file": mail.password_file("orders"),
        "certificates": mail.certificate,
        "timeout_seconds": 5,
    } | more
    return "{" + ", ".join(f'{key}: "{value}"' for key, value in facts.items()) + "}"


def imap(mail: MailServer, **more: object) -> str:
    """A pbem.yaml with a mailbox."""
    return f"{HEAD}in:\n  imap:\n    - {server(mail, **({'port': mail.imap_port} | more))}\n"


def smtp(mail: MailServer, **more: object) -> str:
    """A pbem.yaml with a way out."""
    return f"{HEAD}out:\n  way: smtp\n  smtp: {server(mail, **({'port': mail.smtp_port} | more))}\n"


def faults(games: Path, text: str) -> list[Finding]:
    """What the doctor says is wrong with this pbem.yaml."""
    (games / "pbem.yaml").write_text(text)
    return [finding for finding in examine(games, []) if not finding.well]


def fault(games: Path, text: str) -> str:
    """The one thing that is wrong."""
    (found,) = faults(games, text)
    return found.sentence


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_all_is_well(mail: MailServer, tmp_path: Path, security: str) -> None:
    """Both ways, with login; nothing is touched."""
    ports = {
        "tls": (mail.imap_port, mail.smtps_port),
        "starttls": (mail.imap_clear_port, mail.smtp_port),
    }[security]
    mail.submit("ada", "orders@example.org", b"Subject: x\r\n\r\nx\r\n")
    mail.settle()
    text = imap(mail, port=ports[0], security=security)
    text += f"out:\n  way: smtp\n  smtp: {server(mail, port=ports[1], security=security)}\n"
    (tmp_path / "pbem.yaml").write_text(text)
    found = examine(tmp_path, [])
    assert [finding for finding in found if not finding.well] == []
    said = "\n".join(finding.sentence for finding in found)
    assert "there to be stored" in said
    assert "takes letters from us" in said
    again = [finding.sentence for finding in examine(tmp_path, [])]
    assert again == [finding.sentence for finding in found]


@pytest.mark.parametrize("kind", ["imap", "smtp"])
def test_each_fault_has_its_sentence(mail: MailServer, tmp_path: Path, kind: str) -> None:
    """Login, certificate, host, port, encryption."""
    text = {"imap": imap, "smtp": smtp}[kind]
    plain_port = {"imap": mail.imap_clear_port, "smtp": mail.smtp_port}[kind]
    tls_port = {"imap": mail.imap_port, "smtp": mail.smtps_port}[kind]
    wrong = tmp_path / "wrong"
    wrong.write_text("not the password\n")
    wrong.chmod(0o600)
    other = make_certificate(tmp_path, "other")
    (nobody,) = free_ports(1)
    security = {"imap": "tls", "smtp": "starttls"}[kind]
    cases: list[tuple[dict[str, object], str]] = [
        ({"password_file": wrong}, "refuses the login"),
        ({"certificates": other}, "comes from an issuer that this machine does not know"),
        ({"certificates": tmp_path / "none"}, "cannot be read as certificates"),
        ({"host": "127.0.0.1"}, "was made for another name"),
        ({"host": "no-such-host.invalid"}, "is not known by this name"),
        ({"port": nobody}, "nothing listens there"),
        ({"port": plain_port, "security": "tls"}, "does not speak TLS in this way"),
        ({"port": tls_port, "security": "starttls", "timeout_seconds": 1}, "did not answer"),
        ({"password_file": tmp_path / "absent"}, "is no file that can be read"),
    ]
    for more, expected in cases:
        sentence = fault(tmp_path, text(mail, **({"security": security} | more)))
        assert expected in sentence, more
        assert "not the password" not in sentence


def test_a_folder_that_does_not_exist(mail: MailServer, tmp_path: Path) -> None:
    """IMAP only."""
    assert "There is no folder Orders" in fault(tmp_path, imap(mail, folder="Orders"))


def test_a_password_file_that_others_can_read(mail: MailServer, tmp_path: Path) -> None:
    """It is not used at all."""
    text = imap(mail)
    secret = mail.folder / "orders.secret"
    secret.chmod(0o640)
    assert f"chmod 600 {secret}" in fault(tmp_path, text)


def test_a_certificate_that_has_expired(tmp_path: Path, mail: MailServer) -> None:
    """Shown by a server that can do nothing else."""
    expired = make_expired(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(expired, tmp_path / "old.key")

    def show(client: socket.socket) -> None:
        context.wrap_socket(client, server_side=True).close()

    with listening(show) as port:
        text = imap(mail, port=port, certificates=expired)
        assert "has expired" in fault(tmp_path, text)


def make_expired(folder: Path) -> Path:
    """A certificate that ended long ago."""
    make_certificate(folder, "old")
    (folder / "index").write_text("")
    (folder / "ca.conf").write_text(
        f"[ca]\ndefault_ca=x\n[x]\ndatabase={folder}/index\nnew_certs_dir={folder}\n"
        f"rand_serial=yes\ndefault_md=sha256\npolicy=p\nx509_extensions=e\n"
        f"[p]\ncommonName=supplied\n[e]\nsubjectAltName=DNS:localhost\n"
    )
    key, request, old = (str(folder / name) for name in ("old.key", "old.csr", "expired.crt"))
    words = ["openssl", "req", "-new", "-key", key, "-subj", "/CN=localhost", "-out", request]
    subprocess.run(words, check=True, capture_output=True)
    words = [
        "openssl", "ca", "-batch", "-selfsign", "-config", str(folder / "ca.conf"), "-in", request,
        "-keyfile", key, "-notext", "-out", old,
        "-startdate", "20200101000000Z", "-enddate", "20200102000000Z",
    ]  # fmt: skip
    subprocess.run(words, check=True, capture_output=True)
    return Path(old)


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """Serves one client on a port of its own."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def accept() -> None:
            with suppress(OSError):
                client, _ = listener.accept()
                with closing(client):
                    serve(client)

        thread = threading.Thread(target=accept)
        thread.start()
        yield listener.getsockname()[1]
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        thread.join()


@pytest.mark.parametrize("greeting", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
@pytest.mark.parametrize("kind", ["imap", "smtp"])
def test_what_is_no_mail_server(
    mail: MailServer, tmp_path: Path, greeting: bytes, kind: str
) -> None:
    """Something listens, but it is something else."""
    text = {"imap": imap, "smtp": smtp}[kind]
    with listening(lambda client: client.sendall(greeting)) as port:
        sentence = fault(tmp_path, text(mail, port=port, security="starttls"))
    assert "was lost" in sentence or "does not understand" in sentence


def test_no_starttls(mail: MailServer, tmp_path: Path) -> None:
    """Nothing goes in the clear."""

    def serve(client: socket.socket) -> None:
        client.sendall(b"220 here\r\n")
        client.recv(100)
        client.sendall(b"250 plain only\r\n")
        client.recv(100)

    with listening(serve) as port:
        assert "does not offer STARTTLS" in fault(tmp_path, smtp(mail, port=port))
