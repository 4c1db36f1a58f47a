"""Treasure distribution (R80 to R84)."""

from typing import NamedTuple

from engine.events import TreasuresTaken
from engine.kingdoms import group_at
from engine.options import Options
from engine.pieces import Dynasty, Leader
from engine.play import Play
from engine.questions import AskTreasure, CollectTreasures
from engine.refusal import Refusal, Rule
from engine.squares import BIT, Mask, Square, squares_of
from engine.state import State


class Spoils(NamedTuple):
    """What a trader's owner takes: all of `taken`, and all of `may_stay` but one (R81)."""

    taken: Mask
    may_stay: Mask
    priority: Mask


def priority_squares(state: State) -> Mask:
    """The framed spaces, whose treasures are taken first (R81, D20)."""
    return _priority(state.board.map.priority, state.options)


def _priority(printed: Mask, options: Options) -> Mask:
    """Some games to compare with were played with another space in the list."""
    if options.board == "advanced" and options.test_priority == "I11":
        return printed & ~BIT["J11"] | BIT["I11"]
    return printed


def spoils_of(state: State, trader: Leader) -> Spoils | None:
    """What is to be taken in the trader's kingdom; None with fewer than two treasures."""
    board = state.board
    treasures = group_at(board, board.place_of(trader)) & board.treasures
    if treasures.bit_count() < 2:
        return None
    framed = treasures & priority_squares(state)
    plain = treasures & ~framed
    if plain:
        return Spoils(framed, plain, framed)
    return Spoils(0, framed, framed)


def collect_treasures(play: Play, step: CollectTreasures) -> None:
    """R80: every trader's owner takes all but one, clockwise from the active player (R83)."""
    for seat in play.state.clockwise():
        spoils = spoils_of(play.state, Leader(seat.dynasty, "green"))
        if spoils is None:
            continue
        if spoils.may_stay.bit_count() > 1:
            play.then(AskTreasure(seat.dynasty), step)
            return
        take_treasures(play, seat.dynasty, next(squares_of(spoils.may_stay)))


def asked_spoils(state: State, question: AskTreasure) -> Spoils:
    """What the open question is about."""
    spoils = spoils_of(state, Leader(question.player, "green"))
    assert spoils is not None
    return spoils


def treasure_refusals(state: State, question: AskTreasure, at: Square) -> list[Refusal]:
    """One of the treasures that may stay; a framed one only if there are no others (R81)."""
    spoils = asked_spoils(state, question)
    bit = BIT[at]
    if bit & spoils.may_stay:
        return []
    framed = bit & spoils.taken
    rule = Rule.PRIORITY_TREASURE_FIRST if framed else Rule.NO_TREASURE
    choices = tuple(squares_of(spoils.may_stay))
    return [Refusal(rule, question.player, at=at, choices=choices)]


def take_treasures(play: Play, player: Dynasty, stays: Square) -> None:
    """Take all treasures of the trader's kingdom but the one that stays."""
    spoils = spoils_of(play.state, Leader(player, "green"))
    assert spoils is not None
    squares = tuple(squares_of((spoils.taken | spoils.may_stay) & ~BIT[stays]))
    play.happen(TreasuresTaken(player, squares, stays))
