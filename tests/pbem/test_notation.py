"""One line of text and one order are the same thing in both directions."""

import pytest

from engine.orders import (
    BuildMonument,
    ChooseWar,
    DeclineMonument,
    Exchange,
    LeaveTreasure,
    Order,
    Pass,
    PlaceCatastrophe,
    PlaceLeader,
    PlaceTile,
    Support,
    WithdrawLeader,
)
from engine.pieces import COLOURS, NONE, PAIRS, ByColour
from engine.squares import SQUARES
from pbem.notation import PassAll, read_action, read_answer, read_order, write_order
from pbem.problem import Problem


def every_order() -> list[Order]:
    """Orders of every kind, with every colour, square and pair."""
    orders: list[Order] = [Pass(), DeclineMonument()]
    orders += [PlaceTile(c, at) for c in COLOURS for at in SQUARES]
    orders += [PlaceLeader(c, at) for c in COLOURS for at in SQUARES]
    orders += [WithdrawLeader(c) for c in COLOURS] + [ChooseWar(c) for c in COLOURS]
    orders += [PlaceCatastrophe(at) for at in SQUARES] + [LeaveTreasure(at) for at in SQUARES]
    orders += [Exchange(ByColour(a, b, 1, 2)) for a in range(4) for b in range(12)]
    orders += [Exchange(NONE)] + [Support(n) for n in range(12)]
    orders += [BuildMonument(pair, at) for pair in PAIRS for at in SQUARES]
    return orders


def test_what_is_written_reads_as_the_same_order() -> None:
    for order in every_order():
        assert read_order(write_order(order)) == order
    assert read_action(write_order(PassAll())) == PassAll()


@pytest.mark.parametrize(
    "line",
    [
        "temple F4", "king F5", "withdraw king", "catastrophe F9", "swap temple temple farm",
        "pass", "support 2", "war black", "monument temple/farm E5", "monument none", "leave K11",
    ],
)  # fmt: skip
def test_canonical_lines(line: str) -> None:
    order = read_order(line)
    assert not isinstance(order, Problem)
    assert write_order(order) == line
    assert read_order(f"  {line.upper().replace(' ', '   ')} ") == order


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("red F4", "temple F4"),
        ("green A1", "market A1"),
        ("withdraw black", "withdraw king"),
        ("swap 2 temple, farm", "swap temple temple farm"),
        ("swap red farms 2 green", "swap temple farm market market"),
        ("monument blue/red e5", "monument temple/farm E5"),
        ("war king", "war black"),
    ],
)
def test_other_spellings(text: str, line: str) -> None:
    order = read_order(text)
    assert not isinstance(order, Problem)
    assert write_order(order) == line


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("tempel F4", "temple F4"),
        ("fram F4", "farm F4"),
        ("temple 4F", "temple F4"),
        ("temple F 4", "temple F4"),
        ("temple F04", "temple F4"),
        ("temple F1O", "temple F10"),
        ("F4 temple", "temple F4"),
        ("temple at F4", "temple F4"),
        ("place temple F4", "temple F4"),
        ("temple: F4", "temple F4"),
        ("temple f4.", "temple F4"),
        ("leader black F5", "king F5"),
        ("tile red F5", "temple F5"),
        ("move king to F5", "king F5"),
        ("kign F5", "king F5"),
        ("t\u0435mple F4", "temple F4"),
        ("withdraw kign", "withdraw king"),
        ("exchange temple", "swap temple"),
        ("sawp 2 temple", "swap temple temple"),
        ("swap fram", "swap farm"),
        ("pas", "pass"),
        ("pass al", "pass all"),
    ],
)
def test_slips_are_refused_with_what_was_meant(text: str, meant: str) -> None:
    problem = read_action(text)
    assert isinstance(problem, Problem)
    assert problem.meant == meant
    assert problem.read == text
    assert not isinstance(read_action(meant), Problem)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("temple F17", "perhaps F1 or F7"),
        ("temple Q4", "columns are A to P"),
        ("temple", "a square is missing"),
        ("temple F4 G4", "F4 G4"),
        ("farme F4", "not an action"),
        ("swap", "name the tiles"),
        ("swap 2", "name the tiles"),
        ("withdraw", "missing"),
        ("", "missing"),
        ("support 2", "not an action"),
        ("xyzzy", "not an action"),
    ],
)
def test_what_is_not_certain_is_not_guessed(text: str, word: str) -> None:
    problem = read_action(text)
    assert isinstance(problem, Problem)
    assert word in problem.message
    assert problem.meant is None


@pytest.mark.parametrize(
    "text",
    ["support", "support win", "support -1", "war", "war pink", "monument", "monument temple/farm",
     "monument red/red E5", "monument E5", "leave", "leave Q1", "temple F4", "support \u0662"],
)  # fmt: skip
def test_answers_that_are_none(text: str) -> None:
    assert isinstance(read_answer(text), Problem)


def test_pass_all_is_no_single_order() -> None:
    assert isinstance(read_order("pass all"), Problem)
