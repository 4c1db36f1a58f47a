"""`pbem pause` and `pbem resume`: stop the clock of games, and let it run again."""

from datetime import datetime

from pbem.chronicle import Chronicle
from pbem.clock import now, write_time
from pbem.clock.deadline import deadline_of, stops_of
from pbem.clock.telling import tell, was_told
from pbem.commands.clocks import say_how_it_stands
from pbem.commands.guard import chosen, every, guarded
from pbem.deskfile import Stop
from pbem.disk import Busy
from pbem.health import Health, load_health, one_run_at_a_time, save_health
from pbem.lines import one_line
from pbem.outcome import DAMAGED, REFUSED, Outcome, Settings
from pbem.reports import WHY_LIMIT
from pbem.sound import Damage
from pbem.store import Game, GameFolder


def pause(settings: Settings, names: list[str], why: str, *, all_games: bool) -> Outcome:
    """Stop the clock of the games that are named, or of all; those that are over are left."""
    outcome = Outcome()
    for folder in _folders(settings, names, outcome, all_games=all_games):
        with guarded(outcome, folder), folder.locked():
            _pause(outcome, folder, one_line(why, WHY_LIMIT), named=not all_games)
    return outcome


def resume(settings: Settings, names: list[str], *, all_games: bool) -> Outcome:
    """Let the clock of games run again.

    With `all_games` an outage is over too. While there is one, the pauses of single games are
    left as they are: they have nothing to do with it.
    """
    outcome = Outcome()
    folders = _folders(settings, names, outcome, all_games=all_games)
    ended = _end_outage(settings, outcome) if all_games else None
    for folder in folders:
        with guarded(outcome, folder), folder.locked():
            if ended is not None:
                _after_outage(outcome, folder)
            else:
                _resume(outcome, folder, named=not all_games)
    return outcome


def _folders(
    settings: Settings, names: list[str], outcome: Outcome, *, all_games: bool
) -> list[GameFolder]:
    if all_games == bool(names):
        outcome.misuse("name the games, or say --all")
        return []
    return every(settings, outcome) if all_games else chosen(settings, names, outcome)


def _pause(outcome: Outcome, folder: GameFolder, why: str, *, named: bool) -> None:
    game = folder.load()
    if game.record.state.over:
        if named:
            message = f"{folder.name}: the game is over"
            outcome.complain(REFUSED, message, game=folder.name, kind="over")
        return
    stop = _open(game)
    did = "it was paused already" if stop else "paused"
    if stop is None:
        stop = Stop(now(), None, why)
        desk = game.desk._replace(pauses=(*game.desk.pauses, stop))
        folder.write_desk(desk)
        game = game._replace(desk=desk)
    chronicle = Chronicle(folder, game.record)
    fault = tell(folder, game, chronicle, now(), "pause", mark=stop.since, why=stop.why)
    say_how_it_stands(outcome, folder, did, fault)


def _resume(outcome: Outcome, folder: GameFolder, *, named: bool) -> None:
    """End the pause of a game. What a killed run has not told yet is told, whoever stopped it."""
    game = folder.load()
    stop = _open(game)
    if stop is not None:
        ended = stop._replace(until=max(now(), stop.since))
        pauses = tuple(ended if each == stop else each for each in game.desk.pauses)
        game = game._replace(desk=game.desk._replace(pauses=pauses))
        folder.write_desk(game.desk)
    outage = next((each for each in game.outages if each.until is None), None)
    if outage is not None:
        message = (
            f"{folder.name}: {'its pause is over, but ' if stop else ''}the clock of all games "
            f"stands still since {write_time(outage.since)}, when the program was out of order; "
            "`pbem resume --all` lets it run"
        )
        outcome.complain(REFUSED, message, game=folder.name, kind="outage")
        return
    _go_on(outcome, folder, game, ended=stop is not None, named=named)


def _after_outage(outcome: Outcome, folder: GameFolder) -> None:
    """The outage is over: every game that goes on then hears of it."""
    game = folder.load()
    if _open(game) is not None:
        did = f"still paused by itself, `pbem resume {folder.name}` ends that"
        say_how_it_stands(outcome, folder, did)
    else:
        _go_on(outcome, folder, game, ended=False, named=False)


def _go_on(outcome: Outcome, folder: GameFolder, game: Game, *, ended: bool, named: bool) -> None:
    """Tell everybody that the clock runs again, if they were not told."""
    chronicle = Chronicle(folder, game.record)
    deadline = deadline_of(game, chronicle)
    last = max((each.until for each in stops_of(game) if each.until), default=None)
    if last is not None and (
        ended or (deadline and last > deadline.since and not was_told(folder, game, "resume", last))
    ):
        fault = tell(folder, game, chronicle, now(), "resume", mark=last)
        say_how_it_stands(outcome, folder, "it goes on", fault)
    elif named:
        say_how_it_stands(outcome, folder, "it was not paused")


def _end_outage(settings: Settings, outcome: Outcome) -> datetime | None:
    """Write down that an outage is over, and that the clock is right; when, or None if neither
    was in doubt."""
    try:
        at, before = now(), load_health(settings.games)
        if before.outage is None and (before.last is None or before.last <= at):
            return None
        with one_run_at_a_time(settings.games):
            health = load_health(settings.games)
            ended = max([at, *(each.since for each in health.outages)])
            outages = tuple(each._replace(until=each.until or ended) for each in health.outages)
            digest = health.digest and min(health.digest, at)
            last = at if health.last else None  # the next outage does not begin before this
            save_health(settings.games, Health(last, digest, outages))
    except Damage as damage:
        outcome.damage("", damage.path, damage.problems)
        return None
    except Busy as busy:
        outcome.complain(REFUSED, f"{busy}", kind="busy")
        return None
    except OSError as fault:
        message = f"{fault.filename or settings.games}: {fault.strerror}"
        outcome.complain(DAMAGED, message, kind="damage")
        return None
    said = f"the outage is over since {write_time(ended)}"
    outcome.say(said if before.outage else f"the clock is right: it is {write_time(at)}")
    return ended


def _open(game: Game) -> Stop | None:
    """The pause that goes on."""
    return next((stop for stop in game.desk.pauses if stop.until is None), None)
