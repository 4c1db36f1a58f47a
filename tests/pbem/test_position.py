"""A state survives its text, and whatever is wrong with a text is named with its line."""

import random
from collections.abc import Iterator
from typing import get_args

import pytest

from engine.advance import advance
from engine.board import Board, opening
from engine.legal import legal_orders
from engine.options import Options
from engine.pieces import TILES_IN_BOX, ByColour, Dynasty, Leader, Monument, count
from engine.questions import (
    AskAction,
    AskAttack,
    AskDefence,
    AskWar,
    CollectTreasures,
    Conflict,
    EndAction,
    FightWars,
    NextTurn,
    Step,
)
from engine.setup import new_game
from engine.squares import BIT, mask_of
from engine.state import State
from pbem.agenda import SENTENCES, read_step, write_step
from pbem.mapnotation import HEADING, read_map, write_map
from pbem.optiontext import ALLOWED, FOR_GAMES, parse_option
from pbem.position import Base, read_position, write_state

SEATS: tuple[Dynasty, ...] = ("archer", "bull", "lion", "pot")


def game(options: Options | None = None, players: int = 2) -> State:
    return new_game(SEATS[:players], "a seed", options)


def states(seed: int, players: int, options: Options) -> Iterator[State]:
    """The states of a random game, orders late in the list more often than the first ones."""
    choose = random.Random(seed)
    state = new_game(SEATS[:players], str(seed), options)
    while state.question is not None:
        yield state
        orders = legal_orders(state)
        order = orders[int(len(orders) * choose.random())]
        state = advance(state, state.question.player, order).state
    yield state


def messages(text: str, base: Base | None = None) -> list[str]:
    """What is wrong with a text, as `line: message`."""
    state, problems = read_position(text, base)
    assert (state is None) == bool(problems)
    return [f"{problem.line}: {problem.message}" for problem in problems]


def changed(state: State, old: str, new: str) -> str:
    text = write_state(state)
    assert text.count(old) >= 1
    return text.replace(old, new, 1)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(board="advanced", treasure_timing="turn", split_side="original"),
        Options(bag_end="empty", open_scoring=True, test_refill="seats", test_priority="I11"),
    ],
)
def test_every_state_of_a_game_survives_its_text(players: int, options: Options) -> None:
    for state in states(players, players, options):
        assert read_position(write_state(state)) == (state, ())


def test_the_text_is_the_same_every_time() -> None:
    state = game()
    text = write_state(state)
    again, _ = read_position(text)
    assert again is not None
    assert write_state(again) == text


def test_a_state_that_no_rule_leads_to_is_written_without_loss() -> None:
    war = Conflict("red", "bull", "archer", "F6", (mask_of(["A1", "B2"]), 0, mask_of(["P11"])))
    agenda = (NextTurn(), EndAction(7), FightWars("F6"), AskDefence("bull", war, 3))
    state = game()._replace(
        agenda=agenda, monuments=(Monument(("red", "black"), None, "red"),), bag=""
    )
    text = write_state(state)
    assert "bag: none" in text
    assert "at: nowhere" in text
    assert "  - ask bull for support as defender against 3 sent in the red war" in text
    _, problems = read_position(text)
    assert problems
    assert all("agenda[" not in problem.message for problem in problems)


def test_the_plain_question_is_one_short_line() -> None:
    text = write_state(game())
    assert "question: ask archer for action 1\n" in text
    assert "action:" not in text.replace("question:", "")
    assert "agenda" not in text
    assert "question: none" in write_state(game()._replace(agenda=()))


def test_each_step_has_a_sentence_and_comes_back() -> None:
    kinds = {kind for union in get_args(Step) for kind in (get_args(union) or (union,))}
    assert kinds == {*SENTENCES}
    revolt = Conflict("black", "archer", "bull")
    for step in (AskAttack("archer", revolt), AskWar("lion", "P11", (0, 1)), CollectTreasures()):
        assert read_step(write_step(step)) == step


@pytest.mark.parametrize(
    "words",
    ["", "ask", "ask nobody for action 1", "fight the wars round Q1", "end action",
     "ask archer for support as attacker in the wrong words",
     "fight the wars round A1 from A1 /"],
)  # fmt: skip
def test_other_sentences_are_no_steps(words: str) -> None:
    assert read_step(words) is None


def test_a_map_has_labels_that_may_be_left_out() -> None:
    board = opening("standard").with_leader(Leader("pot", "green"), BIT["B1"])
    bare = write_map(board)
    assert len(bare) == 11
    assert bare[0].startswith(".. Pg")
    picture = labelled(board)
    assert read_map(bare, "standard") == read_map(picture, "standard") == (board, [])
    assert read_map(["", *picture, ""], "standard") == (board, [])


def labelled(board: Board) -> list[str]:
    """A picture with its labels, as it stands in a report."""
    rows = [f"{number:>2}  {row}" for number, row in enumerate(write_map(board), start=1)]
    return [f"    {HEADING}", *rows]


def test_double_colons_mean_as_at_the_start() -> None:
    rows = [" ".join(["::"] * 16)] * 11
    assert read_map(rows, "advanced") == (opening("advanced"), [])


@pytest.mark.parametrize(
    ("row", "old", "new", "square", "words"),
    [
        (1, ".. ..", "A* ..", "A1", "a treasure lies on a temple"),
        (1, ".. ..", "?? ..", "A1", "no sign of a map"),
        (1, ".. ..", "aK ..", "A1", "did you mean `Ak`?"),
        (1, ".. ..", "b. ..", "A1", "A1 is land, a farm lies on a river"),
        (1, "~~", "k.", "E1", "E1 is river, a settlement lies on land"),
        (1, "~~", "Ak", "E1", "a leader stands on land"),
        (1, ".. ..", "~~ ..", "A1", "written `..` when empty"),
        (1, ".. ..", "Ak Ak", "B1", "stands on A1 and B1"),
        (1, ".. ..", "..", None, "row 1 has 15 squares"),
        (1, ".. ..", ".. .. ..", None, "row 1 has 17 squares"),
        (3, " 3 ", " 4 ", None, "row 3 is labelled 4"),
    ],
)
def test_faults_of_a_map_name_row_and_square(
    row: int, old: str, new: str, square: str | None, words: str
) -> None:
    picture = labelled(opening("standard"))
    picture[row] = picture[row].replace(old, new, 1)
    (fault,) = read_map(picture, "standard")[1]
    assert (fault.row, fault.square) == (row, square)
    assert words in fault.message


@pytest.mark.parametrize("rows", [0, 10, 12])
def test_a_map_has_eleven_rows(rows: int) -> None:
    faults = read_map([" ".join(["::"] * 16)] * rows, "standard")[1]
    assert [fault.message for fault in faults] == [f"the map has {rows} rows, a board has 11"]


def test_a_fault_in_the_map_has_the_line_of_the_file() -> None:
    text = changed(game(), "  .. ..", "  .. ??")
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "??" in row)
    assert messages(text) == [f"{line}: $.map: B1: `??` is no sign of a map"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("turn: 1", "turn: 0", "$.turn: `0` should be a whole number from 1 on"),
        ("turn: 1", "turn: x", "$.turn: `x` should be a whole number from 1 on"),
        ("turn: 1\n", "", "$: `turn` is missing"),
        ("turn: 1", "turn: [1]", "$.turn: should be a text, not a list"),
        ("turn: 1", "turn: 1\ntrun: 1", "$.trun: unknown key; known are options, seats"),
        ("active: archer", "active: pot", "$.active: `pot` should be one of archer, bull"),
        ("seats: archer bull", "seats: archer cow", "$.seats: `archer cow` should be different"),
        ("open_scoring: no", "open_scoring: 0", "$.options.open_scoring: `0` should be one of"),
        ("  board: standard", "  bord: standard", "$.options.bord: unknown key"),
        ("t0", "t0 r1", "$.points.archer: `r1` should be an amount"),
        ("  archer: 2", "  archer: 3", "$.catastrophes.archer: `3` should be a whole number from"),
        ("monuments: []", "monuments: [{pair: red/red, at: E5, tiles: red}]",
         "$.monuments[0].pair: `red/red` should be one of"),
        ("monuments: []", "monuments: [{pair: red/black, at: Q5, tiles: red}]",
         "$.monuments[0].at: `Q5` should be the top left square"),
        ("monuments: []", "monuments: [{pair: red/black, at: E5}]",
         "$.monuments[0]: `tiles` is missing"),
        ("ask archer for action 1", "what now", "$.question: `what now` is no question"),
        ("ask archer for action 1", "collect treasures", "$.question: `collect treasures` is no"),
        ("question:", "agenda: [what]\nquestion:", "$.agenda[0]: `what` is no step of a turn"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named_with_path_and_line(old: str, new: str, expected: str) -> None:
    text = changed(game(), old, new)
    assert any(expected in message for message in messages(text)), messages(text)


def test_all_that_is_wrong_is_found_at_once() -> None:
    text = changed(game(), "turn: 1", "turn: x").replace("serial: 1", "serial: y")
    text = text.replace("ask archer", "ask somebody")
    assert len(messages(text)) == 3


def test_broken_invariants_are_named() -> None:
    state = game()
    lost = state._replace(bag=state.bag[1:])
    assert [m for m in messages(write_state(lost)) if "instead of" in m]


def test_a_position_without_anything_is_the_start() -> None:
    base = Base(game(), "a seed")
    assert read_position("", base) == (base.state, ())
    assert read_position("turn: 1\n", base) == (base.state, ())


def test_a_position_with_a_pasted_picture_and_hands() -> None:
    picture = "\n".join(labelled(opening("standard"))).replace(" 1  .. ..", " 1  .. Ak")
    indented = "\n".join(f" {line}" for line in picture.splitlines())
    text = f"map: |\n{indented}\nhands:\n  bull: r6\nturn: 9\naction: 2\n"
    state, problems = read_position(text, Base(game(), "a seed"))
    assert problems == ()
    assert state is not None
    assert state.board.leader_at(BIT["B1"]) == Leader("archer", "black")
    assert state.seat("bull").hand == ByColour(red=6)
    assert state.seat("archer").hand.total == 6
    assert state.agenda == (AskAction("archer", 2),)
    assert len(state.bag) == 153 - 10 - 12


def test_what_is_absent_makes_153_tiles_in_all() -> None:
    base = Base(game(players=3), "a seed")
    text = "bag: rrrrrrrrrr bbbbb\nactive: lion\n"
    state, problems = read_position(text, base)
    assert problems == ()
    assert state is not None
    assert state.bag == "r" * 10 + "b" * 5
    hands = sum(seat.hand.total for seat in state.seats)
    assert (hands, state.out.total) == (18, 153 - 10 - 15 - 18)
    assert count(state.bag).add(state.out).red < TILES_IN_BOX.red


def test_the_same_secret_deals_the_same_hands() -> None:
    base = Base(game(), "one")
    first, _ = read_position("out: r1 b1\n", base)
    again, _ = read_position("out: r1 b1\n", base)
    other, _ = read_position("out: r1 b1\n", base._replace(seed="two"))
    assert first == again
    assert first != other


def test_a_position_may_choose_the_board_but_not_other_seats() -> None:
    base = Base(game(), "a seed")
    state, problems = read_position("options: {board: advanced}\n", base)
    assert problems == ()
    assert state is not None
    assert state.board == opening("advanced")
    assert messages("seats: bull archer\n", base) == [
        "1: $.seats: the seats of the game are archer bull"
    ]


def test_action_and_question_must_agree() -> None:
    base = Base(game(), "a seed")
    text = "action: 2\nquestion: ask archer for action 1\n"
    assert messages(text, base) == ["1: $.action: 2 does not fit the question"]


@pytest.mark.parametrize("text", ["- a", "a: *x", "a: 1\na: 2", "\x00", "map: |\n x", "map: [a]"])
def test_whatever_it_is_nothing_is_raised(text: str) -> None:
    assert messages(text)
    assert messages(text, Base(game(), "a seed"))


@pytest.mark.parametrize("seed", range(40))
def test_broken_texts_raise_nothing(seed: int) -> None:
    chance = random.Random(seed)
    text = write_state(game(players=4))
    for _ in range(25):
        at = chance.randrange(len(text))
        broken = text[:at] + chance.choice(["", "x", "\n", ":", "- ", "9"]) + text[at + 1 :]
        state, problems = read_position(broken)
        assert (state is None) == bool(problems)


def test_options_on_the_command_line() -> None:
    assert parse_option("board=advanced") == ("board", "advanced")
    assert parse_option("Open_Scoring = YES") == ("open_scoring", True)
    assert isinstance(parse_option("board"), str)
    assert isinstance(parse_option("board=round"), str)
    assert isinstance(parse_option("test_refill=seats"), str)
    assert {*FOR_GAMES} < {*ALLOWED}


@pytest.mark.parametrize("pair", ["red/black", "settlement/temple"])
def test_a_monument_is_named_by_colours_or_tiles(pair: str) -> None:
    signs = [["::"] * 16 for _ in range(11)]
    for row, column in ((4, 4), (4, 5), (5, 4), (5, 5)):
        signs[row][column] = "xx"
    picture = "\n".join(f"  {' '.join(row)}" for row in signs)
    text = f"map: |\n{picture}\nmonuments:\n  - {{pair: {pair}, at: E5, tiles: black}}\n"
    state, problems = read_position(text, Base(game(), "a seed"))
    assert problems == ()
    assert state is not None
    assert state.monuments == (Monument(("red", "black"), "E5", "black"),)
