"""`pbem new`: make a game."""

import secrets
from pathlib import Path
from typing import Any

from engine.options import Options
from engine.setup import new_game
from engine.state import State
from pbem.chronicle import Chronicle
from pbem.clock import now
from pbem.commands.guard import complain_of, guarded
from pbem.commands.key import with_keys
from pbem.commands.summary import sentence, summary
from pbem.fields import FORBIDDEN, Faults, Fields
from pbem.gamefile import GameFile, SeatEntry, parse_seat, seat_faults
from pbem.games import NoSuchGame, create_game
from pbem.names import game_name_fault, shown
from pbem.optiontext import parse_option
from pbem.outcome import DONE, REFUSED, Outcome, Settings
from pbem.overrides import TemplateFault
from pbem.policies import Policies, read_policies
from pbem.position import Base, read_position
from pbem.record import Record, Start
from pbem.reporting import speaking_in, write_reports
from pbem.seats.keys import new_key
from pbem.seats.unconfirmed import unconfirmed
from pbem.store import GameFolder
from pbem.yamltext import Mapping, Scalar

SECRET_BYTES = 16


def new(
    settings: Settings,
    name: str,
    seats: list[str],
    options: list[str],
    policies: list[str],
    seed: str | None,
    position: Path | None,
) -> Outcome:
    """Make the game `name`; seats stand in turn order."""
    outcome = Outcome()
    entries = _seats(seats, outcome)
    chosen = _options(options, outcome)
    decided = _policies(policies, outcome)
    if seed and FORBIDDEN.search(seed):
        outcome.misuse(f"--seed {shown(seed)}: a secret is plain text without control characters")
    if fault := game_name_fault(name):
        outcome.misuse(fault)
    if outcome.code != DONE:
        return outcome
    secret = seed or secrets.token_hex(SECRET_BYTES)
    state = new_game([entry.dynasty for entry in entries], secret, chosen)
    note = ""
    if position is not None:
        read = _position(position, state, secret, outcome)
        if read is None:
            return outcome
        state, note = read, f"from the position in {position.name}"
    make(settings, GameFile(name, entries, state.options, decided), state, secret, note, outcome)
    return outcome


def make(
    settings: Settings, file: GameFile, state: State, secret: str, note: str, outcome: Outcome
) -> None:
    """Write the folder of a game, and everybody's first report, and tell of it."""
    start = Start(state.players, state.options, secret, note)
    record = Record(run=0, kind="start", when=now(), state=state, start=start)
    faults: list[TemplateFault | None] = []
    with guarded(outcome, GameFolder(settings.games / file.game)):
        try:
            folder = create_game(
                settings.games, file, record, lambda new: faults.append(_first_reports(new))
            )
        except NoSuchGame as fault:
            outcome.misuse(str(fault))
            return
        game = folder.load()
        complain_of(outcome, folder, faults[0])
        facts = summary(game, Chronicle(folder, game.record))
        outcome.games.append(facts)
        outcome.say(f"made {folder.path}", sentence(facts))


def _first_reports(folder: GameFolder) -> TemplateFault | None:
    """Everybody's first report; a seat with an address gets an order key in its first letter."""
    game = folder.load()
    keys = {seat.dynasty: new_key() for seat in game.file.seats if seat.address}
    if keys:
        folder.write_desk(with_keys(game.desk, keys))
    with speaking_in(game, folder):
        if keys and unconfirmed(game):
            from pbem.mail.inviting import invite

            for seat, key in keys.items():
                invite(folder, game, seat, key, game.record.when)
        return write_reports(folder, game, Chronicle(folder, game.record), keys)


def _seats(seats: list[str], outcome: Outcome) -> tuple[SeatEntry, ...]:
    read = [parse_seat(text) for text in seats]
    entries = tuple(entry for entry, _ in read if entry)
    faults = [fault for _, found in read for fault in found]
    faults += [] if faults else seat_faults(entries)
    for fault in faults:
        outcome.misuse(fault)
    return entries


def _options(options: list[str], outcome: Outcome) -> Options:
    values: dict[str, Any] = {}
    for text in options:
        match parse_option(text):
            case str(fault):
                outcome.misuse(fault)
            case (name, value) if values.get(name, value) != value:
                outcome.misuse(f"`{text}`: {name} is given twice")
            case (name, value):
                values[name] = value
    return Options()._replace(**values)


def _policies(policies: list[str], outcome: Outcome) -> Policies:
    """The policies as on the command line, `turn_time=3d`; read as those in a game.yaml."""
    pairs = [[part.strip() for part in text.partition("=")[::2]] for text in policies]
    for name in {name for name, _ in pairs if [name for name, _ in pairs].count(name) > 1}:
        outcome.misuse(f"--policy {shown(name)} is given twice")
    faults = Faults()
    items = tuple((Scalar(name, 1), Scalar(value, 1)) for name, value in pairs)
    found = read_policies(Fields(Mapping(items, 1), "--policy", faults))
    for problem in faults.problems:
        outcome.misuse(problem.message)
    return found


def _position(path: Path, base: State, secret: str, outcome: Outcome) -> State | None:
    """The state in a position file; None, with every fault named, if it will not do."""
    try:
        data = path.read_bytes()
    except OSError as fault:
        outcome.misuse(f"{path}: {fault.strerror}")
        return None
    state, problems = read_position(data, Base(base, secret))
    for problem in problems:
        where = f", line {problem.line}" if problem.line else ""
        read = f"`{problem.read}`: " if problem.read else ""
        message = f"{path}{where}: {read}{problem.message}"
        outcome.complain(REFUSED, message, line=problem.line, kind="position")
    return state
