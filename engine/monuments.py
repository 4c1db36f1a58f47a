"""Monuments: when one may be built, and what it pays (R61 to R69, R90)."""

from engine.board import Board
from engine.events import MonumentBuilt, MonumentDeclined, PointsScored
from engine.kingdoms import group_at
from engine.leaders import send_home_the_homeless
from engine.orders import BuildMonument
from engine.pieces import PAIRS, Colour, Leader, Pair
from engine.play import Play
from engine.questions import AskMonument, OfferMonument
from engine.refusal import Refusal, Rule
from engine.squares import BIT, BLOCKS, BLOCKS_WITH, Square
from engine.state import State


def blocks_at(board: Board, placed: Square) -> tuple[Square, ...]:
    """The top left squares of the blocks of one colour that contain the placed tile (R61)."""
    colour = board.colour_at(BIT[placed])
    if colour is None:
        return ()
    tiles = board.tiles.of(colour)
    return tuple(corner for corner, mask in BLOCKS_WITH[placed] if not mask & ~tiles)


def free_pairs(state: State, colour: Colour | None = None) -> tuple[Pair, ...]:
    """The monuments nobody has built yet, with this colour if one is given (R64)."""
    taken = {monument.pair for monument in state.monuments}
    return tuple(pair for pair in PAIRS if pair not in taken and (colour is None or colour in pair))


def placed_colour(state: State, question: AskMonument) -> Colour:
    """The colour of the tile that completed the block."""
    colour = state.board.colour_at(BIT[question.placed])
    assert colour is not None
    return colour


def offer_monument(play: Play, step: OfferMonument) -> None:
    """Ask if there is a block and a monument that fits; else nothing is asked (R64)."""
    state = play.state
    colour = state.board.colour_at(BIT[step.placed])
    if blocks_at(state.board, step.placed) and free_pairs(state, colour):
        play.then(AskMonument(state.active, step.placed))


def monument_refusals(state: State, question: AskMonument, order: BuildMonument) -> list[Refusal]:
    """A free monument (R64) with a matching colour on a block with the placed tile (R61)."""
    colour = placed_colour(state, question)
    blocks = blocks_at(state.board, question.placed)
    broken = []
    if order.pair not in free_pairs(state):
        broken.append(Rule.MONUMENT_USED)
    if colour not in order.pair:
        broken.append(Rule.MONUMENT_COLOUR)
    if order.at not in blocks:
        broken.append(Rule.NOT_A_SQUARE)
    return [
        Refusal(rule, question.player, colour, order.at, order.pair, choices=blocks)
        for rule in broken
    ]


def build_monument(play: Play, question: AskMonument, order: BuildMonument) -> None:
    """Flip the block; leaders left without a temple go home (R67, R69)."""
    colour = placed_colour(play.state, question)
    play.happen(MonumentBuilt(question.player, order.pair, order.at, colour))
    send_home_the_homeless(play)


def decline_monument(play: Play, question: AskMonument) -> None:
    """R62: the block counts no more until another tile is put to it."""
    play.happen(MonumentDeclined(question.player))


def score_monuments(play: Play) -> None:
    """R90: the active player's leaders of a monument's colours in its kingdom."""
    player, board = play.state.active, play.state.board
    for monument in play.state.monuments:
        if monument.at is None:
            continue
        kingdom = group_at(board, BLOCKS[monument.at])
        for colour in monument.pair:
            if board.place_of(Leader(player, colour)) & kingdom:
                play.happen(PointsScored(player, colour, 1, "monument", monument.at))
