"""`pbem extend`: give more time for the open question. A deadline moves later only."""

from datetime import datetime
from zoneinfo import ZoneInfo

from pbem.chronicle import Chronicle
from pbem.clock import now, read_day, read_time, write_time
from pbem.clock.deadline import calendar_of, deadline_of
from pbem.clock.spans import Span, read_span
from pbem.clock.telling import tell
from pbem.commands.clocks import say_how_it_stands
from pbem.commands.guard import chosen, guarded
from pbem.deskfile import Announced
from pbem.outcome import MISUSED, REFUSED, Outcome, Settings
from pbem.seats.unconfirmed import unconfirmed
from pbem.store import Game, GameFolder


def extend(settings: Settings, name: str, by: str | None, until: str | None, why: str) -> Outcome:
    """Move the deadline of a game later: `by` so much time that counts, or `until` a time."""
    outcome = Outcome()
    span = read_span(by) if by is not None else None
    if by is not None and not span:
        outcome.misuse(f"--by `{by}` should be a time of at most a year: 2d, 36h, 1d 12h")
        return outcome
    for folder in chosen(settings, [name], outcome):
        with guarded(outcome, folder), folder.locked():
            _extend(outcome, folder, span or until or "", why)
    return outcome


def _extend(outcome: Outcome, folder: GameFolder, more: Span | str, why: str) -> None:
    game = folder.load()
    chronicle = Chronicle(folder, game.record)
    deadline = deadline_of(game, chronicle)
    if deadline is None or deadline.until is None:
        message = f"{folder.name}: {_no_deadline(game)}"
        outcome.complain(REFUSED, message, game=folder.name, kind="deadline")
        return
    calendar = calendar_of(game, deadline.player)
    if isinstance(more, Span):
        wanted: datetime | None = calendar.after(max(deadline.until, now()), more)
    else:
        wanted = _time(more, game.file.policies.zone)
    if wanted is None:
        message = f"--until `{more}` should be a time such as 2026-03-05 18:00"
        outcome.complain(MISUSED, message, game=folder.name, kind="use")
        return
    longer = calendar.next_counted(wanted)
    if longer < deadline.until:
        message = (
            f"{folder.name}: {deadline.player} has until {write_time(deadline.until)} already; "
            f"a deadline that was announced never moves earlier, and {write_time(wanted)} is not "
            "later"
        )
        outcome.complain(REFUSED, message, game=folder.name, kind="earlier")
        return
    if longer > deadline.until:
        announced = Announced(deadline.question, longer, now())
        game = game._replace(desk=game.desk._replace(announced=announced))
        folder.write_desk(game.desk)
    fault = tell(folder, game, chronicle, now(), "extend", why=why)
    did = "more time" if longer > deadline.until else "it had this deadline already"
    say_how_it_stands(outcome, folder, did, fault)


def _no_deadline(game: Game) -> str:
    """Why there is nothing to extend."""
    if game.record.state.over:
        return "the game is over"
    if game.file.policies.turn_time is None:
        return "it has no deadlines: there is no `turn_time` among the policies in game.yaml"
    if missing := unconfirmed(game):
        return f"it has not begun: {', '.join(missing)} did not confirm yet"
    if any(stop.until is None for stop in game.desk.pauses):
        return f"it is paused; `pbem resume {game.file.game}` comes first"
    if any(stop.until is None for stop in game.outages):
        return "the clock of all games stands still; `pbem resume --all` comes first"
    return "nobody plays the seat that is asked"


def _time(text: str, zone: str) -> datetime | None:
    """A time; in the zone of the game if it names none."""
    try:
        when = datetime.fromisoformat(text.strip())
        read_day(str(when.date()))
        local = when if when.tzinfo else when.replace(tzinfo=ZoneInfo(zone))
        return read_time(local.isoformat())
    except ValueError:
        return None
