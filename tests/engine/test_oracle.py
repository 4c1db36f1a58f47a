"""Whole games played on another implementation, compared state by state.

`--oracle DIR` takes other games of the same form. Only the differences listed in the README
beside those games are allowed for; each is named where it is.
"""

import json
import lzma
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine import orders as o
from engine import questions as q
from engine.advance import advance
from engine.events import Event, GameEnded
from engine.legality import refusal
from engine.pieces import Dynasty
from engine.refusal import IllegalOrder
from engine.scoring import final_rows
from engine.squares import BIT, BLOCKS_WITH, squares_of
from engine.treasures import asked_spoils
from tests import oracle, oracle_states
from tests.notes import note
from tests.oracle import Line
from tests.oracle_states import fightable
from tests.positions import by_colour, draw, oracle_state

OWN_DATA = Path(__file__).parents[1] / "data" / "oracle"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One case for each game of the folder and the folders in it."""
    if "path" in metafunc.fixturenames:
        folder = Path(metafunc.config.getoption("--oracle") or OWN_DATA)
        paths = sorted(folder.rglob("*.jsonl.xz"))
        if not paths:
            raise pytest.UsageError(f"--oracle: no *.jsonl.xz in {folder}")
        missing = [variants for path in paths if (variants := lacking(path))]
        if len(missing) == len(paths):
            options = ", ".join(sorted({name for variants in missing for name in variants}))
            raise pytest.UsageError(
                f"--oracle: none of the {len(paths)} games in {folder} can be compared: all are"
                f" played with options that do not exist yet ({options})"
            )
        names = [path.relative_to(folder).as_posix().split(".")[0] for path in paths]
        metafunc.parametrize("path", paths, ids=names)


def lacking(path: Path) -> list[str]:
    """The options of a game that we do not have; none for a file that is judged in its test."""
    try:
        return oracle.variants_of(oracle.setup_of(path))
    except (KeyError, ValueError, EOFError, lzma.LZMAError):
        return []


@pytest.fixture(scope="module")
def totals(pytestconfig: pytest.Config) -> Iterator[Counter[str]]:
    """What all games together compared; said at the end of the run."""
    counts: Counter[str] = Counter()
    yield counts
    left_out = f", {counts['left out']} left out" if counts["left out"] else ""
    note(pytestconfig, f"oracle: {counts['games']} games{left_out}, {said(counts)}")


def said(counts: Counter[str]) -> str:
    """The numbers of one or more games as a sentence."""
    return (
        f"{counts['compared']} states compared ({counts['merged']} lines merged with a later one);"
        f" refusals: {counts['refused']} compared, {counts['met']} met because we cannot say or"
        f" do not ask that; {counts['results']} results compared,"
        f" {counts['short exchange']} skipped (ended in an exchange)"
    )


def test_game(path: Path, totals: Counter[str], pytestconfig: pytest.Config) -> None:
    """The whole game gives the same states, refusals, points and ranks."""
    lines = oracle.load(path)
    assert lines, f"{path.name}: the file is empty"
    if variants := oracle.variants_of(lines[0]):
        totals["left out"] += 1
        pytest.skip(f"played with {', '.join(variants)}: not an option of ours yet")
    oracle.check(path, lines)
    oracle.check_whole(path, lines)
    match = Match(lines)
    for index in range(1, len(lines)):
        match.follow(index)
    if pytestconfig.get_verbosity() > 0:
        note(pytestconfig, f"{path.parent.name}/{path.name}: {said(match.counts)}")
    totals += match.counts
    totals["games"] += 1


@pytest.mark.parametrize("name", ["tiles", "hands", "bag", "discard", "turn", "action_no", "luck"])
def test_other_states_and_unknown_fields_fail(name: str) -> None:
    """The comparison itself: a field that differs or that nobody knows does not pass."""
    path = OWN_DATA / "standard" / "game-001.jsonl.xz"
    setup, *_ = oracle.load(path)
    beginning(path, setup)
    other = {"tiles": {}, "hands": {}, "discard": {"red": 1}}.get(name, 77)
    changed = {**setup, "state": {**setup["state"], name: other}}
    with pytest.raises((ValueError, pytest.fail.Exception)):
        beginning(path, changed)


@pytest.mark.parametrize("kept", ["first", "all but the last", "all but the tenth"])
def test_games_that_are_cut_off_fail(kept: str) -> None:
    path = OWN_DATA / "standard" / "game-001.jsonl.xz"
    lines = oracle.load(path)
    oracle.check_whole(path, lines)
    cut = {"first": lines[:1], "all but the last": lines[:-1]}.get(kept, lines[:9] + lines[10:])
    with pytest.raises(ValueError, match=r"cut off|missing"):
        oracle.check_whole(path, cut)


def test_games_of_options_that_we_lack_alone_fail(tmp_path: Path) -> None:
    setup = oracle.setup_of(OWN_DATA / "standard" / "game-001.jsonl.xz")
    other = {**setup, "options": {**setup["options"], "civilization_buildings": True}}
    path = tmp_path / "game-001.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as stream:
        stream.write(json.dumps(other) + "\n")
    assert lacking(path) == ["civilization_buildings"]


def beginning(path: Path, setup: Line) -> None:
    """Judge the first line of a game alone."""
    oracle.check(path, [setup])
    Match([setup])


class Match:
    """A logged game, and ours beside it.

    `apart` is True while ours is already further than the log: it asks step by step, and also
    where there is no choice (differences 5, 6 and 8 of the list).
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.state = oracle_state(lines[0])
        self.bag = self.state.bag
        self.events: tuple[Event, ...] = ()
        self.apart = False
        self.ended_early = False
        self.taken: set[str] = set()
        self.pair: list[Any] = []
        self.counts: Counter[str] = Counter()
        self.compare(lines[0], lines[0]["state"])

    def follow(self, index: int) -> None:
        """Do one line of the log."""
        line = self.lines[index]
        match line["type"]:
            case "action":
                self.act(index, line)
            case "refused" | "accepted_illegal":
                # What it accepts although the rules forbid it is refused here (difference 3).
                self.refuse(line)
            case "result":
                self.result(line)
            case other:
                raise ValueError(f"line type {other} in the middle of a game")

    def act(self, index: int, line: Line) -> None:
        """Apply an accepted action, then compare unless later lines belong to it."""
        action, after = line["action"], line["after"]
        assert not self.ended_early, "the log goes on after the game has ended"
        if action["kind"] == "treasure":
            self.taken.add(action["at"])
            if after["state"] == "pickTreasure":
                self.counts["merged"] += 1
                return
            self.leave_treasures(line)
        elif action.get("forced"):
            assert self.apart  # difference 5: asked although no monument of the colour is left
        elif after["state"] == "multiMonument":
            self.pair = action["colours"]
        else:
            assert not self.apart, self.place(line)
            self.order(line, line["player"], self.translated(line))
        if self.is_short_exchange(line):
            self.ended_early = True
            return
        self.apart = self.runs_ahead(index, after)
        if self.apart:
            self.counts["merged"] += 1
        else:
            self.compare(line, after)

    def order(self, line: Line, player: Dynasty, order: o.Order) -> None:
        """Give our engine an order that it must accept."""
        try:
            outcome = advance(self.state, player, order)
        except IllegalOrder as error:
            pytest.fail(f"{self.place(line)}\n{order} refused: {error}", pytrace=False)
        self.state = outcome.state
        self.events = outcome.events

    def translated(self, line: Line) -> o.Order:
        """Our order for an accepted action."""
        action, board = line["action"], self.state.board
        match action["kind"]:
            case "support":
                question = self.state.question
                assert isinstance(question, q.AskAttack | q.AskDefence), self.place(line)
                assert question.conflict.support_colour == action["colour"], self.place(line)
                return o.Support(action["count"])
            case "war_leader":
                return o.ChooseWar(action["colour"])
            case "monument":
                return o.BuildMonument(*oracle.monument_built(line))
            case "monument_square":
                return o.BuildMonument(oracle.pair(self.pair), action["top_left"])
            case "place_leader" | "withdraw_leader":
                leader = oracle.leader_of({"owner": line["player"], **action})
                assert board.square_of(leader) == action["from"], self.place(line)
            case "catastrophe":
                assert board.colour_at(BIT[action["at"]]) == action["onto"], self.place(line)
            case _:
                pass
        order = oracle.plain_order(line["player"], action)
        assert order is not None, self.place(line)
        return order

    def leave_treasures(self, line: Line) -> None:
        """Answer all our questions about treasures with what stays of those the log takes."""
        while isinstance(question := self.state.question, q.AskTreasure) and self.taken:
            spoils = asked_spoils(self.state, question)
            stay = set(squares_of(spoils.taken | spoils.may_stay)) - self.taken
            assert len(stay) == 1, f"{self.place(line)}\n{stay} would stay"
            self.taken -= set(squares_of(spoils.taken | spoils.may_stay))
            self.order(line, question.player, o.LeaveTreasure(stay.pop()))
        self.taken.clear()

    def is_short_exchange(self, line: Line) -> bool:
        """Difference 2: an exchange the bag cannot serve ends the game there at once."""
        return (
            line["action"]["kind"] == "exchange"
            and line["after"]["state"] == "gameEnd"
            and not self.state.bag
            and self.state.seat(line["player"]).hand.total < 6
        )

    def runs_ahead(self, index: int, after: Line) -> bool:
        """Whether the log asks now what we have done already, or ask in another order."""
        later = [line for line in self.lines[index + 1 :] if line["type"] == "action"]
        question = self.state.question
        if after["state"] == "buildMonument":
            forced = bool(later) and later[0]["action"].get("forced", False)
            return forced and not isinstance(question, q.AskMonument)
        if after["state"] == "pickTreasure":
            askers = set()
            for line in later:
                if line["action"]["kind"] != "treasure":
                    break
                askers.add(line["player"])
            if isinstance(question, q.AskTreasure):
                assert question.player in askers
                return len(askers) > 1
            return True
        return False

    def refuse(self, line: Line) -> None:
        """What is refused there is refused here, as far as it can be said in our orders."""
        attempts = [] if self.apart else self.attempts(line)
        self.counts["refused" if attempts else "met"] += 1
        for order in attempts:
            assert refusal(self.state, line["player"], order), f"{self.place(line)}\n{order}"

    def attempts(self, line: Line) -> list[o.Order]:
        """Our orders for something that was refused there; none if we cannot say it."""
        action, question = line["action"], self.state.question
        match action["kind"]:
            case "support":
                if isinstance(question, q.AskAttack | q.AskDefence):
                    fits = question.conflict.support_colour == action["colour"]
                    return [o.Support(action["count"])] if fits else []
                return [o.Support(action["count"])]
            case "war_leader":
                colours = fightable(self.state, question) if isinstance(question, q.AskWar) else ()
                if action["colour"] in colours:
                    return []  # a leader out of reach, of a colour that others fight for
                return [o.ChooseWar(action["colour"])]
            case "monument":
                placed = question.placed if isinstance(question, q.AskMonument) else "B2"
                wanted = oracle.pair(action["colours"])
                return [o.BuildMonument(wanted, corner) for corner, _ in BLOCKS_WITH[placed]]
            case "monument_square":
                return [o.BuildMonument(oracle.pair(self.pair), action["top_left"])]
            case "treasure":
                if line.get("attempt") == "treasure_not_corner":
                    return []  # it may not be taken yet; whether it may stay is another matter
                return [o.LeaveTreasure(action["at"])]
            case _:
                pass
        order = oracle.plain_order(line["player"], action)
        return [] if order is None else [order]

    def result(self, line: Line) -> None:
        """Points, ranks and the reason of the end, unless an exchange ended it (difference 2)."""
        if self.ended_early:
            self.counts["short exchange"] += 1
            return
        rows = final_rows(self.state)
        (end,) = (event for event in self.events if isinstance(event, GameEnded))
        assert self.state.over
        assert set(end.why) == set(line["end"].split("+"))
        assert self.state.turn == line["turns"]
        assert {row.player for row in rows} == {row["player"] for row in line["players"]}
        theirs = {row["player"]: row for row in line["players"]}
        assert [row.rank for row in rows] == [row["rank"] for row in line["players"]]
        for row in rows:
            other = theirs[row.player]
            assert row.rank == other["rank"]
            assert row.before == by_colour(other["before_treasures"])
            assert row.treasures == other["before_treasures"]["treasure"]
            assert sorted(row.after) == sorted(other["after_treasures"].values())
            assert min(row.after) == other["score"]
        self.counts["results"] += 1

    def compare(self, line: Line, after: Line) -> None:
        """The whole state, field by field."""
        ours, theirs = oracle_states.ours(self.state), oracle_states.theirs(after)
        assert ours.keys() == theirs.keys()
        wrong = [name for name in theirs if ours[name] != theirs[name]]
        if self.state.bag != self.bag[len(self.bag) - len(self.state.bag) :]:
            wrong.append("bag")
        if wrong:
            details = (f"{name}:\n  ours   {ours[name]}\n  theirs {theirs[name]}" for name in wrong)
            pytest.fail("\n".join([self.place(line), *details]), pytrace=False)
        self.counts["compared"] += 1

    def place(self, line: Line) -> str:
        """Where in the log, and the board there."""
        what = f"line {line.get('n')}: {line.get('player')} {line.get('action')}"
        return f"{what}\nwe ask {self.state.question}\n{draw(self.state.board)}"
