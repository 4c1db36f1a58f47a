"""Several actions in one line, told apart at the commas."""

from pbem.suggest import closest, fold
from pbem.words import PLURALS

MAX_ITEMS = 40


def split_actions(text: str) -> list[str]:
    """The actions of one line. A piece that is only tiles continues an exchange before it."""
    pieces: list[str] = []
    for piece in text.split(",", MAX_ITEMS):
        if pieces and _is_swap(pieces[-1]) and _is_tiles(piece):
            pieces[-1] = f"{pieces[-1]},{piece}"
        else:
            pieces.append(piece)
    return [piece.strip() for piece in pieces]


def _is_swap(piece: str) -> bool:
    return "swap" in closest(fold(piece).partition(" ")[0], ["swap"])


def _is_tiles(piece: str) -> bool:
    words = fold(piece).split()
    known = [*PLURALS, *(str(n) for n in range(10))]
    return bool(words) and all(
        word.isdigit() or (word.isalpha() and closest(word, known)) for word in words
    )
