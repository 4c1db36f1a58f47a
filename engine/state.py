"""A whole game at one moment, and how each event changes it."""

from typing import NamedTuple, Self

from engine.board import Board
from engine.options import Options
from engine.pieces import CATASTROPHES_EACH, NONE, ByColour, Dynasty, Monument
from engine.questions import QUESTIONS, Question, Step


class Seat(NamedTuple):
    """One player's place at the table: what he holds, and what he has won."""

    dynasty: Dynasty
    hand: ByColour = NONE
    points: ByColour = NONE
    treasures: int = 0
    catastrophes: int = CATASTROPHES_EACH


class State(NamedTuple):
    """A game at one moment.

    `seats` stand in turn order. `bag` holds letters (`rbgk`) in the order of drawing; `out`
    counts the tiles that left the game. `turn` counts from 1; `serial` numbers the questions of
    the turn. The agenda's last step is on top; it is empty when the game is over.
    """

    options: Options
    seats: tuple[Seat, ...]
    board: Board
    bag: str
    active: Dynasty
    monuments: tuple[Monument, ...] = ()
    out: ByColour = NONE
    turn: int = 1
    serial: int = 1
    agenda: tuple[Step, ...] = ()

    @property
    def question(self) -> Question | None:
        """What the game waits for; None when it is over."""
        if not self.agenda:
            return None
        top = self.agenda[-1]
        assert isinstance(top, QUESTIONS)
        return top

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.agenda

    @property
    def players(self) -> tuple[Dynasty, ...]:
        """The dynasties in turn order."""
        return tuple(seat.dynasty for seat in self.seats)

    def seat(self, dynasty: Dynasty) -> Seat:
        """The place of one player; KeyError if he does not play."""
        for seat in self.seats:
            if seat.dynasty == dynasty:
                return seat
        raise KeyError(dynasty)

    def clockwise(self) -> tuple[Seat, ...]:
        """The seats from the active player on (R92)."""
        first = self.players.index(self.active)
        return self.seats[first:] + self.seats[:first]

    def with_seat(self, seat: Seat) -> Self:
        """With another content for this player's place."""
        seats = tuple(seat if s.dynasty == seat.dynasty else s for s in self.seats)
        return self._replace(seats=seats)
