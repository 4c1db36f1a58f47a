"""More of a report in the data format: hints, and what is told when the game is over."""

from engine.hintview import CatastropheHint, Clash, Hints, LeaderHints, TileHints
from engine.tally import Deeds, Tally
from pbem.eventdata import Data, numbers
from pbem.reports import Report
from pbem.reportvalues import Absence, NewPlayer, Played


def hints_data(hints: Hints) -> Data:
    """What the reader's pieces could do; the reader is their player."""
    return {
        "tiles": [_tiles(each) for each in hints.tiles],
        "leaders": [_leaders(each) for each in hints.leaders],
        "catastrophes": [_catastrophes(each) for each in hints.catastrophes],
    }


def _tiles(hints: TileHints) -> Data:
    return {
        "colour": hints.colour,
        "places": [
            {
                "squares": list(place.squares),
                "effect": place.effect,
                "scorer": place.scorer,
                "wars": [_clash(war) for war in place.wars],
            }
            for place in hints.places
        ],
        "monuments": list(hints.monuments),
    }


def _leaders(hints: LeaderHints) -> Data:
    return {
        "colour": hints.colour,
        "origin": hints.origin,
        "places": [
            {
                "squares": list(place.squares),
                "revolt": None if place.revolt is None else _clash(place.revolt),
            }
            for place in hints.places
        ],
    }


def _catastrophes(hint: CatastropheHint) -> Data:
    return {
        "squares": list(hint.squares),
        "homeless": [
            {"dynasty": leader.dynasty, "colour": leader.colour} for leader in hint.homeless
        ],
        "splits": hint.splits,
    }


def _clash(clash: Clash) -> Data:
    return {
        "colour": clash.colour,
        "attacker": clash.attacker,
        "defender": clash.defender,
        "attack": clash.attack,
        "defence": clash.defence,
    }


def tally_data(report: Report, tally: Tally) -> Data:
    """The whole game in figures."""
    return {
        "players": list(tally.players),
        "standings": [
            {
                "turn": standing.turn,
                "label": report.label(standing.turn),
                "points": [numbers(points) for points in standing.points],
            }
            for standing in tally.standings
        ],
        "deeds": [_deeds(deeds) for deeds in tally.deeds],
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


def absent_data(report: Report) -> Data:
    """Who did not answer in time, what was decided for him, and which seats nobody plays."""
    return {
        "absences": [_absence(each) for each in report.absences],
        "dropped": list(report.dropped),
        "unplayed": [{"player": who, "since": since} for who, since in report.unplayed],
    }


def _absence(absence: Absence) -> Data:
    return {
        "player": absence.player,
        "question": absence.question,
        "dropped": absence.dropped,
        "decided": absence.decided.replace(" ", "_"),
        "what": absence.what or None,
    }


def people_data(report: Report) -> Data:
    """Who played which turns, who has taken over a seat, who has not confirmed yet."""
    return {
        "played_by": [_played(played) for played in report.played_by],
        "new_players": [_new_player(each) for each in report.new_players],
        "unconfirmed": list(report.unconfirmed),
    }


def _new_player(new: NewPlayer) -> Data:
    return {"player": new.player, "name": new.name, "turn": new.turn}


def _played(played: Played) -> Data:
    return {"player": played.player, "name": played.name, "turns": list(played.turns)}
