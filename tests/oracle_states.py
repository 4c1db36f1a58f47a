"""A state of ours and a state of a logged game in the same plain words, to be compared."""

from collections.abc import Mapping
from typing import Any, assert_never

from engine import questions as q
from engine.legality import refusal
from engine.orders import ChooseWar
from engine.pieces import COLOURS, LEADERS, Colour
from engine.squares import BLOCKS, squares_of
from engine.state import State
from engine.treasures import asked_spoils
from tests.oracle import leader_of, pair
from tests.positions import by_colour


def ours(state: State) -> dict[str, object]:
    """Our state in plain words."""
    board = state.board
    return {
        "tiles": {
            square: colour for colour in COLOURS for square in squares_of(board.tiles.of(colour))
        },
        "flipped": {
            square: monument.tiles
            for monument in state.monuments
            if monument.at is not None
            for square in squares_of(BLOCKS[monument.at])
        },
        "face down": set(squares_of(board.facedown)),
        "catastrophes": set(squares_of(board.catastrophes)),
        "treasures": set(squares_of(board.treasures)),
        "leaders": {leader: square for leader in LEADERS if (square := board.square_of(leader))},
        "monuments": {(monument.pair, monument.at) for monument in state.monuments},
        "hands": {seat.dynasty: seat.hand for seat in state.seats},
        "catastrophes left": {seat.dynasty: seat.catastrophes for seat in state.seats},
        "points": {seat.dynasty: (seat.points, seat.treasures) for seat in state.seats},
        "bag": len(state.bag),
        "out": state.out,
        "turn": (state.active, state.turn),
        "asked": our_question(state),
    }


def theirs(state: Mapping[str, Any]) -> dict[str, object]:
    """A logged state in the same words. Tiles committed to a conflict count as out already."""
    out = by_colour(state["discard"])
    for committed in state.get("support", {}).values():
        out = out.add(by_colour(committed))
    return {
        "tiles": state["tiles"],
        "flipped": state["flipped"],
        "face down": set(state["flipped"]),
        "catastrophes": set(state["catastrophes"]),
        "treasures": set(state["treasures"]),
        "leaders": {leader_of(leader): leader["at"] for leader in state["leaders"]},
        "monuments": {(pair(each["colours"]), each["top_left"]) for each in state["monuments"]},
        "hands": {name: by_colour(hand) for name, hand in state["hands"].items()},
        "catastrophes left": {name: hand["catastrophe"] for name, hand in state["hands"].items()},
        "points": {
            name: (by_colour(points), points["treasure"])
            for name, points in state["points"].items()
        },
        "bag": state["bag"],
        "out": out,
        "turn": (state["turn_player"], state["turn"]),
        "asked": their_question(state),
    }


def our_question(state: State) -> tuple[object, ...]:
    """What we ask of whom, in which action, with everything that belongs to it."""
    question = state.question
    if question is None:
        return ("over",)
    if isinstance(question, q.AskAction):
        return ("action", question.player, question.number)
    (number,) = (step.number for step in state.agenda if isinstance(step, q.EndAction))
    head = (question.player, number)
    match question:
        case q.AskAttack(_, conflict):
            return ("attack", *head, *_sides(conflict), 0)
        case q.AskDefence(_, conflict, sent):
            return ("defence", *head, *_sides(conflict), sent)
        case q.AskWar(_, union):
            return ("war", *head, union, fightable(state, question))
        case q.AskMonument(_, placed):
            return ("monument", *head, placed)
        case q.AskTreasure():
            spoils = asked_spoils(state, question)
            return ("treasure", *head, set(squares_of(spoils.taken or spoils.may_stay)))
        case _:
            assert_never(question)


def fightable(state: State, question: q.AskWar) -> set[Colour]:
    """The colours that may be fought next."""
    return {
        colour for colour in COLOURS if refusal(state, question.player, ChooseWar(colour)) is None
    }


def _sides(conflict: q.Conflict) -> tuple[object, ...]:
    return (conflict.colour, conflict.attacker, conflict.defender, conflict.union)


def their_question(state: Mapping[str, Any]) -> tuple[object, ...]:
    """What is asked there, in the same words. `action_no` is the action in progress."""
    head = (state["active"], state["action_no"])
    match state["state"]:
        case "playerTurn":
            return ("action", *head)
        case "supportRevolt" | "supportWar":
            return _their_support(state)
        case "warLeader":
            return ("war", *head, state["union"], {leader["colour"] for leader in state["choices"]})
        case "buildMonument" | "multiMonument":
            return ("monument", *head, state["monument_tile"])
        case "pickTreasure":
            return ("treasure", *head, set(state["choices"]))
        case "gameEnd":
            return ("over",)
        case other:
            raise ValueError(f"state {other} not known here")


def _their_support(state: Mapping[str, Any]) -> tuple[object, ...]:
    sides = state["conflict"]
    attacker, defender = leader_of(sides["attacker"]), leader_of(sides["defender"])
    assert attacker.colour == defender.colour
    for side in sides.values():
        assert side in state["leaders"]
    colour = "red" if state["state"] == "supportRevolt" else attacker.colour
    committed = state.get("support", {}).get(attacker.dynasty, {})
    assert set(committed) <= {colour}
    kind = "attack" if state["active"] == attacker.dynasty else "defence"
    return (
        kind,
        state["active"],
        state["action_no"],
        attacker.colour,
        attacker.dynasty,
        defender.dynasty,
        state.get("union"),
        committed.get(colour, 0),
    )
