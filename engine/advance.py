"""The one door in: give the game an order, get the next state and what happened."""

from typing import NamedTuple, assert_never

from engine import orders as o
from engine import questions as q
from engine.catastrophe import place_catastrophe
from engine.conflict import attack
from engine.events import ActionPassed, Event
from engine.hands import exchange
from engine.leaders import place_leader, withdraw_leader
from engine.legality import refusal
from engine.monuments import build_monument, decline_monument, offer_monument
from engine.pieces import Dynasty
from engine.play import Play
from engine.refusal import IllegalOrder
from engine.revolt import end_revolt
from engine.state import State
from engine.tiles import place_tile
from engine.treasures import collect_treasures, take_treasures
from engine.turn import end_action, end_turn, follow_up, next_turn
from engine.war import choose_war, end_war, fight_wars


class Outcome(NamedTuple):
    """The state after an order, and the events in between, oldest first."""

    state: State
    events: tuple[Event, ...]


def advance(state: State, player: Dynasty, order: o.Order) -> Outcome:
    """Answer the open question, then play on to the next one or to the end of the game.

    Raises IllegalOrder, and changes nothing, if the rules forbid the order.
    """
    broken = refusal(state, player, order)
    if broken is not None:
        raise IllegalOrder(broken)
    play = Play(state)
    answer(play, order)
    return run_on(play)


def start(state: State) -> Outcome:
    """Play on from a position to its first question."""
    return run_on(Play(state))


def run_on(play: Play) -> Outcome:
    """Carry out the steps of the agenda until a question is on top, and number it."""
    while not play.waiting:
        carry_out(play, play.take_step())
    return Outcome(play.pause(), tuple(play.events))


def answer(play: Play, order: o.Order) -> None:
    """Take the question off the agenda and do what its answer brings."""
    question = play.take_step()
    match question, order:
        case q.AskAction(player, number), _:
            follow_up(play, number)
            act(play, player, order)
        case q.AskAttack(), o.Support(number):
            attack(play, question, number)
        case q.AskDefence(), o.Support(number) if question.conflict.union is None:
            end_revolt(play, question, number)
        case q.AskDefence(), o.Support(number):
            end_war(play, question, number)
        case q.AskWar(), o.ChooseWar(colour):
            choose_war(play, question, colour)
        case q.AskMonument(), o.BuildMonument():
            build_monument(play, question, order)
        case q.AskMonument(), o.DeclineMonument():
            decline_monument(play, question)
        case q.AskTreasure(player), o.LeaveTreasure(at):
            take_treasures(play, player, at)
        case _:
            raise AssertionError((question, order))


def act(play: Play, player: Dynasty, order: o.Order) -> None:
    """Carry out an action (R11)."""
    match order:
        case o.PlaceTile():
            place_tile(play, player, order)
        case o.PlaceLeader():
            place_leader(play, player, order)
        case o.WithdrawLeader():
            withdraw_leader(play, player, order)
        case o.PlaceCatastrophe():
            place_catastrophe(play, player, order)
        case o.Exchange():
            exchange(play, player, order)
        case o.Pass():
            play.happen(ActionPassed(player))
        case _:
            raise AssertionError(order)


def carry_out(play: Play, step: q.Step) -> None:
    """Do one thing that the game does by itself."""
    match step:
        case q.FightWars():
            fight_wars(play, step)
        case q.OfferMonument():
            offer_monument(play, step)
        case q.CollectTreasures():
            collect_treasures(play, step)
        case q.EndAction():
            end_action(play, step)
        case q.EndTurn():
            end_turn(play)
        case q.NextTurn():
            next_turn(play)
        case (
            q.AskAction() | q.AskAttack() | q.AskDefence() | q.AskWar()
            | q.AskMonument() | q.AskTreasure()
        ):  # fmt: skip
            raise AssertionError(step)
        case _:
            assert_never(step)
