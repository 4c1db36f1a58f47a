"""Games on the disk for tests: files are written, `turn` is called, everything is looked at."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from engine.board import opening
from engine.options import Options
from engine.pieces import Dynasty
from engine.setup import new_game
from engine.state import State
from engine.view import Viewer
from pbem.chronicle import Chronicle
from pbem.gamefile import GameFile, SeatEntry
from pbem.games import create_game
from pbem.labels import question_label
from pbem.mapnotation import write_map
from pbem.position import Base, read_position
from pbem.record import Record, Start
from pbem.reporting import report_text, write_reports
from pbem.store import GameFolder
from pbem.turns import TurnResult, take_turn
from tests.positions import lay

WHEN = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
SEED = "a seed"
NAMES: dict[Dynasty, str] = {"archer": "Ana", "bull": "Ben", "lion": "Lea", "pot": "Pia"}
SEATS: tuple[Dynasty, ...] = ("archer", "bull", "lion", "pot")

# Two kings and two traders face each other across F5; each side has one settlement.
WAR = ("C5", ("r. Ak k. .. k. Bk r.", "r. Ag .. .. .. Bg r."))
WAR_HANDS = {"archer": "r2 g2 k2", "bull": "r2 g1 k3"}
# Bull's king on H5 beside the temple I5; archer's may come to J5 beside the same temple.
REVOLT = ("G5", (".. Bk r. .. ..",))
# A temple on F6 completes the block of E5 and that of E6.
BLOCKS = ("E5", ("r. r.", "r. ..", "r. r."))
# A temple on G10 brings the treasures of I7 and F10 into the kingdom of archer's trader.
TREASURES = ("F7", (":: :: :: r*", ":: :: :: Ag", ":: :: :: b.", "r* .. r. r."))


def position(
    fragment: tuple[str, Sequence[str]],
    hands: Mapping[str, str],
    *,
    players: int = 2,
    options: Options | None = None,
    more: str = "",
) -> State:
    """The start with a fragment laid over it and these hands; `more` are lines of the file."""
    base = new_game(SEATS[:players], SEED, options)
    board = lay(opening(base.options.board), *fragment)
    lines = ["map: |", *(f"  {row}" for row in write_map(board)), "hands:"]
    lines += [f"  {seat}: {hand}" for seat, hand in hands.items()]
    state, problems = read_position("\n".join([*lines, more, ""]), Base(base, SEED))
    assert state is not None, problems
    return state


class Table:
    """One game in a folder: from its start, or from `state` (which `seed` may have made)."""

    def __init__(
        self,
        games: Path,
        state: State | None = None,
        *,
        players: int = 2,
        options: Options | None = None,
        name: str = "ur-1",
        seed: str | None = None,
    ) -> None:
        first = state or new_game(SEATS[:players], SEED, options)
        note = "a position" if state and not seed else ""
        start = Start(first.players, first.options, seed or SEED, note)
        record = Record(0, "start", WHEN, first, start=start)
        seats = tuple(SeatEntry(each, NAMES[each], f"{each}@example.org") for each in first.players)
        self.name = name
        self.folder: GameFolder = create_game(games, GameFile(name, seats, first.options), record)
        write_reports(self.folder, self.folder.load(), Chronicle(self.folder, record))

    @property
    def path(self) -> Path:
        """The folder."""
        return self.folder.path

    @property
    def record(self) -> Record:
        """The newest run."""
        return self.folder.load().record

    @property
    def state(self) -> State:
        """Where the game stands."""
        return self.record.state

    @property
    def asks(self) -> str:
        """The open question and who is asked, `1.2 bull`; `over`."""
        record = self.record
        question = record.state.question
        if question is None:
            return "over"
        return f"{question_label(record.state, record.turn_takes)} {question.player}"

    def put(self, seat: str, text: str) -> bytes:
        """Lay an order file for a seat; its first two lines are put in front."""
        data = f"game: {self.name}\nplayer: {seat}\n{text}\n".encode()
        return self.put_bytes(f"{seat}.yaml", data)

    def put_bytes(self, name: str, data: bytes) -> bytes:
        """Lay a file in orders/."""
        (self.path / "orders" / name).write_bytes(data)
        return data

    def turn(self) -> TurnResult:
        """One run."""
        return take_turn(self.folder, WHEN)

    def play(self, seat: str, text: str) -> TurnResult:
        """Lay an order file and run."""
        self.put(seat, text)
        return self.turn()

    def acts(self, seat: str, *actions: str) -> TurnResult:
        """Lay the orders of a seat for the turn that is played, and run."""
        return self.play(seat, f"turn: {self.state.turn}\nactions: {', '.join(actions)}")

    def report(self, who: str) -> str:
        """The report that lies there."""
        return (self.path / "reports" / f"{who}.txt").read_text()

    def again(self, who: Viewer, run: int) -> str:
        """A report of an older run, rendered again."""
        game = self.folder.load()
        return report_text(game, Chronicle(self.folder, game.record), who, run)

    def orders(self) -> list[str]:
        """The names of what lies in orders/."""
        return names(self.path / "orders")

    def received(self) -> list[str]:
        """The names of what lies in received/."""
        return names(self.path / "received")

    def waiting(self) -> list[str]:
        """The names of the copies of what waits."""
        return names(self.path / "waiting")

    def fates(self) -> list[str]:
        """What became of the files, in the order in which they were received."""
        found = sorted((self.path / "answers").glob("*.yaml"))
        return [line.partition(" ")[2] for path in found for line in path.read_text().split("\n")
                if line.startswith("fate:")]  # fmt: skip

    def decisions(self, run: int | None = None) -> list[str]:
        """The decisions of a run, the newest if none is named, in one line each."""
        record = self.record if run is None else self.folder.load_run(run)
        return [f"{each.question} {each.order}" for each in record.decisions]

    def messages(self, seat: str) -> list[str]:
        """What the newest run tells a seat alone."""
        return [each.text for each in self.record.messages if each.player == seat]


def said(table: Table, seat: str) -> str:
    """What a seat is told of its own orders, in one line."""
    report = table.report(seat)
    return " ".join(report.partition("YOUR ORDERS\n")[2].partition("\nWHAT ")[0].split())


def names(folder: Path) -> list[str]:
    """What lies in a folder, by name."""
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def tree(folder: Path) -> dict[str, bytes]:
    """All files of a folder with what they hold, the lock left out."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def three_runs(games: Path) -> Table:
    """A game of three runs: archer's turn, bull's first action, bull's second; archer is asked."""
    table = Table(games)
    table.acts("archer", "king K2", "swap temple")
    table.acts("bull", "king B1")
    table.acts("bull", "king B1", "pass")
    assert table.asks == "3.1 archer"
    return table
