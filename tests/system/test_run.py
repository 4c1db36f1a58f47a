"""`pbem run` alone, as a timer calls it, over real servers: a game with deadlines, kills, two at
once. Players read by IMAP and write by SMTP; the moderator reads his mailbox."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import pytest
from icalendar import Calendar

from tests.system.mailservers import MailServer
from tests.system.office import Office, ids
from tests.system.players import Player, form_of, text_of
from tests.system.test_mail_game import check_mailbox

pytestmark = pytest.mark.system


@pytest.fixture
def office(mail: MailServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Office:
    """Our side, with no game."""
    return Office(tmp_path, mail, monkeypatch)


class Meeting(NamedTuple):
    """An entry for a calendar; `at` is None once there is no deadline any more."""

    uid: str
    sequence: int
    at: datetime | None


def meetings(letters: list[EmailMessage]) -> Iterator[Meeting]:
    """The entries that lie with letters."""
    for part in (part for letter in letters for part in letter.walk()):
        if part.get_content_type() == "text/calendar":
            whole = Calendar.from_ical(bytes(part.get_payload(decode=True)))
            (event,) = whole.walk("VEVENT")
            yield Meeting(
                str(event["UID"]),
                int(str(event.decoded("SEQUENCE"))),
                event.decoded("DTSTART") if whole["METHOD"] != "CANCEL" else None,
            )


class Table:
    """A game of three whose players have mailboxes of their own."""

    def __init__(self, office: Office) -> None:
        self.office = office
        people = [Player(office.server, office.server.fresh(), name) for name in PEOPLE]
        self.archer, self.bull, self.lion, self.heir, self.gm = people
        self.gm.user = "gm"
        self.gm.read = len(self.gm.letters())
        seats = {"archer": self.archer, "bull": self.bull, "lion": self.lion}
        words = [w for s, p in seats.items() for w in ("--seat", f"{s}={p.name} <{p.address}>")]
        policies = ("turn_time=3d", "grace=6h", "late=pass", "away_days=10")
        words += [word for each in policies for word in ("--policy", each)]
        office.call("new", "ur-1", *words, "--confirm", "--seed", "three")

    def new(self, player: Player) -> list[EmailMessage]:
        """What has come for a player since he last looked; all is delivered when a run is over."""
        return player.new_letters(0)

    def moved(self, player: Player) -> EmailMessage:
        """The only letter of the last run that says that it is this player's move."""
        (letter,) = [each for each in self.new(player) if each["X-PBEM-Move"] == "yours"]
        return letter

    def digests(self) -> list[str]:
        """The digests that have come since the moderator last looked."""
        new = self.new(self.gm)
        return [text_of(each) for each in new if str(each["Subject"]).startswith("[te]")]


PEOPLE = ("Ana", "Zoë Ünal", "Lena", "Chidi", "Gus")


def filled(letter: EmailMessage, *actions: str) -> str:
    """The form of a letter, with these actions."""
    form = form_of(letter)
    assert "  - ???" in form
    return form.replace("  - ???", "\n".join(f"  - {action}" for action in actions))


def test_a_game_with_deadlines(office: Office, tmp_path: Path) -> None:
    """Confirmed by reply, reminded, away, passed, handed over, late: by mail and `run` alone."""
    table = Table(office)
    begins(table)
    goes_away(table)
    misses(table)
    is_replaced(table)
    comes_late(table)
    assert "all the same" in office.call("replay", "ur-1").out
    for player in (table.archer, table.bull):
        check_mailbox(player, tmp_path / f"notmuch-{player.user}")
    for player in (table.lion, table.heir):  # a letter to each of them begins a seat's thread anew
        came = ids(player.letters())
        assert len(came) == len(set(came))


def begins(table: Table) -> None:
    """All confirm by a reply; the first turn."""
    office = table.office
    assert "1 game: 0 advanced" in office.run().out
    for player in (table.archer, table.bull, table.lion):
        (invitation,) = table.new(player)
        assert invitation["Subject"] == "confirm ur-1"
        player.send("Yes, with pleasure.\n", answers=invitation)
    office.later(hours=1)
    office.run()
    letter = table.moved(table.archer)
    (meeting,) = meetings([letter])
    assert meeting.at == office.now + timedelta(days=3)
    table.archer.send(filled(letter, "king F4", "trader G3"), answers=letter)
    office.later(hours=1)
    assert "1 advanced" in office.run().out
    assert "orders received" in receipt(table.new(table.archer))


def goes_away(table: Table) -> None:
    """The second player books days off before his deadline: it moves, and all hear of it."""
    office = table.office
    letter = table.moved(table.bull)
    (told,) = meetings([letter])
    assert told.at == office.now + timedelta(days=3)
    first = office.now.date() + timedelta(days=1)
    table.bull.send(f"away {first}..{first + timedelta(days=1)}\n", answers=letter)
    office.later(hours=1)
    office.run()
    (moved,) = meetings(table.new(table.bull))
    assert moved.uid == told.uid
    assert moved.sequence > told.sequence
    assert moved.at == told.at + timedelta(days=2)
    heard = [text_of(each) for each in table.new(table.lion)]
    assert any("There is more time" in text for text in heard)
    assert not any("away" in text for text in heard)
    office.later(days=4)
    assert "1 reminder" in office.run().out
    (reminder,) = table.new(table.bull)
    assert reminder["Subject"] == "ur-1: a reminder, 2.1 waits for you"
    table.bull.send(filled(reminder, "priest I6", "farmer J7"), answers=reminder)
    office.later(hours=1)
    assert "1 advanced" in office.run().out
    (gone,) = meetings(table.new(table.bull))
    assert (gone.uid, gone.at) == (moved.uid, None)


def misses(table: Table) -> None:
    """The third is reminded twice, does not answer, and passes once the grace is over."""
    office = table.office
    asked = table.moved(table.lion)
    (told,) = meetings([asked])
    heads = []
    for hours in (49, 24, 4):
        office.later(hours=hours)
        assert "missed" not in office.run().out
        assert game_run(office) == 2
        heads += [str(each["Subject"]) for each in table.new(table.lion)]
    assert heads == [
        "ur-1: a reminder, 3.1 waits for you",
        "ur-1: the time is over, 3.1 waits for you",
    ]
    assert f"lion ({table.lion.name})" in office.call("status", "--late").out
    office.later(hours=1)
    assert told.at is not None
    assert office.now == told.at + timedelta(hours=6)
    assert "1 deadline missed" in office.run().out
    assert game_run(office) == 3
    (letter,) = table.new(table.lion)
    assert "You did not answer 3.1 in time" in text_of(letter)
    assert [each.at for each in meetings([letter])] == [None]


def game_run(office: Office) -> int:
    """The newest run of the game."""
    return office.game("ur-1").load_newest().run


def plays(table: Table, player: Player, *actions: str) -> None:
    """A player answers the newest letter in which it is his move."""
    letter = table.moved(player)
    player.send(filled(letter, *actions), answers=letter)
    table.office.later(hours=1)
    assert "1 advanced" in table.office.run().out


def is_replaced(table: Table) -> None:
    """Another one takes over the seat; what the old one writes is not carried out."""
    office = table.office
    heir = table.heir
    office.call("seat", "ur-1", "lion", "--give", f"{heir.name} <{heir.address}>")
    plays(table, table.archer, "priest M5", "pass")
    plays(table, table.bull, "pass all")
    (farewell,) = table.new(table.lion)
    assert "key:" not in text_of(farewell)
    welcome = table.new(heir)
    assert sum("YOUR MOVE" in str(each["Subject"]) for each in welcome) == 1
    table.lion.send("game: ur-1\nplayer: lion\nturn: 6\nactions: king A5\n", answers=farewell)
    office.later(hours=1)
    assert "0 advanced" in office.run(codes=(1,)).out
    form = next(each for each in welcome if each["X-PBEM-Move"] == "yours")
    heir.send(filled(form, "pass all"), answers=form)
    office.later(hours=1)
    assert "1 advanced" in office.run().out
    (number,) = re.findall(r"^(\d+): ", office.call("inbox").out, re.MULTILINE)
    office.call("refuse", number, "--because", "Chidi plays that seat now.")
    table.gm.read = len(table.gm.letters())


def comes_late(table: Table) -> None:
    """Orders after the grace are held, the digest names the command, and it ends the matter."""
    office = table.office
    letter = table.moved(table.archer)
    office.later(days=3, hours=7)
    table.archer.send(filled(letter, "farmer N6", "pass"), answers=letter)
    said = office.run(codes=(1,))
    assert "missed" not in said.out
    (digest,) = table.digests()
    assert "A decision is needed" in digest
    (command,) = re.findall(r"pbem (admit-late \d+)", digest)
    assert "N6" not in digest
    office.call(*command.split())
    before = game_run(office)
    assert "1 advanced" in office.run().out
    (done,) = {each.player for each in office.game("ur-1").load_run(before + 1).decisions}
    assert done == "archer"
    office.later(days=1)
    office.run()
    assert not any("A decision is needed" in each for each in table.digests())


def receipt(letters: list[EmailMessage]) -> str:
    """The subject and text of the one answer among letters."""
    (found,) = [each for each in letters if each["Auto-Submitted"] == "auto-replied"]
    return f"{found['Subject']}\n{text_of(found)}"
