"""Boxes of data sets and tools keep apart what their numbers mean."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui_gym.boxes import NormalizedXYXY, PixelXYWH, PixelXYXY, Rel1000XYXY, parse_bounds, tap_pixel, visible_part
from gui_gym.geometry import Box

FRACTIONS = st.floats(0, 1)
BOXES = st.tuples(FRACTIONS, FRACTIONS, FRACTIONS, FRACTIONS).map(
    lambda b: Box(min(b[0], b[2]), min(b[1], b[3]), max(b[0], b[2]), max(b[1], b[3]))
)
SIZE = (1080, 2400)


@given(BOXES)
def test_fractions_and_back(box):
    for found in (
        PixelXYXY.of(box, SIZE).fractions(SIZE),
        PixelXYWH.of(box, SIZE).fractions(SIZE),
        NormalizedXYXY.of(box).fractions(),
        Rel1000XYXY.of(box).fractions(),
    ):
        assert found == pytest.approx(box, abs=1e-9)


def test_equal_numbers_of_other_kinds_are_other_boxes():
    boxes = [kind(0, 0, 1, 1) for kind in (PixelXYXY, PixelXYWH, NormalizedXYXY, Rel1000XYXY)]
    assert len(set(boxes)) == 4
    assert all((a == b) == (i == j) for i, a in enumerate(boxes) for j, b in enumerate(boxes))
    assert boxes[0] != (0, 0, 1, 1)


@pytest.mark.parametrize("kind", [PixelXYXY, NormalizedXYXY, Rel1000XYXY])
@pytest.mark.parametrize(
    "numbers",
    [
        (5, 0, 1, 1),
        (0, 5, 1, 1),
        (0, 0, math.nan, 1),
        (0, 0, math.inf, 1),
        (0, 0, "1", 1),
        (0, 0, True, 1),
        (0, 0, 10**400, 1),
    ],
)
def test_corners_are_in_order(kind, numbers):
    with pytest.raises(ValueError, match=f"{kind.__name__} must"):
        kind(*numbers)


@pytest.mark.parametrize(("kind", "numbers"), [(NormalizedXYXY, (100, 200, 300, 400)), (Rel1000XYXY, (0, 0, 2400, 5))])
def test_numbers_of_other_units_are_refused(kind, numbers):
    with pytest.raises(ValueError, match="must hold numbers from 0 to"):
        kind(*numbers)
    assert PixelXYXY(*numbers).x1 == numbers[2]


@pytest.mark.parametrize("numbers", [(0, 0, -1, 1), (0, 0, 1, -1), (math.nan, 0, 1, 1)])
def test_sizes_are_not_negative(numbers):
    with pytest.raises(ValueError, match="PixelXYWH must"):
        PixelXYWH(*numbers)


@pytest.mark.parametrize("size", [(0, 5), (5, -1), (math.nan, 1), None, "ab", (1,), ("1", "2")])
def test_screens_have_a_size(size):
    for call in (PixelXYXY(0, 0, 1, 1).fractions, PixelXYWH(0, 0, 1, 1).fractions):
        with pytest.raises(ValueError, match="size must be"):
            call(size)


@pytest.mark.parametrize(
    "text", ["", "[1,2][3,4", "[1,2] [3,4]", "1,2,3,4", "[a,b][c,d]", "[5,5][1,1]", "[1.5,2][3,4]", "[٣,2][4,4]"]
)
def test_bounds_that_are_none(text):
    with pytest.raises(ValueError, match=r"bounds must look like|PixelXYXY must"):
        parse_bounds(text)


def test_parts_of_a_screen():
    assert visible_part(parse_bounds("[2000,0][2100,50]"), SIZE) is None
    assert visible_part(PixelXYXY(10, 10, 20, 20), SIZE) == PixelXYXY(10, 10, 20, 20)
    assert tap_pixel(PixelXYXY(0, 0, 5, 7)) == (2, 3)
