"""Reading the games logged on another implementation: its words as our values.

The form is described beside the data. A field, a kind or a state that is not named here is a
failure: what is not understood cannot be compared.
"""

import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from engine import orders as o
from engine.pieces import ByColour, Leader, Pair
from engine.squares import BIT, Square
from tests.positions import by_colour, known, pair_of
from tests.strictjson import read_json

Line: TypeAlias = Mapping[str, Any]

_LINES = {
    "setup": ("type", "seed", "options", "players", "hands", "bag", "state"),
    "action": (
        "type", "n", "player", "state", "action", "notifs", "visited", "after",
        "auto_confirm", "transitions_after_end",
    ),
    "refused": (
        "type", "n", "player", "state", "action", "attempt", "exception", "message", "by",
    ),
    "accepted_illegal": ("type", "n", "player", "state", "action", "attempt"),
    "result": ("type", "n", "end", "turns", "players", "transitions_after_end"),
}  # fmt: skip
_ACTIONS = {
    "place_tile": ("colour", "at"),
    "catastrophe": ("at", "onto", "colour"),
    "place_leader": ("colour", "at", "from", "owner"),
    "withdraw_leader": ("colour", "from", "owner"),
    "exchange": ("tiles",),
    "pass": (),
    "support": ("colour", "count"),
    "war_leader": ("colour", "owner", "at"),
    "monument": ("colours",),
    "monument_square": ("top_left",),
    "decline_monument": ("forced",),
    "treasure": ("at",),
}
_STATE = (
    "state", "active", "turn_player", "turn", "action_no", "tiles", "flipped", "catastrophes",
    "treasures", "leaders", "monuments", "hands", "points", "bag", "discard",
)  # fmt: skip
_MORE_STATE = {
    "playerTurn": (),
    "supportRevolt": ("conflict", "support"),
    "supportWar": ("conflict", "support", "union"),
    "warLeader": ("choices", "union"),
    "buildMonument": ("monument_tile",),
    "multiMonument": ("monument_tile", "monument_colours"),
    "pickTreasure": ("choices",),
    "gameEnd": (),
}
_COLOURS = ("red", "blue", "green", "black")
_OPTIONS = ("board", "english_variant", "wonder_variant", "civilization_buildings")


def load(path: Path) -> list[Line]:
    """All lines of one game, as they are."""
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        return [read_json(line) for line in stream]


def setup_of(path: Path) -> Line:
    """The first line of a game."""
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        setup: Line = read_json(stream.readline() or "{}")
    return setup


def check_whole(path: Path, lines: list[Line]) -> None:
    """ValueError if a game is not there from its first line to its result."""
    types = [line["type"] for line in lines]
    if types[:1] != ["setup"] or types[-1:] != ["result"] or "action" not in types:
        raise ValueError(f"{path.name}: the game is cut off: it ends with {types[-1:]}")
    for number, line in enumerate(lines[1:], 1):
        if line["n"] != number:
            raise ValueError(f"{path.name}: line {number} is missing; there is {line['n']}")


def check(path: Path, lines: list[Line]) -> None:
    """ValueError if a line holds something unknown."""
    for number, line in enumerate(lines, 1):
        try:
            _check(line)
        except (KeyError, ValueError) as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from error


def variants_of(setup: Line) -> list[str]:
    """The options of a game that do not exist here."""
    known(setup["options"], _OPTIONS, "options")
    return [name for name in _OPTIONS[1:] if setup["options"][name]]


def _check(line: Line) -> None:
    known([line["type"]], _LINES, "line type")
    known(line, _LINES[line["type"]], "fields")
    if "action" in line:
        action = line["action"]
        known([action["kind"]], _ACTIONS, "action")
        known(action, ("kind", *_ACTIONS[action["kind"]]), f"action {action['kind']}")
        known([line["state"]], _MORE_STATE, "state")
    if line["type"] == "refused":
        known([line["by"]], ("game", "framework"), "refused by")
    if line["type"] == "setup":
        known(line["options"], _OPTIONS, "options")
        for player in line["players"]:
            known(player, ("seat", "dynasty", "bot"), "players")
    if line["type"] == "result":
        _check_result(line)
    if after := line.get("after"):
        _check_state(after)
    if line["type"] == "setup":
        _check_state(line["state"])


def _check_result(line: Line) -> None:
    for row in line["players"]:
        known(
            row,
            ("player", "rank", "score", "aux", "before_treasures", "after_treasures"),
            "result",
        )
        known(row["before_treasures"], (*_COLOURS, "treasure"), "before_treasures")
        known(row["after_treasures"], _COLOURS, "after_treasures")


def _check_state(state: Line) -> None:
    known([state["state"]], _MORE_STATE, "state")
    known(state, (*_STATE, *_MORE_STATE[state["state"]]), f"state {state['state']}")
    for hand in (*state["hands"].values(), state["discard"]):
        known(hand, (*_COLOURS, "catastrophe"), "hand or discard")
    for points in state["points"].values():
        known(points, (*_COLOURS, "treasure"), "points")
    for leader in state["leaders"]:
        known(leader, ("owner", "colour", "at"), "leader")
    for monument in state["monuments"]:
        known(monument, ("colours", "top_left"), "monument")
    known(state.get("conflict", ()), ("attacker", "defender"), "conflict")


def leader_of(sign: Line) -> Leader:
    """A leader as it is written there."""
    return Leader(sign["owner"], sign["colour"])


def pair(colours: list[Any]) -> Pair:
    """The monument of two colours."""
    return pair_of(colours[0], colours[1])


def monument_built(line: Line) -> tuple[Pair, Square]:
    """The monument of a line that built one, and the top left square it got."""
    wanted = pair(line["action"]["colours"])
    (corner,) = (
        each["top_left"] for each in line["after"]["monuments"] if pair(each["colours"]) == wanted
    )
    return wanted, corner


def plain_order(player: str, action: Line) -> o.Order | None:
    """The order of ours that says the same by itself; None if none of ours can say it.

    Monuments, treasures, support and wars need more than the line: see the test.
    """
    if action.get("owner", player) != player or action.get("at", "A1") not in BIT:
        return None
    match action["kind"]:
        case "place_tile":
            return o.PlaceTile(action["colour"], action["at"])
        case "catastrophe":
            return o.PlaceCatastrophe(action["at"])
        case "place_leader":
            return o.PlaceLeader(action["colour"], action["at"])
        case "withdraw_leader":
            return o.WithdrawLeader(action["colour"])
        case "exchange" if set(action["tiles"]) <= set(_COLOURS):
            return o.Exchange(tiles_of(action["tiles"]))
        case "pass":
            return o.Pass()
        case "decline_monument":
            return o.DeclineMonument()
        case _:
            return None


def tiles_of(numbers: Mapping[str, int]) -> ByColour:
    """Tiles by colour, catastrophes left aside."""
    return by_colour(numbers)
