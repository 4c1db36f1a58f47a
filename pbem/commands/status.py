"""`pbem status`: whose move it is, which question, since when; and what waits for the moderator."""

from pathlib import Path

from pbem.chronicle import Chronicle
from pbem.clock import write_time
from pbem.commands.guard import chosen, every, guarded
from pbem.commands.summary import sentence, summary
from pbem.disk import names_in
from pbem.outcome import DONE, Outcome, Settings
from pbem.people import called
from pbem.store import Game

NOTICES = Path("_mail") / "notices"


def status(settings: Settings, names: list[str]) -> Outcome:
    """Where the games stand that are named, or all of them."""
    outcome = Outcome()
    folders = chosen(settings, names, outcome) if names else every(settings, outcome)
    for folder in folders:
        with guarded(outcome, folder):
            game = folder.load()
            facts = summary(game, Chronicle(folder, game.record))
            outcome.games.append(facts | {"bounced": _addresses(game)})
            outcome.say(sentence(facts), *_bounced(game))
    if not names and not folders and outcome.code == DONE:
        outcome.say(f"there are no games in {settings.games}; `pbem new` makes one")
    notices = [name for name in names_in(settings.games / NOTICES) if name.endswith(".txt")]
    if notices:
        number = "1 notice lies" if len(notices) == 1 else f"{len(notices)} notices lie"
        outcome.say(f"{number} in {settings.games / NOTICES}; remove what is dealt with")
    return outcome


def _addresses(game: Game) -> list[str]:
    """The addresses that letters come back from; of an anonymous game only whose they are."""
    if not game.file.policies.anonymous:
        return sorted(game.desk.bounced)
    seats = ((seat.address or "").lower() for seat in game.file.seats)
    pairs = zip(game.file.players, seats, strict=True)
    return [player for player, address in pairs if address in game.desk.bounced]


def _bounced(game: Game) -> list[str]:
    """The seats whose letters come back."""
    found = []
    for seat in game.file.seats:
        bounced = game.desk.bounced.get((seat.address or "").lower())
        if bounced is not None:
            code = f" ({bounced.status})" if bounced.status else ""
            since = write_time(bounced.since)
            found.append(
                f"{game.file.game}: letters to {called(game.file, seat.dynasty)} come back since "
                f"{since}{code}; mend the address in game.yaml"
            )
    return found
