"""The facts of a game gathered from its files."""

from pbem.chronicle import Chronicle
from pbem.clock.deadline import deadline_of, stops_of
from pbem.clock.lateness import stand_in_for
from pbem.commands.summary import summary
from pbem.overview.facts import Facts, Sitting, Timing
from pbem.seats.unconfirmed import unconfirmed
from pbem.store import Game, GameFolder


def load_facts(folder: GameFolder) -> tuple[Facts, tuple[int, ...]]:
    """The facts of a game from its files, and the runs that were read for them."""
    game = folder.load()
    chronicle = Chronicle(folder, game.record)
    return facts_of(game, chronicle), chronicle.runs_read


def facts_of(game: Game, chronicle: Chronicle) -> Facts:
    """What may be known of a game."""
    policies, told = game.file.policies, deadline_of(game, chronicle)
    public, asked = summary(game, chronicle), game.record.state.question
    return Facts(
        public=public | {"name": None} if policies.anonymous else public,
        seats=tuple(Sitting(s.dynasty, s.name, s.address) for s in game.file.seats),
        ran=game.record.when,
        anonymous=policies.anonymous,
        timing=Timing(told.since, told.until, told.judged) if told else None,
        stopped=next((stop for stop in stops_of(game) if stop.until is None), None),
        late=policies.late,
        replaceable=asked is None or stand_in_for(game, asked.player) is not None,
        unconfirmed=unconfirmed(game),
        dropped=dict(game.desk.dropped),
        away=dict(game.desk.away),
        bounced=dict(game.desk.bounced),
    )
