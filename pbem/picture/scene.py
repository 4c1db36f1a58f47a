"""The board as a scene, made from public facts alone, so that one picture serves all seats."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from engine.maps import MAPS, BoardName
from engine.pieces import (
    COLOUR_OF,
    COLOURS,
    DYNASTIES,
    LETTER,
    Dynasty,
    Leader,
    Monument,
)
from engine.squares import SQUARES, Square, squares_of
from engine.view import Asked, ConflictView, SupportAsked, View, WarAsked
from pbem.picture import colours as c
from pbem.picture.board import FOOT, MARGIN, WIDTH, corner, printed
from pbem.picture.emblems import badge, leader
from pbem.picture.labels import Part, number, settle, strength
from pbem.picture.letters import write
from pbem.picture.outlines import borders, drawn
from pbem.picture.shapes import Disc, Line, Placed, Scene, Symbol, bounds_of, rounded
from pbem.picture.tiles import (
    CELL,
    back,
    catastrophe,
    frame,
    fresh,
    monument,
    tile,
    treasure,
    union,
)

_LEGEND = 30
_HEART = Symbol("heart", (Disc(CELL / 2, CELL / 2, 8, c.INK),))  # of a leader, never drawn
_DYNASTY_OF: dict[str, Dynasty] = {dynasty[0].upper(): dynasty for dynasty in DYNASTIES}
# Kingdoms differ by their number; these tell neighbours apart at a glance.
_DASHES: tuple[tuple[float, ...], ...] = ((), (9, 5), (0.1, 5), (11, 5, 0.1, 5))


class Fight(NamedTuple):
    """One side of a conflict on the picture: what it is, where, and its strength as a text."""

    part: Part
    at: Square
    strength: str


class Facts(NamedTuple):
    """All that the picture of the board shows: nothing in it differs from seat to seat."""

    board: BoardName
    cells: tuple[tuple[str, ...], ...]
    kingdoms: tuple[tuple[Square, ...], ...]
    monuments: tuple[Monument, ...]
    players: tuple[Dynasty, ...]
    fights: tuple[Fight, ...]
    union: Square | None


def facts(view: View) -> Facts:
    """The public facts of a view, copied field by field."""
    conflicts, sent = _conflicts(view.asked)
    return Facts(
        board=view.options.board,
        cells=view.cells,
        kingdoms=tuple(kingdom.squares for kingdom in view.kingdoms),
        monuments=view.monuments,
        players=view.players,
        fights=tuple(fight for each in conflicts for fight in _fights(each, sent)),
        union=next((each.union for each in conflicts if each.union), None),
    )


def _conflicts(asked: Asked | None) -> tuple[tuple[ConflictView, ...], int | None]:
    """The conflicts that are open, and what the attacker sent to the only one."""
    match asked:
        case SupportAsked():
            return (asked.conflict,), asked.sent
        case WarAsked():
            return asked.wars, None
        case _:
            return (), None


def _fights(conflict: ConflictView, sent: int | None) -> tuple[Fight, Fight]:
    more = "" if sent is None else f"+{sent}"
    attack, defence = conflict.attack, conflict.defence
    return (
        Fight("attack", attack.at, f"{attack.strength}{more}"),
        Fight("defence", defence.at, str(defence.strength)),
    )


def board_scene(known: Facts, changed: Collection[Square] = ()) -> Scene:
    """The whole picture: the board with its pieces, the marks on it, the legend below."""
    marks = [Placed(fresh(), *corner(square)) for square in SQUARES if square in changed]
    joined = [Placed(union(), *corner(known.union))] if known.union else []
    gems = _treasures(known)
    parts = (
        *printed(known.board),
        *_frames(known, over=False),
        *_pieces(known),
        *_monuments(known),
        *_realms(known.kingdoms),
        *_frames(known, over=True),
        *gems,
        *joined,
        *marks,
        *_labels(known, [*gems, *joined]),
        *_legend(known.players),
    )
    return Scene(WIDTH, FOOT + _LEGEND, c.PAPER, parts)


def _pieces(known: Facts) -> Iterable[Placed]:
    """Tiles, catastrophes and leaders."""
    for square, sign in _signs(known):
        if symbol := _piece(sign):
            yield Placed(symbol, *corner(square))


def _monuments(known: Facts) -> Iterable[Placed]:
    """The monuments, over their tiles."""
    return (Placed(monument(each.pair), *corner(each.at)) for each in known.monuments if each.at)


def _signs(known: Facts) -> Iterable[tuple[Square, str]]:
    return zip(SQUARES, (sign for row in known.cells for sign in row), strict=True)


def _piece(sign: str) -> Symbol | None:
    """The piece that a sign of the map notation stands for."""
    first, second = sign[0], sign[1]
    if sign == "##":
        return catastrophe()
    if first in _DYNASTY_OF:
        return leader(Leader(_DYNASTY_OF[first], COLOUR_OF[second]))
    if first in COLOUR_OF:
        return tile(COLOUR_OF[first])
    return back() if first == "x" else None


def _realms(kingdoms: Iterable[tuple[Square, ...]]) -> Iterable[Placed]:
    """A line around each kingdom, and around every hole in it."""
    for index, squares in enumerate(kingdoms):
        dash = _DASHES[index % len(_DASHES)]
        rims = [rounded(drawn(line, (MARGIN, MARGIN), CELL, 0.4), 4) for line in borders(squares)]
        yield Placed(Symbol("", tuple(Line(rim, c.REALM, 2.4, dash) for rim in rims)))


def _frames(known: Facts, over: bool) -> Iterable[Placed]:
    """The frames: over tiles and treasures, but under all else that may stand there."""
    signs = dict(_signs(known))
    for square in squares_of(MAPS[known.board].priority):
        if over == (signs[square][1] in ".*"):
            yield Placed(frame(), *corner(square))


def _treasures(known: Facts) -> list[Placed]:
    return [Placed(treasure(), *corner(at)) for at, sign in _signs(known) if sign[1] == "*"]


def _labels(known: Facts, marks: list[Placed]) -> list[Placed]:
    """The numbers of the kingdoms, then the strengths where they hide least."""
    found = []
    for index, squares in enumerate(known.kingdoms, start=1):
        x, y = corner(squares[0])
        found.append(Placed(number(str(index)), x + 4, y + 4))
    rivals = [Placed(_HEART, *corner(fight.at)) for fight in known.fights]
    others = [bounds_of(each) for each in (*marks, *rivals)]
    for fight in known.fights:
        sign = strength(fight.part, fight.strength)
        labels = [bounds_of(label) for label in found]
        found.append(settle(sign, corner(fight.at), labels, others))
    return found


def _legend(players: tuple[Dynasty, ...]) -> Iterable[Placed]:
    """The signs with the letters that the map in the text and the orders use."""
    x, y, small = float(MARGIN + 12), FOOT + _LEGEND / 2 - 2, 0.66
    signs = [(badge(player, c.INK), player[0].upper()) for player in players]
    signs += [(tile(colour), LETTER[colour]) for colour in COLOURS]
    for symbol, letter in signs:
        yield Placed(symbol, x, y - small * CELL / 2, small)
        yield Placed(_letter(letter), x + small * CELL + 8, y)
        x += 68


def _letter(letter: str) -> Symbol:
    return Symbol(f"legend-{letter}", write(letter, 0, 0, 11, c.INK, 1.6))


def spoken(known: Facts) -> str:
    """What lies where in map notation, for those who do not see the picture."""
    kingdoms = {at: i for i, squares in enumerate(known.kingdoms, start=1) for at in squares}
    found: dict[int, list[str]] = {0: []}
    for at, sign in _signs(known):
        if sign not in ("..", "~~"):
            found.setdefault(kingdoms.get(at, 0), []).append(f"{at} {sign}")
    return "; ".join(
        f"{index}: {', '.join(pieces)}" if index else ", ".join(pieces)
        for index, pieces in sorted(found.items(), key=lambda each: each[0] or len(SQUARES))
        if pieces
    )
