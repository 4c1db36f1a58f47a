"""A seat passes on to somebody else: new key, a report for him, nothing of the old player's left.

Whatever of it a kill leaves undone is done when the seat is given to the same person again. The
commit is desk.yaml; the letter to the new player comes last.
"""

from datetime import datetime

from engine.pieces import Dynasty
from pbem.chronicle import Chronicle
from pbem.deskfile import DeskFile, Handover
from pbem.endings import endings, put_away
from pbem.fates import settle
from pbem.gamefile import GameFile
from pbem.intake import take_in
from pbem.policies import Person
from pbem.reporting import speaking_in, write_reports
from pbem.rounds import Closed
from pbem.seats.keys import key_hash, new_key
from pbem.seats.people import number_of
from pbem.seats.seating import person_of, seated
from pbem.seats.unconfirmed import unconfirmed
from pbem.store import Game, GameFolder
from pbem.wording import try_templates


def hand_over(folder: GameFolder, game: Game, seat: Dynasty, person: Person, now: datetime) -> Game:
    """Give a seat to somebody; the caller holds the game. The game as it is then.

    An address gets a new order key and a full report by letter; without one there is no key.
    Raises Busy if letters are being sent just now, TemplateFault if a template of the moderator's
    has a mistake; nothing has changed then.
    """
    from pbem.mail.resting import letters_at_rest

    with speaking_in(game, folder), letters_at_rest(folder):
        try_templates()
        take_back(folder, game, seat)
        key = new_key() if person.address else None
        desk = _desk(game, folder.load_file(), seat, person, now)
        if key:
            desk = desk._replace(keys={**desk.keys, seat: key_hash(key)})
        folder.write_desk(desk)
        given = game._replace(desk=desk, file=seated(folder.load_file(), desk))
        chronicle = Chronicle(folder, given.record)
        write_reports(folder, given, chronicle, letters=False, now=now)
        if given.file.gets_letters or game.file.gets_letters:
            from pbem.mail.handover import tell_both

            tell_both(folder, _before(folder, given, seat), given, seat, key, now)
    return given


def finish_handovers(folder: GameFolder, game: Game, now: datetime) -> Game:
    """Do what a run that was killed has left undone; the caller holds the game."""
    for seat in dict.fromkeys(each.seat for each in game.desk.handovers):
        number, person = number_of(game.desk, seat), person_of(game.file.seat(seat))
        in_force = number and game.desk.handovers[number - 1].person == person
        if in_force and not is_whole(folder, game, seat):
            game = hand_over(folder, game, seat, person, now)
    return game


def _before(folder: GameFolder, given: Game, seat: Dynasty) -> Game:
    """The game with the seats as they were before the last handover of this one."""
    last = number_of(given.desk, seat) - 1
    handovers = (each for i, each in enumerate(given.desk.handovers) if i != last)
    desk = given.desk._replace(handovers=tuple(handovers))
    return given._replace(file=seated(folder.load_file(), desk))


def is_whole(folder: GameFolder, game: Game, seat: Dynasty) -> bool:
    """Whether the last handover of a seat was done to its end; true if there was none."""
    if not number_of(game.desk, seat):
        return True
    from pbem.mail.handover import is_settled

    return is_settled(folder, game, seat)


def same_person(one: Person, other: Person) -> bool:
    """Whether two are the same: by their address, or by name where neither has one."""
    if one.address and other.address:
        return one.address.lower() == other.address.lower()
    return one == other


def take_back(folder: GameFolder, game: Game, seat: Dynasty) -> None:
    """What a seat has waiting goes to received/; nobody is told of it, or of older files, again."""
    intake, run = take_in(folder, game), game.record.run
    every = (*intake.sheets, *(closed.sheet for closed in (*intake.settled, *intake.closed)))
    files = [Closed(sheet, "withdrawn") for sheet in every if sheet.player == seat]
    for ending in endings(folder, intake.order, files):
        put_away(folder, run, ending._replace(text=""), carried=False)
    settle(folder, seat, run)


def _desk(game: Game, file: GameFile, seat: Dynasty, person: Person, now: datetime) -> DeskFile:
    """The desk without what belonged to the old player; `file` is game.yaml as it stands."""
    desk, old = game.desk, game.file.seat(seat)
    number = number_of(desk, seat)
    handovers = desk.handovers
    if not (number and desk.handovers[number - 1].person == person == person_of(old)):
        state = game.record.state
        instead = person_of(file.seat(seat))
        new = Handover(seat, person, state.turn, now, instead, game.record.run)
        handovers = (*handovers, new)
    others = {(each.address or "").lower() for each in game.file.seats if each != old}
    anew = {seat} if unconfirmed(game) else set()  # a game that has begun does not wait again
    gone = {(old.address or "").lower()} - others
    return desk._replace(
        handovers=handovers,
        keys={player: key for player, key in desk.keys.items() if player != seat},
        away={player: days for player, days in desk.away.items() if player != seat},
        dropped={player: when for player, when in desk.dropped.items() if player != seat},
        confirmed={player: when for player, when in desk.confirmed.items() if player not in anew},
        bounced={to: each for to, each in desk.bounced.items() if to not in gone},
    )
