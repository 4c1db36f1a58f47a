"""What lies where. A board is a value: every change is another board (R02)."""

from typing import NamedTuple, Self

from engine.maps import MAPS, BoardName, Map
from engine.pieces import COLOURS, LEADER_INDEX, LEADERS, ByColour, Colour, Leader
from engine.squares import BIT, NOWHERE, Mask, Square, square_of

OFF_THE_BOARD: tuple[Mask, ...] = (NOWHERE,) * len(LEADERS)


class Board(NamedTuple):
    """The pieces on a board, each kind as a set of squares.

    `tiles` holds the face-up tiles by colour, `leaders` one square (or none) for each of
    `LEADERS`, in that order.
    """

    name: BoardName
    tiles: ByColour
    treasures: Mask
    facedown: Mask = NOWHERE
    catastrophes: Mask = NOWHERE
    leaders: tuple[Mask, ...] = OFF_THE_BOARD

    @property
    def map(self) -> Map:
        """What is printed on the board."""
        return MAPS[self.name]

    @property
    def standing(self) -> Mask:
        """The squares with leaders."""
        return sum(self.leaders)

    @property
    def connected(self) -> Mask:
        """The squares that hang together with their neighbours: tiles and leaders (R03)."""
        red, blue, green, black = self.tiles
        return red | blue | green | black | self.facedown | sum(self.leaders)

    @property
    def empty(self) -> Mask:
        """Squares that hold nothing at all."""
        printed = self.map
        return (printed.land | printed.river) & ~(self.connected | self.catastrophes)

    def leader_at(self, bit: Mask) -> Leader | None:
        """The leader on the square, if one stands there."""
        for leader, place in zip(LEADERS, self.leaders, strict=True):
            if place & bit:
                return leader
        return None

    def place_of(self, leader: Leader) -> Mask:
        """The square of a leader; empty if it is off the board."""
        return self.leaders[LEADER_INDEX[leader]]

    def colour_at(self, bit: Mask) -> Colour | None:
        """The colour of the face-up tile on the square, if there is one."""
        for colour, mask in zip(COLOURS, self.tiles, strict=True):
            if mask & bit:
                return colour
        return None

    def with_tile(self, colour: Colour, at: Square) -> Self:
        """With a face-up tile more."""
        tiles = self.tiles
        return self._replace(tiles=tiles.with_(colour, tiles.of(colour) | BIT[at]))

    def without_tiles(self, colour: Colour, gone: Mask) -> Self:
        """Without these face-up tiles of the colour."""
        tiles = self.tiles
        return self._replace(tiles=tiles.with_(colour, tiles.of(colour) & ~gone))

    def without_any(self, gone: Mask) -> Self:
        """Without the face-up tiles on these squares, whatever their colour."""
        return self._replace(tiles=ByColour(*(mask & ~gone for mask in self.tiles)))

    def with_leader(self, leader: Leader, place: Mask) -> Self:
        """With the leader on this square, or nowhere if `place` is empty."""
        index = LEADER_INDEX[leader]
        return self._replace(leaders=(*self.leaders[:index], place, *self.leaders[index + 1 :]))

    def with_monument(self, squares: Mask, colour: Colour) -> Self:
        """With these tiles of the colour turned face down (R67)."""
        return self.without_tiles(colour, squares)._replace(facedown=self.facedown | squares)

    def with_catastrophe(self, at: Square) -> Self:
        """With the square destroyed, and the tile on it gone (R70, R71)."""
        bit = BIT[at]
        return self.without_any(bit)._replace(catastrophes=self.catastrophes | bit)

    def leaders_in(self, mask: Mask) -> tuple[Leader, ...]:
        """The leaders that stand on these squares, in the order of `LEADERS`."""
        return tuple(
            leader for leader, place in zip(LEADERS, self.leaders, strict=True) if place & mask
        )

    def square_of(self, leader: Leader) -> Square | None:
        """The name of the square a leader stands on, None if it is off the board."""
        place = self.place_of(leader)
        return square_of(place) if place else None


def opening(name: BoardName) -> Board:
    """The board at the start: the printed temples, a treasure on each."""
    temples = MAPS[name].temples
    return Board(name, ByColour(red=temples), treasures=temples)
