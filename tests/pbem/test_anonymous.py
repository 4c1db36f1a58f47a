"""An anonymous game: nothing that anybody gets names another player or tells his address.

A whole small game with all that can happen in it; then every file is searched.
"""

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.pbem.calls import Said
from tests.pbem.mail_desk import Desk, letter, mail, orders, text_of

PEOPLE = ("adalind", "brunhild", "evander")
WATCHER = "watcher@example.org"
POSITION = """turn: 21
active: archer
question: ask archer for action 1
hands:
  archer: r2 b1 g1 k2
  bull: r3 g1 k2
points:
  archer: r7 b6 g9 k8 t3
  bull: r8 b7 g6 k9 t2
bag: rkgb
"""


class Played:
    """The game, played; what the commands printed."""

    def __init__(self, folder: Path) -> None:
        self.desk = Desk(folder)
        self.said: list[Said] = []
        self.numbers = iter(range(1, 1000))
        self.start(folder)
        self.quarrel()
        self.pass_on()
        self.finish()

    def call(self, *words: str) -> str:
        """A command; what it prints is searched later."""
        self.said.append(self.desk.call(*words))
        return self.said[-1].out

    def get(self, body: str, sender: str, more: str = "") -> None:
        """A mail comes in."""
        data = mail(body, sender, number=next(self.numbers), more=more)
        self.said.append(self.desk.call("mail", "in", "-", stdin=data))

    def start(self, folder: Path) -> None:
        """Invitations, confirmations."""
        (folder / "position.yaml").write_text(POSITION)
        seats = [
            word
            for seat, who in zip(("archer", "bull"), PEOPLE, strict=False)
            for word in ("--seat", f"{seat}={who.title()} <{who}@example.org>")
        ]
        where = ("--position", str(folder / "position.yaml"), "--confirm", "--anonymous")
        self.call("new", "ur-1", *seats, *where)
        path = self.desk.game / "game.yaml"
        policies = f"policies:\n  observers: {WATCHER}\n  moderator_letters: none\n"
        path.write_text(path.read_text().replace("policies:\n", policies))
        self.call("status")
        for who in PEOPLE[:2]:
            self.get("confirm", who)
        self.call("turn", "--all")

    def quarrel(self) -> None:
        """Press, refusals, odd mails, an undo, questions by mail."""
        self.get(orders("turn: 21\nactions: pass\npress: I am nobody", "archer"), "adalind")
        self.call("turn", "--all")
        self.get(orders("turn: 22\nactions: swap 9 temple", "bull"), "brunhild")
        self.get(orders("turn: 22\nactions: pass", "bull"), "adalind")
        key = self.desk.call("--json", "key", "ur-1", "bull", "--new").data["games"][0]["key"]
        keyed = orders(f"key: {key}\nturn: 22\nactions: pass", "bull")
        self.get(keyed, "adalind")
        self.get(keyed, "stranger")
        copied = "Cc: brunhild@example.org"
        self.get(orders("turn: 21\nactions: pass, pass", "archer"), "adalind", more=copied)
        for request in ("status", "report ur-1", "away 2026-07-01 to 2026-07-02", "rules board"):
            self.get(request, "brunhild")
        (self.desk.game / "orders" / "bull.yaml").write_text("game: ur-1\nturn: 99\nactions: x\n")
        self.call("turn", "--all")
        self.call("undo", "ur-1", "--yes")
        self.call("status")

    def pass_on(self) -> None:
        """Bull's seat passes on."""
        self.call("seat", "ur-1", "bull")
        self.call("seat", "ur-1", "bull", "--give", "Evander <evander@example.org>")
        self.call("seat", "ur-1", "bull")
        self.get("report ur-1", "brunhild")
        self.get("status", "evander")
        bounced = self.desk.game / "desk.yaml"
        mark = "{address: evander@example.org, since: 2026-03-01T00:00:00Z, status: 5.1.1}"
        bounced.write_text(bounced.read_text() + f"bounced:\n  - {mark}\n")
        self.call("status")
        self.call("--json", "status")

    def finish(self) -> None:
        """The bag runs empty."""
        turn = self.desk.call("--json", "status").data["games"][0]["turn"]
        self.get(orders(f"turn: {turn}\nactions: pass, pass", "archer"), "adalind")
        self.call("turn", "--all")
        self.get(
            orders("turn: 22b\nactions: swap 2 temple, swap temple\npress: The end!", "bull"),
            "evander",
        )
        self.call("turn", "--all")
        self.get(orders("turn: 23\nactions: swap 2 temple, pass", "archer"), "adalind")
        self.call("turn", "--all")
        self.call("status")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The game, played once."""
    return Played(tmp_path_factory.mktemp("anonymous"))


def decoded(message: EmailMessage) -> str:
    """All headers but To, all parts with their own headers."""
    found = [f"{name}: {value}" for name, value in message.items() if name != "To"]
    for part in message.walk():
        if not part.is_multipart():
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            heads = [value for name, value in part.items() if name.startswith("Content")]
            found += [*heads, data.decode("utf-8", "replace")]
    return "\n".join(found)


def letters(played: Played) -> Iterator[tuple[str, EmailMessage]]:
    """All letters to players and observers, wherever they lie, each with its reader."""
    for path in sorted(played.desk.games.rglob("*.eml")):
        if "_mail" in path.parts:
            continue
        message = letter(path)
        to = message["To"].addresses[0].username
        if to != "gm":
            yield to, message


def named(text: str, reader: str = "") -> list[str]:
    """Who is named in a text besides its reader."""
    return [who for who in PEOPLE if who != reader and who in text.lower()]


def test_the_game_was_played_to_its_end(played: Played) -> None:
    assert "over since run" in played.said[-1].out
    assert {to for to, _ in letters(played)} >= {*PEOPLE, "watcher", "stranger"}
    assert any("CORRECTED" in text_of(m) or "took back" in text_of(m) for _, m in letters(played))


def test_no_letter_names_another_player(played: Played) -> None:
    for to, message in letters(played):
        whole = decoded(message)
        found = named(whole, to)
        assert not found, (to, message["Subject"], found)


def test_no_report_names_a_player(played: Played) -> None:
    newest = played.desk.call("--json", "status").data["games"][0]["run"]
    for reader in ("archer", "bull", "public"):
        text = (played.desk.game / "reports" / f"{reader}.txt").read_text()
        assert not named(text), reader
        for form in ("text", "html", "json", "svg"):
            for run in range(newest + 1):
                said = played.desk.call(
                    "report", "ur-1", "--for", reader, "--format", form, "--at", str(run)
                )
                assert not named(said.out + said.err), (reader, form, run)


def test_no_command_names_a_player(played: Played) -> None:
    for said in played.said:
        assert not named(said.out + said.err), said


def test_the_last_report_tells_who_played_without_names(played: Played) -> None:
    report = (played.desk.game / "reports" / "public.txt").read_text()
    assert report.partition("WHO PLAYED\n")[2].count("- bull: turns") == 2
    every = "".join(text_of(message) for _, message in letters(played))
    assert "The seat of bull is played by somebody else" in every
    assert "bull says" in every
    assert "came from another address" in " ".join(every.split())
    assert "copied to other players" not in every


def test_the_moderator_may_know(played: Played) -> None:
    report = (played.desk.game / "reports" / "moderator.txt").read_text()
    assert named(report) == ["adalind", "brunhild", "evander"]
