"""Shapes, letters and border lines."""

import math
import random
from string import ascii_letters, digits

import pytest

from engine.squares import BIT, SQUARES, beside, mask_of
from pbem.picture.letters import can_write, width, write
from pbem.picture.outlines import borders, drawn
from pbem.picture.shapes import (
    Area,
    Bounds,
    Disc,
    Line,
    Placed,
    Ring,
    Symbol,
    bounds,
    bounds_of,
    box,
    dashes,
    moved,
    rounded,
    strokes,
)

SHAPES = (
    Area(((0, 0), (4, 0), (4, 2)), "#000000"),
    Line(((1, 1), (3, 1)), "#000000", 2),
    Disc(2, 2, 1, "#000000"),
    Ring(2, 2, 1, "#000000", 1),
)


def test_paths_are_read_as_in_svg() -> None:
    wanted = [[(0, 0), (2, 0), (2, 2), (0, 0)], [(0.5, -1), (1, 1)]]
    assert [[*line] for line in strokes("M0 0 L2 0 2 2 Z M.5 -1 L1 1")] == wanted


def test_a_curve_begins_and_ends_where_it_says() -> None:
    points = [*strokes("M0 0 C0 1 1 1 1 0 Q2 -1 3 0")[0]]
    assert [points[0], points[-1]] == [(0, 0), (3, 0)]
    assert (1, 0) in points
    assert max(y for _, y in points) == pytest.approx(0.75, abs=0.02)


@pytest.mark.parametrize("shape", SHAPES)
def test_moving_moves_the_bounds(shape: Area | Line | Disc | Ring) -> None:
    left, top, right, bottom = bounds((shape,))
    wanted = (10 + 2 * left, 20 + 2 * top, 10 + 2 * right, 20 + 2 * bottom)
    assert bounds((moved(shape, 10, 20, 2),)) == pytest.approx(wanted)
    assert bounds_of(Placed(Symbol("", (shape,)), 10, 20, 2)) == pytest.approx(wanted)


def test_bounds_that_only_touch_do_not_meet() -> None:
    assert not Bounds(0, 0, 1, 1).meets(Bounds(1, 0, 2, 1))
    assert Bounds(0, 0, 1, 1).meets(Bounds(0.5, 0.5, 2, 2))


def test_rounded_corners_stay_inside() -> None:
    points = box(0, 0, 10, 6, 2)
    assert bounds((Area(points, ""),)) == pytest.approx((0, 0, 10, 6))
    assert points[0] == points[-1]
    assert min(math.dist(point, (0, 0)) for point in points) > 0.5
    assert rounded(((0, 0), (1, 0), (1, 1)), 0) == ((0, 0), (1, 0), (1, 1), (0, 0))


def test_dashes_are_as_long_as_they_say() -> None:
    pieces = dashes(((0, 0), (5, 0), (5, 6)), (4, 2))
    assert [*pieces] == [((0, 0), (4, 0)), ((5, 1), (5, 5))]
    assert sum(math.dist(a, b) for a, b in pieces) == pytest.approx(8)


def test_a_dash_goes_round_a_corner() -> None:
    assert [*dashes(((0, 0), (2, 0), (2, 2)), (3, 9))] == [((0, 0), (2, 0), (2, 1))]


def test_the_pen_knows_its_letters() -> None:
    assert can_write(ascii_letters + digits + "ÅÄÖåäö ãçéíõú ÉÇ +-/.,:'()")
    assert not can_write("朝代")
    shapes = {sign: write(sign, 0, 0, 10, "", 1) for sign in ascii_letters + digits}
    same = [(a, b) for a in shapes for b in shapes if a < b and shapes[a] == shapes[b]]
    assert same == [("I", "l")]


def test_a_text_lies_where_it_is_anchored() -> None:
    wide = width("Turn 12", 8)
    for anchor, left in (("start", 50.0), ("middle", 50 - wide / 2), ("end", 50 - wide)):
        around = bounds(write("Turn 12", 50, 20, 8, "", 0, anchor))  # type: ignore[arg-type]
        assert around.left == pytest.approx(left, abs=0.1)
        assert around.right == pytest.approx(left + wide, abs=0.1)
        assert around.top == pytest.approx(16, abs=0.2)
        assert around.bottom == pytest.approx(24, abs=0.2)


def test_what_the_pen_does_not_know_is_left_out() -> None:
    assert write("a朝b", 0, 0, 10, "", 1) == write("ab", 0, 0, 10, "", 1)
    assert write("", 0, 0, 10, "", 1) == ()


def test_the_border_of_one_square() -> None:
    assert borders(["B3"]) == (((1, 2), (2, 2), (2, 3), (1, 3)),)


def test_squares_that_touch_at_a_corner_are_kept_apart() -> None:
    """R01."""
    assert len(borders(["A1", "B2"])) == 2
    assert len(borders(["B1", "A2"])) == 2


def test_a_hole_has_a_border_of_its_own() -> None:
    ring = [f"{column}{row}" for column in "BCD" for row in (2, 3, 4)]
    ring.remove("C3")
    outer, inner = borders(ring)
    assert len(outer) == len(inner) == 4
    assert drawn(outer, (0, 0), 10, 1)[0] == (11, 11)
    assert (19, 19) in drawn(inner, (0, 0), 10, 1)


@pytest.mark.parametrize("seed", range(40))
def test_borders_are_as_long_as_the_edges(seed: int) -> None:
    """Every edge between in and out is drawn once, none else."""
    squares = random.Random(seed).sample(SQUARES, 20 + 3 * seed)
    inside = mask_of(squares)
    edges = sum(4 - (beside(BIT[square]) & inside).bit_count() for square in squares)
    length = 0
    for line in borders(squares):
        for (a, b), (x, y) in zip(line, (*line[1:], line[0]), strict=True):
            length += abs(a - x) + abs(b - y)
    assert length == edges
