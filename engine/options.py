"""The options of a game (rules, sections 4 and 5). They are data in the state."""

from typing import Literal, NamedTuple, TypeAlias

from engine.maps import BoardName

TreasureTiming: TypeAlias = Literal["action", "turn"]
BagEnd: TypeAlias = Literal["short", "empty"]
SplitSide: TypeAlias = Literal["component", "original"]


class Options(NamedTuple):
    """How this game is played.

    `treasure_timing` D01, `bag_end` D03, `split_side` D06, `open_scoring` section 4.
    The two options named `test_` exist to compare games with another program; no game is
    made with them: `test_refill` D10, `test_priority` D20.
    """

    board: BoardName = "standard"
    treasure_timing: TreasureTiming = "action"
    bag_end: BagEnd = "short"
    split_side: SplitSide = "component"
    open_scoring: bool = False
    test_refill: Literal["active", "seats"] = "active"
    test_priority: Literal["J11", "I11"] = "J11"
