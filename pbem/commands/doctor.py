"""`pbem doctor`: did the night go well? One line for each thing that can go wrong."""

from collections.abc import Iterator
from pathlib import Path

from pbem.clock import now
from pbem.commands.guard import every, guarded
from pbem.counted import counted
from pbem.games import find_games
from pbem.health import load_health
from pbem.mail.flow import incoming, of_incoming, of_outgoing
from pbem.outcome import MISUSED, REFUSED, Outcome, Settings
from pbem.overview.checkup import Finding, of_the_config, of_the_disk, of_the_program
from pbem.overview.gathering import load_facts
from pbem.overview.index import FILE, state_of
from pbem.progress import progress
from pbem.sound import Damage
from pbem.store import GameFolder


def doctor(settings: Settings) -> Outcome:
    """Look at everything and change nothing; what is wrong is said with what to do."""
    outcome = Outcome()
    folders = every(settings, outcome)
    if outcome.code == MISUSED:
        return outcome
    findings = []
    if settings.games.is_dir():
        for finding in _examine(settings.games, [folder.path for folder in folders]):
            findings.append(finding)
            _tell(outcome, finding)
    games = _games(settings, folders, outcome)
    findings.append(games)
    _tell(outcome, games)
    outcome.more["findings"] = [finding._asdict() for finding in findings]
    return outcome


def _examine(games: Path, folders: list[Path]) -> Iterator[Finding]:
    """All but the games themselves."""
    mails, moment = incoming(games), now()
    yield from of_the_program(games, moment, mails.newest)
    config, findings = of_the_config(games)
    yield from findings
    yield from of_incoming(mails, moment)
    if config is not None:
        yield of_outgoing(games, folders, config, moment)
    yield from of_the_disk(games)
    yield Finding(True, FILE, state_of(games))


def _games(settings: Settings, folders: list[GameFolder], outcome: Outcome) -> Finding:
    """Whether every game can be loaded; the others are named, with all that is wrong."""
    found, every_game = Outcome(), find_games(settings.games)
    try:
        load_health(settings.games)
    except Damage:
        return Finding(True, "games", "they are looked at once that file is mended")
    sound = 0
    for folder in progress(settings, folders, "games"):
        with guarded(found, folder):
            load_facts(folder)
            sound += 1
    outcome.complaints += found.complaints
    outcome.problems += found.problems
    outcome.code = max(outcome.code, found.code)
    number = counted(sound, "game is", "games are")
    damaged = len(every_game) - sound
    if damaged:
        return Finding(
            False, "games", f"{number} sound, {damaged} cannot be loaded: mend the above"
        )
    return Finding(True, "games", f"{number} sound")


def _tell(outcome: Outcome, finding: Finding) -> None:
    if finding.well:
        outcome.say(f"ok     {finding.of}: {finding.sentence}")
    else:
        message = f"WRONG  {finding.of}: {finding.sentence}"
        outcome.complain(REFUSED, message, kind="doctor", of=finding.of)
