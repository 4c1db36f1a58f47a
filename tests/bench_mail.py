"""How fast mail is: mails read, letters written, letters sent by a real server if there is one."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

from engine.pieces import Dynasty
from engine.setup import new_game
from pbem.chronicle import Chronicle
from pbem.mail.config import Addresses, MailConfig, Outgoing, load_config
from pbem.mail.dispatch import dispatch
from pbem.mail.intray import sources_of
from pbem.mail.office import Office
from pbem.mail.post import post
from pbem.mail.transport import Answer, Carrier, carrier_of
from pbem.reporting import readers, report_of
from pbem.reports import render
from tests.bench_figure import Figure
from tests.folders import NOON, make_game
from tests.pbem.mail_desk import CONFIG, mail
from tests.system.mailservers import mail_server

MAILS = 300
LETTERS = 300
SEATS: tuple[Dynasty, ...] = ("archer", "bull")
POSTFIX = Path("/usr/sbin/postfix")


class Nowhere:
    """Takes every letter at once: what is measured is our own work."""

    def open(self) -> None:
        """Nothing to do."""

    def send(self, letter: Path, _address: str, given: Callable[[], None]) -> Answer:
        """Read it, as a server would have it."""
        assert letter.read_bytes()
        given()
        return Answer("sent")

    def close(self) -> None:
        """Nothing to do."""


def mail_figures(folder: Path) -> Iterator[tuple[str, Figure]]:
    """Everything about mail."""
    yield "mails_read", Figure(read(folder / "in"), "mails/s")
    games = folder / "out"
    yield "letters_written", Figure(write(games), "letters/s")
    shutil.copytree(games, folder / "again")
    nowhere = MailConfig(Addresses("orders@example.org"), outgoing=Outgoing("smtp"))
    yield "letters_sent_to_nowhere", Figure(send(games, nowhere, Nowhere()), "letters/s")
    if os.geteuid() == 0 and POSTFIX.exists():
        yield "letters_sent_to_postfix", Figure(send_really(folder / "again"), "letters/s")


def read(games: Path) -> float:
    """Mails with orders for a game: stored, judged, laid into orders/, answered."""
    make_game(games, "ur-1", new_game(SEATS, "bench"))
    (games / "pbem.yaml").write_text(CONFIG + "limits: {answers_per_day: 0}\n")
    (games / "_inbox").mkdir()
    for number in range(MAILS):
        body = f"Hello,\n\ngame: ur-1\nplayer: archer\nturn: 1\nactions: king F4\nnote: {number}\n"
        data = mail(body, "ana", number=number)
        (games / "_inbox" / f"{number:04}.eml").write_bytes(data)
    config = load_config(games)
    began = perf_counter()
    office = Office(games, config)
    for source in sources_of(config, games):
        office.take(source)
    with office.open():
        done = [office.judge(number).entry.outcome for number in office.waiting()]
    assert done.count("accept") == MAILS, done
    return MAILS / (perf_counter() - began)


def write(games: Path) -> float:
    """Letters of reports that are there: put together and laid into the outbox."""
    made = []
    for number in range(LETTERS // len(SEATS)):
        folder = make_game(games, f"ur-{number}", new_game(SEATS, str(number)))
        game = folder.load()
        chronicle = Chronicle(folder, game.record)
        reports = {reader: report_of(game, chronicle, reader, 0) for reader in readers(game)}
        texts = {reader: render(report) for reader, report in reports.items()}
        made.append((folder, game, chronicle, reports, texts))
    began = perf_counter()
    for each in made:
        post(*each)
    return LETTERS / (perf_counter() - began)


def send(games: Path, config: MailConfig, carrier: Carrier) -> float:
    """All letters of the outboxes, each with its states on the disk."""
    folders = [path for path in sorted(games.iterdir()) if path.name.startswith("ur-")]
    began = perf_counter()
    done = dispatch(games, folders, config, carrier, lambda: NOON)
    assert done.sent == LETTERS, done
    return LETTERS / (perf_counter() - began)


def send_really(games: Path) -> float:
    """The same over SMTP with STARTTLS and login."""
    place = Path(tempfile.mkdtemp(prefix="mail-"))
    try:
        with mail_server(place, ["orders", "ana", "ben"]) as server:
            (games / "pbem.yaml").write_text(server.pbem_yaml())
            config = load_config(games)
            carrier = carrier_of(config)
            assert carrier is not None
            return send(games, config, carrier)
    finally:
        shutil.rmtree(place, ignore_errors=True)
