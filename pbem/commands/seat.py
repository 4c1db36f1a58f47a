"""`pbem seat`: who plays a seat; give it to somebody else; confirm for its player."""

from collections import Counter
from itertools import pairwise
from typing import Any

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.clock import now, write_time
from pbem.commands.guard import chosen, complain_of, guarded, seat_named
from pbem.commands.summary import sentence, summary
from pbem.labels import turn_label
from pbem.mail.handover import letters_of
from pbem.names import player_name_fault
from pbem.outcome import REFUSED, Outcome, Settings
from pbem.policies import Person, read_person
from pbem.seats.confirming import confirm
from pbem.seats.handover import hand_over, is_whole, same_person
from pbem.seats.people import called, holders, public_name
from pbem.seats.seating import person_of
from pbem.seats.unconfirmed import unconfirmed
from pbem.store import Game, GameFolder


def seat(settings: Settings, name: str, text: str, give: str | None, *, confirmed: bool) -> Outcome:
    """Say who plays a seat, give it to the person `give`, or confirm that its player plays."""
    outcome = Outcome()
    person = None if give is None else _person(give)
    if isinstance(person, str):
        outcome.misuse(f"--give {person}")
        return outcome
    for folder in chosen(settings, [name], outcome):
        with guarded(outcome, folder):
            game = folder.load()
            player = seat_named(outcome, folder, game, text)
            if player is None:
                continue
            if person is None and not confirmed:
                _show(outcome, folder, game, player)
            else:
                with folder.locked():
                    game = folder.load()
                    if person is not None:
                        _give(outcome, folder, game, player, person)
                    else:
                        _confirm(outcome, folder, game, player)
    return outcome


def _person(text: str) -> Person | str:
    """Somebody with an address, or with a name alone; or what is wrong with him."""
    if "<" not in text and "@" not in text:
        return player_name_fault(text.strip()) or Person(text.strip())
    return read_person(text)


def _give(
    outcome: Outcome, folder: GameFolder, game: Game, player: Dynasty, person: Person
) -> None:
    """Hand the seat over, or finish what a run began that was killed."""
    name = game.file.game
    current = person_of(game.file.seat(player))
    if game.record.state.over:
        message = f"{name}: the game is over, nobody can take over {player}"
        outcome.complain(REFUSED, message, game=name, player=player, kind="seat")
        return
    if same_person(current, person) and (person != current or is_whole(folder, game, player)):
        message = (
            f"{name}: {player} is that person's already; nothing was changed (a name or an "
            "address that is written wrong is mended in game.yaml, `pbem key` makes a new key)"
        )
        outcome.complain(REFUSED, message, game=name, player=player, kind="seat")
        return
    given = hand_over(folder, game, player, person, now())
    outcome.games.append(_facts(folder, given, player))
    outcome.say(
        f"{name}: {called(given.file, player)} has taken over the seat; the old key is void"
    )
    outcome.say(
        "a letter with his report and his key lies in the outbox"
        if person.address
        else f"he has no address: `pbem key {name} {player}` makes him an order key"
    )


def _confirm(outcome: Outcome, folder: GameFolder, game: Game, player: Dynasty) -> None:
    name = game.file.game
    if player not in unconfirmed(game):
        why = "has confirmed already" if player in game.desk.confirmed else "need not confirm"
        message = f"{name}: {player} {why}; nothing was changed"
        outcome.complain(REFUSED, message, game=name, player=player, kind="seat")
        return
    game, fault = confirm(folder, game, [player], now())
    complain_of(outcome, folder, fault)
    facts = summary(game, Chronicle(folder, game.record))
    outcome.games.append(facts)
    outcome.say(f"{name}: {player} has confirmed", sentence(facts))


def _show(outcome: Outcome, folder: GameFolder, game: Game, player: Dynasty) -> None:
    """Who plays it, since when, and what became of his letters: no key, no hand."""
    facts = _facts(folder, game, player)
    outcome.games.append(facts)
    since = f"since turn {facts['turn']}, {facts['since']}" if facts["turn"] else "from the start"
    outcome.say(f"{game.file.game}: {called(game.file, player)} plays {since}")
    for each in facts["before"]:
        outcome.say(f"before: {each['name'] or 'somebody else'}, until turn {each['until_turn']}")
    if facts["dropped"]:
        outcome.say(f"the seat is dropped since {facts['dropped']}: nobody plays it")
    if facts["unconfirmed"]:
        outcome.say("it has not been confirmed yet")
    letters = facts["letters"]
    told = ", ".join(f"{number} {state}" for state, number in letters.items()) or "none"
    outcome.say(f"letters: {told}" if facts["has_address"] else "letters: none, he has no address")
    if facts["bounced"]:
        outcome.say(f"letters come back since {facts['bounced']}; mend the address in game.yaml")


def _facts(folder: GameFolder, game: Game, player: Dynasty) -> dict[str, Any]:
    """What may be known of a seat, as data."""
    entry, desk = game.file.seat(player), game.desk
    every = holders(game.file, desk, player)
    named = public_name(game.file, player) is not None
    takes, taken = game.record.turn_takes, every[-1].taken
    bounced = desk.bounced.get((entry.address or "").lower())
    dropped = desk.dropped.get(player)
    before = [
        {"name": holder.person.name if named else None, "until_turn": turn_label(end.turn, takes)}
        for holder, following in pairwise(every)
        if (end := following.taken)
    ]
    letters = Counter(letters_of(folder, player, entry.address)) if entry.address else Counter()
    return {
        "game": game.file.game,
        "player": player,
        "name": public_name(game.file, player),
        "has_address": entry.address is not None,
        "turn": turn_label(taken.turn, takes) if taken else None,
        "since": write_time(taken.when) if taken else None,
        "before": before,
        "letters": dict(sorted(letters.items())),
        "bounced": write_time(bounced.since) if bounced else None,
        "dropped": write_time(dropped) if dropped else None,
        "unconfirmed": player in unconfirmed(game),
    }
