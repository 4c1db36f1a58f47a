"""`pbem run --dry-run`: what a run would do, tried on a copy; nothing is changed.

The copy is run as any games folder is, so that what is told is what would happen. Mail that lies
on servers and in Maildirs is not looked at, and no letter leaves.
"""

import shutil
import tempfile
from collections import Counter
from pathlib import Path

from pbem.commands.run import run_games
from pbem.counted import counted
from pbem.games import find_games
from pbem.mail.config import OUTBOX, Incoming, MailConfig
from pbem.mail.outbox import Outbox
from pbem.mail.sending import usable
from pbem.outcome import Outcome, Settings
from pbem.progress import progress
from pbem.store import ARCHIVE
from pbem.texttable import table

HEAD = ("game", "would be done", "then waits for")
NOTHING = "nothing would happen in any game"
NOT_LOOKED = "mail that lies on servers was not looked at: {sources}"


def rehearse(settings: Settings) -> Outcome:
    """A table of what would happen, game by game."""
    outcome = Outcome()
    config = usable(settings, outcome)
    if config is None:
        return outcome
    with tempfile.TemporaryDirectory(prefix="pbem-") as place:
        copy = Path(place) / "games"
        _copy(settings, copy)
        before = _letters(copy)
        within = config._replace(incoming=Incoming())
        tried = run_games(settings._replace(games=copy), within, sends=False)
        letters = {name: number - before[name] for name, number in _letters(copy).items()}
        outcome.include(_as_here(tried, copy, settings.games))
    outcome.lines = []
    rows = [_row(facts, letters) for facts in outcome.games]
    outcome.say(*(table(HEAD, rows) if rows else [NOTHING]))
    if sources := _elsewhere(config):
        outcome.say(NOT_LOOKED.format(sources=", ".join(sources)))
    outcome.wanted = True
    return outcome


def _copy(settings: Settings, copy: Path) -> None:
    """All that a run reads; games that are over and put away are none of it."""
    copy.mkdir(mode=0o700)
    found = sorted(settings.games.iterdir()) if settings.games.is_dir() else []
    for path in progress(settings, found, "copying"):
        if path.name in (ARCHIVE, ".lock") or path.is_symlink():
            continue
        if path.is_dir():
            shutil.copytree(path, copy / path.name, symlinks=True, copy_function=_copy_file)
        else:
            _copy_file(path, copy / path.name)


def _copy_file(source: str | Path, target: str | Path) -> None:
    """A file; what is none, such as a pipe, is none in the copy either: a folder of its name."""
    if Path(source).is_file():
        shutil.copy2(source, target)
    else:
        Path(target).mkdir()


def _letters(games: Path) -> Counter[str]:
    """How many letters wait, by game; "" are those of no game."""
    boxes = {folder.name: folder.outbox for folder in find_games(games)}
    boxes[""] = games / OUTBOX
    return Counter({name: len(Outbox(place).entries()) for name, place in boxes.items()})


def _as_here(tried: Outcome, copy: Path, games: Path) -> Outcome:
    """The outcome with the names of the files that were copied."""
    here = Outcome()
    here.include(tried)
    here.complaints = [text.replace(str(copy), str(games)) for text in tried.complaints]
    here.problems = [
        {k: v.replace(str(copy), str(games)) if isinstance(v, str) else v for k, v in each.items()}
        for each in tried.problems
    ]
    return here


def _row(facts: dict[str, object], letters: dict[str, int]) -> tuple[str, str, str]:
    """One game of the table, or a mail that would be read for it."""
    name = str(facts["game"])
    if "mail" in facts:
        return name, f"mail {facts['mail']} for {facts['player']}: {facts['outcome']}", ""
    parts = [str(part) for part in facts.get("did", ())]  # type: ignore[attr-defined]
    facts["letters"] = new = letters.get(name, 0)
    parts += [counted(new, "letter")] if new > 0 else []
    waits = "over" if facts["over"] else f"{facts['waiting_for']}, {facts['question']}"
    return name, ", ".join(parts), waits


def _elsewhere(config: MailConfig) -> list[str]:
    """The sources of mail that a dry run does not touch."""
    hosts = [each.server.host for each in config.incoming.mailboxes]
    return [*hosts, *map(str, config.incoming.maildirs)]
