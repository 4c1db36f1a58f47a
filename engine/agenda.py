"""What lies on the agenda below a question: it follows from the question and the action.

So a file needs to hold the open question only, and a state can be checked for it.
"""

from engine import questions as q
from engine.options import Options

END_OF_TURN = 3


def agenda_for(question: q.Question, action: int, options: Options) -> tuple[q.Step, ...]:
    """The whole agenda with this question on top, bottom first.

    `action` is 1 or 2, or `END_OF_TURN` for treasures that are taken only then (D01).
    """
    match question:
        case q.AskAction():
            return (question,)
        case q.AskAttack(_, conflict) | q.AskDefence(_, conflict):
            if conflict.union is None:
                return (*_after(action, options), question)
            wars = q.FightWars(conflict.union, conflict.origin)
            return (*_after(action, options), q.OfferMonument(wars.union), wars, question)
        case q.AskWar(_, union, origin):
            wars = q.FightWars(union, origin)
            return (*_after(action, options), q.OfferMonument(union), wars, question)
        case q.AskMonument():
            return (*_after(action, options), question)
        case q.AskTreasure() if action == END_OF_TURN:
            return (q.NextTurn(), q.CollectTreasures(), question)
        case q.AskTreasure():
            return (q.EndAction(action), q.CollectTreasures(), question)


def _after(action: int, options: Options) -> tuple[q.Step, ...]:
    """What every action ends with (R12), the last thing first."""
    if options.treasure_timing == "action":
        return (q.EndAction(action), q.CollectTreasures())
    return (q.EndAction(action),)


def action_of(agenda: tuple[q.Step, ...]) -> int:
    """The action that an agenda belongs to: 1, 2, or `END_OF_TURN`."""
    match agenda[0]:
        case q.AskAction(_, number) | q.EndAction(number):
            return number
        case _:
            return END_OF_TURN
