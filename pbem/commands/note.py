"""`pbem note`: an answer or a ruling of the moderator, in everybody's next report."""

import hashlib
import sys

from pbem.clock import now, write_time
from pbem.commands.guard import chosen, guarded
from pbem.deskfile import Ruling
from pbem.language import speaking
from pbem.outcome import Outcome, Settings
from pbem.reporting import speaking_in
from pbem.rulings import LONGEST_SAYING, saying_fault
from pbem.store import Game, GameFolder


def note(settings: Settings, name: str, text: str, *, at_once: bool) -> Outcome:
    """Say something to all; `at_once`: seats with an address get a short letter now."""
    outcome = Outcome()
    if text == "-":
        data = sys.stdin.buffer.read(8 * LONGEST_SAYING)
        text = data.decode(errors="replace").replace("\r\n", "\n").rstrip("\n")
    if fault := saying_fault(text):
        outcome.misuse(fault)
        return outcome
    for folder in chosen(settings, [name], outcome):
        with guarded(outcome, folder), folder.locked():
            _say(outcome, folder, text, at_once=at_once)
    return outcome


def list_notes(settings: Settings, name: str) -> Outcome:
    """What was said so far, oldest first."""
    outcome = Outcome()
    outcome.wanted = True
    for folder in chosen(settings, [name], outcome):
        with guarded(outcome, folder):
            rulings = folder.load().desk.rulings
            told = [
                {"run": each.run, "when": write_time(each.when), "text": each.text}
                for each in rulings
            ]
            outcome.games.append({"game": folder.name, "rulings": told})
            for each in told:
                outcome.say(f"after run {each['run']}, {each['when']}: {each['text']}")
            if not told:
                outcome.say(f"{folder.name}: nothing was said so far")
    return outcome


def _say(outcome: Outcome, folder: GameFolder, text: str, *, at_once: bool) -> None:
    """Store it first; the same text once more after the same run is one that was killed."""
    game = folder.load()
    run = game.record.run
    known = any((each.run, each.text) == (run, text) for each in game.desk.rulings)
    if not known:
        ruling = Ruling(run, now(), text)
        folder.write_desk(game.desk._replace(rulings=(*game.desk.rulings, ruling)))
    letters = _letters(folder, game, text) if at_once else 0
    facts = {"game": game.file.game, "run": run, "new": not known, "letters": letters}
    outcome.games.append(facts)
    told = "this was said already" if known else "everybody's next report says it"
    if game.record.state.over:
        told = "the game is over and no report comes after this; --now sends letters"
    outcome.say(f"{game.file.game}: {told}{f'; {letters} letters laid' if at_once else ''}")


def _letters(folder: GameFolder, game: Game, text: str) -> int:
    """A short letter to each seat, once; how many are new."""
    from pbem.mail.briefs import lay_brief
    from pbem.wording import environment

    mark = hashlib.sha256(text.encode()).hexdigest()[:8]
    laid = 0
    with speaking_in(game, folder):
        for seat in game.file.seats:
            with speaking(seat.language, seat.zone):
                template = environment().get_template("mail_says.j2")
                page = template.render(game=game.file.game, text=text)
                what = f"says-{game.record.run:04d}-{mark}"
                laid += lay_brief(folder, game, seat.dynasty, what, page, now(), once=True)
    return laid
