"""A progress bar for work that people have to wait for."""

import sys
from collections.abc import Collection, Iterator
from time import monotonic
from typing import TypeVar

import typer

from pbem.outcome import Settings

Thing = TypeVar("Thing")
PATIENCE = 2.0
"""So many seconds pass before anything is shown."""


def progress(settings: Settings, things: Collection[Thing], label: str) -> Iterator[Thing]:
    """The things one after the other, with a bar on standard error once it takes long.

    There is none if nobody watches: standard error is no terminal, or --quiet or --json was said.
    """
    if settings.quiet or settings.json or not sys.stderr.isatty():
        yield from things
        return
    began = monotonic()
    with _Bar(len(things), label) as bar:
        for number, thing in enumerate(things):
            if monotonic() - began >= PATIENCE:
                bar.show(number)
            yield thing
        bar.end()


class _Bar:
    """A bar that is drawn from its first `show` on."""

    def __init__(self, length: int, label: str) -> None:
        self._bar = typer.progressbar(length=length, label=label, file=sys.stderr)
        self._length = length
        self._shown = False

    def __enter__(self) -> "_Bar":
        return self

    def __exit__(self, *_why: object) -> None:
        if self._shown:
            self._bar.__exit__(None, None, None)

    def show(self, done: int) -> None:
        """So many things are done."""
        if not self._shown:
            self._bar.__enter__()
            self._shown = True
        self._bar.update(done - self._bar.pos)

    def end(self) -> None:
        """All are done."""
        if self._shown:
            self.show(self._length)
