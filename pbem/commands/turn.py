"""`pbem turn`: read the order files, advance, write the run and the reports."""

from collections.abc import Iterator, Sequence

from pbem.clock import now
from pbem.commands.guard import chosen, complain_of, every, guarded
from pbem.commands.summary import sentence, summary
from pbem.counted import counted
from pbem.outcome import DONE, REFUSED, Outcome, Settings
from pbem.store import GameFolder
from pbem.turns import TurnResult, take_turn


def turn(settings: Settings, names: list[str], *, all_games: bool) -> Outcome:
    """Advance the games that are named, or all of them, one after the other."""
    outcome = Outcome()
    if all_games == bool(names):
        outcome.misuse("name the games to advance, or say --all")
        return outcome
    folders = every(settings, outcome) if all_games else chosen(settings, names, outcome)
    if all_games and not folders and outcome.code == DONE:
        outcome.say(f"there are no games in {settings.games}; `pbem new` makes one")
    for folder in folders:
        with guarded(outcome, folder):
            tell(outcome, folder, take_turn(folder, now()))
    return outcome


def done(result: TurnResult) -> Iterator[str]:
    """What was done, in words; nothing of it is hidden."""
    if result.run is not None:
        number = result.decisions
        yield f"run {result.run}"
        yield from [counted(number, "decision")] if number else []
    for seat, label in result.missed:
        yield f"{seat} did not answer {label} in time"
    for seat in result.dropped:
        yield f"{seat} plays no more"
    for seat in result.handed:
        yield f"{seat} goes to the stand-in"
    if result.noted:
        yield f"a note from {' and '.join(result.noted)}"


def tell(
    outcome: Outcome, folder: GameFolder, result: TurnResult, more: Sequence[str] = ()
) -> None:
    """What may be said of a run to somebody who plays in the game himself.

    `more`: what the caller has done beside it.
    """
    facts = summary(result.game, result.chronicle)
    name = facts["game"]
    did = [*more, *done(result)]
    new = {"new_run": result.run, "decisions": result.decisions, "notes": list(result.noted)}
    overdue = {
        "missed": [{"player": seat, "question": label} for seat, label in result.missed],
        "newly_dropped": list(result.dropped),
        "handed": list(result.handed),
    }
    outcome.games.append(facts | new | overdue | {"did": did})
    where = f": see {folder.reports / 'moderator.txt'}" if result.noted else ""
    outcome.say(f"{sentence(facts)}; {', '.join(did) or 'nothing new'}{where}")
    for closed in result.refused:
        seat = closed.sheet.player
        message = (
            f"{name}: the order file of {seat} was refused; the reasons stand in "
            f"{folder.reports / f'{seat}.txt'}"
        )
        outcome.complain(REFUSED, message, game=name, player=seat, kind="refused")
    for misfit in result.misfits:
        message = f"{name}: {folder.inbox / misfit.name}: {misfit.why}"
        outcome.complain(REFUSED, message, game=name, file=misfit.name, kind="misfit")
    complain_of(outcome, folder, result.fault)
