"""`pbem act`: the moderator enters orders for a player, who gets a copy."""

import sys
from pathlib import Path

from engine.pieces import Dynasty
from engine.sight import may_know
from pbem.acting import entered
from pbem.chronicle import Chronicle
from pbem.clock import now
from pbem.commands.guard import chosen, complain_of, guarded, seat_named
from pbem.commands.summary import sentence, summary
from pbem.language import speaking
from pbem.normalform import normal_form
from pbem.origin import BY_MODERATOR
from pbem.outcome import REFUSED, Outcome, Settings
from pbem.placing import place
from pbem.reporting import speaking_in
from pbem.sheets import Sheet
from pbem.store import LARGEST_ORDER_FILE, GameFolder
from pbem.tidings import problem_lines
from pbem.turns import TurnResult, take_turn
from pbem.wording import environment, event_lines

_LONGEST_PATH = 250


def act(settings: Settings, name: str, seat: str, orders: str) -> Outcome:
    """Judge the orders as the player's own, lay them into orders/, and advance the game."""
    outcome = Outcome()
    try:
        text = _read(orders)
    except (OSError, ValueError) as fault:
        outcome.misuse(f"{orders}: {getattr(fault, 'strerror', None) or fault}")
        return outcome
    for folder in chosen(settings, [name], outcome):
        with guarded(outcome, folder):
            sheet = _enter(outcome, folder, seat, text)
            if sheet is not None:
                _advance(outcome, folder, sheet)
    return outcome


def _read(orders: str) -> str:
    """The text: that of a file, of standard input, or what was written itself."""
    if orders == "-":
        return sys.stdin.buffer.read(LARGEST_ORDER_FILE).decode(errors="replace")
    named = len(orders.split()) == 1 and orders.endswith((".yaml", ".yml", ".txt"))
    if named or (len(orders) < _LONGEST_PATH and Path(orders).is_file()):
        with Path(orders).open("rb") as file:
            return file.read(LARGEST_ORDER_FILE).decode(errors="replace")
    return orders


def _enter(outcome: Outcome, folder: GameFolder, seat: str, text: str) -> Sheet | None:
    """Lay the orders where `turn` finds them; None, and complained of, if they will not do."""
    with folder.locked():
        game = folder.load()
        player = seat_named(outcome, folder, game, seat)
        if player is None:
            return None
        situation = Chronicle(folder, game.record).situation()
        with speaking_in(game, folder):
            sheet, problems = entered(text, game.file.game, player, situation)
        for problem, line in zip(problems, problem_lines(problems), strict=True):
            message = f"{folder.name}: {line}"
            outcome.complain(
                REFUSED, message, game=folder.name, player=player, line=problem.line, kind="refused"
            )
        if sheet is not None:
            place(folder, game, player, sheet.data)
        return sheet


def _advance(outcome: Outcome, folder: GameFolder, sheet: Sheet) -> None:
    """Advance the game; tell the player what was entered for him, and what it did."""
    result = take_turn(folder, now())
    mine = [played for played in _played(result) if played[0] == sheet.player]
    facts = summary(result.game, result.chronicle)
    outcome.games.append(
        facts | {"player": sheet.player, "new_run": result.run, "decisions": len(mine)}
    )
    used = f"{len(mine)} of its decisions used" if mine else "the orders wait"
    letter = _write(folder, result, sheet)
    copy = "a copy lies in the outbox" if letter else "no letter, the seat has no address"
    outcome.say(f"{sentence(facts)}; entered for {sheet.player}: {used}; {copy}")
    for closed in result.refused:
        seat = closed.sheet.player
        message = f"{folder.name}: the order file of {seat} was refused; see its report"
        outcome.complain(REFUSED, message, game=folder.name, player=seat, kind="refused")
    complain_of(outcome, folder, result.fault)


def _played(result: TurnResult) -> list[tuple[Dynasty, str]]:
    """Who decided what in the new run because the moderator entered it."""
    decisions = result.chronicle.newest.decisions if result.run is not None else ()
    return [(each.player, each.question) for each in decisions if each.source == BY_MODERATOR]


def _write(folder: GameFolder, result: TurnResult, sheet: Sheet) -> bool:
    """The letter with the copy; whether there is one."""
    from pbem.mail.briefs import lay_brief

    game, seat = result.game, result.game.file.seat(sheet.player)
    mine = {label for player, label in _played(result) if player == sheet.player}
    played = result.chronicle.played(result.chronicle.newest) if mine else ()
    events = [event for each in played if each.label in mine for event in each.events]
    with speaking_in(game, folder), speaking(seat.language, seat.zone):
        happened = event_lines(event for event in events if may_know(sheet.player, event))
        template = environment().get_template("mail_act.j2")
        orders = normal_form(sheet.file).rstrip("\n")
        page = template.render(game=game.file.game, orders=orders, happened=happened)
    return lay_brief(folder, game, sheet.player, "entered", page, now())
