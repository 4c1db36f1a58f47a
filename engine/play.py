"""The state that is being played on, and the events so far: the only mutable thing here."""

from dataclasses import replace

from engine.events import Event
from engine.evolve import evolve
from engine.questions import Step
from engine.state import State


class Play:
    """One call of `advance` at work. Chapters say what happened and what is still to be done."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def happen(self, event: Event) -> None:
        """Record an event and let it change the state."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def then(self, *steps: Step) -> None:
        """Put steps on the agenda; the first of them is done first."""
        self.state = replace(self.state, agenda=(*self.state.agenda, *reversed(steps)))

    def take_step(self) -> Step:
        """Take the top step off the agenda."""
        *rest, top = self.state.agenda
        self.state = replace(self.state, agenda=tuple(rest))
        return top
