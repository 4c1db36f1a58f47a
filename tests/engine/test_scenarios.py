"""The positions of the rules' part 6: given these orders, this must come out.

`--scenarios FILE` judges other data of the same form. A word this file does not know is a
failure, never something to pass over.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, assert_never

import pytest

from engine import orders as o
from engine import questions as q
from engine.advance import advance
from engine.events import ConflictEnded, Event
from engine.invariants import faults
from engine.legality import refusals
from engine.pieces import COLOUR_OF, LETTER, NONE, Dynasty
from engine.refusal import IllegalOrder, Rule
from engine.scoring import final_rows
from engine.squares import BIT
from engine.state import State
from tests.notes import note
from tests.positions import (
    DYNASTY_OF,
    INITIAL,
    VARIANTS,
    cell,
    draw,
    known,
    read_leader,
    read_pair,
    read_points,
    read_tiles,
    scenario_state,
)
from tests.strictjson import read_json

OWN_DATA = Path(__file__).parents[1] / "data" / "scenarios.json"
# Positions need not hold 153 tiles, and monuments may stand without tiles (contract, section 6).
EXEMPT = frozenset({"tiles", "monument without tiles"})


@dataclass
class Played:
    """A scenario after its orders: what came out, and what was asked on the way."""

    before: State
    state: State
    exact: bool
    events: list[Event] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    broken: list[Rule] = field(default_factory=list)

    @property
    def conflicts(self) -> list[ConflictEnded]:
        """The revolts and wars that were decided."""
        return [event for event in self.events if isinstance(event, ConflictEnded)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One case for each scenario of the file, without those of options that do not exist yet."""
    if "scenario" not in metafunc.fixturenames:
        return
    outside = metafunc.config.getoption("--scenarios")
    scenarios = scenarios_in(Path(outside or OWN_DATA).read_text("utf-8"))
    judged, left_out = [], dict.fromkeys(VARIANTS, 0)
    for scenario in scenarios:
        variants = [name for name in VARIANTS if scenario.get("opts", {}).get(name)]
        if not variants:
            judged.append(scenario)
        for name in variants[:1]:
            left_out[name] += 1
    if any(left_out.values()):
        counts = ", ".join(f"{number} with {name}" for name, number in left_out.items() if number)
        note(
            metafunc.config,
            f"scenarios: {len(judged)} judged, {sum(left_out.values())} left out"
            f" ({counts}: these options of the game do not exist yet)",
        )
    if not judged:
        raise pytest.UsageError(f"--scenarios: all {len(scenarios)} are left out, none is judged")
    metafunc.parametrize("scenario", judged, ids=[str(case.get("id")) for case in judged])


def scenarios_in(text: str) -> list[dict[str, Any]]:
    """The scenarios of a file; UsageError if it holds none, or a key twice."""
    try:
        found: list[dict[str, Any]] = read_json(text)
    except ValueError as error:
        raise pytest.UsageError(f"--scenarios: {error}") from None
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise pytest.UsageError("--scenarios: the file is no list of scenarios")
    if not found:
        raise pytest.UsageError("--scenarios: there is no scenario in the file")
    return found


def test_scenario(scenario: dict[str, Any], pytestconfig: pytest.Config) -> None:
    """The orders have the outcome that the scenario says, in every respect it names."""
    if not scenario.get("expect"):
        pytest.fail("the scenario expects nothing: it needs `expect`", pytrace=False)
    before = scenario_state(scenario)
    assert [str(fault) for fault in faults(before) if fault.kind not in EXEMPT] == []
    expectations = [line.partition(" ")[::2] for line in scenario["expect"]]
    known((word for word, _ in expectations), JUDGES, "expectation")
    refused = any(word == "illegal" for word, _ in expectations)
    played = Played(before, before, exact=not pytestconfig.getoption("--scenarios"))
    play(played, scenario["orders"], refused)

    wrong = [] if refused else judge_scores(played, expectations)
    for word, rest in expectations:
        wrong += JUDGES[word](played, rest)
    wrong += judge_together(played, expectations)
    if wrong:
        pytest.fail(report(scenario, played, wrong), pytrace=False)


@pytest.mark.parametrize(
    "change",
    [
        {"colour": "red"},
        {"opts": {"luck": True}},
        {"hands": {"P": "r1"}},
        {"orders": ["A dance G5"]},
        {"expect": ["joy A"]},
        {"expect": []},
        {"expect": None},
        {"expect": ["score A r1"]},
        {"expect": ["illegal RIVER"]},
        {"expect": ["strength revolt A1 B0 A"]},
        {"expect": ["cells B1=Bk"]},
    ],
    ids=str,
)
def test_unknown_words_and_wrong_outcomes_fail(
    change: dict[str, Any], pytestconfig: pytest.Config
) -> None:
    """The judge itself: nothing unknown or untrue passes."""
    sound = {"id": "T", "title": "", "src": "", "why": "", "orders": ["A leader k B1"]}
    test_scenario({**sound, "expect": ["cells B1=Ak"]}, pytestconfig)
    with pytest.raises((ValueError, pytest.fail.Exception)):
        test_scenario({**sound, "expect": ["cells B1=Ak"], **change}, pytestconfig)


@pytest.mark.parametrize("text", ["[]", "{}", "[1]", "[", '[{"id": "T", "id": "U"}]'])
def test_files_without_scenarios_fail(text: str) -> None:
    with pytest.raises(pytest.UsageError):
        scenarios_in(text)


def play(played: Played, lines: list[str], refused: bool) -> None:
    """Give the orders; if the last one must be refused, give it in vain."""
    for number, line in enumerate(lines, 1):
        player, order = read_order(line)
        if refused and number == len(lines):
            played.broken = refused_for(played.state, player, order)
            return
        try:
            outcome = advance(played.state, player, order)
        except IllegalOrder as error:
            pytest.fail(f"{line}: refused, {error}\n{draw(played.state.board)}", pytrace=False)
        played.state = outcome.state
        played.events += outcome.events
        question = outcome.state.question
        if question and not isinstance(question, q.AskAction):
            played.asked.append(f"{INITIAL[question.player]}:{asking(question)}")


def refused_for(state: State, player: Dynasty, order: o.Order) -> list[Rule]:
    """The rules that an order breaks, first the one that is named; none if it is accepted."""
    broken = [refusal.rule for refusal in refusals(state, player, order)]
    if broken:
        with pytest.raises(IllegalOrder) as caught:
            advance(state, player, order)
        assert caught.value.refusal.rule == broken[0]
    return broken


def read_order(line: str) -> tuple[Dynasty, o.Order]:
    """`A leader k G5`: who orders what."""
    letter, *words = line.split()
    order = _action(words) or _answer(words)
    if order is None:
        raise ValueError(f"order {line!r} not known here")
    return DYNASTY_OF[letter], order


def _action(words: list[str]) -> o.Action | None:
    match words:
        case ["leader", letter, at] if at in BIT:
            return o.PlaceLeader(COLOUR_OF[letter], at)
        case ["tile", letter, at] if at in BIT:
            return o.PlaceTile(COLOUR_OF[letter], at)
        case ["catastrophe", at] if at in BIT:
            return o.PlaceCatastrophe(at)
        case ["withdraw", letter]:
            return o.WithdrawLeader(COLOUR_OF[letter])
        case ["swap", *tiles]:
            return o.Exchange(read_tiles(" ".join(tiles)))
        case ["pass"]:
            return o.Pass()
        case _:
            return None


def _answer(words: list[str]) -> o.Answer | None:
    match words:
        case ["commit", number]:
            return o.Support(int(number))
        case ["war", letter]:
            return o.ChooseWar(COLOUR_OF[letter])
        case ["monument", "none"]:
            return o.DeclineMonument()
        case ["monument", pair, at] if at in BIT and pair != "wonder":
            return o.BuildMonument(read_pair(pair), at)
        case ["leave", at] if at in BIT:
            return o.LeaveTreasure(at)
        case _:
            return None


def asking(question: q.Question) -> str:
    """The scenario's word for a question."""
    match question:
        case q.AskAttack() | q.AskDefence():
            return "commit"
        case q.AskWar():
            return "war"
        case q.AskMonument():
            return "monument"
        case q.AskTreasure():
            return "leave"
        case q.AskAction():
            return "action"
        case _:
            assert_never(question)


def differs(what: str, expected: object, found: object) -> list[str]:
    """A complaint, if the two are not equal."""
    return [] if expected == found else [f"{what}: expected {expected}, found {found}"]


def judge_scores(played: Played, expectations: Iterable[tuple[str, ...]]) -> list[str]:
    """`score A r1 t1`: differences; a player not named got nothing."""
    gains = {INITIAL[dynasty]: (NONE, 0) for dynasty in played.before.players}
    for word, rest in expectations:
        if word == "score":
            letter, _, points = rest.partition(" ")
            colours, treasures = read_points(points)
            old = gains[letter]
            gains[letter] = old[0].add(colours), old[1] + treasures
    wrong = []
    for letter, expected in gains.items():
        old_seat = played.before.seat(DYNASTY_OF[letter])
        new_seat = played.state.seat(DYNASTY_OF[letter])
        found = (
            new_seat.points.less(old_seat.points),
            new_seat.treasures - old_seat.treasures,
        )
        wrong += differs(f"score {letter} (colours, treasures)", expected, found)
    return wrong


def judge_together(played: Played, expectations: Iterable[tuple[str, ...]]) -> list[str]:
    """`strength g A4 B4 B`: each line is one of the conflicts, no conflict serves two lines."""
    left = [strength_line(conflict) for conflict in played.conflicts]
    wrong = []
    for word, rest in expectations:
        if word == "strength" and rest in left:
            left.remove(rest)
        elif word == "strength":
            wrong.append(f"strength: expected {rest}, conflicts left {left}")
    return wrong


def strength_line(conflict: ConflictEnded) -> str:
    """A conflict as the scenarios write it: kind or colour, both totals, the winner."""
    kind = "revolt" if conflict.union is None else LETTER[conflict.colour]
    attacker, defender = INITIAL[conflict.attacker], INITIAL[conflict.defender]
    return (
        f"{kind} {attacker}{conflict.attack.total} {defender}{conflict.defence.total}"
        f" {INITIAL[conflict.winner]}"
    )


def judge_cells(played: Played, rest: str) -> list[str]:
    """`G5=Ak E2=..`: single squares; `..` is any empty square."""
    wrong = []
    for word in rest.split():
        square, _, sign = word.partition("=")
        found = cell(played.state.board, square)
        if (sign, found) != ("..", "~~"):
            wrong += differs(f"cell {square}", sign, found)
    return wrong


def judge_home(played: Played, rest: str) -> list[str]:
    """`home Ak`: leaders that are with their owners at the end."""
    off = [sign for sign in rest.split() if not played.state.board.place_of(read_leader(sign))]
    return differs("home", rest.split(), off)


def judge_illegal(played: Played, rest: str) -> list[str]:
    """`illegal RULE`: the last order is refused for this rule.

    A scenario of another source may name any of the rules that are broken.
    """
    if not played.broken:
        return [f"expected a refusal for {rest}, but the last order was accepted"]
    named = [rule.value for rule in played.broken]
    return differs("illegal", rest, named[0] if played.exact or rest not in named else rest)


def judge_out(played: Played, rest: str) -> list[str]:
    """`out r3`: all tiles that left the game."""
    return differs("out", read_tiles(rest), played.state.out.less(played.before.out))


def judge_hand(played: Played, rest: str) -> list[str]:
    """`hand A 3`: the number of tiles in a hand."""
    letter, number = rest.split()
    return differs(rest, int(number), played.state.seat(DYNASTY_OF[letter]).hand.total)


def judge_final(played: Played, rest: str) -> list[str]:
    """`final A 9,12,14,22`: the points with the treasures placed, sorted."""
    letter, numbers = rest.split()
    rows = {row.player: row.after for row in final_rows(played.state)}
    expected = [int(number) for number in numbers.split(",")]
    return differs(f"final {letter}", expected, sorted(rows[DYNASTY_OF[letter]]))


def judge_winners(played: Played, rest: str) -> list[str]:
    """`winners AB`: who would share the first rank if the game ended now."""
    first = {INITIAL[row.player] for row in final_rows(played.state) if row.rank == 1}
    return differs("winners", sorted(rest), sorted(first))


def actions_left(state: State) -> int:
    """How many actions the player on turn still has."""
    for step in reversed(state.agenda):
        if isinstance(step, q.AskAction):
            return 3 - step.number
        if isinstance(step, q.EndAction):
            return 2 - step.number
    return 0


JUDGES: dict[str, Callable[[Played, str], list[str]]] = {
    "cells": judge_cells,
    "home": judge_home,
    "illegal": judge_illegal,
    "out": judge_out,
    "hand": judge_hand,
    "final": judge_final,
    "winners": judge_winners,
    "asked": lambda played, rest: differs("asked", rest.split(), played.asked),
    "nconf": lambda played, rest: differs("nconf", int(rest), len(played.conflicts)),
    "bag": lambda played, rest: differs("bag", int(rest), len(played.state.bag)),
    "left": lambda played, rest: differs("left", int(rest), actions_left(played.state)),
    "over": lambda played, rest: differs("over", rest, "yes" if played.state.over else "no"),
    "score": lambda _played, _rest: [],  # all lines together: judge_scores
    "strength": lambda _played, _rest: [],  # all lines together: judge_together
}


def report(scenario: dict[str, Any], played: Played, wrong: list[str]) -> str:
    """What a reader needs to see at once: the two boards, the orders, the complaints."""
    squares = [word.partition("=")[0] for line in scenario["expect"] for word in line.split()]
    return "\n".join(
        [
            f"{scenario['id']}: {scenario['title']} ({scenario['why']})",
            draw(played.before.board),
            "  ".join(scenario["orders"]),
            draw(played.state.board, squares),
            *wrong,
        ]
    )
