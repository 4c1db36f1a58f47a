"""Hints, and what is told at the end of a game, as plain values for the data format."""

from engine import hintview as h
from engine.pieces import Leader
from engine.tally import Comparison, Deeds, Tally
from pbem.eventdata import Data, numbers
from pbem.reports import Played


def hints_data(found: h.Hints) -> Data:
    """What the reader's pieces could do."""
    return {
        "player": found.player,
        "tiles": [
            {
                "colour": each.colour,
                "places": [_tile(place) for place in each.places],
                "monuments": list(each.monuments),
            }
            for each in found.tiles
        ],
        "leaders": [
            {
                "colour": each.colour,
                "origin": each.origin,
                "places": [
                    {
                        "squares": list(place.squares),
                        "revolt": None if place.revolt is None else _clash(place.revolt),
                    }
                    for place in each.places
                ],
            }
            for each in found.leaders
        ],
        "catastrophes": [
            {
                "squares": list(each.squares),
                "homeless": [_leader(leader) for leader in each.homeless],
                "splits": each.splits,
            }
            for each in found.catastrophes
        ],
    }


def _tile(place: h.TileHint) -> Data:
    return {
        "squares": list(place.squares),
        "effect": place.effect,
        "scorer": place.scorer,
        "wars": [_clash(war) for war in place.wars],
    }


def _clash(clash: h.Clash) -> Data:
    return {
        "colour": clash.colour,
        "attacker": clash.attacker,
        "defender": clash.defender,
        "attack": clash.attack,
        "defence": clash.defence,
    }


def _leader(leader: Leader) -> Data:
    return {"dynasty": leader.dynasty, "colour": leader.colour}


def comparison_data(one: Comparison) -> Data:
    """Why one player stands before the next."""
    return {
        "place": one.place,
        "better": one.better,
        "colour": one.colour,
        "points": one.points,
        "worse": one.worse,
        "other_colour": one.other_colour,
        "other_points": one.other_points,
    }


def tally_data(tally: Tally) -> Data:
    """The game in figures."""
    return {
        "players": list(tally.players),
        "standings": [
            {"turn": each.turn, "points": [numbers(points) for points in each.points]}
            for each in tally.standings
        ],
        "deeds": [_deeds(each) for each in tally.deeds],
    }


def _deeds(deeds: Deeds) -> Data:
    return {
        "player": deeds.player,
        "wars_won": deeds.wars_won,
        "wars_lost": deeds.wars_lost,
        "revolts_won": deeds.revolts_won,
        "revolts_lost": deeds.revolts_lost,
        "monuments": deeds.monuments,
        "treasures": deeds.treasures,
    }


def played_data(played: Played) -> Data:
    """Who played which turns."""
    return {"player": played.player, "name": played.name, "turns": list(played.turns)}
