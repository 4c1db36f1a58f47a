"""Whether the agenda of a state makes sense: what is asked, of whom, and what follows."""

from collections.abc import Iterator

from engine import questions as q
from engine.agenda import action_of, agenda_for
from engine.monuments import blocks_at, free_pairs
from engine.pieces import Colour, Leader
from engine.squares import BIT, Mask, Square, grow
from engine.state import State
from engine.treasures import spoils_of
from engine.war import conflict_of, rivals_at


def union_of(state: State) -> tuple[Square | None, Colour | None]:
    """The square with the uniting marker, or the colour that is in revolt, if any."""
    match state.question:
        case q.AskAttack(_, conflict) | q.AskDefence(_, conflict):
            if conflict.union is None:
                return None, conflict.colour
            return conflict.union, None
        case q.AskWar(_, union):
            return union, None
        case _:
            return None, None


def agenda_faults(state: State) -> Iterator[str]:
    """What is wrong with the open question and what lies below it; nothing once it is over."""
    if not state.agenda:
        return
    question = state.agenda[-1]
    if not isinstance(question, q.QUESTIONS):
        yield "the last step of the agenda is not a question"
        return
    if state.agenda != agenda_for(question, action_of(state.agenda), state.options):
        yield "what follows the open question is not what the rules say"
    if question.player not in state.players:
        yield f"{question.player} is asked but does not play"
    elif not _fits(state, question):
        yield "the open question does not fit the position"


def _fits(state: State, question: q.Question) -> bool:
    """Whether the position gives rise to this question, to this player."""
    board = state.board
    match question:
        case q.AskAction(player, number):
            return player == state.active and number in (1, 2)
        case q.AskAttack(player, conflict):
            return player == conflict.attacker and _conflict_fits(state, conflict)
        case q.AskDefence(player, conflict, sent):
            return player == conflict.defender and sent >= 0 and _conflict_fits(state, conflict)
        case q.AskWar(player, union, origin):
            several = len(rivals_at(board, union)) > 1
            return player == state.active and several and _union_fits(state, union, origin)
        case q.AskMonument(player, placed):
            colour = board.colour_at(BIT[placed])
            fits = blocks_at(board, placed) and free_pairs(state, colour)
            return player == state.active and bool(fits)
        case q.AskTreasure(player):
            spoils = spoils_of(state, Leader(player, "green"))
            return spoils is not None and spoils.may_stay.bit_count() > 1


def _conflict_fits(state: State, conflict: q.Conflict) -> bool:
    """Both leaders stand where they meet, and the right one attacks (R30, R54)."""
    board = state.board
    attacker = board.place_of(Leader(conflict.attacker, conflict.colour))
    defender = board.place_of(Leader(conflict.defender, conflict.colour))
    if conflict.attacker == conflict.defender or not (attacker and defender):
        return False
    if conflict.union is None:
        together = grow(attacker, board.connected) & defender
        return conflict.attacker == state.active and bool(together)
    step = q.FightWars(conflict.union, conflict.origin)
    wars = [conflict_of(state, each, step) for each in rivals_at(board, conflict.union)]
    return conflict in wars and _union_fits(state, conflict.union, conflict.origin)


def _union_fits(state: State, union: Square, origin: tuple[Mask, ...]) -> bool:
    """A tile lies under the marker (R50); the old groups are kept only if they matter (D06)."""
    remembered = state.options.split_side == "original"
    return state.board.colour_at(BIT[union]) is not None and bool(origin) == remembered
