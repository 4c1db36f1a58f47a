"""Files of the history edited by hand, as a moderator might."""

from pathlib import Path

from engine.pieces import Dynasty
from tests.pbem.games import Table


def edit(table: Table, run: int, old: str, new: str) -> Path:
    """Change one place in the file of a run."""
    path = table.path / f"history/{run:04d}.yaml"
    text = path.read_text()
    assert text.count(old) == 1, text
    path.write_text(text.replace(old, new))
    return path


def hand_line(table: Table, run: int, seat: Dynasty) -> str:
    """The line of a hand in the file of a run."""
    lines = (table.path / f"history/{run:04d}.yaml").read_text().split("  hands:\n")[1].splitlines()
    return next(line for line in lines if line.strip().startswith(seat))


def deal_otherwise(table: Table, run: int, seat: Dynasty, gives: str | None = None) -> None:
    """Change a tile of a hand (`gives`: its letter) for the first one in the bag that differs."""
    state = table.folder.load_run(run).state
    letters = dict(zip("rbgk", state.seat(seat).hand, strict=True))
    gives = gives or next(letter for letter, number in letters.items() if number)
    place = next(i for i, letter in enumerate(state.bag) if letter != gives)
    letters[gives] -= 1
    letters[state.bag[place]] += 1
    new = " ".join(f"{letter}{number}" for letter, number in letters.items())
    path = edit(table, run, hand_line(table, run, seat), f"    {seat}: {new}")
    head, mark, tail = path.read_text().partition("  bag: |\n    ")
    at = place + place // 10
    path.write_text(f"{head}{mark}{tail[:at]}{gives}{tail[at + 1 :]}")
