"""Positions for tests, written down as in part 6 of the rules, and drawn the same way."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast, get_args

from engine.board import Board, opening
from engine.maps import BoardName
from engine.options import BagEnd, Options, SplitSide, TreasureTiming
from engine.pieces import (
    COLOUR_OF,
    COLOURS,
    LETTER,
    PAIRS,
    ByColour,
    Colour,
    Dynasty,
    Leader,
    Monument,
    Pair,
)
from engine.questions import AskAction
from engine.squares import BIT, BLOCKS, COLUMNS, ROWS, Square, mask_of
from engine.state import Seat, State

DYNASTY_OF: dict[str, Dynasty] = {"A": "archer", "B": "bull", "L": "lion", "P": "pot"}
INITIAL: dict[Dynasty, str] = {dynasty: letter for letter, dynasty in DYNASTY_OF.items()}
SCENARIO_FIELDS = (
    "id", "title", "src", "why", "orders", "expect", "players", "board", "frag", "keep_tr",
    "hands", "cats", "vp", "bag", "mon", "opts", "wonder", "bld",
)  # fmt: skip
VARIANTS = {"english": True, "wonder": True, "buildings": True}
USUAL_BAG = "rbgk" * 30


def known(given: Iterable[str], allowed: Iterable[str], what: str) -> None:
    """Fail on a name nobody here understands."""
    unknown = sorted(set(given) - set(allowed))
    if unknown:
        raise ValueError(f"{what}: {', '.join(unknown)} not known here")


def pair_of(first: Colour, second: Colour) -> Pair:
    """The monument with these two colours, given in any order."""
    for pair in PAIRS:
        if {first, second} == set(pair):
            return pair
    raise ValueError(f"no monument is {first} and {second}")


def read_pair(letters: str) -> Pair:
    """`kr`: the monument of two colour letters."""
    if len(letters) != 2:
        raise ValueError(f"{letters!r} is no pair of colours")
    return pair_of(COLOUR_OF[letters[0]], COLOUR_OF[letters[1]])


def read_tiles(text: str) -> ByColour:
    """`r2 k1`: so many of each colour."""
    return read_points(text)[0]


def read_points(text: str) -> tuple[ByColour, int]:
    """`r2 k1 t3`: points by colour, and treasures."""
    total, treasures = ByColour(), 0
    for word in text.split():
        if word[0] == "t":
            treasures += int(word[1:])
        else:
            total = total.plus(COLOUR_OF[word[0]], int(word[1:]))
    return total, treasures


def read_leader(sign: str) -> Leader:
    """`Ak`: archer's king."""
    return Leader(DYNASTY_OF[sign[0]], COLOUR_OF[sign[1]])


def cell(board: Board, square: Square) -> str:
    """The two-letter sign of one square in map notation."""
    bit = BIT[square]
    gem = "*" if board.treasures & bit else None
    leader = board.leader_at(bit)
    colour = board.colour_at(bit)
    if leader:
        return INITIAL[leader.dynasty] + LETTER[leader.colour]
    if colour:
        return LETTER[colour] + (gem or ".")
    if board.facedown & bit:
        return "x" + (gem or "x")
    if board.catastrophes & bit:
        return "##"
    return "~~" if board.map.river & bit else ".."


def draw(board: Board, marked: Iterable[Square] = ()) -> str:
    """The whole board as text; marked squares stand in brackets."""
    wanted = set(marked)
    lines = ["    " + "  ".join(f"{column} " for column in COLUMNS)]
    for row in ROWS:
        signs = ((f"{column}{row}", cell(board, f"{column}{row}")) for column in COLUMNS)
        cells = (f"[{sign}]" if square in wanted else f" {sign} " for square, sign in signs)
        lines.append(f"{row:>2} " + "".join(cells))
    return "\n".join(lines)


def _empty(board: Board, square: Square) -> Board:
    keep = ~BIT[square]
    return board._replace(
        tiles=ByColour(*(mask & keep for mask in board.tiles)),
        treasures=board.treasures & keep,
        facedown=board.facedown & keep,
        catastrophes=board.catastrophes & keep,
        leaders=tuple(place & keep for place in board.leaders),
    )


def put(board: Board, square: Square, sign: str) -> Board:
    """The board with one square as the sign says, whatever was there before."""
    bit, board = BIT[square], _empty(board, square)
    if sign == ".." or (sign == "~~" and board.map.river & bit):
        return board
    if sign == "##":
        return board.with_catastrophe(square)
    if sign[0] in DYNASTY_OF:
        return board.with_leader(read_leader(sign), bit)
    if sign[1:] == "*":
        board = board._replace(treasures=board.treasures | bit)
    if sign in ("xx", "x*"):
        return board._replace(facedown=board.facedown | bit)
    if sign[0] not in COLOUR_OF or sign[1:] not in (".", "*"):
        raise ValueError(f"{square}: {sign!r} is no sign of the map notation, or not there")
    return board.with_tile(COLOUR_OF[sign[0]], square)


def lay(board: Board, top_left: Square, rows: Sequence[str]) -> Board:
    """The board with a fragment laid over it; `::` leaves a square as it is."""
    column, row = COLUMNS.index(top_left[0]), int(top_left[1:])
    for down, line in enumerate(rows):
        for right, sign in enumerate(line.split()):
            if sign != "::":
                board = put(board, f"{COLUMNS[column + right]}{row + down}", sign)
    return board


def _scenario_options(data: Mapping[str, Any]) -> Options:
    board: dict[str | None, BoardName] = {
        None: "standard", "std": "standard", "standard": "standard",
        "adv": "advanced", "advanced": "advanced",
    }  # fmt: skip
    given = data.get("opts", {})
    known(given, {"treasure", "bag_end", "split", *VARIANTS}, "opts")
    treasure, bag_end = given.get("treasure", "action"), given.get("bag_end", "short")
    split = given.get("split", "component")
    known([treasure], get_args(TreasureTiming), "opts treasure")
    known([bag_end], get_args(BagEnd), "opts bag_end")
    known([split], get_args(SplitSide), "opts split")
    return Options(
        board=board[data.get("board")],
        treasure_timing=treasure,
        bag_end=bag_end,
        split_side=split,
    )


def _monument(board: Board, pair: str, at: str) -> Monument:
    """A monument with the colour under it that fits the squares; `?1` is taken, and nowhere."""
    colours = read_pair(pair)
    if at.startswith("?"):
        return Monument(colours, None, colours[0])
    under = BLOCKS[at]
    for colour in colours:
        wet = not under & ~board.map.river
        if not under & board.treasures and wet == (colour == "blue"):
            return Monument(colours, at, colour)
    return Monument(colours, at, "red" if "red" in colours else colours[0])


def _scenario_seat(data: Mapping[str, Any], letter: str) -> Seat:
    points, treasures = read_points(data.get("vp", {}).get(letter, ""))
    return Seat(
        DYNASTY_OF[letter],
        hand=read_tiles(data.get("hands", {}).get(letter, "")),
        points=points,
        treasures=treasures,
        catastrophes=data.get("cats", {}).get(letter, 2),
    )


def scenario_state(data: Mapping[str, Any]) -> State:
    """The position of a scenario: the first player takes his first action."""
    known(data, SCENARIO_FIELDS, "fields")
    known((name for name in ("wonder", "bld") if data.get(name)), (), "fields without their option")
    letters = data.get("players", "AB")
    for field in ("hands", "vp", "cats"):
        known(data.get(field, {}), letters, field)
    options = _scenario_options(data)
    board = opening(options.board)
    for top_left, rows in data.get("frag", []):
        board = lay(board, top_left, rows)
    if "keep_tr" in data:
        kept = data["keep_tr"]
        board = board._replace(treasures=mask_of(kept.split() if isinstance(kept, str) else kept))
    return State(
        options,
        seats=tuple(_scenario_seat(data, letter) for letter in letters),
        board=board,
        bag="".join(data.get("bag", USUAL_BAG).split()),
        active=DYNASTY_OF[letters[0]],
        agenda=(AskAction(DYNASTY_OF[letters[0]], 1),),
        monuments=tuple(_monument(board, pair, at) for pair, at in data.get("mon", [])),
    )


def by_colour(numbers: Mapping[str, int]) -> ByColour:
    """`{"red": 2, ...}` as a value; absent colours are 0."""
    return ByColour(*(numbers.get(colour, 0) for colour in COLOURS))


def oracle_state(setup: Mapping[str, Any]) -> State:
    """The position of the set-up line of a logged game, at its first question."""
    players = sorted(setup["players"], key=lambda player: cast(int, player["seat"]))
    return State(
        Options(board=setup["options"]["board"], test_refill="seats", test_priority="I11"),
        seats=tuple(
            Seat(
                player["dynasty"],
                hand=by_colour(setup["hands"][player["dynasty"]]),
                catastrophes=setup["hands"][player["dynasty"]]["catastrophe"],
            )
            for player in players
        ),
        board=opening(setup["options"]["board"]),
        bag="".join(LETTER[cast(Colour, colour)] for colour in setup["bag"]),
        active=players[0]["dynasty"],
        agenda=(AskAction(players[0]["dynasty"], 1),),
    )
