"""What can be said of an order before its time: whether it is illegal whatever comes between.

A second action may depend on a draw or on a conflict. Terrain does not change, a destroyed
square stays destroyed, and without a draw a hand only gets smaller.
"""

from engine.legality import action_refusals
from engine.orders import Action
from engine.pieces import Dynasty
from engine.refusal import Refusal, Rule
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


def never_legal(state: State, player: Dynasty, order: Action, *, draws: bool) -> Refusal | None:
    """The rule that will still forbid the action later in the turn, None if it may be legal.

    `draws` says that the player draws tiles before it.
    """
    lasting = LASTING if draws else LASTING | {Rule.NOT_IN_HAND}
    broken = action_refusals(state, player, order)
    return next((each for each in broken if each.rule in lasting), None)
