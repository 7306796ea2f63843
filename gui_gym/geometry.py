"""Points, boxes and pixels.

* `to_pixel` - a fraction of the screen to a pixel index
* `Box` - an axis-aligned box, `(x0, y0, x1, y1)`, right and bottom exclusive
* `largest_rectangle` - the biggest part of a box that other boxes leave free
* `polygon_contains` - point in polygon, edges included

Fractions are of the screen: x right, y down, 0 at the left or top edge, 1 at the right or bottom edge.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

Point = tuple[float, float]


def to_pixel(value: float, size: int) -> int:
    """The pixel that a fraction of the screen falls into, clamped to the screen.

    Args:
        value: fraction of the axis; may lie outside [0, 1), then the nearest border pixel is meant.
        size: pixels along the axis, at least 1.

    >>> to_pixel(0.5, 360), to_pixel(1.0, 360), to_pixel(-0.2, 360)
    (180, 359, 0)
    """
    return min(int(min(max(value, 0.0), 1.0) * size), size - 1)


class Box(NamedTuple):
    """A box `(x0, y0, x1, y1)`; units are the user's (pixels or fractions). `x1` and `y1` are exclusive."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def area(self) -> float:
        return max(0.0, self.width) * max(0.0, self.height)

    @property
    def center(self) -> Point:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def contains(self, x: float, y: float) -> bool:
        """True for a point inside; the left and top edges belong to the box, the right and bottom do not."""
        return self.x0 <= x < self.x1 and self.y0 <= y < self.y1

    def intersect(self, other: Box) -> Box:
        """The common part; its area is 0 when there is none."""
        return Box(max(self.x0, other.x0), max(self.y0, other.y0), min(self.x1, other.x1), min(self.y1, other.y1))

    def scaled(self, sx: float, sy: float) -> Box:
        """The box with x multiplied by `sx` and y by `sy`."""
        return Box(self.x0 * sx, self.y0 * sy, self.x1 * sx, self.y1 * sy)

    def minus(self, other: Box) -> list[Box]:
        """Up to four disjoint boxes that cover this box without `other`.

        >>> Box(0, 0, 4, 4).minus(Box(2, 0, 4, 4))
        [Box(x0=0, y0=0, x1=2, y1=4)]
        """
        cut = self.intersect(other)
        if cut.area == 0:
            return [self]
        parts = (
            Box(self.x0, self.y0, self.x1, cut.y0),
            Box(self.x0, cut.y1, self.x1, self.y1),
            Box(self.x0, cut.y0, cut.x0, cut.y1),
            Box(cut.x1, cut.y0, self.x1, cut.y1),
        )
        return [part for part in parts if part.area > 0]


def largest_rectangle(box: Box, covers: Sequence[Box]) -> Box | None:
    """The largest rectangle inside `box` that no cover touches, or None when all of it is covered.

    Between any two edges of covers the free rows are found in one sweep, which is exact and O(n^3) for n covers.

    >>> largest_rectangle(Box(0, 0, 10, 10), [Box(6, 0, 10, 10)])
    Box(x0=0, y0=0, x1=6, y1=10)
    """
    if box.area <= 0:
        return None
    covers = sorted((cover for cover in covers if cover.intersect(box).area > 0), key=lambda cover: cover.y0)
    if not covers:
        return box
    xs = sorted({box.x0, box.x1, *(min(max(x, box.x0), box.x1) for c in covers for x in (c.x0, c.x1))})
    best: Box | None = None
    most = 0.0
    for i, x0 in enumerate(xs):
        for x1 in xs[i + 1 :]:
            width = x1 - x0
            if width * (box.y1 - box.y0) <= most:
                continue
            free = box.y0  # rows above it are covered, or belong to a gap that was looked at
            for cover in covers:
                if cover.x0 < x1 and cover.x1 > x0:
                    if width * (cover.y0 - free) > most:
                        most, best = width * (cover.y0 - free), Box(x0, free, x1, cover.y0)
                    free = max(free, cover.y1)
            if width * (box.y1 - free) > most:
                most, best = width * (box.y1 - free), Box(x0, free, x1, box.y1)
    return best


def polygon_contains(polygon: Sequence[Point], x: float, y: float) -> bool:
    """True when the point lies in the polygon or on its edge (ray casting).

    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> polygon_contains(square, 1, 1), polygon_contains(square, 2, 1), polygon_contains(square, 3, 1)
    (True, True, False)
    """
    inside = False
    for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        on_line = math.isclose(cross, 0.0, abs_tol=1e-9)
        if on_line and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            return True
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside
