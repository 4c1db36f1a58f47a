"""Mail from an IMAP server.

A stored mail gets the keyword `PbemStored` and `\\Seen`, or is moved to a folder. The keyword
and not `\\Seen` decides what is new: a moderator may read the mailbox too. A server that keeps
no keywords is asked for unseen mails.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from pbem.mail import imapserver
from pbem.mail.config import Mailbox
from pbem.mail.faults import Fault, ServerFault, connection_fault, name_of, said
from pbem.mail.imapserver import Opened, lost, no
from pbem.mail.sources import Mail

PAUSES = (1.0, 4.0, 15.0, 30.0)
_AT_ONCE = 100
_PASSING = ("refused", "lost", "silent", "protocol")


class ImapSource:
    """The mails of a mailbox that are not stored yet.

    If the server goes away in the middle, the source waits and goes on where it was.
    """

    def __init__(
        self,
        mailbox: Mailbox,
        limit: int,
        pauses: tuple[float, ...] = PAUSES,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = f"{name_of(mailbox.server)} {mailbox.folder}"
        self.faults: list[Fault] = []
        self._mailbox = mailbox
        self._limit = limit
        self._pauses = pauses
        self._sleep = sleep
        self._opened: Opened | None = None
        self._validity: int | None = None
        self._handed: set[int] = set()
        self._unmarked: set[int] = set()

    def mails(self) -> Iterator[Mail]:
        """The mails, oldest first; ServerFault if the server cannot be used."""
        pauses = list(self._pauses)
        while True:
            before = len(self._handed)
            try:
                yield from self._waiting(self._open())
                if not self._unmarked:
                    return
                fault = Fault("lost", self.name)
            except lost() as error:
                fault = connection_fault(self._mailbox.server, error)
            except ServerFault as trouble:
                if self._validity is None or trouble.fault.kind not in _PASSING:
                    raise
                fault = trouble.fault
            finally:
                self._close()
            if len(self._handed) > before:
                pauses = list(self._pauses)
            if not pauses:
                raise ServerFault(fault)
            self._sleep(pauses.pop(0))

    def _open(self) -> Opened:
        opened = self._opened = imapserver.open_folder(self._mailbox)
        if opened.validity != self._validity:
            self._handed, self._unmarked = set(), set()
            self._validity = opened.validity
        for uid in sorted(self._unmarked):
            self._mark(uid)
        return opened

    def _close(self) -> None:
        if self._opened is not None:
            imapserver.close(self._opened)
            self._opened = None

    def _waiting(self, opened: Opened) -> Iterator[Mail]:
        new = [uid for uid in imapserver.waiting(opened) if uid not in self._handed]
        for start in range(0, len(new), _AT_ONCE):
            some = new[start : start + _AT_ONCE]
            about = opened.client.fetch(some, ["RFC822.SIZE", "INTERNALDATE"])
            for uid in some:
                if uid in about:
                    yield from self._one(opened.client, uid, about[uid])

    def _one(self, client: Any, uid: int, about: dict[bytes, Any]) -> Iterator[Mail]:
        origin = f"{self.name} {self._validity}/{uid}"
        try:
            found = client.fetch([uid], [f"BODY.PEEK[]<0.{self._limit + 1}>"]).get(uid, {})
        except lost():
            raise
        except no() as error:
            found = {}
            self.faults.append(Fault("unreadable", origin, said(error)))
        self._handed.add(uid)
        data = next((value for key, value in found.items() if key.startswith(b"BODY[]")), None)
        if data is not None:
            whole = len(data) <= self._limit
            size = len(data) if whole else max(len(data), about.get(b"RFC822.SIZE", 0))
            arrived = _utc(about.get(b"INTERNALDATE"))
            yield Mail(data, size, arrived, origin, lambda: self._mark(uid))

    def _mark(self, uid: int) -> None:
        """Mark or move a stored mail; if the server is gone, when it is back."""
        self._unmarked.add(uid)
        if self._opened is None:
            return
        with suppress(*lost()):
            try:
                imapserver.put_away(self._opened, uid)
            except lost():
                raise
            except no() as error:
                self.faults.append(Fault("not_marked", f"{self.name} {uid}", said(error)))
            self._unmarked.discard(uid)


def _utc(when: datetime | None) -> datetime | None:
    return when.astimezone(UTC).replace(microsecond=0) if when and when.tzinfo else None
