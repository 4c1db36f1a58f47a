"""What can be said of an order before its time: whether it is illegal whatever comes between.

A second action may depend on a draw or on a conflict. Terrain does not change, a destroyed
square stays destroyed, only a war removes tiles, and without a draw a hand only gets smaller.
"""

from engine import questions as q
from engine.legality import action_refusals
from engine.orders import Action, Exchange
from engine.pieces import COLOURS, HAND_SIZE, Dynasty
from engine.refusal import Refusal, Rule
from engine.squares import BIT, Square
from engine.state import State

LASTING = frozenset(
    {
        Rule.RIVER,
        Rule.TERRAIN,
        Rule.NO_CATASTROPHE_LEFT,
        Rule.CATASTROPHE_THERE,
        Rule.MONUMENT_THERE,
        Rule.SWAP_NOTHING,
    }
)
WITHOUT_ACTION = frozenset({Rule.NO_TEMPLE, Rule.LEADER_NOT_ON_BOARD})


def never_legal(
    state: State, player: Dynasty, order: Action, *, draws: bool, acts: bool = False
) -> Refusal | None:
    """The rule that will still forbid the action later in the turn, None if it may be legal.

    `draws` says that the player draws tiles before it, `acts` that he takes another action first.
    """
    for broken in action_refusals(state, player, order):
        match broken.rule:
            case Rule.NOT_IN_HAND:
                lasts = not draws and not acts
            case Rule.OCCUPIED:
                lasts = broken.at is not None and _stays(state, broken.at, acts=acts)
            case rule:
                lasts = rule in LASTING or (rule in WITHOUT_ACTION and not acts)
        if lasts:
            return broken
    return illegal_for_ever(state, player, order)


def illegal_for_ever(state: State, player: Dynasty, order: Action) -> Refusal | None:
    """The rule that will forbid the action in any later turn too, None if it may be legal.

    Monuments and destroyed squares stay, terrain stays, catastrophes that were used are gone,
    and no hand ever holds more tiles than at the start.
    """
    if isinstance(order, Exchange) and order.tiles.total > HAND_SIZE:
        colour = max(COLOURS, key=order.tiles.of)
        have, want = state.seat(player).hand.of(colour), order.tiles.of(colour)
        return Refusal(Rule.NOT_IN_HAND, player, colour, have=have, want=want)
    for broken in action_refusals(state, player, order):
        if broken.rule in LASTING or (broken.rule is Rule.OCCUPIED and _covered(state, broken.at)):
            return broken
    return None


def _covered(state: State, at: Square | None) -> bool:
    """Whether a catastrophe or a monument lies on a square: both stay to the end."""
    return at is not None and bool(BIT[at] & (state.board.catastrophes | state.board.facedown))


def _stays(state: State, at: Square, *, acts: bool) -> bool:
    """Whether what lies on a square lies there for the rest of the turn."""
    board, bit = state.board, BIT[at]
    if bit & (board.catastrophes | board.facedown):
        return True
    question = state.question
    fighting = isinstance(question, q.AskWar) or (
        isinstance(question, q.AskAttack | q.AskDefence) and question.conflict.union is not None
    )
    return not fighting and not acts and any(bit & tiles for tiles in board.tiles)
