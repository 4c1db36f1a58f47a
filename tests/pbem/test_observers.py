"""Observers who are some turns behind: the same letters, later, and nothing of later runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pbem.mail_desk import Desk

EVE = "eve@example.org"
TURNS = (
    ("archer", "actions: king F4, trader G3"),
    ("bull", "actions: priest I6, farmer J7"),
    ("archer", "actions: pass, pass"),
    ("bull", "actions: pass, pass\npress: secret plan"),
    ("archer", "actions: withdraw king, pass"),
)


def made(folder: Path, *policies: str) -> Desk:
    """A game with an observer and these policies."""
    desk = Desk(folder)
    desk.start()
    with (desk.game / "game.yaml").open("a") as file:
        lines = [f"observers: {EVE}", *policies]
        file.write("policies:\n" + "".join(f"  {line}\n" for line in lines))
    return desk


def play(desk: Desk, turns: int) -> Iterator[int]:
    """Play whole turns; after each its number."""
    for number, (seat, orders) in enumerate(TURNS[:turns], start=1):
        text = f"game: ur-1\nplayer: {seat}\nturn: {number}\n{orders}\n"
        (desk.game / "orders").mkdir(exist_ok=True)
        (desk.game / "orders" / f"{seat}.yaml").write_text(text)
        desk.turn()
        yield number


def observed(desk: Desk) -> dict[str, bytes]:
    """The letters to the observer on the runs that he has seen happen, as far as they may leave."""
    paths = sorted((desk.game / "outbox").glob("000[1-9]-public-*.eml"))
    return {path.name: path.read_bytes() for path in paths}


@pytest.fixture
def prompt(tmp_path: Path) -> dict[str, bytes]:
    """What an observer gets who is not behind."""
    desk = made(tmp_path / "prompt")
    assert [*play(desk, 5)]
    letters = observed(desk)
    assert len(letters) == 5
    return letters


def test_a_delayed_letter_is_the_letter_itself(tmp_path: Path, prompt: dict[str, bytes]) -> None:
    desk = made(tmp_path / "behind", "observer_delay: 2")
    for turn in play(desk, 5):
        found = observed(desk)
        assert len(found) == max(0, turn - 2)
        assert found == dict([*prompt.items()][: len(found)])
    assert b"secret plan" not in b"".join(observed(desk).values())
    assert desk.call("mail", "out").code == 0


def test_letters_that_are_due_are_not_too_old(tmp_path: Path) -> None:
    desk = made(tmp_path, "observer_delay: 2")
    for day, _ in enumerate(play(desk, 4)):
        desk.now = f"2026-04-{10 + day:02}T08:00:00Z"
    states = [path.read_text() for path in (desk.game / "outbox").glob("000[1-9]-public-*.yaml")]
    assert len(states) == 2
    assert all("written: 2026-04-" in state for state in states)


def test_without_a_delay_what_was_held_goes_out(tmp_path: Path, prompt: dict[str, bytes]) -> None:
    desk = made(tmp_path / "b", "observer_delay: 3")
    for turn in play(desk, 5):
        if turn == 3:
            path = desk.game / "game.yaml"
            path.write_text(path.read_text().replace("observer_delay: 3", "observer_delay: 0"))
    assert observed(desk) == prompt


def test_who_observes_no_more_gets_nothing_more(tmp_path: Path) -> None:
    desk = made(tmp_path, "observer_delay: 1")
    for turn in play(desk, 4):
        if turn == 3:
            path = desk.game / "game.yaml"
            path.write_text(path.read_text().replace(EVE, "zoe@example.org"))
    assert sum(EVE.encode() in data for data in observed(desk).values()) == 2
    assert len([*(desk.game / "outbox" / "delayed" / "failed").glob("000[1-9]*.eml")]) == 1


def test_after_an_undo_the_order_stays(tmp_path: Path) -> None:
    desk = made(tmp_path, "observer_delay: 1")
    assert [*play(desk, 3)]
    assert desk.call("undo", "ur-1", "--to", "1", "--yes").code == 0
    held = sorted(
        path.name[:4] for path in (desk.game / "outbox" / "delayed").glob("000[1-9]*.eml")
    )
    out = sorted(observed(desk))
    assert [name[:4] for name in out] == ["0001", "0002"]
    assert held == ["0003", "0004"]


def test_a_letter_that_was_moved_half_way_is_moved_once(tmp_path: Path) -> None:
    desk = made(tmp_path, "observer_delay: 1")
    turns = play(desk, 3)
    next(turns)
    (path,) = (desk.game / "outbox" / "delayed").glob("000[1-9]*.eml")
    data, state = path.read_bytes(), path.with_suffix(".yaml").read_bytes()
    next(turns)
    path.write_bytes(data)
    path.with_suffix(".yaml").write_bytes(state)
    next(turns)
    assert not path.exists()
    assert len(observed(desk)) == 2
