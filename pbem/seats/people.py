"""Who plays and who played: as far as it may be told, and by whom which turns were played.

In an anonymous game a player is known by his dynasty; only the moderator's report has names.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.pieces import Dynasty
from engine.view import Viewer
from pbem.chronicle import Chronicle
from pbem.deskfile import DeskFile, Handover
from pbem.gamefile import GameFile
from pbem.labels import turn_label
from pbem.policies import Person
from pbem.reportvalues import NewPlayer, Played
from pbem.seats.seating import person_of
from pbem.store import Game


class Holder(NamedTuple):
    """Somebody who has a seat, or had it. `taken`: how he came to it; None: from the start."""

    person: Person
    taken: Handover | None = None


def names_for(file: GameFile, viewer: Viewer) -> Mapping[Dynasty, str]:
    """The names of the players that a reader may know."""
    if file.policies.anonymous and viewer != "moderator":
        return {}
    return {seat.dynasty: seat.name for seat in file.seats}


def public_name(file: GameFile, seat: Dynasty) -> str | None:
    """What everybody may know a player as, beside his dynasty; None in an anonymous game."""
    return names_for(file, "public").get(seat)


def called(file: GameFile, seat: Dynasty) -> str:
    """A player as everybody may know him: `bull (Ben)`, or `bull` in an anonymous game."""
    name = public_name(file, seat)
    return f"{seat} ({name})" if name else seat


def holders(file: GameFile, desk: DeskFile, seat: Dynasty) -> tuple[Holder, ...]:
    """Everybody who has had a seat, the first one first; `file` as `seated` makes it."""
    passed = [each for each in desk.handovers if each.seat == seat]
    now = person_of(file.seat(seat))
    if not passed:
        return (Holder(now),)
    before = [Holder(passed[0].instead), *(Holder(each.person, each) for each in passed[:-1])]
    return (*before, Holder(now, passed[-1]))


def number_of(desk: DeskFile, seat: Dynasty) -> int:
    """Which handover of the game the last one of this seat was; 0 if there was none."""
    return max((i for i, each in enumerate(desk.handovers, 1) if each.seat == seat), default=0)


def taken_over(game: Game, seat: Viewer) -> int | None:
    """The newest run when the seat was given to who has it now; None if he had it all along."""
    runs = [each.run for each in game.desk.handovers if each.seat == seat]
    return runs[-1] if runs else None


def new_players(game: Game, chronicle: Chronicle, viewer: Viewer, run: int) -> Iterator[NewPlayer]:
    """The seats that have passed on since the report before this one: all readers are told."""
    names, takes = names_for(game.file, viewer), chronicle.record(run).turn_takes
    first = min(record.run for record in chronicle.news(viewer, run).records)
    told = {each.seat: each for each in game.desk.handovers if first - 1 <= each.run < run}
    for seat, each in told.items():
        name = each.person.name if seat in names else None
        yield NewPlayer(seat, name, turn_label(each.turn, takes))


def played_by(game: Game, chronicle: Chronicle, viewer: Viewer, run: int) -> tuple[Played, ...]:
    """Who played which turns: an entry for each person and seat; in a turn that two have shared
    it stands with both."""
    takes = chronicle.record(run).turn_takes
    decided = [*_decided(chronicle, run)]
    names = names_for(game.file, viewer)
    found = []
    for seat in game.file.players:
        every = holders(game.file, game.desk, seat)
        for holder, following in zip(every, (*every[1:], None), strict=True):
            after = holder.taken.run if holder.taken else -1
            until = following.taken.run if following and following.taken else run
            turns = (turn for at, turn, who in decided if who == seat and after < at <= until)
            labels = tuple(turn_label(turn, takes) for turn in dict.fromkeys(turns))
            found.append(Played(seat, holder.person.name if seat in names else None, labels))
    return tuple(found)


def _decided(chronicle: Chronicle, run: int) -> Iterator[tuple[int, int, Dynasty]]:
    """For each decision up to a run: the run, the turn, and whose turn it was."""
    for record in reversed([*chronicle.backwards(run)]):
        for played in chronicle.played(record):
            yield record.run, played.before.turn, played.before.active
