"""Reports: what one reader is told of a game, as a value, and its text."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from engine import events as e
from engine.hintview import Hints
from engine.pieces import Dynasty
from engine.squares import COLUMNS, SQUARES, Square
from engine.tally import Comparison, Tally, comparison
from engine.view import Asked, SeatView, Secrets, View, Viewer
from pbem.gamefile import LANGUAGE, MapStyle
from pbem.language import speaking
from pbem.lines import clean, fold_all, one_line
from pbem.places import Places, places
from pbem.policies import ZONE
from pbem.reportvalues import (
    Absence,
    Happening,
    NewPlayer,
    Played,
    Press,
    Standstill,
    Terms,
    TurnNews,
    Unplayed,
)
from pbem.wording import Told, page, say, without_twins

NAME_LIMIT = 24
WHY_LIMIT = 200
Named = TypeVar("Named", "NewPlayer", "Played")
_STARTS = (
    e.TilePlaced, e.LeaderPlaced, e.CatastrophePlaced, e.TilesExchanged, e.ActionPassed,
    e.TilesDrawn, e.TilesReceived, e.GameEnded, e.FinalScores,
)  # fmt: skip


class Report(NamedTuple):
    """All that one reader is told; templates see it under the name `view`, and nothing else.

    `names`: the players' names (those of an anonymous game are left out). `question`: the label
    of the open question, such as `7.3`. `next_turn_label`: this reader's own next turn, None if
    he has none. `messages`: what became of his own files.
    `picture`, `chart`: where HTML finds the board and the points over time as pictures, such
    as `cid:board` in a letter.
    `waits`: his orders that wait, a text for each file. `rest`: the action of his turn that comes
    when somebody else has answered, None if none does. `turn_labels`: turns that are called
    something else than their number, because they were played again. `new_players`: who has
    taken over a seat. `unconfirmed`: the seats that the start of the game waits for.
    `deadline`: until when the question has to be answered, whoever is asked; `terms`: what then;
    `standstill`: why there is no deadline now.
    `absences`: what was decided for those who did not answer in time, as far as it is told here.
    `dropped`: the seats that nobody plays any more; `unplayed` says since when, at the end.
    `corrected`: why this report takes the place of earlier ones, None if it does not.
    `rulings`: what the moderator says to all.
    """

    game: str
    run: int
    viewer: Viewer
    names: Mapping[Dynasty, str]
    view: View
    question: str | None
    turn_label: str
    next_turn_label: str | None
    written: datetime
    waiting_since: datetime | None = None
    press: tuple[Press, ...] = ()
    notes: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    rest: int | None = None
    turn_labels: Mapping[int, str] = MappingProxyType({})
    language: str = LANGUAGE
    zone: str = ZONE
    map_style: MapStyle = "map"
    deadline: datetime | None = None
    terms: Terms | None = None
    standstill: Standstill | None = None
    changed: frozenset[Square] = frozenset()
    hints: Hints | None = None
    tally: Tally | None = None
    revealed: Secrets | None = None
    played_by: tuple[Played, ...] = ()
    new_players: tuple[NewPlayer, ...] = ()
    unconfirmed: tuple[Dynasty, ...] = ()
    picture: str | None = None
    chart: str | None = None
    absences: tuple[Absence, ...] = ()
    dropped: tuple[Dynasty, ...] = ()
    unplayed: tuple[Unplayed, ...] = ()
    corrected: str | None = None
    rulings: tuple[str, ...] = ()

    @property
    def asked(self) -> Asked | None:
        """What the game waits for, whoever is asked."""
        return self.view.asked

    @property
    def mine(self) -> bool:
        """Whether the reader is the one who is asked."""
        return self.asked is not None and self.asked.player == self.viewer

    @property
    def plays(self) -> bool:
        """Whether the reader is one of the players."""
        return self.viewer in self.view.players

    @property
    def seat(self) -> SeatView | None:
        """The reader's own place at the table."""
        return next((seat for seat in self.view.seats if seat.dynasty == self.viewer), None)

    @property
    def others(self) -> tuple[SeatView, ...]:
        """The players, without the reader."""
        return tuple(seat for seat in self.view.seats if seat.dynasty != self.viewer)

    @property
    def map_rule(self) -> str:
        """The letters above and below the map."""
        return "   " + "  ".join(COLUMNS)

    @property
    def places(self) -> Places:
        """The map square by square, for a list."""
        return places(self.view)

    @property
    def changed_squares(self) -> tuple[Square, ...]:
        """The changed squares in the order of the map."""
        return tuple(square for square in SQUARES if square in self.changed)

    @property
    def final(self) -> tuple[e.FinalRow, ...]:
        """The final table; empty before the end of the game."""
        scores = (event for event in self.view.news if isinstance(event, e.FinalScores))
        return next(scores, e.FinalScores(())).rows

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Why the final order is so: each row compared with the next one."""
        rows = self.final
        return tuple(comparison(*pair) for pair in pairwise(rows))

    @property
    def winners(self) -> tuple[str, ...]:
        """Who won, as the reader knows them."""
        return tuple(self.who(row.player) for row in self.final if row.rank == 1)

    @property
    def turns(self) -> tuple[TurnNews, ...]:
        """What happened, grouped by turn; turns of which there is nothing to tell are left out."""
        return tuple(news for news in self._turns() if news.happenings)

    def who(self, dynasty: Dynasty) -> str:
        """A player as the reader knows him: `bull (Bo)`, or `bull` in an anonymous game."""
        name = self.names.get(dynasty)
        return f"{dynasty} ({name})" if name else dynasty

    def label(self, turn: int) -> str:
        """What a turn is called."""
        if turn == self.view.turn:
            return self.turn_label
        return self.turn_labels.get(turn, str(turn))

    def _turns(self) -> Iterator[TurnNews]:
        """The news cut where turns begin; the last piece belongs to the current turn."""
        label, player = self.turn_label, self.view.active
        piece: list[Happening] = []
        for event, swapped in without_twins(self.view.news):
            if isinstance(event, e.TurnBegan):
                yield TurnNews(label, player, _happenings(piece))
                label, player, piece = self.label(event.turn), event.player, []
            elif isinstance(event, e.TurnEnded):
                label, player = self.label(event.turn), event.player
            else:
                piece.append(Happening(1 if swapped else _depth(event), event))
        yield TurnNews(label, player, _happenings(piece))


def _happenings(told: Iterable[Happening]) -> tuple[Happening, ...]:
    """The same, but what follows from something that is not told here starts the list."""
    found: list[Happening] = []
    started = False
    for each in told:
        started = started or not each.depth
        found.append(each if started else Happening(0, each.event))
    return tuple(found)


def _depth(event: Told) -> int:
    """Actions, and what the end of a turn brings, start something; all else follows from it."""
    match event:
        case e.LeaderReturned():
            return 0 if event.why == "withdrawn" else 1
        case e.PointsScored():
            return 0 if event.why == "monument" else 1
        case _:
            return 0 if isinstance(event, _STARTS) else 1


def render(report: Report) -> str:
    """The report as text, at most 78 columns wide."""
    with speaking(report.language, report.zone):
        return fold_all(page("report.txt.j2", harmless(report)))


def order_form(report: Report) -> str:
    """The order form of the report, "" if its reader has nothing to decide."""
    with speaking(report.language, report.zone):
        form = say("_form.j2", "form", harmless(report))
    return f"{form}\n" if form else ""


def harmless(report: Report) -> Report:
    """The same report with everything that people wrote made safe to print."""
    names = {who: one_line(name, NAME_LIMIT) for who, name in report.names.items()}
    still = report.standstill
    return report._replace(
        game=one_line(report.game, 60),
        names=MappingProxyType(names),
        press=tuple(Press(press.player, clean(press.text)) for press in report.press),
        notes=tuple(clean(note) for note in report.notes),
        messages=tuple(clean(message) for message in report.messages),
        waits=tuple(clean(text) for text in report.waits),
        standstill=still and still._replace(why=one_line(still.why, WHY_LIMIT)),
        new_players=tuple(map(_harmless, report.new_players)),
        played_by=tuple(map(_harmless, report.played_by)),
        corrected=None if report.corrected is None else clean(report.corrected),
        rulings=tuple(clean(text) for text in report.rulings),
    )


def _harmless(each: Named) -> Named:
    return each if each.name is None else each._replace(name=one_line(each.name, NAME_LIMIT))
