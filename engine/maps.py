"""The two printed boards (rules, section 2).

`.` land, `~` river, `T` a starting temple with its treasure, `#` one whose treasure has
priority (the framed spaces, R81).
"""

from typing import Literal, NamedTuple, TypeAlias

from engine.squares import ALL, BIT, SQUARES, Mask

BoardName: TypeAlias = Literal["standard", "advanced"]

_STANDARD = """
    . . . . ~ ~ ~ ~ ~ . T . ~ . . .
    . # . . ~ . . . . . . . ~ . . #
    . . . ~ ~ T . . . . . . ~ ~ . .
    ~ ~ ~ ~ . . . . . . . . . ~ ~ ~
    . . . . . . . . . . . . . T ~ ~
    . . . . . . . . . . . . . . ~ .
    ~ ~ ~ ~ . . . . T . . . ~ ~ ~ .
    . # . ~ ~ ~ ~ . . . . . ~ . . .
    . . . . . . ~ ~ ~ ~ ~ ~ ~ . # .
    . . . . . T . . . . . . . . . .
    . . . . . . . . . . T . . . . .
"""
_ADVANCED = """
    . . ~ ~ T . . . . T . . . . . ~
    . . ~ ~ . . . . . . . . . . T ~
    . # ~ ~ . . . . . . . . . . . ~
    . . ~ . . . T . . . . T ~ ~ ~ ~
    . . ~ . . . . . . . . . ~ . . .
    . . ~ T . . . . . . . . ~ . . #
    . . ~ ~ . . . . . . . . ~ ~ . .
    # . . ~ ~ ~ . T . . . . T ~ . .
    . . . . . ~ ~ ~ . . . . . ~ . .
    . . . . # . ~ ~ ~ ~ ~ ~ ~ ~ . .
    . . . . . . ~ . . # . . . . # .
"""


class Map(NamedTuple):
    """What is printed on a board."""

    river: Mask
    land: Mask
    temples: Mask
    priority: Mask


def _read(picture: str) -> Map:
    signs = dict(zip(SQUARES, picture.split(), strict=True))

    def those(wanted: str) -> Mask:
        return sum(BIT[square] for square, sign in signs.items() if sign in wanted)

    river = those("~")
    return Map(river=river, land=ALL & ~river, temples=those("T#"), priority=those("#"))


MAPS: dict[BoardName, Map] = {"standard": _read(_STANDARD), "advanced": _read(_ADVANCED)}
