"""`pbem new --from`: make all games of a list. What is there already is left alone."""

import secrets
from pathlib import Path

from engine.setup import new_game
from pbem.commands.guard import guarded
from pbem.commands.new import SECRET_BYTES, make
from pbem.counted import counted
from pbem.disk import read_plain
from pbem.gamefile import GameFile, SeatEntry
from pbem.games import NoSuchGame, find_game, name_taken
from pbem.lines import columns
from pbem.outcome import DONE, REFUSED, Outcome, Settings
from pbem.progress import progress
from pbem.tables import LARGEST_LIST, Table, Tables, read_tables


def new_many(settings: Settings, path: Path, *, dry: bool) -> Outcome:
    """Make the games of the list that are not there yet; with `dry` only say which."""
    outcome = Outcome()
    found = _read(path, outcome)
    fresh = _fresh(settings, path, found, outcome) if found else []
    if found is None or outcome.code != DONE:
        return outcome
    if dry:
        _show(outcome, found, fresh)
        return outcome
    for table in progress(settings, fresh, "making games"):
        _make(settings, table, outcome)
    outcome.say(_sum(len(outcome.games), len(found.tables) - len(fresh)))
    _name_left(outcome, found)
    return outcome


def _read(path: Path, outcome: Outcome) -> Tables | None:
    data = read_plain(path, LARGEST_LIST)
    if data is None or len(data) > LARGEST_LIST:
        outcome.misuse(f"{path}: this is no file of at most {LARGEST_LIST} bytes that can be read")
        return None
    found, problems = read_tables(data)
    for problem in problems:
        where = f", line {problem.line}" if problem.line else ""
        read = f"`{problem.read}`: " if problem.read else ""
        message = f"{path}{where}: {read}{problem.message}"
        outcome.complain(REFUSED, message, line=problem.line, kind="tables")
    return found


def _fresh(settings: Settings, path: Path, found: Tables, outcome: Outcome) -> list[Table]:
    """The tables that are not there yet. A game of that name that is another is complained of."""
    fresh = []
    for table in found.tables:
        name = table.file.game
        try:
            folder = find_game(settings.games, name, archived=True)
        except NoSuchGame:
            if there := name_taken(settings.games, name):
                _refuse(outcome, path, table, f"there is {there} already, which is no game")
            fresh.append(table)
            continue
        with guarded(outcome, folder):
            if differs := _difference(table.file, folder.load_file()):
                what = f"there is {folder.path} already, with other {differs}; choose another name"
                _refuse(outcome, path, table, what)
    return fresh


def _refuse(outcome: Outcome, path: Path, table: Table, why: str) -> None:
    message = f"{path}, line {table.line}: {table.file.game}: {why}"
    outcome.complain(REFUSED, message, line=table.line, kind="tables")


def _difference(wanted: GameFile, there: GameFile) -> str:
    """In what a game is not the one that is wanted. Preferences may have changed since."""
    seats = [(seat.dynasty, seat.name, seat.address) for seat in wanted.seats]
    if seats != [(seat.dynasty, seat.name, seat.address) for seat in there.seats]:
        return "seats"
    return "options" if wanted.options != there.options else ""


def _make(settings: Settings, table: Table, outcome: Outcome) -> None:
    secret = table.seed or secrets.token_hex(SECRET_BYTES)
    state = new_game(table.file.players, secret, table.file.options)
    make(settings, table.file, state, secret, "", outcome)


def _show(outcome: Outcome, found: Tables, fresh: list[Table]) -> None:
    """The table of what would be made."""
    rows = [("game", "", "seats in turn order")]
    for table in found.tables:
        seats, new = table.file.seats, table in fresh
        rows.append((table.file.game, "new" if new else "is there", ", ".join(map(_seat, seats))))
        people = {seat.dynasty: seat.name for seat in seats}
        outcome.games.append({"game": table.file.game, "made": False, "new": new, "seats": people})
    wide = max(columns(name) for name, _, _ in rows)
    outcome.say(*(f"{name:<{wide}}  {what:<8}  {seats}" for name, what, seats in rows))
    number, there = len(fresh), len(found.tables) - len(fresh)
    outcome.say(_sum(number, there).replace("made,", "to be made,") + "; nothing was done")
    _name_left(outcome, found)


def _seat(seat: SeatEntry) -> str:
    return f"{seat.dynasty} {seat.name}"


def _sum(made: int, there: int) -> str:
    return f"{counted(made, 'game')} made, {there} there already"


def _name_left(outcome: Outcome, found: Tables) -> None:
    """Who has no table: he stays on the list."""
    if found.left:
        people = ", ".join(seat.name for seat in found.left)
        outcome.say(f"without a table, as too few are left over: {people}")
