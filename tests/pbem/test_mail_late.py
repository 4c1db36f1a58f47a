"""Orders by mail around a deadline: in time, within the grace, too late."""

from pathlib import Path

import pytest

from pbem.chronicle import Chronicle
from pbem.clock import read_time
from pbem.clock.deadline import deadline_of
from pbem.deskfile import Announced
from pbem.store import GameFolder
from pbem.turns import TurnResult, take_turn
from tests.pbem.mail_desk import Desk, mail, orders, text_of

START = "2026-03-07T17:00:00Z"
BULL = "turn: 2\nactions: pass all"


class Timed(Desk):
    """A game that began two days and 70 minutes before the desk opens: `turn_time` is over."""

    def rules(self, *policies: str) -> None:
        """Make the game, write its policies, tell the first deadline."""
        now, self.now = self.now, START
        self.start()
        self.now = now
        path = self.game / "game.yaml"
        lines = "".join(f"  {line}\n" for line in ("turn_time: 2d", *policies))
        path.write_text(f"{path.read_text()}policies:\n{lines}")
        self.announce()

    def announce(self) -> None:
        """Note on the desk which deadline the players were told."""
        game = self.folder_of.load()
        found = deadline_of(game, Chronicle(self.folder_of, game.record))
        assert found
        assert found.until
        told = Announced(found.question, found.until)
        self.folder_of.write_desk(game.desk._replace(announced=told))

    @property
    def folder_of(self) -> GameFolder:
        """The game."""
        return GameFolder(self.game)

    def judge(self, *excused: str) -> TurnResult:
        """A run that judges deadlines."""
        seats = [("ur-1", seat) for seat in excused]
        return take_turn(self.folder_of, read_time(self.now), judge=True, excused=seats)  # type: ignore[arg-type]


@pytest.fixture
def desk(tmp_path: Path) -> Timed:
    return Timed(tmp_path)


def last(desk: Desk) -> str:
    return " ".join(text_of(desk.answers()[-1]).split())


def test_in_time(desk: Timed) -> None:
    desk.rules("late: pass")
    desk.take(mail(orders(), when="16:59:59"))
    assert "king" in desk.placed()
    assert "late" not in last(desk)
    assert desk.judge().missed == ()


def test_too_late(desk: Timed) -> None:
    desk.rules("late: pass", "grace: 1h")
    said = desk.take(mail(orders(), when="18:02:00"), code=1)
    assert "held" in said.err
    assert desk.placed() == ""
    told = last(desk)
    assert "ur-1, archer: the deadline was Monday 9 March 2026, 17:00 UTC" in told
    assert "the grace after it ended Monday 9 March 2026, 18:00 UTC" in told
    assert "your mail arrived Monday 9 March 2026, 18:02 UTC" in told
    assert desk.judge("archer").run is None
    assert desk.judge().missed == (("archer", "1.1"),)


def test_within_the_grace(desk: Timed) -> None:
    desk.rules("late: pass", "grace: 2h")
    desk.take(mail(orders(), when="18:02:00"))
    assert "king" in desk.placed()
    told = last(desk)
    assert "Your orders for ur-1 are late: the deadline was Monday 9 March 2026, 17:00 UTC" in told
    assert "They are taken all the same" in told
    assert desk.judge().missed == ()


def test_arrival_counts_not_when_it_is_judged(desk: Timed) -> None:
    """A mail that lay in the store during the night is in time."""
    desk.rules("late: pass")
    desk.now = "2026-03-10T09:00:00Z"
    desk.take(mail(orders(), when="16:59:59"))
    assert desk.judge().missed == ()
    assert desk.folder_of.load().record.run == 1


@pytest.mark.parametrize("late", ["wait", "stand-in"])
def test_where_the_game_waits_nothing_is_held(desk: Timed, late: str) -> None:
    desk.rules(f"late: {late}")
    desk.take(mail(orders(), when="18:02:00"))
    assert "king" in desk.placed()
    assert "are late" in last(desk)


def test_where_a_stand_in_is_ready_they_are_held(desk: Timed) -> None:
    desk.rules("late: stand-in", "stand_in: Eve <eve@example.org>")
    desk.take(mail(orders(), when="18:02:00"), code=1)
    assert desk.placed() == ""


def test_who_is_not_asked_is_never_late(desk: Timed) -> None:
    desk.rules("late: pass")
    desk.take(mail(orders(BULL, "bull"), "bruno", when="18:02:00"))
    assert "pass" in desk.placed("bull")
    assert "late" not in last(desk)


def test_press_is_never_late(desk: Timed) -> None:
    desk.rules("late: pass")
    desk.take(mail(orders("press: Sorry!"), when="18:02:00"))
    assert "Sorry" in desk.placed()
    assert "late" not in last(desk)


def test_a_dropped_seat_gets_an_answer_with_the_reason(desk: Timed) -> None:
    desk.rules("late: drop", "misses: 1")
    assert desk.judge().dropped == ("archer",)
    desk.take(mail(orders("turn: 3\nactions: pass"), when="18:09:00"), code=1)
    assert desk.placed() == ""
    assert "this seat plays no more" in last(desk)
    assert "write to the moderator" in last(desk)


def test_a_run_without_deadlines_of_its_own_judges_nothing(desk: Timed) -> None:
    """`turn` is for orders; deadlines are judged by `run`."""
    desk.rules("late: pass")
    desk.now = "2026-04-10T09:00:00Z"
    assert "nothing new" in desk.turn().out
