"""`largest_rectangle` with ties and with many covers; its exactness is tested in `test_geometry`."""

from __future__ import annotations

from gui_gym.geometry import Box, largest_rectangle


def test_first_of_equal_rectangles_wins():
    assert largest_rectangle(Box(0, 0, 6, 3), [Box(2, 0, 4, 3)]) == Box(0, 0, 2, 3)


def test_many_covers_are_no_problem():
    covers = [Box(x, y, x + 3, y + 3) for x in range(0, 120, 5) for y in range(0, 120, 5)]
    assert largest_rectangle(Box(0, 0, 120, 120), covers).area == 2 * 120
