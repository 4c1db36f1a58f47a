"""The complete list of legal orders, as a compact value that expands when it is read.

Squares are taken from the same limits by which an order is refused (`engine.limits`), so the
list and the refusals cannot disagree.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import TypeAlias, assert_never, overload

from engine import orders as o
from engine import questions as q
from engine.catastrophe import catastrophe_limits
from engine.kingdoms import kingdoms, touching
from engine.leaders import leader_limits, lifted
from engine.limits import allowed_by
from engine.monuments import blocks_at, free_pairs, placed_colour
from engine.pieces import COLOURS, ByColour, Colour, Leader
from engine.squares import NOWHERE, Mask, nth_square, squares_of
from engine.state import State
from engine.tiles import tile_limits
from engine.treasures import asked_spoils
from engine.war import rivals_at


class Placements:
    """Orders that differ in their square only: one kind of piece, a set of squares."""

    __slots__ = ("colour", "kind", "squares")

    def __init__(
        self,
        kind: type[o.PlaceTile | o.PlaceLeader | o.PlaceCatastrophe],
        colour: Colour | None,
        squares: Mask,
    ) -> None:
        self.kind = kind
        self.colour = colour
        self.squares = squares

    def __len__(self) -> int:
        return self.squares.bit_count()

    def __getitem__(self, index: int) -> o.Order:
        return self._order(nth_square(self.squares, index))

    def __iter__(self) -> Iterator[o.Order]:
        return map(self._order, squares_of(self.squares))

    def _order(self, at: str) -> o.Order:
        if self.kind is o.PlaceCatastrophe or self.colour is None:
            return o.PlaceCatastrophe(at)
        if self.kind is o.PlaceTile:
            return o.PlaceTile(self.colour, at)
        return o.PlaceLeader(self.colour, at)


class Exchanges:
    """All exchanges of a hand, up to the order of the tiles (R85)."""

    __slots__ = ("hand",)

    def __init__(self, hand: ByColour) -> None:
        self.hand = hand

    def __len__(self) -> int:
        red, blue, green, black = self.hand
        return (red + 1) * (blue + 1) * (green + 1) * (black + 1) - 1

    def __getitem__(self, index: int) -> o.Order:
        rest = index + 1
        numbers = []
        for have in reversed(self.hand):
            rest, number = divmod(rest, have + 1)
            numbers.append(number)
        return o.Exchange(ByColour(*reversed(numbers)))

    def __iter__(self) -> Iterator[o.Order]:
        every = product(*(range(have + 1) for have in self.hand))
        return (o.Exchange(ByColour(*numbers)) for numbers in islice(every, 1, None))


Group: TypeAlias = Placements | Exchanges | tuple[o.Order, ...]


class LegalOrders(Sequence[o.Order]):
    """A sequence of orders in groups; each group says its length without being expanded."""

    __slots__ = ("groups", "sizes")

    def __init__(self, *groups: Group) -> None:
        self.groups = groups
        self.sizes = [len(group) for group in groups]

    def __len__(self) -> int:
        return sum(self.sizes)

    def __iter__(self) -> Iterator[o.Order]:
        for group in self.groups:
            yield from group

    @overload
    def __getitem__(self, index: int) -> o.Order: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[o.Order]: ...
    def __getitem__(self, index: int | slice) -> o.Order | Sequence[o.Order]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        rest = index + len(self) if index < 0 else index
        for group, size in zip(self.groups, self.sizes, strict=True):
            if 0 <= rest < size:
                return group[rest]
            rest -= size
        raise IndexError(index)


def legal_orders(state: State) -> LegalOrders:
    """Everything that the player who is asked may answer; nothing when the game is over."""
    question = state.question
    match question:
        case None:
            return LegalOrders()
        case q.AskAction():
            return legal_actions(state)
        case q.AskAttack() | q.AskDefence():
            have = state.seat(question.player).hand.of(question.conflict.support_colour)
            return LegalOrders(tuple(o.Support(number) for number in range(have + 1)))
        case q.AskWar():
            rivals = rivals_at(state.board, question.union)
            return LegalOrders(tuple(o.ChooseWar(each.colour) for each in rivals))
        case q.AskMonument():
            return LegalOrders(legal_monuments(state, question), (o.DeclineMonument(),))
        case q.AskTreasure():
            may_stay = asked_spoils(state, question).may_stay
            return LegalOrders(tuple(o.LeaveTreasure(at) for at in squares_of(may_stay)))
        case _:
            assert_never(question)


def legal_monuments(state: State, question: q.AskMonument) -> tuple[o.Order, ...]:
    """Every block that may be built on with every monument that fits (R63, R64)."""
    pairs = free_pairs(state, placed_colour(state, question))
    corners = blocks_at(state.board, question.placed)
    return tuple(o.BuildMonument(pair, at) for at in corners for pair in pairs)


def legal_actions(state: State) -> LegalOrders:
    """Every action of the active player (R11)."""
    board, seat = state.board, state.seat(state.active)
    realms = kingdoms(board)
    near = touching(realms)
    groups: list[Group] = [
        Placements(o.PlaceTile, colour, allowed_by(tile_limits(board, colour, near)))
        for colour, have in zip(COLOURS, seat.hand, strict=True)
        if have
    ]
    withdrawals: list[o.Order] = []
    for colour in COLOURS:
        place = board.place_of(Leader(seat.dynasty, colour))
        beside = touching(lifted(board, place, realms)) if place else near
        squares = allowed_by(leader_limits(board, place, beside))
        groups.append(Placements(o.PlaceLeader, colour, squares))
        if place:
            withdrawals.append(o.WithdrawLeader(colour))
    squares = allowed_by(catastrophe_limits(board)) if seat.catastrophes else NOWHERE
    groups.append(Placements(o.PlaceCatastrophe, None, squares))
    return LegalOrders(*groups, tuple(withdrawals), Exchanges(seat.hand), (o.Pass(),))
