"""What a player's pieces could do on the board as it is: hints for one seat.

Nothing is judged here. Each legal placement is really carried out, on a copy of the game that
holds only what the player may know, as if he were the active player; what happens and what is
asked next is the hint. Nobody draws in the course of a placement (R13), so nothing hidden can
enter.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from engine import events as e
from engine import orders as o
from engine import questions as q
from engine import view as v
from engine.advance import act, carry_out
from engine.hintview import (
    CatastropheHint,
    Clash,
    Effect,
    Hints,
    LeaderHint,
    LeaderHints,
    TileHint,
    TileHints,
)
from engine.inquiry import asked
from engine.kingdoms import kingdoms, touching
from engine.legal import Placements, legal_actions
from engine.monuments import blocks_at
from engine.pieces import NONE, Colour, Dynasty, Leader
from engine.play import Play
from engine.squares import Mask, Square, beside, bits_of, square_of
from engine.state import Seat, State

T = TypeVar("T")
_EFFECTS: tuple[Effect, ...] = ("mine", "theirs", "war", "union", "nothing")


def hints(state: State, player: Dynasty) -> Hints | None:
    """Hints for a player, whoever's turn it is.

    None when the game is over, and while a conflict is open: the board will be another one
    before anybody can place a piece.
    """
    if isinstance(state.question, q.AskAttack | q.AskDefence | q.AskWar | None):
        return None
    known = as_if_active(state, player)
    near = touching(kingdoms(known.board)).one
    groups = [each for each in legal_actions(known).groups if isinstance(each, Placements)]
    return Hints(
        player=player,
        tiles=tuple(
            _tile(known, near, each.colour, each.squares)
            for each in groups
            if each.kind is o.PlaceTile and each.colour
        ),
        leaders=tuple(
            _leader(known, near, each.colour, each.squares)
            for each in groups
            if each.kind is o.PlaceLeader and each.colour
        ),
        catastrophes=tuple(
            hint
            for each in groups
            if each.kind is o.PlaceCatastrophe
            for hint in _catastrophes(known, each.squares)
        ),
    )


def as_if_active(state: State, player: Dynasty) -> State:
    """What the player knows of the game, as if an action of his were to come."""
    return State(
        options=state.options,
        seats=tuple(
            Seat(
                seat.dynasty,
                hand=seat.hand if seat.dynasty == player else NONE,
                catastrophes=seat.catastrophes,
            )
            for seat in state.seats
        ),
        board=state.board,
        bag="",
        active=player,
        monuments=state.monuments,
    )


def _done(known: State, order: o.Action) -> Play:
    """A legal action carried out up to its first question; not what follows every action."""
    play = Play(known)
    act(play, known.active, order)
    while not play.waiting:
        carry_out(play, play.take_step())
    return play


def _tile(known: State, near: Mask, colour: Colour, legal: Mask) -> TileHints:
    """A tile that touches no kingdom and completes no block does nothing: it is not tried."""
    alike = beside(known.board.tiles.of(colour))
    found: list[tuple[Square, TileHint]] = []
    monuments: list[Square] = []
    for bit in bits_of(legal):
        at = square_of(bit)
        if not bit & near and not (bit & alike and _completes_a_block(known, colour, at)):
            found.append((at, _NOTHING))
            continue
        after = _done(known, o.PlaceTile(colour, at))
        found.append((at, _tile_hint(after, known.active)))
        if after.agenda and isinstance(after.agenda[-1], q.AskMonument):
            monuments.append(at)
    places = [hint._replace(squares=squares) for hint, squares in _grouped(found)]
    return TileHints(colour, tuple(sorted(places, key=_rank)), tuple(monuments))


def _completes_a_block(known: State, colour: Colour, at: Square) -> bool:
    return bool(blocks_at(known.board.with_tile(colour, at), at))


_NOTHING = TileHint((), "nothing", None, ())


def _rank(hint: TileHint) -> int:
    return _EFFECTS.index(hint.effect)


def _tile_hint(after: Play, player: Dynasty) -> TileHint:
    """What the tile did, its squares left out."""
    for event in after.events:
        match event:
            case e.PointsScored(scorer, why="tile"):
                effect: Effect = "mine" if scorer == player else "theirs"
                return TileHint((), effect, scorer, ())
            case e.TilePlaced(uniting=True):
                wars = tuple(_clashes(after))
                return TileHint((), "war" if wars else "union", None, wars)
            case _:
                continue
    return _NOTHING


def _clashes(after: Play) -> Iterator[Clash]:
    """The conflicts that the question now asked is about."""
    match asked(after.pause()) if after.agenda else None:
        case v.SupportAsked(_, _, conflict):
            yield _clash(conflict)
        case v.WarAsked(_, _, wars):
            yield from map(_clash, wars)
        case _:
            return


def _clash(conflict: v.ConflictView) -> Clash:
    attack, defence = conflict.attack, conflict.defence
    return Clash(
        conflict.colour,
        attack.leader.dynasty,
        defence.leader.dynasty,
        attack.strength,
        defence.strength,
    )


def _leader(known: State, near: Mask, colour: Colour, legal: Mask) -> LeaderHints:
    """A leader that touches no kingdom starts nothing: it is not tried."""
    found: list[tuple[Square, Clash | None]] = []
    for bit in bits_of(legal):
        at = square_of(bit)
        after = _done(known, o.PlaceLeader(colour, at)) if bit & near else None
        found.append((at, next(_clashes(after), None) if after else None))
    origin = known.board.square_of(Leader(known.active, colour))
    places = tuple(LeaderHint(squares, revolt) for revolt, squares in _grouped(found))
    return LeaderHints(colour, origin, places)


def _catastrophes(known: State, legal: Mask) -> Iterator[CatastropheHint]:
    """What a catastrophe on a tile of a kingdom does; elsewhere it does nothing to leaders."""
    found: list[tuple[Square, tuple[tuple[Leader, ...], bool]]] = []
    for realm in kingdoms(known.board):
        for bit in bits_of(realm & legal):
            after = _done(known, o.PlaceCatastrophe(square_of(bit)))
            homeless = tuple(
                Leader(event.player, event.colour)
                for event in after.events
                if isinstance(event, e.LeaderReturned)
            )
            parts = [each for each in kingdoms(after.state.board) if each & realm]
            if homeless or len(parts) > 1:
                found.append((square_of(bit), (homeless, len(parts) > 1)))
    for (homeless, splits), squares in _grouped(found):
        yield CatastropheHint(squares, homeless, splits)


def _grouped(found: Iterable[tuple[Square, T]]) -> list[tuple[T, tuple[Square, ...]]]:
    """The same values together, in the order of their first squares."""
    groups: dict[T, list[Square]] = {}
    for square, value in found:
        groups.setdefault(value, []).append(square)
    return [(value, tuple(squares)) for value, squares in groups.items()]
