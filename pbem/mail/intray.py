"""All places that mail comes from, as the configuration names them."""

from pathlib import Path

from pbem.mail.config import INBOX, MailConfig
from pbem.mail.sources import FolderSource, MaildirSource, Source


def sources_of(config: MailConfig, games: Path) -> list[Source]:
    """The folder `_inbox`, then the Maildirs, then the mailboxes on servers."""
    limit = config.limits.mail_bytes
    found: list[Source] = [FolderSource(games / INBOX, limit)]
    found += [MaildirSource(path, limit) for path in config.incoming.maildirs]
    if config.incoming.mailboxes:
        from pbem.mail.imap import ImapSource

        found += [ImapSource(mailbox, limit) for mailbox in config.incoming.mailboxes]
    return found
