"""Templates of the moderator's own: where they lie, and what is done when one has a mistake.

A template in the folder `_templates` beside the games takes the place of ours with the same
name. What goes wrong in one is told with its file and line, and no report is written with it.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import jinja2

from pbem.language import Overrides, voice

FOLDER = "_templates"
LONGEST_PAGE = 1_000_000
LONGEST_TIME = 20.0
"""Seconds for one page; ours take some milliseconds."""


class TemplateFault(Exception):
    """A mistake in a template, with its place."""

    def __init__(self, path: str, line: int | None, message: str) -> None:
        where = f"{path}, line {line}" if line else path
        super().__init__(f"{where}: {message}")
        self.path = path
        self.line = line


def overrides_in(games: Path) -> Overrides | None:
    """The moderator's own templates in a folder of games; None if there are none."""
    folder = games / FOLDER
    try:
        found = [(path, path.stat()) for path in sorted(folder.glob("*.j2"))]
    except OSError:
        return None
    stamp = tuple((path.name, facts.st_mtime_ns, facts.st_size) for path, facts in found)
    return Overrides(folder, stamp) if stamp else None


@contextmanager
def checked() -> Iterator[None]:
    """Whatever goes wrong in here is a TemplateFault, if the moderator has his own templates."""
    own = voice().overrides
    try:
        yield
    except TemplateFault:
        raise
    except jinja2.TemplateSyntaxError as fault:
        if own is None:
            raise
        path = fault.filename or fault.name or FOLDER
        raise TemplateFault(path, fault.lineno, fault.message or "it cannot be read") from None
    except Exception as fault:
        if own is None:
            raise
        path, line = _place(fault.__traceback__, own.folder)
        raise TemplateFault(path, line, _said(fault)) from None


def _place(trace: TracebackType | None, own: Path) -> tuple[str, int | None]:
    """The innermost line of a template in the traceback, of the moderator's own if there is one."""
    found: list[tuple[str, int | None]] = []
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.endswith(".j2"):
            found.append((name, trace.tb_lineno))
        trace = trace.tb_next
    mine = [place for place in found if Path(place[0]).parent == own]
    return [(str(own), None), *found, *mine][-1]


def _said(fault: Exception) -> str:
    if isinstance(fault, jinja2.TemplateNotFound):
        return f"there is no template {fault.name}"
    if isinstance(fault, RecursionError):
        return "it calls itself without end"
    return str(fault) or type(fault).__name__


def remember(fault: TemplateFault) -> None:
    """Note a mistake that must not stop the game; it is told when the reports are written."""
    faults = voice().faults
    if faults is not None:
        faults.append(fault)


def passed_over() -> None:
    """Raise the first mistake that was noted."""
    for fault in voice().faults or ():
        raise fault


@contextmanager
def _in_time(path: str) -> Iterator[None]:
    """Stop a template that loops without printing anything. Only a main thread has an alarm."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise TemplateFault(path, None, f"it is not done after {LONGEST_TIME} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_TIME)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def whole(template: jinja2.Template, view: object) -> str:
    """The page, as long as it is of a sensible length and made in a sensible time."""
    own = voice().overrides
    if own is None:
        return template.render(view=view)
    with _in_time(template.filename or str(own.folder)):
        return _bounded(template, view, own)


def _bounded(template: jinja2.Template, view: object, own: Overrides) -> str:
    template.environment.steps = 0  # type: ignore[attr-defined]
    parts, size = [], 0
    for part in template.generate(view=view):
        parts.append(part)
        size += len(part)
        if size > LONGEST_PAGE:
            message = f"the page grows longer than {LONGEST_PAGE} characters"
            raise TemplateFault(template.filename or str(own.folder), None, message)
    return "".join(parts)
