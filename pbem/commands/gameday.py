"""What one `run` does for one game: its turn, deadlines judged, reminders."""

from datetime import datetime

from engine.pieces import Dynasty
from pbem.commands.turn import done, tell
from pbem.counted import counted
from pbem.mail.reminders import remind
from pbem.outcome import Outcome
from pbem.store import GameFolder
from pbem.turns import take_turn


class Day:
    """What is the same for all games of a run, and what they come to together.

    `excused`: seats of which a mail waits for the moderator; their deadlines are not judged.
    """

    def __init__(
        self, *, judge: bool, now: datetime, excused: frozenset[tuple[str, Dynasty]]
    ) -> None:
        self.judge = judge
        self.now = now
        self.excused = excused
        self.games = self.advanced = self.missed = self.reminders = self.archived = 0

    def sentence(self) -> str:
        """All of it in one line."""
        parts = [
            f"{self.advanced} advanced",
            *([f"{counted(self.missed, 'deadline')} missed"] if self.missed else []),
            *([counted(self.reminders, "reminder")] if self.reminders else []),
            *([f"{counted(self.archived, 'game')} put away"] if self.archived else []),
        ]
        return f"{counted(self.games, 'game')}: {', '.join(parts)}"


def game_day(outcome: Outcome, folder: GameFolder, day: Day) -> None:
    """Advance one game, judge its deadline, remind who is asked."""
    result = take_turn(folder, day.now, judge=day.judge, excused=day.excused)
    more = []
    day.advanced += result.run is not None
    day.missed += len(result.missed) + len(result.dropped) + len(result.handed)
    if day.judge and result.game.file.policies.turn_time:
        reminders = remind(folder, result.game, result.chronicle, day.now)
        day.reminders += reminders
        more += [counted(reminders, "reminder")] if reminders else []
    if more or result.refused or result.misfits or result.fault or [*done(result)]:
        tell(outcome, folder, result, more)
