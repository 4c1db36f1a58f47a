"""Where mail comes from: files, mbox, standard input, folders, Maildir."""

import io
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.mail.sources import FileSource, FolderSource, Mail, MaildirSource, StreamSource

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
FROM = b"From ada@example.org Mon Mar  9 18:02:00 2026\n"
ONE = b"Subject: one\n\nbody one\n"
TWO = b"Subject: two\r\n\r\nbody two\r\n"
LIMIT = 100_000


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


def stream(data: bytes, limit: int = LIMIT) -> list[Mail]:
    """The mails in these bytes."""
    return list(StreamSource(io.BytesIO(data), limit, NOON).mails())


def bodies(data: bytes) -> list[bytes]:
    """Only their bytes."""
    return [mail.data for mail in stream(data)]


def test_standard_input() -> None:
    (mail,) = stream(TWO)
    assert mail[:4] == (TWO, len(TWO), NOON, "standard input")
    assert stream(b"") == []


def test_an_mbox() -> None:
    first, second = stream(FROM + ONE + b"\n" + FROM.replace(b"18", b"19") + TWO + b"\r\n")
    assert first.data == ONE
    assert first.arrived == datetime(2026, 3, 9, 18, 2, tzinfo=UTC)
    assert first.origin == "standard input #1"
    assert second.data == TWO
    assert second.arrived == datetime(2026, 3, 9, 19, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    "mark",
    [
        b"From ada@example.org Mon Mar  9 18:02:00 2026\n",
        b"From ada@example.org Mon Mar  9 18:02:00 +0100 2026\n",
        b"From ada@example.org  Mon Mar 09 18:02 2026\r\n",
        b"From - Mon Mar 09 18:02:00 2026\n",
        b"From ada at example.org Mon Mar  9 18:02:00 2026\n",
        b"From MAILER-DAEMON Fri Feb 31 99:99:99 2026\n",
    ],
)
def test_where_a_mail_of_an_mbox_begins(mark: bytes) -> None:
    assert bodies(mark + ONE + b"\n" + mark + ONE) == [ONE, ONE]


def test_prose_that_begins_with_from_is_prose() -> None:
    text = ONE + b"\nFrom here on I build.\n\nFrom  the river\n\n"
    assert bodies(FROM + text) == [text[:-1]]
    assert bodies(text) == [text]
    unparted = ONE + FROM + b"x\n"
    assert bodies(FROM + unparted) == [unparted]


def test_escaped_prose_is_given_back() -> None:
    escaped = b"S: x\n\n>From here\n>>From there\n> From me\n>Frommage\n"
    assert bodies(FROM + escaped) == [b"S: x\n\nFrom here\n>From there\n> From me\n>Frommage\n"]
    assert bodies(escaped) == [escaped]


def test_a_huge_mail_is_cut_and_its_size_told() -> None:
    data = ONE + b"x" * 300_000
    (mail,) = stream(data, 1000)
    assert (len(mail.data), mail.size) == (1001, len(data))
    first, second = stream(FROM + data + b"\n\n" + FROM + ONE, 1000)
    assert (len(first.data), first.size) == (1001, len(data) + 1)
    assert second.data == ONE


def test_named_files_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(ONE)
    (tmp_path / "b.mbox").write_bytes(FROM + ONE + b"\n" + FROM + TWO)
    source = FileSource([tmp_path / "b.mbox", tmp_path / "no", tmp_path / "a.eml"], LIMIT)
    found = list(source.mails())
    for mail in found:
        mail.done()
    assert [mail.data for mail in found] == [ONE, TWO, ONE]
    assert [fault.kind for fault in source.faults] == ["unreadable"]
    assert str(tmp_path / "no") in source.faults[0].sentence()
    assert names(tmp_path) == ["a.eml", "b.mbox"]


def test_the_inbox_folder(tmp_path: Path) -> None:
    (tmp_path / "2.eml").write_bytes(TWO)
    (tmp_path / "1.txt").write_bytes(ONE)
    (tmp_path / ".hidden").write_bytes(ONE)
    os.utime(tmp_path / "1.txt", (NOON.timestamp(), NOON.timestamp()))
    source = FolderSource(tmp_path, LIMIT)
    found = []
    for mail in source.mails():
        found.append(mail)
        assert Path(mail.origin).exists()
        mail.done()
    assert [mail.data for mail in found] == [ONE, TWO]
    assert found[0].arrived == NOON
    assert names(tmp_path) == [".hidden", "stored"]
    assert names(tmp_path / "stored") == ["1.txt", "2.eml"]
    assert list(source.mails()) == []


def test_what_was_not_stored_stays(tmp_path: Path) -> None:
    (tmp_path / "x.mbox").write_bytes(FROM + ONE + b"\n" + FROM + TWO)
    source = FolderSource(tmp_path, LIMIT)
    first, _second = source.mails()
    first.done()
    assert names(tmp_path) == ["x.mbox"]
    for mail in source.mails():
        mail.done()
    assert names(tmp_path) == ["stored"]


def test_a_name_that_is_taken(tmp_path: Path) -> None:
    for data in (ONE, TWO, ONE):
        (tmp_path / "m.eml").write_bytes(data)
        for mail in FolderSource(tmp_path, LIMIT).mails():
            mail.done()
    assert names(tmp_path / "stored") == ["m-2.eml", "m-3.eml", "m.eml"]


def test_a_file_that_is_still_written_to_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "m.eml"
    path.write_bytes(ONE[:9])
    for mail in FolderSource(tmp_path, LIMIT).mails():
        path.write_bytes(ONE)
        mail.done()
    (mail,) = FolderSource(tmp_path, LIMIT).mails()
    assert mail.data == ONE


def test_what_is_no_file_stops_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")
    (tmp_path / "b").symlink_to("/etc/passwd")
    (tmp_path / "c").mkdir()
    (tmp_path / "d").write_bytes(ONE)
    source = FolderSource(tmp_path, LIMIT)
    assert [mail.data for mail in source.mails()] == [ONE]
    assert len(source.faults) == 2
    assert list(FolderSource(tmp_path / "none", LIMIT).mails()) == []


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    """An empty Maildir."""
    for name in ("new", "cur", "tmp"):
        (tmp_path / name).mkdir()
    return tmp_path


def test_a_maildir(maildir: Path) -> None:
    (maildir / "new" / "1002.b").write_bytes(TWO)
    (maildir / "cur" / "1001.a:2,").write_bytes(ONE)
    (maildir / "cur" / "1000.seen:2,RS").write_bytes(ONE)
    (maildir / "cur" / "1003.c:2,F").write_bytes(ONE)
    (maildir / "tmp" / "1004.under-way").write_bytes(ONE)
    source = MaildirSource(maildir, LIMIT)
    found = list(source.mails())
    assert [Path(mail.origin).name for mail in found] == ["1001.a", "1002.b", "1003.c"]
    for mail in found:
        mail.done()
    assert names(maildir / "new") == []
    marked = ["1000.seen:2,RS", "1001.a:2,S", "1002.b:2,S", "1003.c:2,FS"]
    assert names(maildir / "cur") == marked
    assert list(source.mails()) == []


def test_a_maildir_keeps_what_was_not_stored(maildir: Path) -> None:
    (maildir / "new" / "1").write_bytes(ONE)
    source = MaildirSource(maildir, 10)
    (mail,) = source.mails()
    assert (len(mail.data), mail.size) == (11, len(ONE))
    assert names(maildir / "new") == ["1"]
    assert [again.origin for again in source.mails()] == [mail.origin]


def test_another_reader_moves_a_mail_meanwhile(maildir: Path) -> None:
    (maildir / "new" / "1").write_bytes(ONE)
    (mail,) = MaildirSource(maildir, LIMIT).mails()
    (maildir / "new" / "1").rename(maildir / "cur" / "1:2,")
    mail.done()
    (again,) = MaildirSource(maildir, LIMIT).mails()
    assert again.origin == mail.origin


def test_what_is_no_maildir(tmp_path: Path) -> None:
    source = MaildirSource(tmp_path, LIMIT)
    assert list(source.mails()) == []
    assert "is no Maildir" in source.faults[0].sentence()
