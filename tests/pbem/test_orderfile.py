"""Order files: what is understood, what is refused with which line, what is offered instead."""

import random
import time

import pytest

from engine.orders import Exchange, Pass, PlaceLeader, PlaceTile, WithdrawLeader
from engine.pieces import ByColour
from pbem.normalform import normal_data, normal_form
from pbem.notation import PassAll
from pbem.orderfile import MAX_PRESS, OrderFile, read_order_file
from pbem.orderitems import ActionItem
from pbem.riders import MonumentWish, SupportWish

HEAD = "game: ur-1\nplayer: archer\nturn: 7\n"


def read(body: str) -> OrderFile:
    """A file of archer's that begins in the usual way; the body begins in line 4."""
    return read_order_file((HEAD + body).encode())


def good(body: str) -> OrderFile:
    """The same, without a problem."""
    order_file = read(body)
    assert order_file.problems == ()
    return order_file


def actions(body: str) -> tuple[ActionItem, ...]:
    """The actions of a good file."""
    items = good(body).actions
    assert items is not None
    return items


def places(order_file: OrderFile) -> list[tuple[int | None, str, str | None]]:
    """Line, what was read and what was meant, of every problem."""
    return [(p.line, p.read, p.meant) for p in order_file.problems]


def test_the_example_of_the_contract() -> None:
    order_file = good(
        "actions:\n  - temple F4               # short form\n"
        '  - leader: king            # long form of "king F5"\n    at: F5\n    support: 2\n'
    )
    assert (order_file.game, order_file.player, order_file.turn) == ("ur-1", "archer", "7")
    first, second = order_file.actions or ()
    assert (first.order, first.line) == (PlaceTile("red", "F4"), 5)
    assert (second.order, second.line) == (PlaceLeader("black", "F5"), 6)
    assert second.riders.support == SupportWish("number", 2)
    assert order_file.repairs == ()
    assert order_file.line_of("actions") == 4


@pytest.mark.parametrize(
    "body",
    [
        "actions: temple F4, king F5",
        "actions: TEMPLE f4 ,  King  F5",
        "actions: [temple F4, king F5]",
        "actions:\n- red F4\n- leader: black\n  at: F5",
        "Actions :\n  - Tile: RED\n    At: f4\n  - {leader: king, at: F5}",
        "actions:\n  - tile: temple\n    at: F4\n  - king F5\nend\nbye: [",
    ],
)
def test_spellings_of_the_same_orders(body: str) -> None:
    orders = [item.order for item in actions(body)]
    assert orders == [PlaceTile("red", "F4"), PlaceLeader("black", "F5")]


def test_an_exchange_in_one_line_goes_on_after_a_comma() -> None:
    orders = [item.order for item in actions("actions: swap 2 temple, farm, king F5")]
    assert orders == [Exchange(ByColour(2, 1)), PlaceLeader("black", "F5")]


@pytest.mark.parametrize(
    ("body", "order"),
    [
        ("- withdraw: black", WithdrawLeader("black")),
        ("- swap: temple temple farm", Exchange(ByColour(2, 1))),
        ("- swap: [2 temple, farm]", Exchange(ByColour(2, 1))),
        ("- pass:", Pass()),
        ("- pass", Pass()),
        ("- pass: all", PassAll()),
        ("- pass all", PassAll()),
    ],
)
def test_other_actions(body: str, order: object) -> None:
    assert [item.order for item in actions(f"actions:\n{body}\n")] == [order]


def test_a_tile_carries_every_rider() -> None:
    (item,) = actions(
        "actions:\n  - tile: temple\n    at: F4\n    support: {black: 2, red: win+2}\n"
        "    wars: black, red\n    monument: farm/temple\n    square: e5\n    leave: [K11, I5]\n"
    )
    assert item.riders.support_in == (
        ("black", SupportWish("number", 2)),
        ("red", SupportWish("win", 2)),
    )
    assert item.riders.wish_in("red") == SupportWish("win", 2)
    assert item.riders.wish_in("blue") is None
    assert item.riders.wars == ("black", "red")
    assert item.riders.monument == MonumentWish(("red", "blue"), "E5")
    assert item.riders.leave == ("K11", "I5")


@pytest.mark.parametrize(("text", "origin"), [("hand", "hand"), ("e5", "E5")])
def test_where_a_leader_comes_from(text: str, origin: str) -> None:
    (item,) = actions(f"actions:\n  - leader: king\n    at: F5\n    from: {text}\n")
    assert item.origin == origin


@pytest.mark.parametrize("text", ["2", "0", "all", "none", "win", "win+2"])
def test_support_is_a_wish(text: str) -> None:
    order_file = good(f"answers: 7.3 support {text.upper()}")
    (item,) = order_file.answers or ()
    assert item.question == "7.3"
    assert item.riders.support is not None
    assert item.riders.support.text == text


def test_answers_in_one_line() -> None:
    order_file = good("answers: 7.3 support 2, 7.4 wars black, red, 7b.1 leave k11, 7.5 war green")
    first, second, third, fourth = order_file.answers or ()
    assert first.riders.support == SupportWish("number", 2)
    assert second.riders.wars == ("black", "red")
    assert (third.question, third.riders.leave) == ("7b.1", ("K11",))
    assert fourth.riders.wars == ("green",)


def test_monument_and_square_are_one_answer() -> None:
    order_file = good(
        "answers:\n  - question: 7.3\n    monument: temple/farm\n    square: E5\n"
        "  - question: 07.4\n    monument: none\n  - 7.5 monument red/blue e5\n"
    )
    wishes = [(item.question, item.riders.monument) for item in order_file.answers or ()]
    assert wishes == [
        ("7.3", MonumentWish(("red", "blue"), "E5")),
        ("7.4", MonumentWish(None)),
        ("7.5", MonumentWish(("red", "blue"), "E5")),
    ]


def test_texts_are_kept_as_written() -> None:
    order_file = good("press: |\n  Hi “you”,\n    see  you\u00a0\nnote: 'No: 7'\nkey:  Ab-12 \n")
    assert order_file.press == "Hi “you”,\n  see  you\u00a0\n"
    assert order_file.note == "No: 7"
    assert order_file.key == "Ab-12"
    assert order_file.repairs == ()


def test_scalars_are_text() -> None:
    order_file = read_order_file(b"game: ur-3\nplayer: archer\nturn: 010\nnote: no\n")
    assert (order_file.turn, order_file.note, order_file.problems) == ("10", "no", ())


def test_a_turn_played_again() -> None:
    order_file = read_order_file(b"game: a\nplayer: pot\nturn: 7B\naction: 2\nactions: pass\n")
    assert (order_file.turn, order_file.first_action, order_file.problems) == ("7b", 2, ())


@pytest.mark.parametrize(
    ("body", "line", "read", "meant"),
    [
        ("actions:\n  - temple F4\n  - tempel F7\n", 6, "tempel F7", "temple F7"),
        ("actions: temple F4, tempel F7\n", 4, "tempel F7", "temple F7"),
        ("acitons: temple F4\n", 4, "acitons:", "actions:"),
        ("actions:\n  - tile: temple\n    on: F4\n", 6, "on:", "at:"),
        ("actions:\n  - tiel: temple\n    at: F4\n", 5, "tiel:", "tile:"),
        ("actions:\n  - temple: F4\n", 5, "temple: F4", "temple F4"),
        ("actions:\n  - tile: temple F4\n", 5, "tile: temple F4", "temple F4"),
        ("actions:\n  - tile: king\n    at: F4\n", 5, "tile: king", "leader: king"),
        ("actions:\n  - tile: temple\n    at: 4F\n", 6, "4F", "F4"),
        ("actions:\n  -temple F4\n", 5, "-temple F4", "- temple F4"),
        ("actions:\n  - temple F4\n  -leader: king\n    at: F5\n", 6, "-leader: king",
         "- leader: king"),
        ("answers:\n  - question: 7,3\n    support: win\n", 5, "7,3", "7.3"),
        ("answers:\n  - 7.3: support 2\n", 5, "7.3: support 2", "7.3 support 2"),
        ("answers: 7.3 suport 2\n", 4, "suport", "support"),
        ("answers: 7.3 support two\n", 4, "two", "2"),
        ("answers: 7.3 support 2 tiles\n", 4, "2 tiles", "2"),
        ("answers: 7.3 wars blakc\n", 4, "blakc", "black"),
        ("answers: 7.3 monument temple-farm\n", 4, "temple-farm", "temple/farm"),
        ("action: temple F4\n", 4, "action:", "actions:"),
        ("press: hello: you\n", 4, "hello: you", "'hello: you'"),
        ("note: *wow*\n", 4, "*wow*", "'*wow*'"),
        ("note: it's 'all' mine: yes\n", 4, "it's 'all' mine: yes", "'it''s ''all'' mine: yes'"),
    ],
)  # fmt: skip
def test_slips_are_named_and_repaired(body: str, line: int, read: str, meant: str) -> None:
    order_file = read_order_file((HEAD + body).encode())
    assert places(order_file) == [(line, read, meant)]
    assert "# ??" not in order_file.repaired
    again = read_order_file(order_file.repaired.encode())
    assert again.problems == ()
    assert order_file.repaired.count("\n") == (HEAD + body).count("\n")


TWO_ACTIONS = "actions:\n  - temple F4\n  - king F5\n"
TWO_ANSWERS = "answers:\n  - question: 7.3\n    support: 2\n  - question: 7.4\n    wars: red\n"


@pytest.mark.parametrize(
    ("body", "right", "lines"),
    [
        ("answers:\n  question: 7.3\n  support: 2\n  question: 7.4\n  wars: red\n", TWO_ANSWERS,
         [5, 7]),
        ("actions:\n  tile: temple\n  at: F4\n  leader: king\n  at: F5\n", TWO_ACTIONS, [5, 7]),
        ("actions:\n  temple F4\n  king F5\n", TWO_ACTIONS, [5, 6]),
        ("actions: |\n  temple F4\n  king F5\n", TWO_ACTIONS, [4, 5, 6]),
        ("actions:\n  1. temple F4\n  2. king F5\n", TWO_ACTIONS, [5, 6]),
        ("actions:\n  1) temple F4\n  king F5\n", TWO_ACTIONS, [5, 6]),
        ("actions:\n  - 1. temple F4\n  - 2) king F5\n", TWO_ACTIONS, [5, 6]),
        ("actions: temples F4, kings F5\n", TWO_ACTIONS, [4, 4]),
    ],
)  # fmt: skip
def test_lists_without_hyphens_and_with_numbers_are_repaired(
    body: str, right: str, lines: list[int]
) -> None:
    order_file = read(body)
    assert [problem.line for problem in order_file.problems] == lines
    again = read_order_file(order_file.repaired.encode())
    assert again.problems == ()
    assert normal_data(again) == normal_data(good(right))


def test_wide_lines_come_back_in_several_that_say_the_same() -> None:
    words = " ".join(["on and: on"] * 20)
    body = f'press: "{words}"\nanswers: {", ".join(f"7.{n} leave A1" for n in range(1, 12))}\n'
    order_file = read(body + "turn: 7\n")
    assert max(map(len, order_file.repaired.split("\n"))) <= 78
    again = read_order_file(order_file.repaired.replace("turn: 7\n", "", 1).encode())
    assert again.press == words
    assert len(again.answers or ()) == 11


@pytest.mark.parametrize(
    "line", ["temple/market square J6", "temple/market, square J6", "red/green  Square j6"]
)
def test_a_monument_in_one_line_as_the_form_lists_it(line: str) -> None:
    first, second = good(f"answers: 7.3 monument {line}, 7.4 leave K1").answers or ()
    assert first.riders.monument == MonumentWish(("red", "green"), "J6")
    assert second.question == "7.4"


@pytest.mark.parametrize(
    ("body", "line", "word"),
    [
        ("actions:\n  - tile: temple\n", 5, "at: F4"),
        ("actions:\n  - at: F4\n", 5, "names no action"),
        ("actions:\n  - tile: temple\n    at: F17\n", 6, "F1 or F7"),
        ("actions:\n  - tile: temple\n    at: F4\n    building: E5\n", 7, "variant"),
        ("actions:\n  - tile: temple\n    leader: king\n    at: F4\n", 6, "two actions"),
        ("actions:\n  - pass:\n    support: 2\n", 6, "does not belong to pass"),
        ("actions:\n  - withdraw: king\n    leave: K11\n", 6, "does not belong to withdraw"),
        ("actions:\n  - tile: farm\n    at: C4\n    from: hand\n", 7, "does not belong to tile"),
        ("actions:\n  - leader: king\n    at: F4\n    wars: red\n", 7, "does not belong"),
        ("actions:\n  - leader: king\n    at: F4\n    support: {red: 1}\n", 7, "revolt"),
        ("actions:\n  - tile: farm\n    at: C4\n    square: E5\n", 7, "monument"),
        ("actions: temple F4, king F5, pass\n", 4, "no action is left"),
        ("actions: temple F4, pass all, pass\n", 4, "no action is left"),
        ("action: 2\nactions: temple F4, king F5\n", 5, "no action is left"),
        ("action: 3\nactions: temple F4\n", 4, "action: 1 or action: 2"),
        ("actions:\n", 4, "empty"),
        ("actions:\n  at: F4\n  tile: temple\n", 5, "hyphen"),
        ("actions:\n tile: temple\n at: F4\n", 5, "hyphen"),
        ("actions:\n  - temple F4\n    support: 2\n", 6, "long form"),
        ("actions:\n  - - temple F4\n", 5, "list within"),
        ("standing: x\n", 4, "comes later"),
        ("answers:\n  - question: 7.3\n", 5, "says nothing"),
        ("answers:\n  - support: 2\n", 5, "question: 7.3"),
        ("answers: 7.3 temple F4\n", 4, "under actions"),
        ("answers: 7.3 support 1, 7.3 support 2\n", 4, "keep one"),
        ("answers: 7.3 monument none\nactions: &a [*a]\n", 5, "anchors"),
        ("actions: temple F4\nactions: farm C4\n", 5, "line 4"),
        (f"press: {'x' * (MAX_PRESS + 1)}\n", 4, "2000"),
        ('note: "\\x07"\n', 4, "U+0007"),
        ("actions: pass\n# my comment is a long one, and the tail\nnot let me: x\n", 6, "line 5"),
        ("actions: pass\n# my comment is a long one, and the tail\nnot let me\n", 6, "line 5"),
        ("actions: pass\n---\ngame: ur-2\n", 6, "second document"),
        ("actions:\n  - tile: temple\n\tat: F4\n", 6, "tabs"),
    ],
)
def test_what_is_not_certain_becomes_a_comment(body: str, line: int, word: str) -> None:
    order_file = read(body)
    assert [problem.line for problem in order_file.problems] == [line]
    assert word in order_file.problems[0].message
    assert "# ?? " in order_file.repaired


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", ["no orders"]),
        (b"# nothing\n", ["no orders"]),
        (b"game: a\nplayer: pot\n", ["no orders"]),
        (b"game: a\nplayer: pot\nactions: pass\n", ["turn is missing"]),
        (b"note: x\n", ["game is missing", "player is missing"]),
        (b"- temple F4\n", ["made of keys"]),
        (b"temple F4\n", ["made of keys"]),
        (b'game: "a\\u202e"\nplayer: pot\nnote: x\n', ["plain letters"]),
        (b"game: a\nplayer: pto\nnote: x\n", ["not a dynasty"]),
        (b"game: a\nplayer: pot\nturn: seven\nnote: x\n", ["turn is a number"]),
        (b"game: a player: pot turn: 7 actions: - tile: temple at: F4", ["attachment"]),
        (b"x" * 70000, ["64 KB"]),
        ("game: a\nplayer: pot\nnote: é\n".encode("latin-1"), ["UTF-8"]),
    ],
)
def test_files_that_are_no_order_files(data: bytes, words: list[str]) -> None:
    problems = read_order_file(data).problems
    assert len(problems) == len(words)
    for problem, word in zip(problems, words, strict=True):
        assert word in problem.message


def test_all_problems_are_reported_at_once_even_behind_broken_yaml() -> None:
    order_file = read(
        "acitons:\n  -tempel F4\n  - leader: kign\n    att: F17\n"
        "answers: 7,3 suport 2\nnote: a: b\n"
    )
    assert [problem.line for problem in order_file.problems] == [4, 5, 5, 6, 7, 7, 8, 8, 9]
    broken = read("actions:\n  - temple F17\nplease be quick\nnoet: x\n")
    assert [problem.line for problem in broken.problems] == [5, 6, 7]


SAME_ORDERS = HEAD + "actions:\n  - tile: temple\n    at: F4\n  - leader: king\n    at: F5\n"


@pytest.mark.parametrize(
    ("text", "lines", "kind"),
    [
        (SAME_ORDERS.replace("  ", "\u00a0 "), [5, 6, 7, 8], "space"),
        (SAME_ORDERS.replace(" 7", "\t7").replace("  -", "\t-").replace("    at", "\t  at"),
         [3, 5, 6, 7, 8], "space"),
        (SAME_ORDERS.replace("turn: 7", "Turn:7"), [3], "space"),
        (SAME_ORDERS.replace("at: F4", "at:F4"), [6], "space"),
        (SAME_ORDERS.replace("temple", "tem\u200bple"), [5], "space"),
        (SAME_ORDERS.replace("ur-1", "“ur-1”").replace("F4", "\u2018F4\u2019"), [1, 6], "sign"),
        (SAME_ORDERS.replace("- t", "\u2013 t").replace("- l", "\u2014 l"), [5, 7], "sign"),
    ],
)  # fmt: skip
def test_soft_repairs_do_not_change_the_meaning(text: str, lines: list[int], kind: str) -> None:
    order_file = read_order_file(text.encode())
    assert order_file.problems == ()
    assert normal_data(order_file) == normal_data(read_order_file(SAME_ORDERS.encode()))
    assert [(repair.line, repair.kind) for repair in order_file.repairs] == [
        (line, kind) for line in lines
    ]


def test_texts_are_not_repaired() -> None:
    order_file = good(
        "press: |\n  \u2013 “turn:7”\n  -a\u00a0\u200b\tb\nnote: '“x” \u2013 turn:8'\n"
    )
    assert order_file.press == "\u2013 “turn:7”\n-a\u00a0\u200b\tb\n"
    assert order_file.note == "“x” \u2013 turn:8"
    assert order_file.repairs == ()


def test_a_text_that_is_cut_by_a_comment_is_named() -> None:
    (repair,) = good("note: we are # 1\n").repairs
    assert (repair.line, repair.kind) == (4, "comment")


def test_the_normal_form_is_the_long_form() -> None:
    order_file = good("actions: swap 2 temple, farm, KING f5\npress: 'a: b'\nkey: secret\n")
    assert normal_form(order_file) == (
        HEAD + "actions:\n  - swap: temple temple farm\n  - leader: king\n    at: F5\n"
        'press: "a: b"\n'
    )


VALID = (
    SAME_ORDERS,
    HEAD
    + "actions: swap 2 temple, farm, king F5\nanswers: 7.3 support 2, 7.4 wars black\nend\nx\n",
    HEAD + "action: 2\nactions:\n  - tile: farm\n    at: C4\n    support: {black: 2, red: win}\n"
    "    wars: black, red\n    monument: temple/farm\n    square: E5\n    leave: [K11, I5]\n"
    "press: |\n  hello there\n  you\nnote: no\nkey: ab-12\n",
    "game: x\nplayer: lion\nanswers:\n  - question: 7.3\n    support: win+2\n  - 7.4 leave K11\n",
)
BITS = [
    *":-#'\"[]{},&*!|>%@`\t\n \r\\?~=<09z", "\u00a0", "\u200b", "“", "”", "\u2013", "\u2014",
    "\ufeff", "\x00", "\x07", "\x85", "\u2028", "é", "\x1b", "---\n", "...\n", "  ", "- ", ": ",
    "end\n", "\u212a",
    "\U0001f600", "<<", "&a", "*a", "!!x ", "%YAML 2.0\n", "\ud800",
]  # fmt: skip


def mutated(dice: random.Random, text: str) -> bytes:
    """The text with a few accidents."""
    for _ in range(dice.choice([1, 1, 2, 3, 6])):
        start = dice.randrange(len(text) + 1)
        stop = min(len(text), start + dice.randrange(6))
        rows = text.split("\n")
        row = dice.randrange(len(rows))
        match dice.randrange(6):
            case 0:
                text = text[:start] + dice.choice(BITS) + text[start:]
            case 1:
                text = text[:start] + text[stop:]
            case 2:
                text = text[:start] + dice.choice(BITS) + text[stop:]
            case 3:
                text = text[:start] + text[start:stop][::-1] + text[stop:]
            case 4:
                text = "\n".join([*rows[:row], rows[dice.randrange(len(rows))], *rows[row:]])
            case _:
                rows[row] = dice.choice(["", " ", "  ", "\t"]) + rows[row].lstrip()
                text = "\n".join(rows)
    return text.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("seed", range(4))
def test_whatever_comes_is_read_or_refused(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(800):
        data = mutated(dice, dice.choice(VALID))
        order_file = read_order_file(data)
        rows = data.count(b"\n") + data.count(b"\r") + 1
        assert all(p.line is None or 1 <= p.line <= rows for p in order_file.problems)
        if order_file.problems:
            continue
        assert order_file.player
        assert order_file.game
        assert order_file.game.isprintable()
        assert any(
            part is not None
            for part in (order_file.actions, order_file.answers, order_file.press, order_file.note)
        ) or set(dict(order_file.lines)) & {"press", "note"}
        again = read_order_file(normal_form(order_file).encode())
        if "press" in normal_data(order_file) or order_file.actions or order_file.answers:
            assert again.problems == ()
            assert normal_data(again) == normal_data(order_file)


@pytest.mark.parametrize(
    "body",
    ["actions: " + "[" * 60000, "k: v\n" * 12000, "actions: " + "x," * 30000, "{a: " * 15000,
     "\t- a\n" * 12000, "press: " + ": " * 30000, "- " * 30000, "note: x" + " " * 60000 + "y: z"],
)  # fmt: skip
def test_large_nonsense_is_refused_quickly(body: str) -> None:
    started = time.perf_counter()
    assert read_order_file((HEAD + body).encode()[:65000]).problems
    assert time.perf_counter() - started < 10
