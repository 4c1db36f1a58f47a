"""The words of order lines: pieces, squares and monuments, read one at a time.

What cannot be read comes back as a `Problem` without a line; the caller knows where it stood.
"""

import re

from engine.pieces import COLOURS, LEADER, PAIRS, TILE, Colour, Pair
from engine.squares import SQUARES, Square
from pbem.problem import Problem
from pbem.suggest import choice, fold, square_meant, squares_near, strange, surely

TILES: dict[str, Colour] = {TILE[c]: c for c in COLOURS} | {c: c for c in COLOURS}
LEADERS: dict[str, Colour] = {LEADER[c]: c for c in COLOURS}
LEADERS_LONG: dict[str, Colour] = LEADERS | {c: c for c in COLOURS}
COLOUR_WORDS: dict[str, Colour] = TILES | LEADERS
PLURALS: dict[str, Colour] = TILES | {f"{TILE[c]}s": c for c in COLOURS}

_SQUARES = frozenset(SQUARES)


def fault(read: str, message: str, meant: str | None = None) -> Problem:
    """A problem of one line of text, which does not know where it stands."""
    return Problem(None, read, message, meant)


def read_word(text: str, words: dict[str, Colour], what: str) -> Colour | Problem:
    """The colour that a word of the table stands for; `what` names the kind of word."""
    colour = words.get(fold(text))
    if colour is not None:
        return colour
    if not text.strip():
        return fault(text, f"{what} is missing: {_names(words)}")
    message = f"{text} is not {what}: {_names(words)}"
    if sign := strange(text):
        message = f"{text} holds the letter {sign}; type {what}: {_names(words)}"
    return fault(text, message, surely(text, words))


def _names(words: dict[str, Colour]) -> str:
    tiles, leaders = TILE["red"] in words, LEADER["red"] in words
    if tiles and leaders:
        return choice(COLOURS)
    return choice(TILE.values() if tiles else LEADER.values())


def read_square(text: str) -> Square | Problem:
    """A square of the board, `A1` to `P11`."""
    square = text.strip().upper() if text.isascii() else text
    if square in _SQUARES:
        return square
    if not square:
        return fault(text, "a square is missing, such as F4")
    meant = square_meant(text)
    message = f"{text} is not a square: columns are A to P, rows 1 to 11"
    if sign := strange(text):
        message = f"{text} holds the letter {sign}; a square is a letter A-P and a number 1-11"
    elif not meant and (near := squares_near(text)):
        message += f"; perhaps {choice(near)}?"
    return fault(text, message, meant)


def read_pair(text: str) -> Pair | Problem:
    """The two colours of a monument, `temple/farm` or `red/blue`."""
    parts = [part.strip() for part in text.split("/")]
    if not text.strip():
        return fault(text, "the monument is missing: write its two colours, temple/farm")
    if len(parts) != 2:
        words = re.split(r"\s*(?:[-+&,]|\band\b)\s*|\s+", text.strip(), flags=re.IGNORECASE)
        two = [COLOUR_WORDS.get(fold(word)) for word in words]
        meant = "/".join(words) if len(two) == 2 and None not in two else None
        return fault(text, f"{text} is not a monument: write two colours, temple/farm", meant)
    colours: list[Colour] = []
    for part in parts:
        colour = read_word(part, TILES, "a colour of a monument")
        if isinstance(colour, Problem):
            meant = colour.meant and text.replace(part, colour.meant)
            return colour._replace(read=text, meant=meant)
        colours.append(colour)
    for pair in PAIRS:
        if set(pair) == set(colours):
            return pair
    return fault(text, f"{text} is not a monument: its two colours must differ")
