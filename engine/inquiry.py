"""What all may know of the open question: who is asked, what about, with which strengths."""

from typing import assert_never

from engine import questions as q
from engine import view as v
from engine.conflict import losses, strength
from engine.monuments import blocks_at, free_pairs, placed_colour
from engine.pieces import Dynasty, Leader
from engine.squares import square_of, squares_of
from engine.state import State
from engine.treasures import asked_spoils
from engine.war import conflict_of, rivals_at


def asked(state: State) -> v.Asked | None:
    """The open question with all its public facts; None when the game is over."""
    question = state.question
    match question:
        case None:
            return None
        case q.AskAction(player, number):
            return v.ActionAsked(player, number)
        case q.AskAttack(player, conflict):
            shown, later = conflict_view(state, conflict), _later(state, conflict)
            return v.SupportAsked(player, "attack", shown, None, later)
        case q.AskDefence(player, conflict, sent):
            shown, later = conflict_view(state, conflict), _later(state, conflict)
            return v.SupportAsked(player, "defence", shown, sent, later)
        case q.AskWar(player, union, origin):
            return v.WarAsked(player, union, _wars(state, q.FightWars(union, origin)))
        case q.AskMonument(player, placed):
            return v.MonumentAsked(player, placed, _blocks(state, question))
        case q.AskTreasure(player):
            return _treasure(state, question)
        case _:
            assert_never(question)


def conflict_view(state: State, conflict: q.Conflict) -> v.ConflictView:
    """Both sides of a conflict as the board is now."""
    return v.ConflictView(
        colour=conflict.colour,
        support_colour=conflict.support_colour,
        union=conflict.union,
        attack=_side(state, conflict, conflict.attacker),
        defence=_side(state, conflict, conflict.defender),
    )


def _side(state: State, conflict: q.Conflict, player: Dynasty) -> v.Side:
    leader = Leader(player, conflict.colour)
    return v.Side(
        leader=leader,
        at=square_of(state.board.place_of(leader)),
        strength=strength(state.board, conflict, player),
        would_lose=tuple(squares_of(losses(state.board, conflict, player))),
    )


def _wars(state: State, step: q.FightWars) -> tuple[v.ConflictView, ...]:
    rivals = rivals_at(state.board, step.union)
    return tuple(conflict_view(state, conflict_of(state, each, step)) for each in rivals)


def _later(state: State, conflict: q.Conflict) -> tuple[v.ConflictView, ...]:
    """The other wars that could be fought at the same uniting tile now (R59)."""
    if conflict.union is None:
        return ()
    wars = _wars(state, q.FightWars(conflict.union, conflict.origin))
    return tuple(war for war in wars if war.colour != conflict.colour)


def _blocks(state: State, question: q.AskMonument) -> tuple[v.BlockView, ...]:
    colour = placed_colour(state, question)
    pairs = free_pairs(state, colour)
    corners = blocks_at(state.board, question.placed)
    return tuple(v.BlockView(at, colour, pairs) for at in corners)


def _treasure(state: State, question: q.AskTreasure) -> v.TreasureAsked:
    spoils = asked_spoils(state, question)
    trader = state.board.place_of(Leader(question.player, "green"))
    return v.TreasureAsked(
        player=question.player,
        trader=square_of(trader),
        may_stay=tuple(squares_of(spoils.may_stay)),
        taken=tuple(squares_of(spoils.taken)),
        priority=tuple(squares_of(spoils.priority)),
    )
