"""The open question in the data format: its facts, what may be answered, the order form."""

from collections.abc import Iterator
from typing import assert_never

import engine.view as v
from engine import orders as o
from engine.known import as_known
from engine.legal import Exchanges, Placements, legal_actions
from engine.pieces import LEADER, TILE, Leader
from engine.squares import squares_of
from engine.state import State
from pbem.eventdata import Data, numbers
from pbem.reports import Report

_KINDS: dict[type[v.Asked], str] = {
    v.ActionAsked: "action",
    v.SupportAsked: "support",
    v.WarAsked: "war",
    v.MonumentAsked: "monument",
    v.TreasureAsked: "treasure",
}


def question_data(report: Report) -> Data | None:
    """The open question with all its public facts; None when the game is over."""
    asked = report.asked
    if asked is None:
        return None
    return {
        "kind": _KINDS[type(asked)],
        "label": report.question,
        "player": asked.player,
        "yours": report.mine,
        **_facts(asked),
    }


def _facts(asked: v.Asked) -> Data:
    """What a question is about."""
    match asked:
        case v.ActionAsked(_, number):
            return {"number": number}
        case v.SupportAsked(_, side, conflict, sent, later):
            return {
                "side": side,
                "conflict": _conflict(conflict),
                "sent": sent,
                "later": [_conflict(war) for war in later],
            }
        case v.WarAsked(_, union, wars):
            return {"union": union, "wars": [_conflict(war) for war in wars]}
        case v.MonumentAsked(_, placed, blocks):
            return {"placed": placed, "blocks": [_block(block) for block in blocks]}
        case v.TreasureAsked(_, trader, may_stay, taken, priority):
            return {
                "trader": trader,
                "may_stay": list(may_stay),
                "taken": list(taken),
                "priority": list(priority),
            }
        case _:
            assert_never(asked)


def _conflict(conflict: v.ConflictView) -> Data:
    return {
        "kind": "revolt" if conflict.union is None else "war",
        "colour": conflict.colour,
        "support_colour": conflict.support_colour,
        "union": conflict.union,
        "attack": _side(conflict.attack),
        "defence": _side(conflict.defence),
    }


def _side(side: v.Side) -> Data:
    return {
        "player": side.leader.dynasty,
        "at": side.at,
        "strength": side.strength,
        "would_lose": list(side.would_lose),
    }


def _block(block: v.BlockView) -> Data:
    return {
        "at": block.at,
        "colour": block.colour,
        "pairs": [list(pair) for pair in block.pairs],
    }


def answers_data(report: Report) -> list[Data] | None:
    """Everything that may be answered now, for the player who is asked; None for all others."""
    asked, me = report.asked, report.view.me
    if asked is None or me is None or not report.mine:
        return None
    match asked:
        case v.ActionAsked():
            return list(_actions(as_known(report.view)))
        case v.SupportAsked(_, _, conflict):
            colour = conflict.support_colour
            return [{"kind": "support", "colour": colour, "most": me.hand.of(colour)}]
        case v.WarAsked(_, _, wars):
            return [{"kind": "war", "colour": war.colour} for war in wars]
        case v.MonumentAsked(_, _, blocks):
            choices = [{"kind": "monument", **_block(block)} for block in blocks]
            return [*choices, {"kind": "no_monument"}]
        case v.TreasureAsked(_, _, may_stay):
            return [{"kind": "treasure", "squares": list(may_stay)}]
        case _:
            assert_never(asked)


def _actions(known: State) -> Iterator[Data]:
    """The legal actions; `line` is how an order file writes them."""
    for group in legal_actions(known).groups:
        match group:
            case Placements() if not group.squares:
                continue
            case Placements():
                yield _placements(known, group)
            case Exchanges(hand=hand):
                yield {"kind": "swap", "tiles": numbers(hand), "line": "swap {tiles}"}
            case _:
                yield from (_single(known, order) for order in group)


def _placements(known: State, group: Placements) -> Data:
    squares = list(squares_of(group.squares))
    colour = group.colour
    if group.kind is o.PlaceCatastrophe or colour is None:
        return {"kind": "catastrophe", "squares": squares, "line": "catastrophe {square}"}
    data: Data = {"colour": colour, "squares": squares}
    if group.kind is o.PlaceTile:
        return {"kind": "tile", **data, "line": f"{TILE[colour]} {{square}}"}
    origin = known.board.square_of(Leader(known.active, colour))
    return {"kind": "leader", "origin": origin, **data, "line": f"{LEADER[colour]} {{square}}"}


def _single(known: State, order: o.Order) -> Data:
    match order:
        case o.WithdrawLeader(colour):
            origin = known.board.square_of(Leader(known.active, colour))
            line = f"withdraw {LEADER[colour]}"
            return {"kind": "withdraw", "origin": origin, "colour": colour, "line": line}
        case o.Pass():
            return {"kind": "pass", "line": "pass"}
        case _:
            raise AssertionError(order)


def form_data(report: Report) -> Data | None:
    """The order file to be filled in (contract 2); None for those who have nothing to send.

    Empty lists and nulls stand where the player's own words go.
    """
    asked = report.asked
    head = {"game": report.game, "player": report.viewer}
    if report.mine and asked is not None and not isinstance(asked, v.ActionAsked):
        return {**head, "answers": [{"question": report.question, **_blank(asked)}]}
    if isinstance(asked, v.ActionAsked) and report.mine:
        second = {"action": 2} if asked.number == 2 else {}
        return {**head, "turn": report.turn_label, **second, "actions": []}
    if report.rest:
        return {**head, "turn": report.turn_label, "action": report.rest, "actions": []}
    if report.next_turn_label is not None and report.plays:
        return {**head, "turn": report.next_turn_label, "actions": []}
    return None


def _blank(
    asked: v.SupportAsked | v.WarAsked | v.MonumentAsked | v.TreasureAsked,
) -> Data:
    """The keys of an answer, without what is to be answered."""
    match asked:
        case v.SupportAsked():
            return {"support": None}
        case v.WarAsked():
            return {"wars": None}
        case v.MonumentAsked():
            return {"monument": None, "square": None}
        case v.TreasureAsked():
            return {"leave": None}
        case _:
            assert_never(asked)
