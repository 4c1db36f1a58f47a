"""Whatever a moderator makes of a state file, reading it gives a state or problems."""

import random
import re

import pytest

from engine.invariants import faults
from engine.pieces import COLOURS, DYNASTIES
from engine.squares import SQUARES
from pbem.position import read_position, write_state
from tests.playouts import play

_WORD = re.compile(r"[A-Za-z0-9.~#*]+")
_QUESTIONS = (
    "ask {p} for action {n}",
    "ask {p} for support as attacker in the {c} revolt of {p} against {r}",
    "ask {p} for support as defender against {n} sent in the {c} war of {r} against {p} round {s}",
    "ask {p} for the next war round {s}",
    "ask {p} for a monument with {s}",
    "ask {p} for the treasure that stays",
)


def _other(chance: random.Random, word: str) -> str:
    """A word of the same kind, or none of any kind."""
    for kind in (DYNASTIES, COLOURS, SQUARES):
        if word in kind:
            return chance.choice(kind)
    if word.isdecimal():
        return str(chance.randrange(20))
    return chance.choice([*_SIGNS, word + word, ""])


_SIGNS = ("..", "~~", "r.", "b.", "g.", "k.", "r*", "xx", "x*", "##", "Ak", "Bg", "Pr", "Lb")


def _mutated(chance: random.Random, text: str) -> str:
    words = list(_WORD.finditer(text))
    for word in sorted(chance.sample(words, 3), key=lambda found: -found.start()):
        new = _other(chance, word.group())
        text = text[: word.start()] + new + text[word.end() :]
    return text


def _asking(chance: random.Random, text: str) -> str:
    question = chance.choice(_QUESTIONS).format(
        p=chance.choice(DYNASTIES),
        r=chance.choice(DYNASTIES),
        n=chance.randrange(4),
        c=chance.choice(COLOURS),
        s=chance.choice(SQUARES),
    )
    lines = [line for line in text.splitlines() if not line.startswith(("question", "action"))]
    return "\n".join([*lines, f"action: {chance.choice([1, 2])}", f"question: {question}", ""])


@pytest.mark.parametrize("number", range(6))
def test_a_changed_state_is_read_or_refused(number: int) -> None:
    """Three words changed, or another question: never an exception, never a broken state."""
    texts: list[str] = []
    play(number, lambda state, *_: texts.append(write_state(state)))
    chance = random.Random(number)
    for _ in range(150):
        text = chance.choice(texts)
        change = chance.choice([_mutated, _asking])
        state, problems = read_position(change(chance, text))
        assert (state is None) == bool(problems)
        assert state is None or faults(state) == []
