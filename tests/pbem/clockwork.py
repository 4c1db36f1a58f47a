"""A desk whose games have deadlines: policies are written, the clock is moved."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.chronicle import Chronicle
from pbem.clock.deadline import Deadline, deadline_of
from pbem.store import Game, GameFolder
from tests.pbem.mail_desk import Desk

START = datetime(2026, 3, 9, 18, 10, tzinfo=UTC)


class Clockwork(Desk):
    """The game ur-1 with policies, the first turn not yet played."""

    def __init__(self, folder: Path, *policies: str, seats: str = "") -> None:
        super().__init__(folder)
        self.start()
        self.policies(*policies, seats=seats)

    def policies(self, *policies: str, seats: str = "", name: str = "ur-1") -> None:
        """Write them into game.yaml; `seats`: lines that each seat gets."""
        path = self.games / name / "game.yaml"
        text = path.read_text().partition("policies:")[0]
        if seats:
            text = text.replace("    language: en\n", f"    language: en\n{seats}")
        path.write_text(text + "policies:\n" + "".join(f"  {each}\n" for each in policies))

    def at(self, moment: datetime) -> None:
        """It is this time now."""
        self.now = moment.strftime("%Y-%m-%dT%H:%M:%SZ")

    def later(self, **more: int) -> datetime:
        """So much later; the time then."""
        moment = datetime.fromisoformat(self.now) + timedelta(**more)
        self.at(moment)
        return moment

    def load(self, name: str = "ur-1") -> tuple[GameFolder, Game, Chronicle]:
        """A game as it stands."""
        folder = GameFolder(self.games / name)
        game = folder.load()
        return folder, game, Chronicle(folder, game.record)

    def deadline(self, name: str = "ur-1") -> Deadline:
        """Of the open question."""
        found = deadline_of(*self.load(name)[1:])
        assert found is not None
        return found

    def until(self, name: str = "ur-1") -> datetime:
        """Until when the open question is to be answered."""
        found = self.deadline(name).until
        assert found is not None
        return found

    def report(self, who: str, name: str = "ur-1") -> str:
        """The report that lies there."""
        return (self.games / name / "reports" / f"{who}.txt").read_text()
