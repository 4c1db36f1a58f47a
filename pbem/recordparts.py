"""The parts of a record that are maps by turn or by file, and the texts of people in it."""

import re
from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias, TypeVar, get_args

from engine.pieces import DYNASTIES, Dynasty
from pbem.fields import Fields, scalar

Fate: TypeAlias = Literal["used", "refused", "dropped", "replaced", "withdrawn"]
FATES: tuple[Fate, ...] = get_args(Fate)
SERVED = ("press", "note")
"""What of a file can have served besides labels of questions."""

HASH = re.compile(r"[0-9a-f]{64}")
_LABEL = re.compile(r"[1-9][0-9]{0,5}[a-z]{0,3}\.[1-9][0-9]{0,5}")
_TURN = re.compile(r"[1-9][0-9]{0,5}")
_HASHES = "hashes of files, 64 digits 0-9 and a-f"
Entry = TypeVar("Entry")


def read_turn_takes(fields: Fields) -> Iterator[tuple[int, int]]:
    """How often turns were taken back."""
    for key in fields.names():
        if not _TURN.fullmatch(key):
            continue
        yield int(key), fields.number(key, low=1)
    fields.end("numbers of turns")


def read_open_files(fields: Fields) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The files that wait, with what of them has served."""
    for key in fields.names():
        if not HASH.fullmatch(key):
            continue
        text = fields.text(key)
        labels = () if text == "none" else tuple(text.split())
        for label in labels:
            if label not in SERVED:
                check_label(fields, key, label)
        yield key, labels
    fields.end(_HASHES)


def read_closed_files(fields: Fields) -> Iterator[tuple[str, Fate]]:
    """The files that are done with, with their fates."""
    for key in fields.names():
        if HASH.fullmatch(key):
            yield key, fields.choice(key, FATES)
    fields.end(_HASHES)


def read_texts(fields: Fields, key: str, make: Callable[[Dynasty, str], Entry]) -> Iterator[Entry]:
    """Texts, each with its player."""
    for each in fields.children(key):
        yield make(each.choice("player", DYNASTIES), each.text("text"))
        each.end("player, text")


def write_texts(key: str, texts: tuple[tuple[Dynasty, str], ...]) -> list[str]:
    """The lines of such texts."""
    lines = [f"{key}:"] if texts else []
    for player, text in texts:
        lines += [f"  - player: {player}", f"    text: {scalar(text)}"]
    return lines


def check_label(fields: Fields, key: str, label: str) -> None:
    """Note a problem if this is no number of a question."""
    if not _LABEL.fullmatch(label):
        fields.wrong(key, f"`{label}` should be the number of a question such as 7.3 or 7b.3")
