"""`pbem status`: whose move it is, which question, since when."""

from pbem.chronicle import Chronicle
from pbem.commands.guard import chosen, every, guarded
from pbem.commands.summary import sentence, summary
from pbem.outcome import DONE, Outcome, Settings


def status(settings: Settings, names: list[str]) -> Outcome:
    """Where the games stand that are named, or all of them."""
    outcome = Outcome()
    folders = chosen(settings, names, outcome) if names else every(settings, outcome)
    for folder in folders:
        with guarded(outcome, folder):
            game = folder.load()
            facts = summary(game, Chronicle(folder, game.record))
            outcome.games.append(facts)
            outcome.say(sentence(facts))
    if not names and not folders and outcome.code == DONE:
        outcome.say(f"there are no games in {settings.games}; `pbem new` makes one")
    return outcome
