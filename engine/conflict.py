"""What revolts and wars share: strengths, and support from the hand (R31, R32, R55)."""

from engine.board import Board
from engine.events import ConflictEnded, Strength, SupportSent
from engine.pieces import Colour, Dynasty, Leader
from engine.play import Play
from engine.questions import AskAttack, AskDefence, Conflict
from engine.refusal import Refusal, Rule
from engine.squares import BIT, NOWHERE, Mask, beside, grow
from engine.state import State


def side_of(board: Board, conflict: Conflict, player: Dynasty) -> Mask:
    """The squares of one side in a war (R51): the leader's group without the uniting tile.

    With `split_side=original` (D06): what was in the leader's group when the tile was placed
    and still hangs together with the leader, also across the uniting tile.
    """
    assert conflict.union is not None
    place = board.place_of(Leader(player, conflict.colour))
    if not conflict.origin:
        return grow(place, board.connected & ~BIT[conflict.union])
    original = sum(group for group in conflict.origin if group & place)
    return grow(place, board.connected) & original


def supporters(board: Board, conflict: Conflict, player: Dynasty) -> Mask:
    """The tiles on the board that count for a side: temples beside the leader in a revolt
    (R31), face-up tiles of the war colour on the side in a war (R55)."""
    if conflict.union is None:
        return beside(board.place_of(Leader(player, conflict.colour))) & board.tiles.red
    return side_of(board, conflict, player) & board.tiles.of(conflict.colour)


def strength(board: Board, conflict: Conflict, player: Dynasty) -> int:
    """The strength of a side on the board."""
    return supporters(board, conflict, player).bit_count()


def losses(board: Board, conflict: Conflict, player: Dynasty) -> Mask:
    """The tiles a side would lose (R57). A revolt costs no tile on the board (R34)."""
    if conflict.union is None:
        return NOWHERE
    gone = supporters(board, conflict, player)
    if conflict.colour == "red":
        priest = board.place_of(Leader(player, "red"))
        gone &= ~(board.treasures | beside(board.standing & ~priest))
    return gone


def fewest_to_win(state: State, question: AskAttack | AskDefence) -> int | None:
    """The fewest tiles from the hand that win as far as the player asked can know.

    The attacker must exceed the defender's strength on the board, the defender reach the
    attacker's total (R33, R56). None if the hand does not hold as many.
    """
    conflict, board = question.conflict, state.board
    attacking = strength(board, conflict, conflict.attacker)
    defending = strength(board, conflict, conflict.defender)
    if isinstance(question, AskAttack):
        wanted = max(0, defending + 1 - attacking)
    else:
        wanted = max(0, attacking + question.sent - defending)
    have = state.seat(question.player).hand.of(conflict.support_colour)
    return wanted if wanted <= have else None


def support_refusals(state: State, player: Dynasty, colour: Colour, number: int) -> list[Refusal]:
    """One can send what one holds (R32, R55)."""
    have = state.seat(player).hand.of(colour)
    if 0 <= number <= have:
        return []
    return [Refusal(Rule.NOT_IN_HAND, player, colour, have=have, want=number)]


def attack(play: Play, question: AskAttack, number: int) -> None:
    """The attacker's support; then the defender is asked, and knows the number."""
    conflict = question.conflict
    play.happen(SupportSent(question.player, conflict.support_colour, number, "attack"))
    play.then(AskDefence(conflict.defender, conflict, number))


def defend(play: Play, question: AskDefence, number: int) -> ConflictEnded:
    """The defender's support, and who won: a tie is the defender's (R33, R56)."""
    conflict = question.conflict
    play.happen(SupportSent(question.player, conflict.support_colour, number, "defence"))
    board = play.state.board
    attacking = Strength(strength(board, conflict, conflict.attacker), question.sent)
    defending = Strength(strength(board, conflict, conflict.defender), number)
    won = attacking.total > defending.total
    ended = ConflictEnded(
        conflict.colour,
        conflict.attacker,
        conflict.defender,
        attacking,
        defending,
        conflict.attacker if won else conflict.defender,
        conflict.union,
    )
    play.happen(ended)
    return ended
