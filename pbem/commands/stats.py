"""`pbem stats`: turns a day, who answers how fast, games that stand still, refusals by why."""

import base64
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from pbem.clock import now, read_day, read_time, write_time
from pbem.clock.short import about, minute
from pbem.clock.spans import Span, read_span
from pbem.commands.guard import chosen, every, guarded
from pbem.counted import counted
from pbem.games import find_games
from pbem.health import load_health
from pbem.names import same_name
from pbem.outcome import MISUSED, Outcome, Settings
from pbem.overview.decided import Past, past_of
from pbem.overview.facts import Facts, who
from pbem.overview.figures import Figures, PlayerFigures, figures_of
from pbem.overview.index import index_of
from pbem.overview.refusals import refused_files, refused_mails
from pbem.overview.remarks import remarks
from pbem.progress import progress
from pbem.sound import Damage
from pbem.store import ARCHIVE, GameFolder
from pbem.texttable import clipped, table

FORMATS = ("table", "svg", "png")
FILES = "order file"
_DAYS = 14
_PLAYERS = 40
_WHO = 44


class Wish(NamedTuple):
    """What is to be shown, as the command line has it."""

    since: str | None = None
    stalled: str = "7d"
    form: str = "table"


class Stalled(NamedTuple):
    """A game in which nobody has decided anything for long, and since when."""

    facts: Facts
    since: datetime


class _Found(NamedTuple):
    """All that is told."""

    figures: Figures
    stalled: list[Stalled]
    refused: Counter[str]


def stats(settings: Settings, names: list[str], wish: Wish) -> Outcome:
    """The figures of the games that are named, or of all, those in the archive included."""
    outcome = Outcome()
    since, span = _read(wish, outcome)
    folders = _folders(settings, names, outcome)
    if outcome.code == MISUSED:
        return outcome
    try:
        found = _gather(settings, folders, outcome, since, span, mails=not names)
    except Damage as damage:
        outcome.damage("outages", damage.path, damage.problems)
        return outcome
    outcome.more["stats"] = _as_data(found)
    if wish.form == "table":
        outcome.say(*_lines(found, now()))
    else:
        _show(outcome, found.figures, wish.form)
    return outcome


def _read(wish: Wish, outcome: Outcome) -> tuple[date | None, Span]:
    since, span = None, read_span(wish.stalled)
    try:
        since = read_day(wish.since) if wish.since else None
    except ValueError:
        outcome.misuse(f"--since `{wish.since}` should be a day such as 2026-03-01")
    if not span:
        outcome.misuse(f"--stalled `{wish.stalled}` should be a time such as 7d")
    if wish.form not in FORMATS:
        outcome.misuse(f"--format `{wish.form}`: one of {', '.join(FORMATS)}")
    return since, span or Span()


def _folders(settings: Settings, names: list[str], outcome: Outcome) -> list[GameFolder]:
    archived = find_games(settings.games / ARCHIVE)
    if not names:
        return [*every(settings, outcome), *archived]
    kept = [f for f in archived if any(same_name(f.path.name, name) for name in names)]
    there = {f.path.name.casefold() for f in kept}
    return [*chosen(settings, [n for n in names if n.casefold() not in there], outcome), *kept]


def _gather(
    settings: Settings,
    folders: list[GameFolder],
    outcome: Outcome,
    since: date | None,
    span: Span,
    *,
    mails: bool,
) -> _Found:
    pasts, stalled, outages = list[Past](), list[Stalled](), load_health(settings.games).outages
    with index_of(settings.games) as index:
        for folder in progress(settings, folders, "games"):
            with guarded(outcome, folder):
                past = past_of(folder, outages)
                pasts.append(past)
                if folder.path.parent.name != ARCHIVE:
                    stalled += _stalled(index.facts(folder), past, span.about)
                outcome.games.append(_game_data(past, since))
    refused = refused_mails(settings.games, since) if mails else Counter[str]()
    if files := refused_files(folders, since):
        refused[FILES] = files
    stalled.sort(key=lambda each: each.since)
    return _Found(figures_of(pasts, now().date(), since), stalled, refused)


def _stalled(facts: Facts, past: Past, span: timedelta) -> Iterator[Stalled]:
    """The game, if nobody has decided anything for so long; if nobody ever has, since it waits."""
    since = past.last or read_time(str(facts.public["since"]))
    if not facts.public["over"] and now() - since > span:
        yield Stalled(facts, since)


def _game_data(past: Past, since: date | None) -> dict[str, Any]:
    figures = figures_of([past], now().date(), since)
    return {
        "game": past.game,
        "turns": figures.turns,
        "moves": figures.moves,
        "last_move": write_time(past.last) if past.last else None,
        "median_hours": _hours(figures.half),
        "ninety_hours": _hours(figures.most),
    }


def _as_data(found: _Found) -> dict[str, Any]:
    figures = found.figures
    return {
        "games": figures.games,
        "turns": figures.turns,
        "moves": figures.moves,
        "turns_a_day": round(figures.turns_a_day, 2),
        "days": {str(day): {"turns": t, "moves": m} for day, (t, m) in figures.days.items()},
        "median_hours": _hours(figures.half),
        "ninety_hours": _hours(figures.most),
        "players": [_player_data(each) for each in figures.players],
        "stalled": [
            {"game": each.facts.game, "since": write_time(each.since),
             "waiting_for": each.facts.public["waiting_for"],
             "remarks": remarks(each.facts, now())}
            for each in found.stalled
        ],
        "refusals": dict(found.refused.most_common()),
    }  # fmt: skip


def _player_data(player: PlayerFigures) -> dict[str, Any]:
    return {
        "player": player.person,
        "games": player.games,
        "moves": player.moves,
        "median_hours": _hours(player.half),
        "ninety_hours": _hours(player.most),
        "misses": player.misses,
    }


def _hours(span: timedelta | None) -> float | None:
    return round(span.total_seconds() / 3600, 2) if span is not None else None


def _lines(found: _Found, moment: datetime) -> Iterator[str]:
    figures = found.figures
    yield (
        f"{counted(figures.games, 'game')}: {counted(figures.turns, 'turn')}, "
        f"{counted(figures.moves, 'move')} in {counted(len(figures.days), 'day')}, "
        f"{figures.turns_a_day:.1f} turns a day"
    )
    if figures.half is not None and figures.most is not None:
        yield f"half of all answers within {about(figures.half)}, 90 % within {about(figures.most)}"
    days = list(figures.days.items())[-_DAYS:]
    yield from _part(("DAY", "TURNS", "MOVES"), [(str(d), str(t), str(m)) for d, (t, m) in days])
    head = ("PLAYER", "GAMES", "MOVES", "MEDIAN", "90 %", "MISSES")
    yield from _part(head, [_row(each) for each in figures.players[:_PLAYERS]])
    if len(figures.players) > _PLAYERS:
        yield f"and {len(figures.players) - _PLAYERS} more who are quicker; --json has all"
    stalled = [
        (each.facts.game, minute(each.since), clipped(who(each.facts), _WHO),
         "; ".join(remarks(each.facts, moment)))
        for each in found.stalled
    ]  # fmt: skip
    yield from _part(("STALLED", "SINCE", "WAITS FOR", "REMARKS"), stalled)
    refused = [(code, str(number)) for code, number in found.refused.most_common()]
    yield from _part(("REFUSED OR HELD", "NUMBER"), refused)


def _row(player: PlayerFigures) -> tuple[str, ...]:
    half, most = (about(each) if each is not None else "-" for each in (player.half, player.most))
    name = clipped(player.person, _WHO)
    return name, str(player.games), str(player.moves), half, most, str(player.misses)


def _part(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        yield ""
        yield from table(head, rows)


def _show(outcome: Outcome, figures: Figures, form: str) -> None:
    from pbem.overview.statspicture import stats_png, stats_svg

    if form == "svg":
        outcome.wanted = True
        outcome.more["stats"]["svg"] = svg = stats_svg(figures)
        outcome.say(*svg.rstrip("\n").split("\n"))
        return
    outcome.page = stats_png(figures)
    outcome.more["stats"]["png"] = base64.b64encode(outcome.page).decode()
