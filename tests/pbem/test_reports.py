"""The text report: what it says to whom, that it fits the page, and that it tells no secret."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from typing import Any, get_args

import pytest
import yaml

import engine.view as v
from engine import events as e
from engine import orders as o
from engine.advance import advance
from engine.board import opening
from engine.hintview import (
    CatastropheHint,
    Clash,
    Hints,
    LeaderHint,
    LeaderHints,
    TileHint,
    TileHints,
)
from engine.legal import legal_orders
from engine.options import Options
from engine.pieces import DYNASTIES, ByColour, Dynasty, Leader, Monument
from engine.setup import new_game
from engine.sight import view
from engine.squares import SQUARES
from engine.state import State
from engine.tally import Deeds, Tally
from pbem.lines import WIDTH, columns
from pbem.orderfile import read_order_file
from pbem.places import places
from pbem.reports import Report, render
from pbem.reportvalues import Played, Press
from tests.positions import lay

PLAYERS: tuple[Dynasty, ...] = ("archer", "bull")
NOON = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
OURS, THEIRS = Leader("bull", "black"), Leader("archer", "black")
WAR = v.ConflictView(
    "black",
    "black",
    "G5",
    v.Side(THEIRS, "F4", 3, ("E5", "E6", "E7")),
    v.Side(OURS, "H5", 4, ("H6",)),
)
GREEN = WAR._replace(colour="green", support_colour="green")
REVOLT = WAR._replace(union=None, support_colour="red")
BLOCK = v.BlockView("E4", "red", (("red", "blue"), ("red", "green")))
QUESTIONS: dict[str, v.Asked] = {
    "first": v.ActionAsked("bull", 1),
    "second": v.ActionAsked("bull", 2),
    "attack": v.SupportAsked("bull", "attack", WAR, None, (GREEN,)),
    "defence": v.SupportAsked("bull", "defence", WAR, 2, ()),
    "revolt": v.SupportAsked("bull", "defence", REVOLT, 0, ()),
    "war": v.WarAsked("bull", "G5", (WAR, GREEN)),
    "monument": v.MonumentAsked("bull", "F5", (BLOCK,)),
    "monuments": v.MonumentAsked("bull", "F5", (BLOCK, BLOCK._replace(at="E5"))),
    "treasure": v.TreasureAsked("bull", "F5", ("B2", "I7"), (), ()),
    "priority": v.TreasureAsked("bull", "F5", ("B2", "I7"), ("B8",), ("B8",)),
}
SEATED: tuple[v.Viewer, ...] = (*DYNASTIES, "public")
VIEWERS: tuple[v.Viewer, ...] = ("archer", "bull", "public", "moderator")
NEWS: tuple[e.Event, ...] = (
    e.PointsScored("archer", "red", 1, "monument", "E5"),
    e.TilesDrawn("archer", 1, 0),
    e.TurnEnded("archer", 6),
    e.TurnBegan("bull", 7),
    e.TilePlaced("bull", "red", "F4", False),
    e.PointsScored("archer", "red", 1, "tile", "F4"),
)


def seen(viewer: v.Viewer = "bull", **changes: Any) -> v.View:
    """A view of an invented position."""
    board = view(new_game(PLAYERS, "seed"), viewer)
    king = v.LeaderView(THEIRS, "F4", 1, 3)
    monument = Monument(("blue", "green"), "C5", "green")
    given: dict[str, Any] = {
        "turn": 7,
        "active": "bull",
        "asked": QUESTIONS["first"],
        "kingdoms": (
            v.KingdomView((king,), ByColour(1, 0, 2, 3), ("F4",), ("E5", "F3"), (monument,)),
        ),
        "monuments": (monument,),
        "news": NEWS,
    }
    return board._replace(**(given | changes))


def told(viewer: v.Viewer = "bull", seen_: v.View | None = None, **changes: Any) -> Report:
    """A report on an invented position."""
    report = Report(
        game="ur-1",
        run=12,
        viewer=viewer,
        names={"archer": "Ana", "bull": "Bo"},
        view=seen_ or seen(viewer),
        question="7.3",
        turn_label="7",
        next_turn_label="8" if viewer == "archer" else None,
        written=NOON,
        waiting_since=NOON - timedelta(days=2, hours=1),
    )
    return report._replace(**changes)


def fits(text: str) -> None:
    """No line is too wide, none ends in a space, nothing was printed that should not be."""
    for line in text.splitlines():
        assert max(len(line), columns(line)) <= WIDTH, line
        assert line == line.rstrip()
    assert "None" not in text
    assert "\n\n\n" not in text


def form(text: str) -> str:
    """The order form of a report."""
    return text[text.index("\ngame: ") + 1 : text.index("\nend:") + 6]


def headings(text: str) -> list[str]:
    """The titles of the sections, in order."""
    lines = text.splitlines()
    return [a for a, b in pairwise(lines) if b and set(b) == {"-"}]


# -- the heading -----------------------------------------------------------------------------


def test_the_first_line_says_whether_it_is_your_move() -> None:
    first = {viewer: render(told(viewer)).splitlines()[0] for viewer in VIEWERS}
    assert first["bull"] == "YOUR MOVE in ur-1: turn 7, first action"
    assert first["archer"] == "NOT YOUR MOVE: ur-1 waits for bull (Bo)"
    assert first["public"] == "ur-1 waits for bull (Bo)"
    assert first["moderator"].startswith("SECRET: for the moderator only.")


def test_the_heading_says_whom_we_wait_for_since_when() -> None:
    text = render(told("archer", seen("archer", asked=QUESTIONS["defence"])))
    assert text.splitlines()[2:7] == [
        "Asked for: 7.3, support in a war",
        "Since: Friday 27 February 2026, 11:30 UTC",
        "Turn: 7, bull (Bo)",
        "Report: run 12, for archer (Ana)",
        "Written: Sunday 1 March 2026, 12:30 UTC",
    ]


def test_times_are_told_in_utc() -> None:
    written = NOON.astimezone(timezone(timedelta(hours=14)))
    assert "Written: Sunday 1 March 2026, 12:30 UTC" in render(told(written=written))


def test_an_anonymous_game_has_no_names() -> None:
    text = render(told("archer", names={}))
    assert text.startswith("NOT YOUR MOVE: ur-1 waits for bull\n")


def test_the_sections_stand_in_order() -> None:
    extra: dict[str, Any] = {
        "press": (Press("bull", "Hi"),),
        "notes": ("Note",),
        "messages": ("Dropped.",),
    }
    assert headings(render(told("bull", **extra))) == [
        "WHAT YOU DECIDE",
        "ORDER FORM: COPY, FILL IN, SEND",
        "YOUR ORDERS",
        "WHAT HAPPENED",
        "MAP",
        "KINGDOMS",
        "YOU, bull",
        "THE OTHERS",
        "ON THE BOARD",
        "PRESS",
        "NOTES FROM THE PLAYERS",
    ]


def test_a_notice_to_the_public_is_not_about_orders() -> None:
    text = render(told("public", messages=("The moderator took back run 3.",)))
    assert "A NOTICE FROM THE MODERATOR\n" in text
    assert "YOUR ORDERS" not in text


def test_a_game_that_is_over_does_not_say_when_it_ends() -> None:
    rule = "The game ends with the turn that leaves two or fewer."
    assert rule in " ".join(render(told()).split())
    over = seen(asked=None, over=True)
    text = " ".join(render(told("bull", over, question=None, waiting_since=None)).split())
    assert "Treasures: " in text
    assert rule not in text


def test_win_means_something_else_for_each_side() -> None:
    text = form(render(told("bull", seen(asked=QUESTIONS["attack"]))))
    assert "# win: the fewest that beat the defence's board, or 0\n" in text
    text = form(render(told("bull", seen(asked=QUESTIONS["defence"]))))
    assert "# win: the fewest that win, 0 if that cannot be\n" in text


# -- what is asked, and the form -------------------------------------------------------------


@pytest.mark.parametrize("asked", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_question_is_printed_for_everybody(asked: v.Asked, viewer: v.Viewer) -> None:
    text = render(told(viewer, seen(viewer, asked=asked)))
    fits(text)
    assert text.isascii()
    assert ("Your hand" in text) == (viewer == "bull")


@pytest.mark.parametrize(
    ("name", "filled"),
    [
        ("first", {"turn": "7", "actions": ["???"]}),
        ("second", {"turn": "7", "action": "2", "actions": ["???"]}),
        ("attack", {"answers": [{"question": "7.3", "support": "???"}]}),
        ("defence", {"answers": [{"question": "7.3", "support": "???"}]}),
        ("war", {"answers": [{"question": "7.3", "wars": "???"}]}),
        ("monument", {"answers": [{"question": "7.3", "monument": "???"}]}),
        ("monuments", {"answers": [{"question": "7.3", "monument": "???", "square": "???"}]}),
        ("treasure", {"answers": [{"question": "7.3", "leave": "???"}]}),
    ],
)
def test_the_form_is_an_order_file(name: str, filled: dict[str, Any]) -> None:
    text = form(render(told("bull", seen(asked=QUESTIONS[name]))))
    read = yaml.load(text, Loader=yaml.BaseLoader)
    assert read == {"game": "ur-1", "player": "bull", **filled, "end": ""}
    assert "???" in text


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("first", ["temple F4"]),
        ("second", ["pass all"]),
        ("attack", ["win+1"]),
        ("defence", ["none"]),
        ("war", ["black, green"]),
        ("monument", ["none"]),
        ("monuments", ["temple/farm", "E4"]),
        ("treasure", ["B2"]),
    ],
)
def test_the_form_can_be_sent_once_it_is_filled_in(name: str, choices: list[str]) -> None:
    text = form(render(told("bull", seen(asked=QUESTIONS[name]))))
    assert {problem.read for problem in read_order_file(text.encode()).problems} == {"???"}
    for choice in choices:
        text = text.replace(": ???", f": {choice}", 1).replace("- ???", f"- {choice}", 1)
    assert not read_order_file(text.encode()).problems
    assert max(map(len, text.splitlines())) <= 64


def test_the_form_lists_the_choices() -> None:
    def comments(name: str) -> list[str]:
        text = form(render(told("bull", seen(asked=QUESTIONS[name]))))
        return [line for line in text.splitlines() if line.startswith("#")]

    assert comments("attack")[0].endswith("all, none, win, win+1")
    assert comments("defence")[0].endswith("all, none, win")
    assert comments("war")[1:] == ["#   black", "#   green"]
    assert comments("treasure")[1:] == ["#   B2", "#   I7"]
    assert "#   temple/market, square E5" in comments("monuments")
    assert "#   temple/market" in comments("monument")


def test_who_waits_may_send_his_next_turn() -> None:
    text = render(told("archer", next_turn_label="8b"))
    assert "ORDERS AHEAD, FOR YOUR NEXT TURN" in text
    read = yaml.load(form(text), Loader=yaml.BaseLoader)
    assert (read["player"], read["turn"], read["actions"]) == ("archer", "8b", ["???"])
    assert "game: ur-1" not in render(told("archer", next_turn_label=None))
    assert "game: ur-1" not in render(told("public"))


def test_support_is_asked_with_all_that_is_needed() -> None:
    hand = v.Holdings("bull", ByColour(black=2), ByColour(), 0)
    text = render(told("bull", seen(asked=QUESTIONS["attack"], me=hand)))
    for line in (
        "War of the kings across G5. How many settlements do you send to attack?",
        "ATTACK: archer's king on F4",
        "- strength 3 on the board",
        "- if it loses, the leader and 3 settlements go: E5, E6, E7",
        "DEFENCE: your king on H5",
        "Wars that may follow across G5, attackers first:",
        "- green: archer's trader on F4 with 3 against your trader on H5 with 4",
        "You have 2 settlements to send.",
    ):
        assert line in text.splitlines()


def test_the_defender_knows_what_the_attacker_sent() -> None:
    text = render(told("bull", seen(asked=QUESTIONS["defence"])))
    assert "- strength 3 on the board, 2 sent, 5 in all\n" in text


def test_priority_treasures_are_named_where_there_are_any() -> None:
    plain, framed = (
        render(told("bull", seen(asked=QUESTIONS[name]))) for name in ("treasure", "priority")
    )
    assert "priority" not in plain
    assert "- taken in any case: B8\n- with priority (framed, taken first): B8\n" in framed


# -- what happened ---------------------------------------------------------------------------


def test_news_are_grouped_by_turn_and_follow_from_actions() -> None:
    text = render(told("archer", turn_label="7b", turn_labels={6: "6c"}))
    begin = text.index("WHAT HAPPENED")
    assert text[begin : text.index("\nMAP")].splitlines()[2:] == [
        "Turn 6c, archer",
        "- Archer scores 1 red for the monument at E5.",
        "- Archer draws 1 tile.",
        "",
        "Turn 7b, bull",
        "- Bull places a temple on F4.",
        "  - Archer scores 1 red.",
    ]


SWAP = e.TilesExchanged("bull", 1)
GIVE, GET = e.TilesGiven("bull", ByColour(1)), e.TilesReceived("bull", "b")
DRAWN, SHORT = e.TilesDrawn("bull", 1, 0), e.TilesDrawn("bull", 1, 1)


@pytest.mark.parametrize(
    ("news", "lines"),
    [
        ((SWAP, GIVE, DRAWN, GET, DRAWN, GET),
         ["- Bull exchanges 1 tile.", "  - Bull puts away 1 temple.", "  - Bull draws farm.",
          "- Bull draws farm."]),
        ((SWAP, DRAWN, DRAWN), ["- Bull exchanges 1 tile.", "- Bull draws 1 tile."]),
        ((SWAP, DRAWN, e.TilesDrawn("archer", 2, 0)),
         ["- Bull exchanges 1 tile.", "- Archer draws 2 tiles."]),
        ((SWAP, GIVE, SHORT, GET),
         ["- Bull exchanges 1 tile.", "  - Bull puts away 1 temple.", "  - Bull draws farm.",
          "  - The bag is 1 short."]),
        ((SWAP, SHORT, SHORT),
         ["- Bull exchanges 1 tile.", "  - Bull draws 1 tile; the bag is 1 short.",
          "- Bull draws 1 tile; the bag is 1 short."]),
        ((SWAP, DRAWN, SHORT),
         ["- Bull exchanges 1 tile.", "- Bull draws 1 tile; the bag is 1 short."]),
        ((e.TilesDrawn("bull", 0, 2), e.TilesReceived("bull", "")),
         ["- Bull draws no tiles; the bag is 2 short."]),
        ((SHORT, GET), ["- Bull draws farm.", "  - The bag is 1 short."]),
    ],
)  # fmt: skip
def test_draws_are_told_once_and_where_they_belong(
    news: tuple[e.Event, ...], lines: list[str]
) -> None:
    text = render(told(seen_=seen(news=news)))
    begin = text.index("WHAT HAPPENED")
    assert text[begin : text.index("\nMAP")].strip().splitlines()[3:] == lines


def test_what_follows_from_an_action_told_before_is_not_indented() -> None:
    sent = e.SupportSent("bull", "black", 2, "attack")
    text = render(told(seen_=seen(news=(sent, e.TilePlaced("bull", "red", "F4", False)))))
    assert "\n- Bull sends 2 settlements to attack.\n- Bull places a temple on F4.\n" in text


def test_nothing_new_is_said_plainly() -> None:
    assert "Nothing since you last decided something." in render(told(seen_=seen(news=())))
    public = render(told("public", seen("public", news=())))
    assert "Nothing has happened yet." in public


# -- the rest of the page --------------------------------------------------------------------


def test_the_map_has_coordinates_on_all_four_sides() -> None:
    lines = render(told()).splitlines()
    top = lines.index("MAP") + 2
    rule = "   A  B  C  D  E  F  G  H  I  J  K  L  M  N  O  P"
    assert lines[top] == lines[top + 12] == rule
    assert lines[top + 2] == " 2 .. r* .. .. ~~ .. .. .. .. .. .. .. ~~ .. .. r* 2"
    assert lines[top + 11] == "11 .. .. .. .. .. .. .. .. .. .. r* .. .. .. .. .. 11"


def test_kingdoms_are_told_with_leaders_supporters_treasures_and_monuments() -> None:
    text = render(told())
    assert text[text.index("Kingdom 1") :].splitlines()[:4] == [
        "Kingdom 1: 1 temple, 2 markets, 3 settlements",
        "- archer's king on F4: beside 1 temple, 3 supporters",
        "- treasures: E5, F3",
        "- monument: farm/market at C5 (on markets)",
    ]


def test_points_of_others_are_told_only_if_they_are_open() -> None:
    board = seen("bull")
    open_seats = tuple(s._replace(points=ByColour(9, 9, 9, 9), treasures=3) for s in board.seats)
    shown = "- points: red 9, blue 9, green 9, black 9\n- treasures: 3\n"
    assert shown not in render(told("bull"))
    assert shown in render(told("bull", seen("bull", seats=open_seats)))


def test_the_end_shows_the_table_and_the_winner() -> None:
    rows = (
        e.FinalRow("bull", 1, ByColour(5, 1, 5, 5), 2, ByColour(5, 3, 5, 5)),
        e.FinalRow("archer", 2, ByColour(2, 2, 2, 9), 0, ByColour(2, 2, 2, 9)),
    )
    ended = (e.TurnEnded("bull", 7), e.GameEnded(("bag",)), e.FinalScores(rows))
    over = seen("archer", asked=None, over=True, news=(*NEWS, *ended))
    text = render(told("archer", over, question=None, next_turn_label=None, waiting_since=None))
    fits(text)
    assert text.startswith("GAME OVER: bull (Bo) wins ur-1\n")
    assert "1. bull (Bo)\n- red 5, blue 3, green 5, black 5\n- lowest first: 3, 5, 5, 5\n" in text
    assert "2. archer (Ana), you\n" in text
    assert text.count("Turn 7, bull") == 1
    shared = (rows[0], rows[1]._replace(rank=1))
    over = over._replace(news=(e.FinalScores(shared),))
    first = render(told("public", over._replace(viewer="public", me=None))).splitlines()[0]
    assert first == "GAME OVER: bull (Bo) and archer (Ana) share the victory in ur-1"


def test_only_the_moderator_sees_hands_and_bag() -> None:
    state = new_game(PLAYERS, "seed")
    texts = {viewer: render(told(viewer, view(state, viewer))) for viewer in VIEWERS}
    assert "Bag, next tile first" in texts["moderator"]
    assert "".join(texts["moderator"].split()).count(state.bag) == 1
    for viewer in ("archer", "bull", "public"):
        assert "SECRET" not in texts[viewer]
        assert "next tile" not in texts[viewer]
    assert "Hand:" not in texts["public"]


# -- how a seat likes it ---------------------------------------------------------------------


def section(text: str, title: str) -> list[str]:
    """The lines of one section."""
    lines = text.splitlines()
    top = lines.index(title) + 2
    ends = [i for i, line in enumerate(lines) if i > top and set(line) == {"-"}]
    return lines[top : ends[0] - 2 if ends else None]


def test_times_are_told_in_the_zone_of_the_seat() -> None:
    text = render(told(zone="Europe/Helsinki", deadline=NOON + timedelta(hours=10)))
    assert "Written: Sunday 1 March 2026, 14:30 EET (12:30 UTC)" in text
    assert text.splitlines()[2] == (
        "Answer by: Monday 2 March 2026, 00:30 EET (Sunday 1 March 2026, 22:30 UTC)"
    )


def test_the_map_can_be_a_list() -> None:
    """A list in words: what each kingdom holds by kind, then the rest of the board."""
    board = lay(opening("standard"), "E4", ("Ak r. b.", ".. k. ##"))
    state = new_game(PLAYERS, "seed")._replace(board=board)
    text = render(told("archer", view(state, "archer"), map_style="list"))
    fits(text)
    assert section(text, "MAP")[:12] == [
        "Kingdom 1",
        "- temples: F3, F4",
        "- farms: G4",
        "- settlements: F5",
        "- your king on E4",
        "",
        "Outside the kingdoms",
        "- temples: K1, B2, P2, N5, I7, B8, O9, F10, K11",
        "",
        "On the whole board",
        "- treasures: K1, B2, P2, F3, N5, I7, B8, O9, F10, K11",
        "- catastrophes: G5",
    ]
    assert "   A  B  C" not in text


def test_the_list_tells_all_that_the_map_tells() -> None:
    """Every square that is not free land is in the list, in one place."""
    for number, (state, _) in enumerate(play(7, DYNASTIES, Options(board="advanced"))):
        if number % 25:
            continue
        seen_ = view(state, "public")
        found = places(seen_)
        named = [*found.river, *found.catastrophes]
        for region in (*found.kingdoms, found.outside):
            named += [square for _, squares in region.tiles for square in squares]
            named += [*region.facedown, *(square for _, square in region.leaders)]
        signs = dict(zip(SQUARES, (sign for row in seen_.cells for sign in row), strict=True))
        assert sorted(named) == sorted(square for square in SQUARES if signs[square] != "..")


def test_what_the_last_turn_changed_is_named() -> None:
    assert "Changed by the last turn: B2, F4\n" in render(told(changed=frozenset({"F4", "B2"})))
    assert "Changed" not in render(told())


def test_hints_are_told_if_they_are_there() -> None:
    clash = Clash("green", "bull", "archer", 3, 2)
    found = Hints(
        "bull",
        (
            TileHints(
                "red",
                (
                    TileHint(("F4", "F5"), "mine", "bull", ()),
                    TileHint(("G4",), "theirs", "archer", ()),
                    TileHint(("H4",), "war", None, (clash, clash._replace(colour="black"))),
                    TileHint(("H5",), "union", None, ()),
                    TileHint(("A1",), "nothing", None, ()),
                ),
                ("F4",),
            ),
            TileHints("blue", (TileHint(("A4",), "nothing", None, ()),), ()),
        ),
        (
            LeaderHints("black", "H5", (LeaderHint(("E1",), None),)),
            LeaderHints("red", None, (LeaderHint(("E3", "F2"), clash._replace(colour="red")),)),
            LeaderHints("blue", None, ()),
        ),
        (
            CatastropheHint(("C3",), (THEIRS,), True),
            CatastropheHint(("C4",), (THEIRS,), False),
            CatastropheHint(("C5",), (), True),
        ),
    )
    text = render(told(hints=found))
    fits(text)
    assert section(text, "HINTS") == [
        "On the board as it is now, without what is sent from hands.",
        "",
        "A temple",
        "- scores 1 red for you: F4, F5",
        "- scores 1 red for archer: G4",
        "- joins two kingdoms and starts a war, attackers first: green, bull with 3",
        "  against archer with 2; black, bull with 3 against archer with 2: H4",
        "- joins two kingdoms without a war: H5",
        "- you may build a monument: F4",
        "",
        "A farm",
        "- scores for nobody anywhere",
        "",
        "Your king, now on H5",
        "- may stand without a revolt: E1",
        "",
        "Your priest, in your hand",
        "- starts a revolt against archer, 3 against 2: E3, F2",
        "",
        "Your farmer, in your hand",
        "- can go nowhere",
        "",
        "A catastrophe",
        "- sends home archer's king, and cuts the kingdom: C3",
        "- sends home archer's king: C4",
        "- cuts the kingdom: C5",
    ]
    assert "HINTS" not in render(told())


# -- the end ---------------------------------------------------------------------------------


def ended(*points: ByColour) -> v.View:
    """A game that archer and the others ended with these points."""
    rows = [
        e.FinalRow(player, rank, each, 0, each)
        for rank, (player, each) in enumerate(zip(DYNASTIES, points, strict=False), start=1)
    ]
    return seen("archer", asked=None, over=True, news=(e.FinalScores(tuple(rows)),))


@pytest.mark.parametrize(
    ("better", "worse", "why"),
    [
        ((5, 6, 7, 8), (9, 9, 4, 9), "the lowest colours, red 5 against green 4."),
        ((5, 6, 7, 8), (6, 5, 6, 6), "the third lowest colours, green 7 against green 6."),
        ((5, 7, 7, 8), (6, 5, 6, 6), "the second lowest colours, blue 7 against red 6."),
        ((5, 6, 7, 9), (9, 7, 6, 4), "the lowest colours, red 5 against black 4."),
        ((5, 6, 7, 9), (8, 7, 6, 5), "the highest colours, black 9 against red 8."),
    ],
)
def test_the_final_order_has_its_reason(
    better: tuple[int, ...], worse: tuple[int, ...], why: str
) -> None:
    text = render(told("archer", ended(ByColour(*better), ByColour(*worse)), question=None))
    assert f"- Archer before bull: {why}\n" in text


def test_equals_are_named_as_such() -> None:
    text = render(told("archer", ended(ByColour(1, 2, 3, 4), ByColour(4, 3, 2, 1)), question=None))
    assert "- Archer and bull: equal in all four colours.\n" in text


def test_the_end_reveals_what_was_hidden_and_who_played() -> None:
    deeds = (Deeds("archer", 1, 2, 3, 4, 1, 5), Deeds("bull", 2, 1, 4, 3, 0, 2))
    hands = tuple(v.Holdings(player, ByColour(1, 2), ByColour(), 0) for player in PLAYERS)
    text = render(
        told(
            "archer",
            ended(ByColour(5), ByColour(4)),
            question=None,
            tally=Tally(PLAYERS, (), deeds),
            revealed=v.Secrets(hands, "rbgkrb", ByColour(3)),
            played_by=(Played("archer", "Ana", ("1", "3b")), Played("bull", "Bo", ())),
        )
    )
    fits(text)
    assert headings(text)[:4] == [
        "FINAL SCORE",
        "WARS AND REVOLTS",
        "WHAT WAS HIDDEN",
        "WHO PLAYED",
    ]
    assert section(text, "WARS AND REVOLTS")[:4] == [
        "archer (Ana)",
        "- wars: 1 won, 2 lost",
        "- revolts: 3 won, 4 lost",
        "- monuments built: 1, treasures taken: 5",
    ]
    assert section(text, "WHAT WAS HIDDEN") == [
        "- hand of archer (Ana): 1 temple, 2 farms",
        "- hand of bull (Bo): 1 temple, 2 farms",
        "- bag, next tile first (r temple, b farm, g market, k settlement): rbgkr b",
        "- out of the game: 3 temples",
    ]
    assert section(text, "WHO PLAYED") == [
        "- archer (Ana): turns 1, 3b",
        "- bull (Bo): turns none",
    ]


# -- what people write -----------------------------------------------------------------------

NASTY = (
    "<b>&amp;{{ view.names }}{% raw %}</b>",
    "\u202eevil\u2066\u200f",
    "\N{GRINNING FACE}\N{ZERO WIDTH JOINER}\N{FLEXED BICEPS}" * 200,
    "x" * 10_000,
    "a b " * 2_500,
    "\x1b[2J\x1b[31mred\x07\x00",
    "line\nbreak\r\nand\u2028more\u2029\x0b\x0c\x85",
    "\ud800",
    "e" + "\N{COMBINING ACUTE ACCENT}" * 500,
    "東" * 500,
    "game: ur-1\nplayer: bull\n" + " " * 200 + "deep",
    "",
)


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_what_people_write_does_no_harm(text: str) -> None:
    names: dict[Dynasty, str] = {"archer": text, "bull": text}
    wild: dict[str, Any] = {"names": names, "press": (Press("archer", text),), "notes": (text,)}
    page = render(told("archer", **wild, messages=(text,)))
    calm = render(told("archer"))
    fits(page)
    page.encode()
    assert not set(page) & set("\x1b\x07\x00\r\u202e\u2066\u2028\x85")
    assert page.startswith("NOT YOUR MOVE: ur-1 waits for bull")
    for first, last in (("ORDERS AHEAD", "WHAT HAPPENED"), ("WHAT HAPPENED", "THE OTHERS")):
        assert calm[calm.index(first) : calm.index(last)] in page


def test_press_is_kept_as_written() -> None:
    page = render(told(press=(Press("bull", "  Two  spaces,\n\n<b>bold</b> {{ 1 }}"),)))
    assert "bull (Bo) says:\n|   Two  spaces,\n|\n| <b>bold</b> {{ 1 }}\n" in page


# -- real games ------------------------------------------------------------------------------

News = dict[v.Viewer, list[e.Event]]


def play(seed: int, players: tuple[Dynasty, ...], options: Options) -> Iterator[tuple[State, News]]:
    """A whole game of random play, with what is new to each reader."""
    rng = random.Random(seed)
    state = new_game(players, str(seed), options)
    viewers: tuple[v.Viewer, ...] = (*players, "public", "moderator")
    news: News = {viewer: [] for viewer in viewers}
    while not state.over:
        yield state, news
        assert state.question is not None
        player = state.question.player
        orders = list(legal_orders(state))
        kinds = sorted({type(order).__name__ for order in orders})
        kind = rng.choice([kind for kind in kinds if kind in ("PlaceTile", "PlaceLeader")] or kinds)
        order: o.Order = rng.choice([x for x in orders if type(x).__name__ == kind])
        outcome = advance(state, player, order)
        news[player] = []
        for told_to in news.values():
            told_to.extend(outcome.events)
        state = outcome.state
    yield state, news


def report_of(state: State, news: News, viewer: v.Viewer) -> Report:
    """A report as the program makes it."""
    return Report(
        game="ur-1",
        run=state.turn,
        viewer=viewer,
        names={dynasty: dynasty.title() for dynasty in state.players},
        view=view(state, viewer, news[viewer]),
        question=None if state.over else f"{state.turn}.{state.serial}",
        turn_label=str(state.turn),
        next_turn_label=None if state.over else str(state.turn + 1),
        written=NOON,
    )


@pytest.mark.parametrize(
    ("seed", "seats", "options"),
    [
        (1, 4, Options()),
        (2, 3, Options(board="advanced", treasure_timing="turn")),
        (3, 2, Options(open_scoring=True, bag_end="empty")),
    ],
)
def test_every_report_of_a_real_game_fits(seed: int, seats: int, options: Options) -> None:
    kinds = set()
    for number, (state, news) in enumerate(play(seed, DYNASTIES[:seats], options)):
        known = type(state.question) in kinds
        kinds.add(type(state.question))
        for viewer in () if known and number % 11 else news:
            page = render(report_of(state, news, viewer))
            fits(page)
            assert page.isascii()


def test_a_redeal_of_what_is_hidden_changes_no_report() -> None:
    rng = random.Random(5)
    for number, (state, news) in enumerate(play(4, DYNASTIES, Options())):
        if number % 9 == 0:
            for viewer in SEATED:
                other, others_news = redeal(state, news, viewer, rng)
                assert render(report_of(state, news, viewer)) == render(
                    report_of(other, others_news, viewer)
                )


def redeal(state: State, news: News, viewer: v.Viewer, rng: random.Random) -> tuple[State, News]:
    """Another state that looks the same to this reader: hands, points, bag and news differ."""
    letters = list(state.bag)
    rng.shuffle(letters)
    seats = tuple(
        seat
        if seat.dynasty == viewer
        else seat._replace(
            hand=ByColour(0, 0, seat.hand.total, 0),
            points=seat.points if state.over else ByColour(rng.randrange(9), 7),
            treasures=seat.treasures if state.over else rng.randrange(4),
        )
        for seat in state.seats
    )
    events = [
        event._replace(tiles=event.tiles[::-1] + "r")
        if isinstance(event, e.TilesReceived) and event.player != viewer
        else event
        for event in news[viewer]
    ]
    other = state._replace(bag="".join(letters), seats=seats, out=ByColour(1, 2, 3, 4))
    return other, {**news, viewer: events}


def test_all_question_classes_are_tried_here() -> None:
    assert {type(asked) for asked in QUESTIONS.values()} == set(get_args(v.Asked))
