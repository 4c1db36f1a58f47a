"""Events as plain values for the data format, field by field: what is not named stays out."""

from typing import Any, assert_never

from engine import events as e
from engine.pieces import ByColour

Data = dict[str, Any]


def numbers(given: ByColour) -> Data:
    """One number for each colour."""
    return {"red": given.red, "blue": given.blue, "green": given.green, "black": given.black}


def event_data(event: e.Event) -> Data:
    """What happened, under its `kind`."""
    match event:
        case (
            e.TilePlaced() | e.LeaderPlaced() | e.LeaderReturned() | e.CatastrophePlaced()
            | e.TilesExchanged() | e.ActionPassed() | e.MonumentBuilt() | e.MonumentDeclined()
        ):  # fmt: skip
            return _placing(event)
        case (
            e.RevoltBegan() | e.WarBegan() | e.WarChosen() | e.SupportSent() | e.ConflictEnded()
            | e.TilesRemoved()
        ):  # fmt: skip
            return _fighting(event)
        case (
            e.PointsScored() | e.TreasuresTaken() | e.TilesDrawn() | e.TilesGiven()
            | e.TilesReceived()
        ):  # fmt: skip
            return _getting(event)
        case e.TurnEnded() | e.TurnBegan() | e.GameEnded() | e.FinalScores():
            return _passing(event)
        case _:
            assert_never(event)


def _placing(
    event: e.TilePlaced | e.LeaderPlaced | e.LeaderReturned | e.CatastrophePlaced
    | e.TilesExchanged | e.ActionPassed | e.MonumentBuilt | e.MonumentDeclined,
) -> Data:  # fmt: skip
    match event:
        case e.TilePlaced(player, colour, at, uniting):
            data: Data = {"player": player, "colour": colour, "at": at, "uniting": uniting}
            return {"kind": "tile_placed", **data}
        case e.LeaderPlaced(player, colour, at, origin):
            data = {"player": player, "colour": colour, "at": at, "origin": origin}
            return {"kind": "leader_placed", **data}
        case e.LeaderReturned(player, colour, origin, why):
            data = {"player": player, "colour": colour, "origin": origin, "why": why}
            return {"kind": "leader_returned", **data}
        case e.CatastrophePlaced(player, at, tile):
            return {"kind": "catastrophe_placed", "player": player, "at": at, "tile": tile}
        case e.TilesExchanged(player, number):
            return {"kind": "tiles_exchanged", "player": player, "number": number}
        case e.ActionPassed(player):
            return {"kind": "action_passed", "player": player}
        case e.MonumentBuilt(player, pair, at, tiles):
            data = {"player": player, "pair": list(pair), "at": at, "tiles": tiles}
            return {"kind": "monument_built", **data}
        case e.MonumentDeclined(player):
            return {"kind": "monument_declined", "player": player}
        case _:
            assert_never(event)


def _fighting(
    event: e.RevoltBegan | e.WarBegan | e.WarChosen | e.SupportSent | e.ConflictEnded
    | e.TilesRemoved,
) -> Data:  # fmt: skip
    match event:
        case e.RevoltBegan(colour, attacker, defender, at, against):
            sides = {"attacker": attacker, "defender": defender, "at": at, "against": against}
            return {"kind": "revolt_began", "colour": colour, **sides}
        case e.WarBegan(colour, attacker, defender, union):
            sides = {"attacker": attacker, "defender": defender, "union": union}
            return {"kind": "war_began", "colour": colour, **sides}
        case e.WarChosen(player, colour):
            return {"kind": "war_chosen", "player": player, "colour": colour}
        case e.SupportSent(player, colour, number, side):
            data: Data = {"player": player, "colour": colour, "number": number, "side": side}
            return {"kind": "support_sent", **data}
        case e.ConflictEnded(colour, attacker, defender, attack, defence, winner, union):
            return {
                "kind": "conflict_ended",
                "colour": colour,
                "attacker": attacker,
                "defender": defender,
                "attack": _strength(attack),
                "defence": _strength(defence),
                "winner": winner,
                "union": union,
            }
        case e.TilesRemoved(player, colour, squares):
            data = {"player": player, "colour": colour, "squares": list(squares)}
            return {"kind": "tiles_removed", **data}
        case _:
            assert_never(event)


def _strength(given: e.Strength) -> Data:
    return {"board": given.board, "hand": given.hand, "total": given.total}


def _getting(
    event: e.PointsScored | e.TreasuresTaken | e.TilesDrawn | e.TilesGiven | e.TilesReceived,
) -> Data:
    match event:
        case e.PointsScored(player, colour, points, why, at):
            data: Data = {
                "player": player,
                "colour": colour,
                "points": points,
                "why": why,
                "at": at,
            }
            return {"kind": "points_scored", **data}
        case e.TreasuresTaken(player, squares, left):
            data = {"player": player, "squares": list(squares), "left": left}
            return {"kind": "treasures_taken", **data}
        case e.TilesDrawn(player, number, missing):
            data = {"player": player, "number": number, "missing": missing}
            return {"kind": "tiles_drawn", **data}
        case e.TilesGiven(player, given):
            return {"kind": "tiles_given", "player": player, "tiles": numbers(given)}
        case e.TilesReceived(player, letters):
            return {"kind": "tiles_received", "player": player, "tiles": letters}
        case _:
            assert_never(event)


def _passing(event: e.TurnEnded | e.TurnBegan | e.GameEnded | e.FinalScores) -> Data:
    match event:
        case e.TurnEnded(player, turn):
            return {"kind": "turn_ended", "player": player, "turn": turn}
        case e.TurnBegan(player, turn):
            return {"kind": "turn_began", "player": player, "turn": turn}
        case e.GameEnded(why):
            return {"kind": "game_ended", "why": list(why)}
        case e.FinalScores(rows):
            return {"kind": "final_scores", "rows": [row_data(row) for row in rows]}
        case _:
            assert_never(event)


def row_data(row: e.FinalRow) -> Data:
    """One player's line of the final table."""
    return {
        "player": row.player,
        "rank": row.rank,
        "before": numbers(row.before),
        "treasures": row.treasures,
        "after": numbers(row.after),
    }
