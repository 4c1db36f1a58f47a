"""What can go wrong with a server, as a value; the sentences stand in `mail_faults.j2`."""

import socket
import ssl
from typing import NamedTuple

from pbem.lines import one_line
from pbem.mail.say import say
from pbem.mail.servers import Login, NoPassword, Server, password_of

_LONGEST = 300

# What OpenSSL calls the faults of a certificate (X509_V_ERR_...).
_EXPIRED, _NOT_YET, _WRONG_HOST, _WRONG_ADDRESS = 10, 9, 62, 64
_UNKNOWN_ISSUER = (2, 18, 19, 20, 21)
_CERTIFICATES = {
    _EXPIRED: "certificate_expired",
    _NOT_YET: "certificate_not_yet",
    _WRONG_HOST: "certificate_of_another",
    _WRONG_ADDRESS: "certificate_of_another",
    **dict.fromkeys(_UNKNOWN_ISSUER, "certificate_unknown"),
}


class Fault(NamedTuple):
    """What is wrong: `kind` is the macro that says it, `detail` what the other side said."""

    kind: str
    where: str
    detail: str = ""

    def sentence(self) -> str:
        """What is wrong and what to do, for a person."""
        return say("mail_faults.j2", self.kind, self)


class ServerFault(Exception):
    """A server that cannot be used now; whatever was under way is not done."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.sentence())
        self.fault = fault


def name_of(server: Server) -> str:
    """The server as messages name it."""
    return f"{server.host}:{server.port}"


def said(reply: object) -> str:
    """What a server said, safe to print and not too long."""
    text = reply.decode("utf-8", "replace") if isinstance(reply, bytes) else str(reply)
    return one_line(text, _LONGEST)


def connection_fault(server: Server, error: BaseException) -> Fault:
    """Why a server cannot be reached, or was lost."""
    where = name_of(server)
    match error:
        case ssl.SSLCertVerificationError():
            kind = _CERTIFICATES.get(error.verify_code, "certificate_bad")
            return Fault(kind, where, said(error.verify_message or error))
        case ssl.SSLError():
            return Fault("no_tls", where, said(error.reason or error))
        case socket.gaierror():
            return Fault("unknown_host", where, said(error.strerror or error))
        case ConnectionRefusedError():
            return Fault("refused", where)
        case TimeoutError():
            return Fault("silent", where, str(server.timeout))
        case _:
            return Fault("lost", where, said(error))


def trust(server: Server) -> ssl.SSLContext:
    """What makes a certificate good: a known issuer, the name of the host, today's date."""
    try:
        context = ssl.create_default_context(cafile=server.certificates)
    except OSError as error:
        where = str(server.certificates)
        raise ServerFault(Fault("certificates_missing", where, said(error))) from None
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def password_for(login: Login) -> str:
    """The password of a login; ServerFault if it cannot be had."""
    try:
        return password_of(login)
    except NoPassword as fault:
        raise ServerFault(Fault(fault.kind, fault.where)) from None
