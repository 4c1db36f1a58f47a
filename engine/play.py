"""The state that is being played on, and the events so far: the only mutable thing here."""

from engine.events import Event
from engine.evolve import evolve
from engine.questions import QUESTIONS, Step
from engine.state import State


class Play:
    """One call of `advance` at work. Chapters say what happened and what is still to be done.

    The agenda is kept here meanwhile; `state.agenda` is out of date until `pause`.
    """

    __slots__ = ("agenda", "events", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.agenda: list[Step] = list(state.agenda)
        self.events: list[Event] = []

    def happen(self, event: Event) -> None:
        """Record an event and let it change the state."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def then(self, *steps: Step) -> None:
        """Put steps on the agenda; the first of them is done first."""
        self.agenda.extend(reversed(steps))

    def take_step(self) -> Step:
        """Take the top step off the agenda."""
        return self.agenda.pop()

    @property
    def waiting(self) -> bool:
        """Whether there is nothing to do but to ask, or nothing at all."""
        return not self.agenda or isinstance(self.agenda[-1], QUESTIONS)

    def pause(self) -> State:
        """The state with the agenda as it is now, and the next question numbered."""
        agenda = tuple(self.agenda)
        serial = self.state.serial + 1 if agenda else self.state.serial
        return self.state._replace(agenda=agenda, serial=serial)
