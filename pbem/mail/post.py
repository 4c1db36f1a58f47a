"""Reports become letters in the outbox of their game: who gets one of a run, and what is in it.

The key of a letter follows from game, run, reader and version, so a run that was killed and is
done again lays no letter twice.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.events import ConflictEnded, GameEnded, TurnEnded
from engine.pieces import Dynasty
from engine.view import Viewer
from pbem.chronicle import Chronicle
from pbem.clock.missed import concerns
from pbem.disk import make_folder
from pbem.fates import answers_of
from pbem.gamefile import GameFile
from pbem.language import speaking
from pbem.mail.appointments import appointment_of
from pbem.mail.config import FILE, Addresses, MailConfig, Unusable, load_config
from pbem.mail.delayed import delayed, release
from pbem.mail.letters import (
    Attachment,
    Letter,
    compose,
    report_key,
    subject,
    thread_of,
)
from pbem.mail.outbox import Entry, Outbox
from pbem.mail.pages import Page, Pages
from pbem.mail.say import say
from pbem.policies import Letters
from pbem.record import Record
from pbem.reports import Report, order_form
from pbem.sound import Damage
from pbem.store import Game, GameFolder
from pbem.wording import environment

Weight = frozenset[Letters]
"""Readers with which preferences get a letter of a run, whoever is asked."""


class _Reader(NamedTuple):
    """Somebody who may get a letter. `name` stands in the address, `id` in the key."""

    viewer: Viewer
    id: str
    name: str
    address: str
    wants: Letters


def post(
    folder: GameFolder,
    game: Game,
    chronicle: Chronicle,
    reports: Mapping[Viewer, Report],
    texts: Mapping[Viewer, str],
    *,
    keys: Mapping[Dynasty, str] | None = None,
    pages: Mapping[Viewer, Page] | None = None,
) -> None:
    """Lay the letters of the newest run into the outbox; those that were laid there before stay.

    `keys` are the order keys that the letters tell, `pages` the same reports as HTML; they are
    made here if they are not given and mail is set up (pbem.yaml): who only looks at the files
    need not wait for pictures.
    """
    made = Pages() if (folder.path.resolve().parent / FILE).exists() else None
    config = _config(folder)
    make_folder(folder.outbox)
    box, held = Outbox(folder.outbox), delayed(folder)
    record = chronicle.newest
    weight = _weight(record, chronicle)
    for reader in _readers(game.file, config):
        report = reports[reader.viewer]
        version = _version(folder, reader.viewer, record)
        if not _gets_one(reader, report, weight, version, record):
            continue
        key = (keys or {}).get(reader.viewer) if reader.viewer in game.file.players else None
        with speaking(report.language, report.zone):
            text = _text(texts[reader.viewer], report, key)
            letter = _letter(reader, report, record, version, text, config.addresses.domain)
        if box.has(letter.key) or held.has(letter.key):
            box.tidy(letter.key)
            continue
        letter = _with_calendar(letter, reader, report, chronicle, config.addresses, game.file)
        page = (pages or {}).get(reader.viewer) or (made.page(report) if made else None)
        letter = _with_page(letter, page, key) if page else letter
        _put(held if _is_behind(reader, game) else box, letter, config)
    box.settle()
    release(folder, game, chronicle)


def _put(box: Outbox, letter: Letter, config: MailConfig) -> None:
    entry = Entry(letter.key, letter.address, letter.kind, letter.written)
    box.put(entry, compose(letter, config.addresses), settled=False)


def _is_behind(reader: _Reader, game: Game) -> bool:
    """Whether his letters are held for some turns."""
    return reader.viewer == "public" and game.file.policies.observer_delay > 0


def _gets_one(
    reader: _Reader, report: Report, weight: Weight, version: int, record: Record
) -> bool:
    """Whether a reader gets a letter: who is asked, or was refused, or has missed his deadline,
    and whoever wants this run. Whose seat was dropped hears of that, and of the end."""
    concerned = report.mine or version > 1
    concerned = concerned or any(
        concerns(record, seat, report.absences)
        for seat in report.view.players
        if seat == reader.viewer
    )
    if reader.viewer in report.dropped and not (concerned or record.state.over):
        return False
    return reader.wants in weight or (concerned and reader.wants != "none")


def _config(folder: GameFolder) -> MailConfig:
    try:
        return load_config(folder.path.resolve().parent)
    except Unusable as unusable:
        raise Damage(unusable.path, unusable.problems) from None


def _readers(file: GameFile, config: MailConfig) -> Iterator[_Reader]:
    """Everybody with an address: the seats, the observers, the moderator if he wants letters."""
    for seat in file.seats:
        if seat.address:
            who = seat.dynasty
            yield _Reader(who, who, seat.name, seat.address, seat.letters)
    for address in file.policies.observers:
        mark = hashlib.sha256(address.lower().encode()).hexdigest()[:8]
        yield _Reader("public", f"public-{mark}", "", address, "turn")
    if config.addresses.moderator and file.policies.moderator_letters != "none":
        to = config.addresses.moderator
        yield _Reader("moderator", "moderator", "", to, file.policies.moderator_letters)


def _weight(record: Record, chronicle: Chronicle) -> Weight:
    """Who gets a letter of this run, though he is not asked."""
    if record.kind != "turn" or record.state.over:
        return frozenset({"asked", "turn", "all"})
    events = [event for each in chronicle.played(record) for event in each.events]
    weighty = any(isinstance(event, TurnEnded | ConflictEnded | GameEnded) for event in events)
    return frozenset({"turn", "all"}) if weighty or record.press else frozenset({"all"})


def _version(folder: GameFolder, viewer: Viewer, record: Record) -> int:
    """One more for each of the reader's files that was answered after the run."""
    seats = [seat for seat in record.state.players if seat == viewer]
    answers = (answer for seat in seats for _, answer in answers_of(folder, seat, {record.run}))
    return 1 + sum(bool(answer.text) for answer in answers)


def _letter(
    reader: _Reader, report: Report, record: Record, version: int, text: str, domain: str
) -> Letter:
    game, asked = report.game, report.asked
    move = "over" if asked is None else "yours" if report.mine else _who(report, asked.player)
    form = order_form(report)
    name = f"{game}-{reader.viewer}.yaml"
    return Letter(
        key=report_key(game, record.run, reader.id, version),
        kind="report",
        address=reader.address,
        name=reader.name,
        subject=subject(game, report.turn_label, move, corrected=report.corrected is not None),
        text=text,
        written=record.when,
        game=game,
        forms=(Attachment(name, form),) if form else (),
        thread=thread_of(game, record.run, reader.id, domain),
        mine=report.mine,
    )


def _who(report: Report, player: Dynasty) -> str:
    """A player as the reader knows him, in the reader's language."""
    return say("_words.j2", "who", report, player)


def _with_calendar(
    letter: Letter,
    reader: _Reader,
    report: Report,
    chronicle: Chronicle,
    sender: Addresses,
    file: GameFile,
) -> Letter:
    """The letter with what the reader's calendar has to know, if there is anything."""
    if file.policies.turn_time is None:
        return letter

    def got_one(record: Record) -> bool:
        return reader.wants in _weight(record, chronicle)

    appointment = appointment_of(report, chronicle, got_one)
    if appointment is None:
        return letter
    from pbem.mail.ical import calendar_entry

    with speaking(report.language, report.zone):
        return letter._replace(forms=(*letter.forms, calendar_entry(appointment, sender)))


def _text(report_text: str, report: Report, key: str | None) -> str:
    template = environment().get_template("mail_letter.j2")
    return template.render(report=report_text, form=order_form(report), key=key)


def _with_page(letter: Letter, page: Page, key: str | None) -> Letter:
    html = page.html if key is None else _with_key(page.html, key)
    return letter._replace(html=html, pictures=page.pictures)


def _with_key(html: str, key: str) -> str:
    """The page, with the order key at its end."""
    template = environment().get_template("_mail_key.j2")
    told = str(template.module.key_html(key))  # type: ignore[attr-defined]
    before, end, after = html.rpartition("</body>")
    return f"{before}{told}{end}{after}" if end else html + told
