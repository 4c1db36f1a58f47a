"""Hints agree with what the orders really do, and depend on nothing that is hidden."""

import random
from collections.abc import Iterable, Iterator

import pytest

from engine import events as e
from engine import orders as o
from engine import questions as q
from engine.advance import advance
from engine.hints import as_if_active, hints
from engine.hintview import CatastropheHint, Clash, Hints, LeaderHint, TileHint
from engine.kingdoms import group_at
from engine.legal import legal_orders
from engine.pieces import COLOURS, ByColour, Dynasty, Leader
from engine.squares import BIT, Square
from engine.state import State
from tests.playouts import play
from tests.positions import draw, scenario_state

FACE_TO_FACE = "r. Ak k. .. k. Bk r."
IN_ONE_KINGDOM = "r. Ak k. Bg r."


def position(row: str, **more: object) -> State:
    """The standard board with a row of pieces laid from B5; archer is active."""
    return scenario_state({"frag": [["B5", [row]]], **more})


def hinted(state: State, player: Dynasty) -> Hints:
    """The hints, which there are."""
    found = hints(state, player)
    assert found is not None
    return found


# -- positions drawn for it ------------------------------------------------------------------


def test_a_tile_is_told_by_what_it_does() -> None:
    state = position(FACE_TO_FACE, hands={"A": "g1"})
    (green,) = hinted(state, "archer").tiles
    assert green.colour == "green"
    war = Clash("black", "archer", "bull", 1, 1)
    mine, theirs, fight, nothing = green.places
    assert mine == TileHint(("A5", "B6", "C6", "D6"), "mine", "archer", ())
    assert theirs == TileHint(("F4", "G4", "H4", "I5", "F6", "G6", "H6"), "theirs", "bull", ())
    assert fight == TileHint(("E5",), "war", None, (war,))
    assert nothing.effect == "nothing"
    assert "A1" in nothing.squares
    assert green.monuments == ()


def test_the_attacker_is_the_one_who_places() -> None:
    state = position(FACE_TO_FACE, hands={"B": "k1"})
    (black,) = hinted(state, "bull").tiles
    assert [hint.wars for hint in black.places if hint.wars] == [
        (Clash("black", "bull", "archer", 1, 1),)
    ]
    assert black.places[0].effect == "mine"
    assert "I5" in black.places[0].squares


def test_two_kingdoms_can_become_one_without_a_war() -> None:
    state = position(FACE_TO_FACE.replace("Bk", "Bg"), hands={"A": "r1"})
    (red,) = hinted(state, "archer").tiles
    assert [hint.squares for hint in red.places if hint.effect == "union"] == [("E5",)]


def test_a_colour_that_is_not_in_the_hand_is_not_told() -> None:
    state = position(FACE_TO_FACE, hands={"A": "r2 b1"})
    assert [tiles.colour for tiles in hinted(state, "archer").tiles] == ["red", "blue"]


def test_where_a_tile_would_complete_a_block() -> None:
    state = scenario_state({"frag": [["H5", ["g. g.", "g. .."]]], "hands": {"A": "g1"}})
    (green,) = hinted(state, "archer").tiles
    assert green.monuments == ("I6",)
    assert [hint.effect for hint in green.places] == ["nothing"]


def test_a_leader_is_told_by_the_revolt_it_starts() -> None:
    priest, _, _, king = hinted(position(FACE_TO_FACE), "archer").leaders
    assert (priest.origin, king.origin) == (None, "C5")
    assert [hint.revolt for hint in priest.places] == [None]
    revolts = [hint for hint in king.places if hint.revolt]
    assert revolts == [LeaderHint(("F4", "H4", "I5", "H6"), Clash("black", "archer", "bull", 1, 1))]


def test_a_catastrophe_sends_home_or_splits() -> None:
    archer, bull = Leader("archer", "black"), Leader("bull", "green")
    assert hinted(position(IN_ONE_KINGDOM), "bull").catastrophes == (
        CatastropheHint(("B5",), (archer,), False),
        CatastropheHint(("D5",), (), True),
        CatastropheHint(("F5",), (bull,), False),
    )
    assert hinted(position(IN_ONE_KINGDOM, cats={"B": 0}), "bull").catastrophes == ()


def test_nothing_is_said_while_a_conflict_is_open() -> None:
    state = position(FACE_TO_FACE, hands={"A": "k1"})
    state = advance(state, "archer", o.PlaceTile("black", "E5")).state
    assert hints(state, "archer") is None
    assert hints(state, "bull") is None


# -- agreement with the engine ---------------------------------------------------------------

NOTHING: object = "no hint"


def positions(number: int, every: int) -> list[State]:
    """Some states of a game by chance."""
    found: list[State] = []
    play(number, found.append)
    return found[number % every :: every]


@pytest.mark.parametrize("number", [0, 9, 19, 30, 37, 44, 47, 62])
def test_a_hint_says_what_the_order_does(number: int) -> None:
    """For every legal placement of every player, the real game played on says the same."""
    for state in positions(number, 20):
        for player in state.players:
            found = hints(state, player)
            quiet = isinstance(state.question, q.AskAction | q.AskMonument | q.AskTreasure)
            assert (found is not None) == quiet
            if found is not None:
                agrees(found, at_turn(state, player))


def at_turn(state: State, player: Dynasty) -> State:
    """The whole game, hidden things and all, where the player has an action."""
    if state.question == q.AskAction(player, 2):
        return state
    return state._replace(active=player, agenda=(q.AskAction(player, 1),))


def agrees(found: Hints, state: State) -> None:
    """Compare with every legal order."""
    told = dict(promised(found))
    for order in legal_orders(state):
        if isinstance(order, o.PlaceTile | o.PlaceLeader | o.PlaceCatastrophe):
            real = carried_out(state, found.player, order)
            assert told.pop(order, NOTHING) == real, f"{order}\n{draw(state.board)}"
    assert not told, "hints for what is not legal"


def promised(found: Hints) -> Iterator[tuple[o.Order, object]]:
    """Every order the hints speak of, with what they say."""
    for tiles in found.tiles:
        for hint in tiles.places:
            for at in hint.squares:
                built = at in tiles.monuments
                done = (hint.effect, hint.scorer, frozenset(hint.wars), built)
                yield o.PlaceTile(tiles.colour, at), done
    for leader in found.leaders:
        for place in leader.places:
            for at in place.squares:
                yield o.PlaceLeader(leader.colour, at), (leader.origin, place.revolt)
    for fall in found.catastrophes:
        for at in fall.squares:
            yield o.PlaceCatastrophe(at), (fall.homeless, fall.splits)


def carried_out(state: State, player: Dynasty, order: o.Order) -> object:
    """What `advance` makes of the order, in the same words."""
    outcome = advance(state, player, order)
    events = list(this_action(outcome.events))
    match order:
        case o.PlaceTile():
            return tile_done(player, events, outcome.state)
        case o.PlaceLeader(colour):
            origin = state.board.square_of(Leader(player, colour))
            return origin, next(iter(fought(outcome.state)), None)
        case o.PlaceCatastrophe(at):
            return catastrophe_done(state, at, events, outcome.state)
        case _:
            raise AssertionError(order)


def this_action(events: Iterable[e.Event]) -> Iterator[e.Event]:
    """The events of the action itself, without the end of the turn."""
    for event in events:
        if isinstance(event, e.TilesDrawn | e.TurnEnded):
            return
        if not (isinstance(event, e.PointsScored) and event.why == "monument"):
            yield event


def tile_done(player: Dynasty, events: list[e.Event], after: State) -> object:
    """The effect of a tile, the scorer, the wars, whether a monument may be built at once."""
    wars = fought(after)
    scorers: list[Dynasty] = [each.player for each in events if isinstance(each, e.PointsScored)]
    united = any(isinstance(each, e.TilePlaced) and each.uniting for each in events)
    scorer = scorers[0] if scorers else None
    if united:
        effect = "war" if wars else "union"
        assert scorer is None
    else:
        effect = "nothing" if scorer is None else "mine" if scorer == player else "theirs"
    return effect, scorer, wars, isinstance(after.question, q.AskMonument)


def fought(state: State) -> frozenset[Clash]:
    """The conflicts at hand, each fought out without support as if it came first."""
    match state.question:
        case q.AskWar(player):
            chosen = [advance(state, player, war).state for war in legal_orders(state)]
            return frozenset(clash for each in chosen for clash in fought(each))
        case q.AskAttack(attacker, conflict):
            asked = advance(state, attacker, o.Support(0)).state
            events = advance(asked, conflict.defender, o.Support(0)).events
            (end, *_) = (event for event in events if isinstance(event, e.ConflictEnded))
            attack, defence = end.attack.board, end.defence.board
            return frozenset({Clash(end.colour, end.attacker, end.defender, attack, defence)})
        case _:
            return frozenset()


def catastrophe_done(state: State, at: Square, events: list[e.Event], after: State) -> object:
    """Who goes home, and whether leaders that stay are in different kingdoms now."""
    home = tuple(
        Leader(each.player, each.colour) for each in events if isinstance(each, e.LeaderReturned)
    )
    together = state.board.leaders_in(group_at(state.board, BIT[at]))
    rest = [after.board.place_of(leader) for leader in together if leader not in home]
    parts = {group_at(after.board, place) for place in rest}
    return (home, len(parts) > 1) if home or len(parts) > 1 else NOTHING


# -- secrecy ---------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [3, 50, 85])
def test_a_redeal_of_what_is_hidden_changes_no_hint(number: int) -> None:
    chance = random.Random(number)
    for state in positions(number, 20):
        for player in state.players:
            assert hints(redealt(state, player, chance), player) == hints(state, player)


def redealt(state: State, player: Dynasty, chance: random.Random) -> State:
    """Another game that looks the same to the player."""
    seats = tuple(
        seat._replace(
            hand=seat.hand if seat.dynasty == player else ByColour(0, seat.hand.total, 0, 0),
            points=ByColour(*(chance.randrange(9) for _ in COLOURS)),
            treasures=chance.randrange(4),
        )
        for seat in state.seats
    )
    bag = "".join(chance.sample(state.bag, len(state.bag)))
    return state._replace(seats=seats, bag=bag, out=ByColour(1, 2, 3, 4))


def test_the_copy_holds_nothing_that_is_hidden() -> None:
    for state in positions(8, 30):
        known = as_if_active(state, state.players[-1])
        assert known.bag == ""
        assert not any(seat.points.total or seat.treasures for seat in known.seats)
        assert not any(seat.hand.total for seat in known.seats[:-1])
        assert known.seats[-1].hand == state.seats[-1].hand


def test_the_hints_are_the_same_every_time() -> None:
    state = positions(5, 40)[2]
    assert str(hints(state, state.players[0])) == str(hints(state, state.players[0]))
