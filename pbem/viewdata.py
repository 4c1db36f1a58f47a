"""The data format: a report as plain JSON values, field by field.

What is not copied here by name is in no file; `schema/report.schema.json` describes all of it.
Made from the report alone, so nothing hidden can enter. Texts that people wrote are kept as
they are; `report_json` escapes everything that is not plain ASCII.
"""

import json
from datetime import datetime
from pathlib import Path

import engine.view as v
from engine import events as e
from engine.known import board_of
from engine.maps import MAPS
from engine.options import Options
from engine.pieces import COLOURS, LEADERS, Monument
from engine.squares import BLOCKS, Mask, squares_of
from pbem.askdata import answers_data, form_data, question_data
from pbem.eventdata import Data, event_data, numbers, row_data
from pbem.moredata import absent_data, hints_data, people_data, tally_data
from pbem.reports import Report
from pbem.reportvalues import Standstill, Terms
from pbem.wording import utc

FORMAT = "pbem-report"
VERSION = 1
SCHEMA = Path(__file__).parent / "schema" / "report.schema.json"


def report_json(report: Report) -> str:
    """The report as JSON text: ASCII only, the same bytes for the same report."""
    return json.dumps(report_data(report), indent=1) + "\n"


def report_schema() -> Data:
    """The published JSON Schema of the format."""
    schema: Data = json.loads(SCHEMA.read_text("utf-8"))
    return schema


def report_data(report: Report) -> Data:
    """The report as values for JSON, in the order of the text report."""
    view, names = report.view, report.names
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": report.game,
        "run": report.run,
        "viewer": report.viewer,
        "reader": _reader(report),
        "written": _time(report.written),
        "waiting_since": _time(report.waiting_since),
        **_clock(report),
        "over": view.over,
        "options": _options(view.options),
        "turn": {"number": view.turn, "label": report.turn_label, "active": view.active},
        "next_turn": report.next_turn_label,
        **_said(report),
        "final": [row_data(row) for row in report.final],
        "tally": None if report.tally is None else tally_data(report, report.tally),
        "revealed": None if report.revealed is None else _secrets(report.revealed),
        **people_data(report),
        **absent_data(report),
        "question": question_data(report),
        "answers": answers_data(report),
        "form": form_data(report),
        "news": [_news(report, event) for event in view.news],
        "board": _board(view),
        "changed": list(report.changed_squares),
        "kingdoms": [_kingdom(kingdom) for kingdom in view.kingdoms],
        "you": None if view.me is None else _holdings(view.me),
        "hints": None if report.hints is None else hints_data(report.hints),
        "seats": [{"name": names.get(seat.dynasty), **_seat(seat)} for seat in view.seats],
        "free_monuments": [list(pair) for pair in view.free_monuments],
        "bag_size": view.bag_size,
        "secrets": None if view.secrets is None else _secrets(view.secrets),
        "press": [{"player": press.player, "text": press.text} for press in report.press],
        "notes": list(report.notes),
    }


def _said(report: Report) -> Data:
    """What the reader is told beside what happened."""
    return {
        "corrected": report.corrected,
        "messages": list(report.messages),
        "rulings": list(report.rulings),
        "waits": list(report.waits),
    }


def _reader(report: Report) -> Data:
    return {"language": report.language, "zone": report.zone, "map": report.map_style}


def _clock(report: Report) -> Data:
    """Until when the open question is to be answered, what then, or why that is open."""
    until, terms, still = report.deadline, report.terms, report.standstill
    return {
        "deadline": None if until is None else _time(until),
        "late": None if terms is None else _terms(terms),
        "standstill": None if still is None else _standstill(still),
    }


def _terms(terms: Terms) -> Data:
    return {
        "then": terms.late,
        "grace": str(terms.grace),
        "misses": terms.misses,
        "stand_in": terms.stand_in,
    }


def _standstill(still: Standstill) -> Data:
    return {"since": _time(still.since), "why": still.why, "outage": still.outage}


def _time(when: datetime | None) -> str | None:
    return None if when is None else utc(when).strftime("%Y-%m-%dT%H:%M:%SZ")


def _options(options: Options) -> Data:
    return {
        "board": options.board,
        "treasure_timing": options.treasure_timing,
        "bag_end": options.bag_end,
        "split_side": options.split_side,
        "open_scoring": options.open_scoring,
    }


def _news(report: Report, event: e.Event) -> Data:
    """An event; where a turn begins or ends, also what that turn is called."""
    data = event_data(event)
    if isinstance(event, e.TurnBegan | e.TurnEnded):
        data["label"] = report.label(event.turn)
    return data


def _board(view: v.View) -> Data:
    """The board twice: as the signs of the map, and piece by piece."""
    board, printed = board_of(view), MAPS[view.options.board]
    under = {
        square: monument.tiles
        for monument in view.monuments
        if monument.at is not None
        for square in squares_of(BLOCKS[monument.at])
    }
    standing = [(leader, board.square_of(leader)) for leader in LEADERS]
    return {
        "cells": [list(row) for row in view.cells],
        "river": list(squares_of(printed.river)),
        "framed": list(squares_of(printed.priority)),
        "tiles": [
            {"at": at, "colour": colour}
            for colour in COLOURS
            for at in squares_of(board.tiles.of(colour))
        ],
        "face_down": [{"at": at, "colour": under.get(at)} for at in squares_of(board.facedown)],
        "leaders": [
            {"at": at, "dynasty": leader.dynasty, "colour": leader.colour}
            for leader, at in standing
            if at is not None
        ],
        "treasures": list(view.treasures),
        "catastrophes": list(squares_of(board.catastrophes)),
        "monuments": [_monument(monument) for monument in view.monuments],
        "uniting": _uniting(view),
    }


def _uniting(view: v.View) -> str | None:
    """Where the uniting marker lies (R50)."""
    match view.asked:
        case v.SupportAsked(conflict=conflict):
            return conflict.union
        case v.WarAsked(union=union):
            return union
        case _:
            return None


def _monument(monument: Monument) -> Data:
    at = monument.at
    block: Mask = 0 if at is None else BLOCKS[at]
    return {
        "pair": list(monument.pair),
        "at": at,
        "tiles": monument.tiles,
        "squares": list(squares_of(block)),
    }


def _kingdom(kingdom: v.KingdomView) -> Data:
    return {
        "leaders": [_leader(leader) for leader in kingdom.leaders],
        "tiles": numbers(kingdom.tiles),
        "squares": list(kingdom.squares),
        "treasures": list(kingdom.treasures),
        "monuments": [_monument(monument) for monument in kingdom.monuments],
    }


def _leader(leader: v.LeaderView) -> Data:
    return {
        "at": leader.at,
        "dynasty": leader.leader.dynasty,
        "colour": leader.leader.colour,
        "temples": leader.temples,
        "supporters": leader.supporters,
    }


def _holdings(holdings: v.Holdings) -> Data:
    return {
        "dynasty": holdings.dynasty,
        "hand": numbers(holdings.hand),
        "points": numbers(holdings.points),
        "treasures": holdings.treasures,
    }


def _seat(seat: v.SeatView) -> Data:
    return {
        "dynasty": seat.dynasty,
        "hand_size": seat.hand_size,
        "leaders_off": list(seat.leaders_off),
        "catastrophes": seat.catastrophes,
        "points": None if seat.points is None else numbers(seat.points),
        "treasures": seat.treasures,
    }


def _secrets(secrets: v.Secrets) -> Data:
    return {
        "holdings": [_holdings(each) for each in secrets.holdings],
        "bag": secrets.bag,
        "out": numbers(secrets.out),
    }
