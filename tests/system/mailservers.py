"""A mail server of our own on loopback: Dovecot for IMAP, Postfix for SMTP, from Debian.

Both run with configurations of their own in a temporary folder, on free ports, with a
certificate made for the occasion, and deliver to Maildirs. Needs root. Postfix writes on top of
each mail who logged in to send it (`Authentication-Results: mx.example.org; auth=pass ...`).

    with mail_server(tmp_path, ["ada", "orders"]) as server:
        server.imap("ada"), server.smtp("ada")     # as pbem.yaml would name them
        server.submit("ada", "orders@example.org", data)
        server.messages("orders")
"""

import imaplib
import os
import shutil
import signal
import smtplib
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.mail.servers import Login, Server

DOMAIN = "example.org"
AUTHSERV_ID = f"mx.{DOMAIN}"
PASSWORD = "secret-of-"
PATIENCE = 30.0
PACKAGES = ("dovecot-imapd", "dovecot-lmtpd", "postfix", "notmuch", "openssl")
_PROGRAMS = ("/usr/sbin/dovecot", "/usr/lib/dovecot/lmtp", "/usr/sbin/postfix")
_VMAIL = 5000


class MailServer:
    """Both servers, with the mailboxes of a few users."""

    def __init__(self, folder: Path, users: list[str]) -> None:
        self.folder = folder
        self.users = users
        self._unused = [user for user in users if user.startswith("box")]
        self.imap_port, self.imap_clear_port, self.smtp_port, self.smtps_port, self.lmtp_port = (
            free_ports(5)
        )
        self.certificate = folder / "server.crt"
        self._dovecot: subprocess.Popen[bytes] | None = None
        self._postfix: subprocess.Popen[bytes] | None = None
        self._prepare()

    def start(self) -> None:
        """Start both and wait until they answer."""
        self.start_imap()
        self.start_smtp()

    def stop(self) -> None:
        """Stop both."""
        self.stop_smtp()
        self.stop_imap()

    def start_imap(self) -> None:
        """Start Dovecot."""
        words = ["/usr/sbin/dovecot", "-F", "-c", str(self.folder / "dovecot.conf")]
        self._dovecot = self._run(words, "dovecot.out")
        wait_for(self.imap_port, self._dovecot)
        wait_for(self.lmtp_port, self._dovecot)

    def stop_imap(self) -> None:
        """Stop Dovecot; connections break."""
        _stop(self._dovecot)
        self._dovecot = None

    def start_smtp(self) -> None:
        """Start Postfix."""
        words = ["/usr/sbin/postfix", "-c", str(self.folder / "postfix"), "start-fg"]
        self._postfix = self._run(words, "postfix.out")
        wait_for(self.smtp_port, self._postfix)

    def stop_smtp(self) -> None:
        """Stop Postfix; connections break."""
        if self._postfix is not None:
            words = ["/usr/sbin/postfix", "-c", str(self.folder / "postfix"), "stop"]
            subprocess.run(words, capture_output=True, check=False, timeout=PATIENCE)
        _stop(self._postfix)
        self._postfix = None

    def restart(self) -> None:
        """Both, as after a power cut that lost nothing."""
        self.stop()
        self.start()

    def fresh(self) -> str:
        """A user whose name begins with `box` and whom nobody has asked for yet."""
        return self._unused.pop(0)

    def address(self, user: str) -> str:
        """The address of a user."""
        return f"{user}@{DOMAIN}"

    def password(self, user: str) -> str:
        """The password of a user."""
        return PASSWORD + user

    def password_file(self, user: str) -> Path:
        """A file with the password of a user that only its owner can read."""
        path = self.folder / f"{user}.secret"
        path.write_text(self.password(user) + "\n")
        path.chmod(0o600)
        return path

    def imap(self, user: str, security: str = "tls") -> Server:
        """The IMAP server for a user, as the configuration names it."""
        login = Login(user, None, self.password_file(user))
        if security == "tls":
            return Server("localhost", self.imap_port, "tls", login, self.certificate, 10)
        return Server("localhost", self.imap_clear_port, "starttls", login, self.certificate, 10)

    def pbem_yaml(self, after: str = "mark") -> str:
        """A pbem.yaml that reads the mailbox `orders` and sends as this user."""
        login = (
            f"user: orders, password_file: {self.password_file('orders')}, "
            f"certificates: {self.certificate}, timeout_seconds: 10"
        )
        return (
            "schema: 1\nrules: 1\n"
            f"addresses: {{orders: orders@{DOMAIN}, moderator: gm@{DOMAIN}}}\n"
            f"authserv_id: {AUTHSERV_ID}\n"
            f"in:\n  imap:\n    - {{host: localhost, port: {self.imap_port}, {login}, "
            f"after: {after}}}\n"
            f"out:\n  way: smtp\n  smtp: {{host: localhost, port: {self.smtp_port}, {login}}}\n"
        )

    def smtp(self, user: str, security: str = "starttls") -> Server:
        """The SMTP server for a user, as the configuration names it."""
        login = Login(user, None, self.password_file(user))
        if security == "starttls":
            return Server("localhost", self.smtp_port, "starttls", login, self.certificate, 10)
        return Server("localhost", self.smtps_port, "tls", login, self.certificate, 10)

    def maildir(self, user: str) -> Path:
        """Where the mails of a user lie."""
        return self.folder / "mail" / user / "Maildir"

    def submit(self, user: str, to: str, data: bytes, sender: str | None = None) -> None:
        """Send a mail as a player's mail program does: with login, over STARTTLS."""
        data = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        with smtplib.SMTP("localhost", self.smtp_port, timeout=10) as smtp:
            smtp.starttls(context=self.trust())
            smtp.login(user, self.password(user))
            options = ["BODY=8BITMIME"] if not data.isascii() else []
            smtp.sendmail(sender or self.address(user), [to], data, options)

    def messages(self, user: str, expected: int = 0) -> list[bytes]:
        """All mails in a user's INBOX, by IMAP, in order; waits until `expected` are there."""
        until = time.monotonic() + PATIENCE
        while True:
            found = self._fetch(user)
            if len(found) >= expected or time.monotonic() > until:
                return found
            time.sleep(0.05)

    def settle(self) -> None:
        """Wait until Postfix has delivered all that it took."""
        until = time.monotonic() + PATIENCE
        queue = self.folder / "spool"
        while time.monotonic() < until:
            folders = (queue / name for name in ("maildrop", "incoming", "active", "deferred"))
            if not any(path.is_file() for folder in folders for path in folder.rglob("*")):
                return
            time.sleep(0.05)
        raise TimeoutError("the queue of postfix does not run empty\n" + self.log())

    def empty(self, user: str) -> None:
        """Remove all mails of a user; Dovecot has to be stopped or unused meanwhile."""
        shutil.rmtree(self.maildir(user), ignore_errors=True)

    def trust(self) -> ssl.SSLContext:
        """Trusts our certificate."""
        return ssl.create_default_context(cafile=self.certificate)

    def log(self) -> str:
        """What the servers said."""
        names = ("dovecot.out", "dovecot.log", "postfix.out", "postfix.log")
        paths = [self.folder / name for name in names]
        return "\n".join(path.read_text("utf-8", "replace") for path in paths if path.exists())

    def _fetch(self, user: str) -> list[bytes]:
        with imaplib.IMAP4_SSL("localhost", self.imap_port, ssl_context=self.trust()) as imap:
            imap.login(user, self.password(user))
            imap.select("INBOX", readonly=True)
            numbers = imap.search(None, "ALL")[1][0].split()
            found = [imap.fetch(number.decode(), "(BODY.PEEK[])")[1][0] for number in numbers]
        return [each[1] for each in found if isinstance(each, tuple)]

    def _run(self, words: list[str], log: str) -> subprocess.Popen[bytes]:
        with (self.folder / log).open("ab") as out:
            return subprocess.Popen(
                words, stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True
            )

    def _prepare(self) -> None:
        for parent in (self.folder, *self.folder.parents):
            if parent.stat().st_uid == os.geteuid() and parent != Path("/"):
                parent.chmod(parent.stat().st_mode | 0o011)
        make_certificate(self.folder, "server")
        mail = self.folder / "mail"
        mail.mkdir()
        os.chown(mail, _VMAIL, _VMAIL)
        lines = [f"{user}:{{PLAIN}}{self.password(user)}::::::" for user in self.users]
        (self.folder / "users").write_text("\n".join(lines) + "\n")
        (self.folder / "users").chmod(0o644)
        (self.folder / "dovecot.conf").write_text(self._dovecot_conf())
        self._prepare_postfix()

    def _prepare_postfix(self) -> None:
        config = self.folder / "postfix"
        config.mkdir()
        (self.folder / "spool").mkdir()
        data = self.folder / "postfix-data"
        data.mkdir()
        shutil.chown(data, "postfix", "postfix")
        (config / "main.cf").write_text(self._main_cf())
        (config / "master.cf").write_text(self._master_cf())
        boxes = [f"{self.address(user)} {user}" for user in self.users]
        (config / "mailboxes").write_text("\n".join(boxes) + "\n")
        vouched = [
            f"{user} PREPEND Authentication-Results: {AUTHSERV_ID}; "
            f"auth=pass smtp.auth={self.address(user)}"
            for user in self.users
        ]
        (config / "vouched").write_text("\n".join(vouched) + "\n")

    def _dovecot_conf(self) -> str:
        here = self.folder
        return f"""
protocols = imap lmtp
listen = 127.0.0.1, ::1
base_dir = {here}/run
log_path = {here}/dovecot.log
auth_mechanisms = plain login
auth_failure_delay = 0
auth_cache_size = 0
ssl = required
ssl_cert = <{self.certificate}
ssl_key = <{here}/server.key
disable_plaintext_auth = yes
mail_location = maildir:{here}/mail/%n/Maildir
mail_fsync = never
first_valid_uid = 1
passdb {{
  driver = passwd-file
  args = username_format=%n {here}/users
}}
userdb {{
  driver = static
  args = uid={_VMAIL} gid={_VMAIL} home={here}/mail/%n
}}
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {self.imap_clear_port}
  }}
  inet_listener imaps {{
    port = {self.imap_port}
    ssl = yes
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {self.lmtp_port}
  }}
}}
service auth {{
  unix_listener {here}/run/auth-for-postfix {{
    mode = 0660
    user = postfix
    group = postfix
  }}
}}
"""

    def _main_cf(self) -> str:
        here = self.folder
        return f"""
compatibility_level = 3.6
queue_directory = {here}/spool
data_directory = {here}/postfix-data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = {here}/postfix.log
maillog_file_prefixes = {here}
myhostname = mx.{DOMAIN}
mydestination =
mynetworks =
inet_interfaces = 127.0.0.1, ::1
inet_protocols = all
alias_maps =
alias_database =
local_recipient_maps =
local_transport = error:no local mail
virtual_mailbox_domains = {DOMAIN}
virtual_mailbox_maps = texthash:{here}/postfix/mailboxes
virtual_transport = lmtp:inet:127.0.0.1:{self.lmtp_port}
lmtp_destination_recipient_limit = 1
smtpd_tls_cert_file = {self.certificate}
smtpd_tls_key_file = {here}/server.key
smtpd_tls_security_level = may
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = {here}/run/auth-for-postfix
smtpd_tls_auth_only = yes
smtpd_sender_restrictions = check_sasl_access texthash:{here}/postfix/vouched
local_header_rewrite_clients =
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions =
smtpd_delay_reject = yes
smtpd_client_connection_rate_limit = 0
smtpd_error_sleep_time = 0
smtpd_soft_error_limit = 100
smtpd_timeout = 60
disable_dns_lookups = yes
smtp_host_lookup = native
message_size_limit = 10000000
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
"""

    def _master_cf(self) -> str:
        listening = "inet n - n - - smtpd"
        return f"""
{self.smtp_port} {listening}
{self.smtps_port} {listening}
  -o smtpd_tls_wrappermode=yes
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
smtp unix - - n - - smtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


@contextmanager
def mail_server(folder: Path, users: list[str]) -> Iterator[MailServer]:
    """Both servers, running; stopped at the end, whatever happens."""
    missing = [program for program in _PROGRAMS if not Path(program).exists()]
    if missing or os.geteuid() != 0:
        raise RuntimeError(f"run as root with {', '.join(PACKAGES)}; missing: {missing or 'root'}")
    server = MailServer(folder, users)
    try:
        server.start()
        yield server
    finally:
        server.stop()


def make_certificate(folder: Path, name: str, host: str = "localhost", days: int = 2) -> Path:
    """A certificate that signs itself, and its key beside it; `days` below 0: expired."""
    certificate, key = folder / f"{name}.crt", folder / f"{name}.key"
    words = [
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={host}",
        "-addext", f"subjectAltName=DNS:{host}", "-addext", "basicConstraints=critical,CA:TRUE",
        "-days", str(days), "-keyout", str(key), "-out", str(certificate),
    ]  # fmt: skip
    subprocess.run(words, check=True, capture_output=True)
    return certificate


def free_ports(number: int) -> list[int]:
    """Ports on which nobody listens."""
    sockets = [socket.socket() for _ in range(number)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_for(port: int, process: subprocess.Popen[bytes] | None = None) -> None:
    """Until somebody listens on the port; TimeoutError, or the process has ended."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if process is not None and process.poll() is not None:
            raise RuntimeError(f"{process.args!r} ended with {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise TimeoutError(f"nobody listens on port {port}")


def _stop(process: subprocess.Popen[bytes] | None) -> None:
    """End a server and all that it started: its own process group, nothing else."""
    if process is None or process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)
