"""Decisions that their players have not sent: how the history names them."""

from typing import Literal, TypeAlias, get_args

from pbem.origin import BY_MODERATOR

ByDefault: TypeAlias = Literal["deadline", "dropped"]
"""The time to answer was over; nobody plays the seat any more."""

_SOURCES: tuple[ByDefault, ...] = get_args(ByDefault)


def by_default(source: str | None) -> ByDefault | None:
    """Why a decision with this source was made for its player; None if he has sent it."""
    return next((each for each in _SOURCES if each == source), None)


def is_own(source: str | None) -> bool:
    """Whether its player has sent a decision with this source himself."""
    return by_default(source) is None and source != BY_MODERATOR
