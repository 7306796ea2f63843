"""Pixels, boxes, free rectangles, polygons."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui_gym.geometry import Box, largest_rectangle, polygon_contains, to_pixel


@pytest.mark.parametrize(
    ("value", "pixel"), [(0.0, 0), (0.4999, 179), (0.5, 180), (0.999999, 359), (1.0, 359), (7, 359), (-3, 0)]
)
def test_pixel_of_a_fraction(value, pixel):
    assert to_pixel(value, 360) == pixel


def test_pixel_round_trip_through_the_centre_of_each_pixel():
    for size in (1, 2, 216, 360, 1080, 2400):
        assert [to_pixel((i + 0.5) / size, size) for i in range(size)] == list(range(size))


def test_box_edges():
    box = Box(10, 20, 30, 40)
    assert box.contains(10, 20) and not box.contains(30, 20) and not box.contains(10, 40)
    assert (box.width, box.height, box.area, box.center) == (20, 20, 400, (20, 30))
    assert Box(5, 5, 1, 9).area == 0
    assert box.scaled(0.5, 2) == Box(5, 40, 15, 80)


small = st.integers(0, 6)
boxes = st.tuples(small, small, small, small).map(
    lambda t: Box(min(t[0], t[2]), min(t[1], t[3]), max(t[0], t[2]), max(t[1], t[3]))
)


def cells(box: Box) -> set[tuple[int, int]]:
    return set(itertools.product(range(int(box.x0), int(box.x1)), range(int(box.y0), int(box.y1))))


@given(boxes, boxes)
def test_minus_is_set_difference(a, b):
    parts = a.minus(b)
    covered = [cell for part in parts for cell in cells(part)]
    assert len(covered) == len(set(covered))
    assert set(covered) == cells(a) - cells(b)


@given(boxes, st.lists(boxes, max_size=4))
def test_largest_rectangle_against_brute_force(box, covers):
    taken = set().union(*(cells(c) for c in covers)) if covers else set()
    best = 0
    for x0, x1, y0, y1 in itertools.product(range(7), repeat=4):
        part = Box(x0, y0, x1, y1)
        if part.area > best and cells(part) <= cells(box) and not cells(part) & taken:
            best = part.area
    found = largest_rectangle(box, covers)
    assert (found.area if found else 0) == best
    if found:
        assert cells(found) <= cells(box) - taken


def test_concave_polygon_with_its_edge():
    shape = [(0, 0), (4, 0), (4, 4), (2, 2), (0, 4)]
    inside = [(1, 1), (3.5, 3), (2, 2), (0, 2), (4, 4)]
    outside = [(2, 3), (5, 1), (-0.1, 0), (2, 4)]
    assert all(polygon_contains(shape, *p) for p in inside)
    assert not any(polygon_contains(shape, *p) for p in outside)
