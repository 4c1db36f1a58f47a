"""The agenda of a state as sentences: what is pending, bottom to top, without loss (3.14).

One table serves both ways. A sentence is made of the fields of its step, so a step that is
added to `engine.questions` needs one line here.
"""

import re
from collections.abc import Callable
from typing import Any

from engine.pieces import COLOURS, DYNASTIES
from engine.questions import (
    AskAction,
    AskAttack,
    AskDefence,
    AskMonument,
    AskTreasure,
    AskWar,
    CollectTreasures,
    Conflict,
    EndAction,
    EndTurn,
    FightWars,
    NextTurn,
    OfferMonument,
    Step,
)
from engine.squares import Mask, mask_of, squares_of

SENTENCES: dict[type, str] = {
    AskAction: "ask {player} for action {number}",
    AskAttack: "ask {player} for support as attacker in {conflict}",
    AskDefence: "ask {player} for support as defender against {sent} sent in {conflict}",
    AskWar: "ask {player} for the next war round {union}{origin}",
    AskMonument: "ask {player} for a monument with {placed}",
    AskTreasure: "ask {player} for the treasure that stays",
    FightWars: "fight the wars round {union}{origin}",
    OfferMonument: "offer a monument with {placed}",
    CollectTreasures: "collect treasures",
    EndAction: "end action {number}",
    EndTurn: "end the turn",
    NextTurn: "begin the next turn",
}
_REVOLT = "the {colour} revolt of {attacker} against {defender}"
_WAR = "the {colour} war of {attacker} against {defender} round {union}{origin}"

_DYNASTY = "|".join(DYNASTIES)
_SQUARE = "[A-P](?:1[01]|[1-9])"
_NUMBER = "[0-9]{1,3}"
_GROUP = f"(?:nothing|{_SQUARE}(?: {_SQUARE})*)"
_PATTERNS = {
    "player": _DYNASTY,
    "attacker": _DYNASTY,
    "defender": _DYNASTY,
    "colour": "|".join(COLOURS),
    "number": _NUMBER,
    "sent": _NUMBER,
    "union": _SQUARE,
    "placed": _SQUARE,
    "origin": f"(?: from {_GROUP}(?: / {_GROUP})*)?",
    "conflict": "the .+",
}


def write_step(step: Step) -> str:
    """The sentence for a step."""
    return _fill(SENTENCES[type(step)], step)


def read_step(text: str) -> Step | None:
    """The step a sentence stands for, None if it is not one."""
    text = " ".join(text.split())
    for kind, pattern in _READERS:
        match = re.fullmatch(pattern, text)
        if match:
            values = {key: _value(key, word) for key, word in match.groupdict().items()}
            step: Step | None = None if values.get("conflict", 0) is None else kind(**values)
            return step
    return None


def _fill(sentence: str, step: Any) -> str:
    return _HOLE.sub(lambda hole: _word(hole[1], getattr(step, hole[1])), sentence)


def _word(key: str, value: Any) -> str:
    if key == "conflict":
        return _fill(_REVOLT if value.union is None else _WAR, value)
    if key == "origin":
        return _write_groups(value)
    return str(value)


def _write_groups(groups: tuple[Mask, ...]) -> str:
    names = [" ".join(squares_of(group)) or "nothing" for group in groups]
    return " from " + " / ".join(names) if names else ""


def _read_groups(text: str) -> tuple[Mask, ...]:
    parts = text.removeprefix(" from ").replace("nothing", "").split("/")
    return tuple(mask_of(part.split()) for part in parts) if text else ()


def _read_conflict(text: str) -> Conflict | None:
    match = re.fullmatch(_CONFLICTS[0], text) or re.fullmatch(_CONFLICTS[1], text)
    if match is None:
        return None
    values: dict[str, Any] = {key: _value(key, word) for key, word in match.groupdict().items()}
    return Conflict(**values)


def _value(key: str, word: str) -> Any:
    return _VALUES[key](word) if key in _VALUES else word


def _pattern(sentence: str) -> str:
    return _HOLE.sub(lambda hole: f"(?P<{hole[1]}>{_PATTERNS[hole[1]]})", sentence)


_HOLE = re.compile(r"\{(\w+)\}")
_VALUES: dict[str, Callable[[str], Any]] = {
    "number": int,
    "sent": int,
    "origin": _read_groups,
    "conflict": _read_conflict,
}
_READERS = [(kind, _pattern(sentence)) for kind, sentence in SENTENCES.items()]
_CONFLICTS = (_pattern(_REVOLT), _pattern(_WAR))
