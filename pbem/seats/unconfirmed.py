"""Whether a game may begin: in some all seats confirm first that they play."""

from engine.pieces import Dynasty
from pbem.store import Game


def unconfirmed(game: Game) -> tuple[Dynasty, ...]:
    """The seats that have to confirm before the game can begin."""
    if not game.file.policies.confirm or game.record.run > 0:
        return ()
    return tuple(seat for seat in game.file.players if seat not in game.desk.confirmed)
