"""What was probably meant: words without regard to case, slips of the finger, look-alikes."""

import re
import unicodedata
from collections.abc import Iterable

from engine.squares import COLUMNS, ROWS, SQUARES, Square

_LOOK_ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХавеѕіјкмнорстухԁոμΑΒΕΖΗΙΚΜΝΟΡΤΥΧαονρ",
    "ABESIJKMHOPCTYXabesijkmhopctyxdnuABEZHIKMNOPTYXaovp",
)
_DIGITS = str.maketrans("OolI|", "00111")
_SQUARE = r"(?i)(?P<column>[A-P])[-. ]?0*(?P<row>[0-9OoLlI|]{1,3})"
_REVERSED = r"(?i)0*(?P<row>[0-9]{1,2})[-. ]?(?P<column>[A-P])"
_ALL_SQUARES = frozenset(SQUARES)


def fold(text: str) -> str:
    """A word or line without regard to case and extra spaces.

    What is not ASCII keeps its case: some signs turn into plain letters when lowered, and a
    look-alike must not pass.
    """
    joined = " ".join(text.split())
    return joined.lower() if joined.isascii() else joined


def distance(one: str, other: str) -> int:
    """How many letters must be changed, added, dropped or swapped with the next."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        older, before, row = before, row, [i]
        for j, b in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]


def closest(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known words nearest to `word`, all of them if several are; none if it is far off."""
    word = fold(latin(word))
    if len(word) > 24:
        return ()
    reach = 1 if len(word) <= 4 else 2
    by_distance: dict[int, list[str]] = {}
    for candidate in known:
        if abs(len(candidate) - len(word)) <= reach:
            by_distance.setdefault(distance(word, candidate), []).append(candidate)
    best = min(by_distance, default=reach + 1)
    return tuple(by_distance[best]) if best <= reach else ()


def surely(word: str, known: Iterable[str]) -> str | None:
    """The one known word that can be meant, None if it is not clear."""
    found = closest(word, known)
    return found[0] if len(found) == 1 else None


def latin(text: str) -> str:
    """The text with letters that only look like Latin ones replaced."""
    return text if text.isascii() else text.translate(_LOOK_ALIKE)


def strange(text: str) -> str | None:
    """The first letter that is not plain ASCII, with its code point; None if all are."""
    for sign in text:
        if not sign.isascii():
            return f"{sign} (U+{ord(sign):04X} {unicodedata.name(sign, 'without a name')})"
    return None


def square_meant(text: str) -> Square | None:
    """The square that can only be meant: `4F`, `F 4`, `f04` and `F1O` are understood."""
    text = latin(text.strip())
    found = re.fullmatch(_SQUARE, text) or re.fullmatch(_REVERSED, text)
    if found is None or not any(sign.isdigit() for sign in found["row"]):
        return None
    row = found["row"].translate(_DIGITS).lstrip("0").replace("L", "1")
    square = found["column"].upper() + row
    return square if square in _ALL_SQUARES else None


def squares_near(text: str) -> tuple[Square, ...]:
    """The squares of the same column left when one digit of the row is dropped."""
    column, row = text[:1].upper(), text[1:]
    if column not in COLUMNS or not row.isdigit() or not row.isascii():
        return ()
    shorter = {row[:i] + row[i + 1 :] for i in range(len(row))}
    return tuple(f"{column}{n}" for n in ROWS if str(n) in shorter)


def choice(words: Iterable[str], last: str = "or") -> str:
    """A list for reading: `a, b or c`."""
    names = list(words)
    return " ".join([", ".join(names[:-1]), last, names[-1]]) if len(names) > 1 else "".join(names)
