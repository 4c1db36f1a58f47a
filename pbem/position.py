"""A state as text that a moderator can read and write, and back again without loss.

The same keys serve the state in a history file, where each must be there, and the file of
`new --position`, where what is absent is as at the start.
"""

import re
from typing import NamedTuple, cast

from engine.agenda import END_OF_TURN, action_of, agenda_for
from engine.board import Board, opening
from engine.invariants import faults
from engine.maps import BoardName
from engine.options import Options
from engine.pieces import COLOURS, DYNASTIES, PAIRS, TILE, ByColour, Dynasty, Monument, Pair
from engine.questions import QUESTIONS, AskAction, Question, Step
from engine.squares import BIT, BLOCKS
from engine.state import State
from pbem.agenda import read_step, write_step
from pbem.fields import Fields, read_fields
from pbem.holdings import NOTHING, deal, missing_tiles, read_holdings, write_holdings
from pbem.mapnotation import HEADING, read_map, write_map
from pbem.optiontext import read_options, write_options
from pbem.problem import Problem
from pbem.yamltext import Scalar

_NOWHERE = "nowhere"
_KEYS = (
    "options, seats, active, turn, serial, action, question, map, monuments, hands, points, "
    "catastrophes, bag, out"
)
_PICTURE = re.compile(rb"^map:[ \t]*[|>][-+]?[ \t]*$", re.MULTILINE)
_ACTIONS = {"1": 1, "2": 2, "end of turn": END_OF_TURN}
_ACTION_WORDS = {number: words for words, number in _ACTIONS.items()}
_PAIRS: dict[str, Pair] = {
    f"{names[first]}/{names[second]}": pair
    for names in ({colour: colour for colour in COLOURS}, TILE)
    for pair in PAIRS
    for first, second in (pair, (pair[1], pair[0]))
}


class Base(NamedTuple):
    """What a position starts from: the game as `new` would make it, and its secret."""

    state: State
    seed: str


def read_position(
    data: bytes | str, base: Base | None = None
) -> tuple[State | None, tuple[Problem, ...]]:
    """The state of a text, None if there are problems. With `base` keys may be absent."""
    raw = data.encode("utf-8", errors="surrogatepass") if isinstance(data, str) else data
    fields, found = read_fields(_PICTURE.sub(b"map: |1", raw))
    state = None if fields is None else read_state(fields, base)
    return state, tuple(found.problems)


def read_state(fields: Fields, base: Base | None = None) -> State | None:
    """The state in these fields; None, with the problems noted, if something is wrong."""
    problems = fields.faults.problems
    before = len(problems)
    state = _read(fields, base)
    fields.end(_KEYS)
    if len(problems) == before:
        for fault in faults(state):
            fields.wrong(None, str(fault))
    return state if len(problems) == before else None


def write_state(state: State) -> str:
    """The text of a state; `read_position` gives the same state back."""
    lines = [
        "options:",
        *(f"  {line}" for line in write_options(state.options)),
        f"seats: {' '.join(state.players)}",
        f"active: {state.active}",
        f"turn: {state.turn}",
        f"serial: {state.serial}",
        *_write_agenda(state),
        f"#  {HEADING}",
        "map: |",
        *(f"  {line}" for line in write_map(state.board)),
        *_write_monuments(state.monuments),
        *write_holdings(state),
    ]
    return "\n".join(lines) + "\n"


def _read(fields: Fields, base: Base | None) -> State:
    start = base.state if base else None
    options = read_options(fields.child("options"), start.options if start else Options())
    players = _read_players(fields, start)
    active = fields.choice("active", players, players[0] if start else None)
    turn = fields.number("turn", 1 if start else None, low=1)
    serial = fields.number("serial", 1 if start else None, low=1)
    agenda = _read_agenda(fields, active, options, strict=base is None)
    board = _read_board(fields, options.board, strict=base is None)
    monuments = _read_monuments(fields, strict=base is None)
    held = read_holdings(fields, players, strict=base is None)
    if base is not None:
        held = deal(held, missing_tiles(held, _placed(board, monuments)), base.seed)
    return State(
        options=options,
        seats=held.seats,
        board=board,
        bag=held.bag or "",
        active=active,
        monuments=monuments,
        out=held.out or ByColour(),
        turn=turn,
        serial=serial,
        agenda=agenda,
    )


def _placed(board: Board, monuments: tuple[Monument, ...]) -> ByColour:
    """The tiles on the board, those under monuments included."""
    placed = ByColour(*(mask.bit_count() for mask in board.tiles))
    for monument in monuments:
        if monument.at in BLOCKS:
            under = board.facedown & BLOCKS[monument.at]
            placed = placed.plus(monument.tiles, under.bit_count())
    return placed


def _read_players(fields: Fields, start: State | None) -> tuple[Dynasty, ...]:
    """The dynasties in turn order; they must be those of the game, if that is known."""
    if start is not None and "seats" not in fields:
        return start.players
    words = fields.text("seats").split()
    players = tuple(each for word in words for each in DYNASTIES if each == word)
    if len(players) != len(words) or len({*players}) != len(players) or not players:
        known = ", ".join(DYNASTIES)
        fields.wrong("seats", f"`{' '.join(words)}` should be different ones of {known}")
    elif start is not None and players != start.players:
        fields.wrong("seats", f"the seats of the game are {' '.join(start.players)}")
    else:
        return players
    return start.players if start else DYNASTIES


def _read_agenda(
    fields: Fields, active: Dynasty, options: Options, *, strict: bool
) -> tuple[Step, ...]:
    """What is pending: the open question, with what the rules put below it."""
    if "agenda" in fields:
        return tuple(_read_steps(fields))
    words = fields.text("question", None if strict else "")
    if words == NOTHING:
        return ()
    question = read_step(words) if words else None
    if words and not isinstance(question, QUESTIONS):
        fields.wrong("question", f"`{words}` is no question such as `ask {active} for action 1`")
        fields.text("action", "")
        return ()
    if isinstance(question, AskAction) and "action" not in fields:
        return (question,)
    action = _ACTIONS[fields.choice("action", _ACTIONS, None if strict else "1")]
    asked = cast(Question, question) if question else AskAction(active, min(action, 2))
    if isinstance(asked, AskAction) and asked.number != action:
        fields.wrong("action", f"{_ACTION_WORDS[action]} does not fit the question")
    return agenda_for(asked, action, options)


def _read_steps(fields: Fields) -> list[Step]:
    steps = []
    for index, words in enumerate(fields.texts("agenda")):
        step = read_step(words)
        if step is None:
            fields.wrong(f"agenda[{index}]", f"`{words}` is no step of a turn")
        else:
            steps.append(step)
    return steps


def _write_agenda(state: State) -> list[str]:
    agenda = state.agenda
    if not agenda:
        return [f"question: {NOTHING}"]
    question, action = agenda[-1], action_of(agenda)
    if not isinstance(question, QUESTIONS) or agenda != agenda_for(question, action, state.options):
        return ["agenda:", *(f"  - {write_step(step)}" for step in agenda)]
    if isinstance(question, AskAction):
        return [f"question: {write_step(question)}"]
    return [f"action: {_ACTION_WORDS[action]}", f"question: {write_step(question)}"]


def _read_board(fields: Fields, name: BoardName, *, strict: bool) -> Board:
    if not strict and "map" not in fields:
        return opening(name)
    picture = fields.node("map")
    if not isinstance(picture, Scalar):
        if picture is not None:
            fields.wrong("map", "should be a picture of 11 lines below `map: |`")
        return opening(name)
    board, found = read_map(picture.text.rstrip("\n").split("\n"), name)
    for row, square, message in found:
        where = "" if square is None or square in message else f"{square}: "
        fields.wrong("map", where + message, picture.line + 1 + row)
    return board


def _read_monuments(fields: Fields, *, strict: bool) -> tuple[Monument, ...]:
    if strict and "monuments" not in fields:
        fields.node("monuments")
    found = []
    for each in fields.children("monuments"):
        pair = _PAIRS[each.choice("pair", _PAIRS)]
        at = each.text("at").upper()
        if at not in BIT and at != _NOWHERE.upper():
            each.wrong("at", f"`{at}` should be the top left square, A1 to P11")
        found.append(Monument(pair, at if at in BIT else None, each.choice("tiles", COLOURS)))
        each.end("pair, at, tiles")
    return tuple(found)


def _write_monuments(monuments: tuple[Monument, ...]) -> list[str]:
    if not monuments:
        return ["monuments: []"]
    return ["monuments:", *(
        f"  - {{pair: {'/'.join(pair)}, at: {at or _NOWHERE}, tiles: {tiles}}}"
        for pair, at, tiles in monuments
    )]  # fmt: skip
