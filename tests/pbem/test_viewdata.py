"""The data format: it fits its published schema, says all that is needed, and tells no secret."""

import json
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

import engine.view as v
from engine import events as e
from engine import orders as o
from engine.advance import advance
from engine.cells import sign_of
from engine.hints import hints
from engine.hintview import (
    CatastropheHint,
    Clash,
    Hints,
    LeaderHint,
    LeaderHints,
    TileHint,
    TileHints,
)
from engine.known import as_known, board_of
from engine.legal import legal_orders
from engine.options import Options
from engine.pieces import LETTER, ByColour, Leader, Monument
from engine.sight import view
from engine.squares import COLUMNS, ROWS
from engine.state import State
from engine.tally import Deeds, Standing, Tally
from pbem.clock.spans import Span
from pbem.eventdata import event_data
from pbem.notation import read_action
from pbem.orderfile import read_order_file
from pbem.reports import Report
from pbem.reportvalues import NewPlayer, Played, Press, Standstill, Terms
from pbem.viewdata import report_data, report_json, report_schema
from tests.pbem.test_reports import QUESTIONS, redeal, seen, told
from tests.playouts import choose, start

SCHEMA = report_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
NOON = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
News = dict[v.Viewer, list[e.Event]]
POINTS = ByColour(1, 2, 3, 4)
EVENTS: tuple[e.Event, ...] = (
    e.TilePlaced("bull", "red", "F4", True),
    e.LeaderPlaced("bull", "red", "F4", None),
    e.LeaderReturned("bull", "red", "F4", "no temple"),
    e.CatastrophePlaced("bull", "F4", None),
    e.TilesExchanged("bull", 3),
    e.ActionPassed("bull"),
    e.RevoltBegan("black", "bull", "archer", "F4", "G4"),
    e.WarBegan("black", "bull", "archer", "F4"),
    e.WarChosen("bull", "black"),
    e.SupportSent("bull", "black", 0, "attack"),
    e.ConflictEnded(
        "black", "bull", "archer", e.Strength(1, 2), e.Strength(0, 1), "bull", None
    ),
    e.TilesRemoved("archer", "black", ("F4", "G4")),
    e.PointsScored("bull", "black", 2, "war", "F4"),
    e.MonumentBuilt("bull", ("red", "blue"), "F4", "red"),
    e.MonumentDeclined("bull"),
    e.TreasuresTaken("bull", ("F4",), "G4"),
    e.TilesDrawn("bull", 2, 1),
    e.TurnEnded("bull", 7),
    e.TurnBegan("archer", 8),
    e.GameEnded(("treasures", "bag")),
    e.FinalScores((e.FinalRow("bull", 1, POINTS, 3, POINTS),)),
    e.TilesGiven("bull", POINTS),
    e.TilesReceived("bull", "rbgk"),
)  # fmt: skip


def fits(data: dict[str, Any]) -> None:
    """The data is as the schema says."""
    faults = [f"{fault.json_path}: {fault.message}" for fault in VALIDATOR.iter_errors(data)]
    assert not faults, faults[:3]


# -- the schema ------------------------------------------------------------------------------


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Every object in a JSON document."""
    if isinstance(schema, dict):
        yield schema
    for each in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(each, dict | list):
            yield from parts(each)


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"].endswith("draft/2020-12/schema")


def test_objects_are_closed_and_every_field_is_described() -> None:
    objects = [part for part in parts(SCHEMA) if part.get("type") == "object"]
    assert len(objects) > 50
    for part in objects:
        assert part["additionalProperties"] is False
        assert set(part["required"]) <= set(part["properties"])
    described = [part for part in objects for part in part["properties"].values()]
    for part in [*described, *SCHEMA["$defs"].values()]:
        assert part["description"].endswith(".")


def test_every_definition_is_used() -> None:
    used = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(SCHEMA)))
    assert used == set(SCHEMA["$defs"])


# -- events ----------------------------------------------------------------------------------


def test_every_event_is_tried_here() -> None:
    assert [type(event) for event in EVENTS] == list(get_args(e.Event))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_has_its_kind_and_all_its_fields(event: e.Event) -> None:
    data = event_data(event)
    assert data["kind"].title().replace("_", "") == type(event).__name__
    assert set(data) - {"kind"} == set(type(event)._fields)
    reported = report_data(told("bull", seen("moderator", news=(event,))))["news"]
    extra = {"label"} if isinstance(event, e.TurnBegan | e.TurnEnded) else set()
    assert set(reported[0]) - set(data) == extra
    definition = SCHEMA["$defs"][f"event_{data['kind']}"]
    assert set(definition["required"]) == set(reported[0])
    fits(report_data(told("bull", seen("moderator", news=(event,)))))


# -- fields: whoever adds one decides whether it is published --------------------------------

DECIDED: dict[type, str] = {
    Report: "game run viewer names view question turn_label next_turn_label written"
    " waiting_since press notes messages waits rest turn_labels language zone map_style deadline"
    " terms standstill changed hints tally revealed played_by new_players"
    " unconfirmed picture chart absences dropped unplayed corrected rulings",
    Terms: "late grace misses stand_in",
    Standstill: "since why outage",
    v.View: "viewer options players turn active over asked cells kingdoms seats monuments"
    " free_monuments treasures bag_size news me secrets",
    Options: "board treasure_timing bag_end split_side open_scoring test_refill test_priority",
    v.KingdomView: "leaders tiles squares treasures monuments",
    v.LeaderView: "leader at temples supporters",
    v.SeatView: "dynasty hand_size leaders_off catastrophes points treasures",
    v.Holdings: "dynasty hand points treasures",
    v.Secrets: "holdings bag out",
    v.Side: "leader at strength would_lose",
    v.ConflictView: "colour support_colour union attack defence",
    v.BlockView: "at colour pairs",
    v.ActionAsked: "player number",
    v.SupportAsked: "player side conflict sent later",
    v.WarAsked: "player union wars",
    v.MonumentAsked: "player placed blocks",
    v.TreasureAsked: "player trader may_stay taken priority",
    e.Strength: "board hand",
    e.FinalRow: "player rank before treasures after",
    Leader: "dynasty colour",
    Monument: "pair at tiles",
    Press: "player text",
    Played: "player name turns",
    NewPlayer: "player name turn",
    Hints: "player tiles leaders catastrophes",
    TileHints: "colour places monuments",
    TileHint: "squares effect scorer wars",
    LeaderHints: "colour origin places",
    LeaderHint: "squares revolt",
    CatastropheHint: "squares homeless splits",
    Clash: "colour attacker defender attack defence",
    Tally: "players standings deeds",
    Standing: "turn points",
    Deeds: "player wars_won wars_lost revolts_won revolts_lost monuments treasures",
}


@pytest.mark.parametrize("kind", DECIDED, ids=lambda kind: kind.__name__)
def test_no_field_was_added_without_a_decision(kind: type) -> None:
    assert list(kind.__match_args__) == DECIDED[kind].split()  # type: ignore[attr-defined]


# -- invented reports ------------------------------------------------------------------------


@pytest.mark.parametrize("asked", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize("viewer", ["archer", "bull", "public", "moderator"])
def test_every_question_fits(asked: v.Asked, viewer: v.Viewer) -> None:
    data = report_data(told(viewer, seen(viewer, asked=asked)))
    fits(data)
    assert (data["answers"] is not None) == (viewer == "bull")
    assert data["question"]["yours"] == (viewer == "bull")
    facts = set(data["question"]) - {"kind", "label", "yours"}
    assert facts == set(asked._fields)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_form_is_an_order_file_once_it_is_filled_in(name: str) -> None:
    """Written as JSON, which is YAML too."""
    form = report_data(told("bull", seen(asked=QUESTIONS[name])))["form"]
    if "actions" in form:
        form["actions"].append("pass")
    else:
        said = {"support": 1, "wars": "black", "monument": "temple/farm", "square": "E4"}
        (answer,) = form["answers"]
        answer.update((key, said.get(key, "B2")) for key in answer if answer[key] is None)
    read = read_order_file(json.dumps(form).encode())
    assert not read.problems


def test_who_waits_has_a_form_for_his_next_turn() -> None:
    form = report_data(told("archer", next_turn_label="8b"))["form"]
    assert form == {"game": "ur-1", "player": "archer", "turn": "8b", "actions": []}
    assert report_data(told("archer", next_turn_label=None))["form"] is None
    assert report_data(told("public"))["form"] is None


def test_how_a_seat_likes_its_report_is_told() -> None:
    report = told(language="pt", zone="Europe/Lisbon", map_style="list", deadline=NOON)
    data = report_data(report._replace(changed=frozenset(("B2", "A1"))))
    assert data["reader"] == {"language": "pt", "zone": "Europe/Lisbon", "map": "list"}
    assert data["deadline"] == "2026-03-01T12:30:00Z"
    assert data["changed"] == ["A1", "B2"]
    assert data["hints"] is data["tally"] is data["revealed"] is None
    fits(data)


def test_what_happens_after_the_deadline_and_a_clock_that_stands_are_told() -> None:
    data = report_data(told(deadline=NOON, terms=Terms("drop", Span(1, 12), 2, stand_in=False)))
    assert data["late"] == {"then": "drop", "grace": "1d 12h", "misses": 2, "stand_in": False}
    assert data["standstill"] is None
    fits(data)
    data = report_data(told(standstill=Standstill(NOON, "a storm", outage=True)))
    assert data["standstill"] == {
        "since": "2026-03-01T12:30:00Z", "why": "a storm", "outage": True
    }  # fmt: skip
    assert data["late"] is data["deadline"] is None
    fits(data)


def test_the_figures_of_a_game_that_is_over_fit() -> None:
    deeds = (Deeds("archer", 1, 2, 3, 4, 5, 6), Deeds("bull", 0, 0, 0, 0, 0, 0))
    tally = Tally(("archer", "bull"), (Standing(1, (POINTS, POINTS)),), deeds)
    secrets = v.Secrets((v.Holdings("bull", POINTS, POINTS, 2),), "rb", POINTS)
    played = (Played("archer", "Ana", ("1", "3b")), Played("bull", None, ()))
    data = report_data(told(tally=tally, revealed=secrets, played_by=played))
    fits(data)
    assert data["tally"]["deeds"][0]["treasures"] == 6
    assert data["revealed"]["bag"] == "rb"
    assert data["played_by"][0]["turns"] == ["1", "3b"]


def test_texts_are_kept_and_do_no_harm() -> None:
    wild = "\x1b[31m<script>\u202e{{ 1 }}\U0001f600\ud800\x00" + "x" * 10_000
    report = told(
        press=(Press("bull", wild),), notes=(wild,), messages=(wild,), names={"bull": wild}
    )
    text = report_json(report)
    assert text.isascii()
    assert not set(text) & set(map(chr, [*range(10), *range(11, 32), 127]))
    data = json.loads(text)
    assert data == report_data(report)
    assert data["press"][0]["text"] == data["seats"][1]["name"] == wild
    fits(data)


def test_an_anonymous_game_has_no_names() -> None:
    assert [seat["name"] for seat in report_data(told(names={}))["seats"]] == [None, None]


# -- whole games -----------------------------------------------------------------------------


def game(number: int) -> Iterator[tuple[State, News]]:
    """A game by chance, with what is new to each reader."""
    chance = random.Random(number)
    state = start(number)
    viewers: tuple[v.Viewer, ...] = (*state.players, "public", "moderator")
    news: News = {viewer: [] for viewer in viewers}
    while state.question is not None:
        yield state, news
        player = state.question.player
        outcome = advance(state, player, choose(chance, state))
        news[player] = []
        for fresh in news.values():
            fresh += outcome.events
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
        waiting_since=None if state.over else NOON,
        hints=hints(state, viewer) if viewer in state.players else None,
    )


def check_game(number: int, every: int) -> None:
    """Look at the reports of every so many states, for all readers; events are tried once.

    So are all that are the first with their kind of question.
    """
    events: set[str] = set()
    kinds: set[type] = set()
    for index, (state, news) in enumerate(game(number)):
        assert board_of(view(state, "public")) == state.board
        if index % every and type(state.question) in kinds:
            continue
        kinds.add(type(state.question))
        for viewer in news:
            data = report_data(report_of(state, news, viewer))
            fresh = [event for event in data["news"] if json.dumps(event) not in events]
            events.update(map(json.dumps, fresh))
            fits({**data, "news": fresh})
            assert drawn(data["board"]) == data["board"]["cells"]
            assert (data["secrets"] is None) == (viewer != "moderator")
            assert (data["you"] is None) == (viewer not in state.players)
            asked = state.question is not None and state.question.player == viewer
            assert orders_of(data) == (set(legal_orders(state)) if asked else None)
            assert bool(data["final"]) == state.over
    assert len(kinds) >= 6


@pytest.mark.parametrize("number", [5, 28, 42, 59])
def test_reports_of_a_whole_game_fit(number: int) -> None:
    check_game(number, every=17)


@pytest.mark.slow
@pytest.mark.parametrize("number", [11, 46, 93])
def test_all_reports_of_a_whole_game_fit(number: int) -> None:
    check_game(number, every=1)


def drawn(board: dict[str, Any]) -> list[list[str]]:
    """The map as a client would draw it from the pieces alone."""
    signs = {f"{column}{row}": ".." for row in ROWS for column in COLUMNS}
    signs |= dict.fromkeys(board["river"], "~~")
    signs |= {tile["at"]: f"{LETTER[tile['colour']]}." for tile in board["tiles"]}
    signs |= {tile["at"]: "xx" for tile in board["face_down"]}
    signs |= {at: f"{signs[at][0]}*" for at in board["treasures"]}
    signs |= dict.fromkeys(board["catastrophes"], "##")
    for each in board["leaders"]:
        signs[each["at"]] = sign_of(Leader(each["dynasty"], each["colour"]))
    return [[signs[f"{column}{row}"] for column in COLUMNS] for row in ROWS]


def orders_of(data: dict[str, Any]) -> set[o.Order] | None:
    """The answers of a report, each as the order it stands for."""
    if data["answers"] is None:
        return None
    return {order for answer in data["answers"] for order in orders_in(answer)}


def orders_in(answer: dict[str, Any]) -> Iterator[o.Order]:
    """One answer, spelled out; lines are read as order files are."""
    match answer["kind"]:
        case "swap":
            every = product(*(range(number + 1) for number in answer["tiles"].values()))
            yield from (o.Exchange(ByColour(*each)) for each in every if any(each))
        case "support":
            yield from map(o.Support, range(answer["most"] + 1))
        case "war":
            yield o.ChooseWar(answer["colour"])
        case "monument":
            yield from (o.BuildMonument(tuple(pair), answer["at"]) for pair in answer["pairs"])
        case "no_monument":
            yield o.DeclineMonument()
        case "treasure":
            yield from map(o.LeaveTreasure, answer["squares"])
        case _:
            for square in answer.get("squares", [""]):
                order = read_action(answer["line"].format(square=square))
                assert isinstance(order, o.Order)
                yield order


def test_a_redeal_of_what_is_hidden_changes_no_data() -> None:
    chance = random.Random(5)
    for number in (4, 33):
        for index, (state, news) in enumerate(game(number)):
            for viewer in news:
                if index % 9 or viewer == "moderator":
                    continue
                other, others_news = redeal(state, news, viewer, chance)
                once = report_json(report_of(state, news, viewer))
                assert once == report_json(report_of(other, others_news, viewer))


def test_what_is_known_holds_nothing_else() -> None:
    for state, news in game(7):
        known = as_known(view(state, "public", news["public"]))
        assert known.bag == ""
        assert not known.out.total
        assert not any(s.hand.total or s.points.total or s.treasures for s in known.seats)
