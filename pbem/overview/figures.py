"""Figures of all games: turns a day, how long players take, who misses, which games stand still."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import date, timedelta
from math import ceil
from statistics import median
from typing import NamedTuple

from pbem.overview.decided import Move, Past

_DAY = timedelta(days=1)


class PlayerFigures(NamedTuple):
    """One person in all his games. `half` of his answers came within so long, `most` of them
    (90 %) within so long; None if he was never waited for. `misses`: deadlines that decided."""

    person: str
    games: int
    moves: int
    half: timedelta | None
    most: timedelta | None
    misses: int


class Figures(NamedTuple):
    """Figures of some games from a day on. `days`: turns and moves of each day, without gaps."""

    games: int
    moves: int
    turns: int
    days: Mapping[date, tuple[int, int]]
    half: timedelta | None
    most: timedelta | None
    players: tuple[PlayerFigures, ...]
    answers: tuple[timedelta, ...]

    @property
    def turns_a_day(self) -> float:
        """How many turns begin on a day, over all these games."""
        return self.turns / len(self.days) if self.days else 0.0


def figures_of(pasts: Collection[Past], today: date, since: date | None = None) -> Figures:
    """The figures of these games up to today."""
    kept = [
        (past.game, move)
        for past in pasts
        for move in past.moves
        if since is None or move.when.date() >= since
    ]
    own = [move for _, move in kept if move.own]
    took = sorted(move.took for move in own if move.took is not None)
    return Figures(
        games=len(pasts),
        moves=len(own),
        turns=sum(move.begins for _, move in kept),
        days=_by_day([move for _, move in kept], today, since),
        half=_half(took),
        most=_most(took),
        players=_players(kept),
        answers=tuple(took),
    )


def _by_day(moves: list[Move], today: date, since: date | None) -> dict[date, tuple[int, int]]:
    turns = Counter(move.when.date() for move in moves if move.begins)
    every = Counter(move.when.date() for move in moves if move.own)
    if not moves and since is None:
        return {}
    day = since or min(move.when.date() for move in moves)
    last = max([today, *every, *turns])
    days = [day + number * _DAY for number in range((last - day).days + 1)]
    return {each: (turns[each], every[each]) for each in days}


def _players(kept: Iterable[tuple[str, Move]]) -> tuple[PlayerFigures, ...]:
    """Everybody, the slowest first."""
    by: dict[str, list[tuple[str, Move]]] = {}
    for game, move in kept:
        by.setdefault(move.person, []).append((game, move))
    found = [_player(person, moves) for person, moves in by.items()]
    return tuple(sorted(found, key=lambda p: (-(p.half or timedelta()), p.person)))


def _player(person: str, moves: list[tuple[str, Move]]) -> PlayerFigures:
    took = sorted(move.took for _, move in moves if move.took is not None)
    return PlayerFigures(
        person,
        games=len({game for game, _ in moves}),
        moves=sum(move.own for _, move in moves),
        half=_half(took),
        most=_most(took),
        misses=sum(move.missed for _, move in moves),
    )


def _half(took: list[timedelta]) -> timedelta | None:
    """The time within which half of them came."""
    return timedelta(seconds=median(each.total_seconds() for each in took)) if took else None


def _most(took: list[timedelta]) -> timedelta | None:
    """The time within which 90 of 100 came; `took` in order."""
    return took[ceil(0.9 * len(took)) - 1] if took else None
