"""What a limit is: a rule, and the squares where it lets a piece go.

Each chapter that puts something on a square lists its limits in the order in which they are
checked. The same list gives the squares that are legal (all limits together) and the reason
why a square is not (the first limit that excludes it), so legality is said once.
"""

from collections.abc import Iterable
from typing import NamedTuple

from engine.refusal import Rule
from engine.squares import ALL, BIT, Mask, Square


class Limit(NamedTuple):
    """`rule` forbids every square that is not in `allowed`."""

    rule: Rule
    allowed: Mask


def allowed_by(limits: Iterable[Limit]) -> Mask:
    """The squares that no limit excludes."""
    mask = ALL
    for _, allowed in limits:
        mask &= allowed
    return mask


def broken_at(limits: Iterable[Limit], at: Square) -> list[Rule]:
    """The rules that exclude the square, in the order in which they are checked."""
    bit = BIT[at]
    return [rule for rule, allowed in limits if not bit & allowed]
