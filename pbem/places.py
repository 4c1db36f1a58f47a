"""The map as a list: which square holds what, kingdom by kingdom."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.pieces import COLOUR_OF, COLOURS, DYNASTIES, Colour, Leader
from engine.squares import SQUARES, Square
from engine.view import View


class Region(NamedTuple):
    """What stands on some squares: tiles by colour, leaders, tiles under monuments."""

    tiles: tuple[tuple[Colour, tuple[Square, ...]], ...]
    leaders: tuple[tuple[Leader, Square], ...]
    facedown: tuple[Square, ...]

    @property
    def any(self) -> bool:
        """Whether anything stands there."""
        return bool(self.tiles or self.leaders or self.facedown)


class Places(NamedTuple):
    """The whole map. `kingdoms` stand in the order of the view; `river`: free river squares."""

    kingdoms: tuple[Region, ...]
    outside: Region
    catastrophes: tuple[Square, ...]
    river: tuple[Square, ...]


def places(view: View) -> Places:
    """What the signs of a view say."""
    signs = dict(zip(SQUARES, (sign for row in view.cells for sign in row), strict=True))
    inside = {square for kingdom in view.kingdoms for square in kingdom.squares}
    return Places(
        tuple(_region(signs, kingdom.squares) for kingdom in view.kingdoms),
        _region(signs, (square for square in SQUARES if square not in inside)),
        tuple(square for square in SQUARES if signs[square] == "##"),
        tuple(square for square in SQUARES if signs[square] == "~~"),
    )


def _region(signs: Mapping[Square, str], squares: Iterable[Square]) -> Region:
    tiles: dict[Colour, list[Square]] = {colour: [] for colour in COLOURS}
    leaders: list[tuple[Leader, Square]] = []
    facedown = []
    for square in squares:
        sign = signs[square]
        kind, what = sign[0], sign[1]
        if kind in COLOUR_OF:
            tiles[COLOUR_OF[kind]].append(square)
        elif kind in _OWNERS:
            leaders.append((Leader(_OWNERS[kind], COLOUR_OF[what]), square))
        elif kind == "x":
            facedown.append(square)
    found = tuple((colour, tuple(names)) for colour, names in tiles.items() if names)
    return Region(found, tuple(leaders), tuple(facedown))


_OWNERS = {dynasty[0].upper(): dynasty for dynasty in DYNASTIES}
