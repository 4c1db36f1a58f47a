"""When a mail reached us: that decides, whatever its sender says."""

from datetime import datetime

from pbem.mail.headers import parse_head, topmost_received, values
from pbem.mail.sender import received_by
from pbem.mail.sources import Mail

_HEAD = 64 * 1024


def arrival_of(mail: Mail, authserv_id: str | None, now: datetime) -> datetime:
    """When our own mail server took the mail in, if its topmost `Received` says so.

    Else when the source says it came, else now; never later than now.
    """
    head = parse_head(mail.data[:_HEAD].split(b"\r\n\r\n")[0].split(b"\n\n")[0] + b"\n\n")
    stamped = None
    lines = values(head, "received")
    if authserv_id and lines and received_by(lines[0], authserv_id):
        stamped = topmost_received(head)
    return min(stamped or mail.arrived or now, now)
