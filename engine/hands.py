"""Hands and the bag: drawing, the exchange, the refill (R13, R85, R86, R92)."""

from engine.events import TilesDrawn, TilesExchanged, TilesGiven, TilesReceived
from engine.orders import Exchange
from engine.pieces import COLOURS, HAND_SIZE, Dynasty
from engine.play import Play
from engine.refusal import Refusal, Rule
from engine.state import State


def draw(play: Play, player: Dynasty, wanted: int) -> None:
    """Draw from the front of the bag; a shortage is noted in the event (R86)."""
    tiles = play.state.bag[:wanted]
    play.happen(TilesDrawn(player, len(tiles), wanted - len(tiles)))
    play.happen(TilesReceived(player, tiles))


def exchange_refusals(state: State, player: Dynasty, order: Exchange) -> list[Refusal]:
    """At least one tile (D28), and only what is in the hand (R85)."""
    if not order.tiles.total:
        return [Refusal(Rule.SWAP_NOTHING, player)]
    hand = state.seat(player).hand
    return [
        Refusal(Rule.NOT_IN_HAND, player, colour, have=hand.of(colour), want=want)
        for colour, want in zip(COLOURS, order.tiles, strict=True)
        if not 0 <= want <= hand.of(colour)
    ]


def exchange(play: Play, player: Dynasty, order: Exchange) -> None:
    """Put the tiles out of the game, then draw as many at once (R85).

    R86 needs no note: a shortage here leaves this hand below six with an empty bag, which the
    refill at the end of the turn cannot mend, and that ends the game (R93).
    """
    number = order.tiles.total
    play.happen(TilesExchanged(player, number))
    play.happen(TilesGiven(player, order.tiles))
    draw(play, player, number)


def refill(play: Play) -> None:
    """R92: all refill to six, the active player first, then clockwise (D10)."""
    state = play.state
    seats = state.seats if state.options.test_refill == "seats" else state.clockwise()
    for seat in seats:
        wanted = HAND_SIZE - seat.hand.total
        if wanted > 0:
            draw(play, seat.dynasty, wanted)
