"""The round of a game whose deadlines are judged: orders first, then what the policy says."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.clock.lateness import Late, late_seat, stand_in_for
from pbem.intake import Intake, take_in
from pbem.rounds import Round, play_round
from pbem.seats.handover import hand_over
from pbem.store import Game, GameFolder


class Tried(NamedTuple):
    """The round, and the game and its order files as they are then."""

    game: Game
    intake: Intake
    played: Round


def try_late(
    folder: GameFolder,
    game: Game,
    chronicle: Chronicle,
    intake: Intake,
    now: datetime,
    excused: Collection[tuple[str, Dynasty]],
) -> Tried:
    """Play a round; the caller holds the game.

    Who is dropped, or loses his seat to the stand-in, is written on the desk before anything is
    decided: a run that is killed and done again comes to the same.
    """
    late = late_seat(game, chronicle, now, excused)
    situation = chronicle.situation(game.desk.dropped)
    played = play_round(situation, intake.sheets, late.question if late else None)
    if late is None or late.follows == "pass" or not played.missed:
        return Tried(game, intake, played)
    game = _without(folder, game, late, now)
    intake = take_in(folder, game)
    situation = chronicle.situation(game.desk.dropped)
    return Tried(game, intake, play_round(situation, intake.sheets))


def _without(folder: GameFolder, game: Game, late: Late, now: datetime) -> Game:
    """The game once the player who is late has left his seat."""
    if late.follows == "drop":
        desk = game.desk._replace(dropped={**game.desk.dropped, late.player: now})
        folder.write_desk(desk)
        return game._replace(desk=desk)
    person = stand_in_for(game, late.player)
    assert person is not None
    return hand_over(folder, game, late.player, person, now)
