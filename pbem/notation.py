"""One line of text for each order, read and written by one table.

Order files, history files, the command line and reports all use it: `temple F4`, `king F5`,
`withdraw king`, `catastrophe F9`, `swap temple temple farm`, `pass`; answers are `support 2`,
`war black`, `monument temple/farm E5`, `monument none`, `leave K11`.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from engine.orders import (
    Action,
    Answer,
    BuildMonument,
    ChooseWar,
    DeclineMonument,
    Exchange,
    LeaveTreasure,
    Order,
    Pass,
    PlaceCatastrophe,
    PlaceLeader,
    PlaceTile,
    Support,
    WithdrawLeader,
)
from engine.pieces import COLOURS, LEADER, NONE, TILE, Pair
from pbem.problem import Problem
from pbem.suggest import fold, latin, square_meant, strange, surely
from pbem.words import (
    COLOUR_WORDS,
    LEADERS,
    LEADERS_LONG,
    PLURALS,
    TILES,
    fault,
    read_pair,
    read_square,
    read_word,
)


@dataclass(frozen=True, slots=True)
class PassAll:
    """Everything that is left of the turn is passed."""


_Line: TypeAlias = Order | PassAll
_FILLERS = frozenset(["at", "on", "to", "in", "place", "move", "put", "a", "the", "my"])
_WORDS = re.compile(r"[A-Za-z0-9]+|/")
_NUMBER = re.compile(r"[0-9]{1,3}")


def _read_tile(head: str, rest: str) -> _Line | Problem:
    square = read_square(rest)
    return square if isinstance(square, Problem) else PlaceTile(TILES[head], square)


def _read_leader(head: str, rest: str) -> _Line | Problem:
    square = read_square(rest)
    return square if isinstance(square, Problem) else PlaceLeader(LEADERS[head], square)


def _read_withdraw(_head: str, rest: str) -> _Line | Problem:
    colour = read_word(rest, LEADERS_LONG, "a leader")
    return colour if isinstance(colour, Problem) else WithdrawLeader(colour)


def _read_catastrophe(_head: str, rest: str) -> _Line | Problem:
    square = read_square(rest)
    return square if isinstance(square, Problem) else PlaceCatastrophe(square)


def _read_swap(_head: str, rest: str) -> _Line | Problem:
    if fold(rest) == "nothing":
        return Exchange(NONE)
    tiles, number = NONE, None
    words = rest.replace(",", " ").split()
    for word in words:
        if number is None and _NUMBER.fullmatch(word):
            number = int(word)
            continue
        colour = read_word(word, PLURALS, "a tile")
        if isinstance(colour, Problem):
            return colour
        tiles, number = tiles.plus(colour, 1 if number is None else number), None
    if number is not None or not words:
        return fault(rest, "name the tiles to exchange: swap temple temple farm, swap 2 temple")
    return Exchange(tiles)


def _read_pass(_head: str, rest: str) -> _Line | Problem:
    if not rest:
        return Pass()
    return PassAll() if fold(rest) == "all" else fault(rest, "write pass, or pass all")


def _read_support(_head: str, rest: str) -> _Line | Problem:
    if _NUMBER.fullmatch(rest):
        return Support(int(rest))
    return fault(rest, "support needs a number of tiles: support 2")


def _read_war(_head: str, rest: str) -> _Line | Problem:
    colour = read_word(rest, COLOUR_WORDS, "a colour")
    return colour if isinstance(colour, Problem) else ChooseWar(colour)


def _read_monument(_head: str, rest: str) -> _Line | Problem:
    if fold(rest) == "none":
        return DeclineMonument()
    colours, _, where = rest.rpartition(" ")
    pair = read_pair(colours or where)
    if isinstance(pair, Problem):
        return pair
    square = read_square(where if colours else "")
    return square if isinstance(square, Problem) else BuildMonument(pair, square)


def _read_leave(_head: str, rest: str) -> _Line | Problem:
    square = read_square(rest)
    return square if isinstance(square, Problem) else LeaveTreasure(square)


def write_tiles(tiles: Iterable[int]) -> str:
    """Tiles of a hand by their names: `temple temple farm`; numbers where there are many."""
    counts = [(TILE[c], n) for c, n in zip(COLOURS, tiles, strict=True) if n]
    if sum(n for _, n in counts) > 6:
        return ", ".join(f"{n} {name}" for name, n in counts)
    return " ".join(name for name, n in counts for _ in range(n)) or "nothing"


def write_pair(pair: Pair) -> str:
    """A monument by its colours: `temple/farm`."""
    return f"{TILE[pair[0]]}/{TILE[pair[1]]}"


class _Form(NamedTuple):
    """One kind of line: the words it may begin with, and both directions."""

    kind: type
    heads: Iterable[str]
    read: Callable[[str, str], _Line | Problem] | None
    write: Callable[[Any], str]


_ACTIONS = (
    _Form(PlaceTile, TILES, _read_tile, lambda o: f"{TILE[o.colour]} {o.at}"),
    _Form(PlaceLeader, LEADERS, _read_leader, lambda o: f"{LEADER[o.colour]} {o.at}"),
    _Form(WithdrawLeader, ["withdraw"], _read_withdraw, lambda o: f"withdraw {LEADER[o.colour]}"),
    _Form(PlaceCatastrophe, ["catastrophe"], _read_catastrophe, lambda o: f"catastrophe {o.at}"),
    _Form(Exchange, ["swap"], _read_swap, lambda o: f"swap {write_tiles(o.tiles)}"),
    _Form(Pass, ["pass"], _read_pass, lambda _: "pass"),
    _Form(PassAll, [], None, lambda _: "pass all"),
)
_ANSWERS = (
    _Form(Support, ["support"], _read_support, lambda o: f"support {o.number}"),
    _Form(ChooseWar, ["war"], _read_war, lambda o: f"war {o.colour}"),
    _Form(
        BuildMonument,
        ["monument"],
        _read_monument,
        lambda o: f"monument {write_pair(o.pair)} {o.at}",
    ),
    _Form(DeclineMonument, [], None, lambda _: "monument none"),
    _Form(LeaveTreasure, ["leave"], _read_leave, lambda o: f"leave {o.at}"),
)
_WRITERS = {form.kind: form.write for form in _ACTIONS + _ANSWERS}
_ACTION_READERS = {head: form.read for form in _ACTIONS if form.read for head in form.heads}
_ANSWER_READERS = {head: form.read for form in _ANSWERS if form.read for head in form.heads}
_OTHER_HEADS = {"exchange": "swap", "skip": "pass", "remove": "withdraw", "disaster": "catastrophe"}
ACTION_WORDS: tuple[str, ...] = (*_ACTION_READERS, "all")


def write_order(order: Order | PassAll) -> str:
    """The line for an order; reading it gives the order again."""
    return _WRITERS[type(order)](order)


def read_action(text: str) -> Action | PassAll | Problem:
    """The action of one line, such as `temple F4`."""
    result = _read_line(text, _ACTION_READERS, "an action")
    if isinstance(result, Problem):
        return result._replace(read=text.strip(), meant=_guess(text))
    assert not isinstance(result, Support | ChooseWar | BuildMonument | DeclineMonument)
    assert not isinstance(result, LeaveTreasure)
    return result


def read_answer(text: str) -> Answer | Problem:
    """The answer of one line, such as `support 2`."""
    result = _read_line(text, _ANSWER_READERS, "an answer")
    if isinstance(result, Problem):
        meant = text.replace(result.read, result.meant, 1) if result.meant else None
        return result._replace(read=text.strip(), meant=meant)
    assert isinstance(result, Support | ChooseWar | BuildMonument | DeclineMonument | LeaveTreasure)
    return result


def read_order(text: str) -> Order | Problem:
    """Any line that `write_order` writes for an order of the engine."""
    head = fold(text).partition(" ")[0]
    if head in _ANSWER_READERS:
        return read_answer(text)
    result = read_action(text)
    if isinstance(result, PassAll):
        return fault(text, "pass all is no single order; write pass")
    return result


def _read_line(
    text: str, readers: dict[str, Callable[[str, str], _Line | Problem]], what: str
) -> _Line | Problem:
    head, _, rest = " ".join(text.split()).partition(" ")
    head = fold(head)
    if reader := readers.get(head):
        return reader(head, rest)
    if not head:
        return fault(text, f"{what} is missing")
    if sign := strange(head):
        return fault(text, f"{head} holds the letter {sign}; type it again with plain letters")
    examples = "temple F4, king F5, withdraw king, catastrophe F9, swap temple, pass"
    if what == "an answer":
        examples = "support 2, war black, monument temple/farm E5, monument none, leave K11"
    return fault(text, f"{text.strip()} is not {what}; write one like these: {examples}")


def _guess(text: str) -> str | None:
    """The only action that the line can mean, if it is near to one."""
    words: list[str] = []
    squares: list[str] = []
    text = re.sub(r"^\s*[0-9]{1,2}\s*[.):]", "", latin(text)[:80])
    for word in _joined(_WORDS.findall(text)):
        if square := square_meant(word):
            squares.append(square)
        elif known := _known(word):
            words.append(known)
        elif word.lower() not in _FILLERS:
            return None
    line = _fold_kind(words) + squares
    result = _read_line(" ".join(line), _ACTION_READERS, "an action")
    return None if isinstance(result, Problem) else write_order(result)


def _joined(words: list[str]) -> Iterable[str]:
    """Words with a square written apart, `F 4`, put together."""
    position = 0
    while position < len(words):
        pair = "".join(words[position : position + 2])
        apart = position + 1 < len(words) and len(words[position]) == 1
        if apart and square_meant(pair) and words[position + 1].isdigit():
            yield pair
            position += 2
        else:
            yield words[position]
            position += 1


def _known(word: str) -> str | None:
    lower = word.lower()
    if lower in _FILLERS:
        return None
    if lower.isdigit() or lower in ("tile", "leader", "all", "nothing"):
        return lower
    if lower in PLURALS or lower in _OTHER_HEADS:
        return _OTHER_HEADS.get(lower, lower)
    return surely(lower, (*_ACTION_READERS, *_OTHER_HEADS, "all", "nothing"))


def _fold_kind(words: list[str]) -> list[str]:
    """`leader black` becomes `king`, `tile red` becomes `temple`."""
    if len(words) > 1 and words[0] in ("tile", "leader"):
        kinds = LEADER if words[0] == "leader" else TILE
        colour = COLOUR_WORDS.get(words[1])
        return [kinds[colour] if words[1] == colour else words[1], *words[2:]]
    if words and words[0] in PLURALS:
        return [TILE[PLURALS[words[0]]], *words[1:]]
    return words
