"""Which order files stay in force when runs are taken back and played again.

Those that wait for a turn whose name is still the same. All others go to undone/.
"""

from collections.abc import Mapping

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.intake import lying_sheets
from pbem.judge import is_for_own_next_turn, judge
from pbem.record import Record
from pbem.sheets import Sheet, Situation, in_force
from pbem.store import Game, GameFolder


def staying(
    folder: GameFolder, game: Game, undo: Record
) -> tuple[Mapping[str, tuple[str, ...]], tuple[Dynasty, ...]]:
    """The files that stay, by hash, with what of them has served; and whose files do not.

    `undo` is the run that is about to be made.
    """
    situation = Chronicle(folder, undo).situation()
    stay: dict[str, tuple[str, ...]] = {}
    ended: list[Dynasty] = []
    for dynasty in game.file.players:
        for sheet in in_force(lying_sheets(folder, dynasty, game)):
            if _stays(sheet, situation):
                stay[sheet.sha256] = sheet.used
            elif dynasty not in ended:
                ended.append(dynasty)
    return stay, tuple(ended)


def _stays(sheet: Sheet, situation: Situation) -> bool:
    fits = is_for_own_next_turn(sheet, situation)
    return fits and not (sheet.fresh and judge(sheet, situation))
