"""Years that nobody plays in, and other words that break what reckons with them."""

from pathlib import Path

import pytest

from pbem.clock import read_day, read_time
from tests.pbem.clockwork import Clockwork
from tests.pbem.mail_desk import mail, text_of


@pytest.mark.parametrize("text", ["0001-01-01", "0999-12-31T00:00", "9999-12-31T23:59:59Z"])
def test_times_that_nothing_can_be_added_to_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="year"):
        read_time(text)
    with pytest.raises(ValueError, match="year"):
        read_day(text[:10])


@pytest.mark.parametrize("days", ["9999-12-31", "0001-01-01..9999-12-31", "0001-01-01"])
def test_days_away_of_odd_years_stop_no_game(tmp_path: Path, days: str) -> None:
    desk = Clockwork(tmp_path, "turn_time: 3d", "away_days: 366")
    assert desk.call("away", "ur-1", "archer", days).code == 2
    desk.take(mail(f"away {days}\n"), code=1)
    (answer,) = desk.answers()
    assert "was not understood" in text_of(answer)
    assert desk.call("run").code == 0
    assert desk.call("status").code == 0


@pytest.mark.parametrize("until", ["9999-12-31", "0001-01-01", "3000-01-01"])
def test_more_time_until_an_odd_year_is_refused(tmp_path: Path, until: str) -> None:
    desk = Clockwork(tmp_path, "turn_time: 3d")
    assert desk.call("extend", "ur-1", "--until", until).code == 2


def test_the_last_year_that_is_taken_can_be_read_again(tmp_path: Path) -> None:
    desk = Clockwork(tmp_path, "turn_time: 3d", "away_days: 366")
    assert desk.call("away", "ur-1", "archer", "2999-12-30..2999-12-31").code == 0
    assert desk.call("extend", "ur-1", "--until", "2999-12-31").code == 0
    assert desk.call("extend", "ur-1", "--by", "366d").code == 0
    assert desk.call("status").code == 0


@pytest.mark.parametrize("when", ["9999-12-31T23:00:00Z", "0001-01-01T00:00:00Z"])
def test_times_of_odd_years_in_a_file_are_damage(tmp_path: Path, when: str) -> None:
    desk = Clockwork(tmp_path, "turn_time: 3d")
    path = desk.game / "desk.yaml"
    path.write_text(f"{path.read_text()}pauses:\n  - {{since: {when}}}\n")
    for words in (("status",), ("run",), ("doctor",), ("digest",), ("stats",)):
        said = desk.call(*words)
        assert "desk.yaml" in said.err + said.out
        assert "fault of this program" not in said.err
        assert said.code == 3, said


def test_orders_that_are_no_text(tmp_path: Path) -> None:
    desk = Clockwork(tmp_path)
    said = desk.call("act", "ur-1", "archer", "\udcff\ud800")
    assert said.code == 1
    assert "fault of this program" not in said.err
