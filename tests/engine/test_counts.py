"""How many orders are legal, one and two decisions deep, in positions that are drawn.

A wrong number says that a rule of placing is wrong even where no other test looks. The numbers
in `counts.yaml` were compared with a count of everything conceivable that is not refused;
`test_brute_force` does so again, for the first decision always, for the second if `slow`.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.advance import advance
from engine.legal import legal_orders
from engine.legality import refusal
from engine.orders import Order
from engine.state import State
from tests.engine.test_scenarios import read_order
from tests.playouts import CONCEIVABLE
from tests.positions import draw, known, scenario_state

CASES: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("counts.yaml").read_text("utf-8")
)
OWN_FIELDS = ("name", "map", "orders", "depth 1", "depth 2")


def position(case: dict[str, Any]) -> State:
    """The position of a case, after the orders that lead to its question."""
    scenario = {key: value for key, value in case.items() if key not in OWN_FIELDS}
    state = scenario_state({**scenario, "frag": [["A1", case["map"].splitlines()]]})
    for line in case.get("orders", []):
        state = advance(state, *read_order(line)).state
    return state


def listed(state: State) -> Sequence[Order]:
    """What the list says."""
    return legal_orders(state)


def accepted(state: State) -> Sequence[Order]:
    """Everything conceivable that is not refused."""
    question = state.question
    if question is None:
        return []
    return [order for order in CONCEIVABLE if refusal(state, question.player, order) is None]


def one_deep(orders: Sequence[Order]) -> dict[str, int]:
    """The number of orders of each kind."""
    return dict(Counter(type(order).__name__ for order in orders))


def two_deep(state: State, *, brute: bool = False) -> dict[str, int]:
    """The number of pairs of decisions, by the kind of the first."""
    counts: Counter[str] = Counter()
    question = state.question
    assert question is not None
    for order in listed(state):
        following = advance(state, question.player, order).state
        counts[type(order).__name__] += len((accepted if brute else listed)(following))
    return dict(counts)


def same(case: dict[str, Any], depth: str, found: dict[str, int]) -> None:
    """Fail with both counts, kind by kind, and the board."""
    expected = case[depth]
    if expected == found:
        return
    kinds = sorted(expected.keys() | found.keys())
    rows = [f"  {kind:<18}{expected.get(kind, 0):>9}{found.get(kind, 0):>9}" for kind in kinds]
    total = f"  {'in all':<18}{sum(expected.values()):>9}{sum(found.values()):>9}"
    title = f"{case['name']}, {depth}: kind, expected, found"
    board = draw(position(case).board)
    pytest.fail("\n".join([board, title, *rows, total]), pytrace=False)


def named(case: dict[str, Any]) -> str:
    """The name of a case in pytest's list."""
    return str(case["name"])


@pytest.mark.parametrize("case", CASES, ids=named)
def test_counts(case: dict[str, Any]) -> None:
    """The lists of legal orders have the known lengths."""
    state = position(case)
    same(case, "depth 1", one_deep(listed(state)))
    same(case, "depth 2", two_deep(state))


@pytest.mark.parametrize("case", CASES, ids=named)
def test_brute_force(case: dict[str, Any]) -> None:
    """As many orders are accepted as are listed."""
    same(case, "depth 1", one_deep(accepted(position(case))))


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=named)
def test_brute_force_two_deep(case: dict[str, Any]) -> None:
    """The same for every second decision."""
    same(case, "depth 2", two_deep(position(case), brute=True))


def test_cases_are_read_whole() -> None:
    """Every field is understood, and there is at least a dozen."""
    assert len(CASES) >= 12
    for case in CASES:
        known(case, {*OWN_FIELDS, "players", "board", "opts", "hands", "cats", "mon"}, "fields")
