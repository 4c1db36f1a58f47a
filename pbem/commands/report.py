"""`pbem report`: render any report of any run again."""

from engine.pieces import DYNASTIES
from engine.view import Viewer
from pbem.chronicle import Chronicle
from pbem.commands.guard import chosen, guarded
from pbem.outcome import MISUSED, Outcome, Settings
from pbem.reporting import OTHERS, report_text
from pbem.store import GameFolder

VIEWERS: tuple[Viewer, ...] = (*DYNASTIES, *OTHERS)
LATER = ("html", "png", "svg", "json")


def report(settings: Settings, name: str, reader: str, at: int | None, form: str) -> Outcome:
    """The report of a run for one reader, on standard output."""
    outcome = Outcome()
    viewer = next((each for each in VIEWERS if each == reader.strip().lower()), None)
    if viewer is None:
        readers = ", ".join(VIEWERS)
        outcome.misuse(f"--for `{reader}`: one of {readers}")
    if form != "text":
        later = " (it comes with a later version)" if form in LATER else ""
        outcome.misuse(f"--format `{form}`: reports are text so far{later}")
    for folder in chosen(settings, [name], outcome):
        if viewer is not None and outcome.code != MISUSED:
            with guarded(outcome, folder):
                _show(outcome, folder, viewer, at)
    return outcome


def _show(outcome: Outcome, folder: GameFolder, viewer: Viewer, at: int | None) -> None:
    game = folder.load()
    newest = game.record.run
    if viewer not in (*game.file.players, *OTHERS):
        players = ", ".join(game.file.players)
        outcome.misuse(f"{viewer} does not play in {folder.name}: {players}")
        return
    run = newest if at is None else at
    if not folder.has_run(run):
        message = f"{folder.name}: there is no run {run}; the newest is run {newest}"
        outcome.misuse(message)
        return
    text = report_text(game, Chronicle(folder, game.record), viewer, run)
    outcome.games.append({"game": game.file.game, "run": run, "for": viewer, "text": text})
    outcome.say(*text.rstrip("\n").split("\n"))
