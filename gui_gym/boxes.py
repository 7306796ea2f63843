"""Boxes in the forms of data sets and tools, as types of their own, so that no two are mixed up.

* `PixelXYXY`, `PixelXYWH` - corners, or a corner and a size, in pixels
* `NormalizedXYXY`, `Rel1000XYXY` - corners as parts of the screen, 0 to 1 or 0 to 1000
* `parse_bounds` - the bounds of an Android UI dump, "[612,96][741,223]"
* `tap_pixel`, `visible_part` - what a tool that works in pixels does with a box

Two boxes are equal only when they are of one type and hold the same numbers. `fractions` gives the `Box` that the rest
of gui-gym works with. `contains` includes all edges and rounds nothing, as the grounding benchmarks do.
"""

from __future__ import annotations

import dataclasses
import math
import re
from dataclasses import dataclass
from numbers import Real
from typing import ClassVar, Self

from gui_gym.geometry import Box, Point

Size = tuple[float, float]
_BOUNDS = re.compile(r"\s*\[(-?\d{1,9}),(-?\d{1,9})\]\[(-?\d{1,9}),(-?\d{1,9})\]\s*", re.ASCII)


def _finite(number: object) -> bool:
    try:
        return not isinstance(number, bool) and isinstance(number, Real) and math.isfinite(number)
    except OverflowError:  # a whole number that no float holds
        return False


def _size(size: Size) -> Size:
    try:
        width, height = size
        if not (_finite(width) and _finite(height)):
            raise TypeError("no numbers")
    except (TypeError, ValueError):
        raise ValueError(f"size must be (width, height) above 0, not {size!r}") from None
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise ValueError(f"size must be (width, height) above 0, not {size!r}")
    return width, height


@dataclass(frozen=True, slots=True)
class _Corners:
    """Two corners, `x0 <= x1` and `y0 <= y1`. Edges may lie outside the screen.

    Raises:
        ValueError: a number is not finite, or cannot be in these units, or the corners are in the wrong order.
    """

    _range: ClassVar[float] = math.inf
    """What the right and bottom edges are called; numbers more than a screen beyond it are in other units."""

    x0: float
    y0: float
    x1: float
    y1: float

    def __post_init__(self) -> None:
        numbers = dataclasses.astuple(self)
        if not all(_finite(n) for n in numbers):
            raise ValueError(f"{type(self).__name__} must hold four finite numbers, not {numbers}")
        if not all(-self._range <= n <= 2 * self._range for n in numbers):
            raise ValueError(f"{type(self).__name__} must hold numbers from 0 to {self._range:g}, not {numbers}")
        if self.x0 > self.x1 or self.y0 > self.y1:
            raise ValueError(
                f"{type(self).__name__} must be (x0, y0, x1, y1) with x0 <= x1 and y0 <= y1, not {numbers}"
            )

    @property
    def center(self) -> Point:
        """The middle."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def contains(self, x: float, y: float) -> bool:
        """Whether a point in the same units lies in the box or on its edge."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    def clip(self, width: float, height: float) -> Self:
        """The part inside `(0, 0, width, height)`; without extent when there is none."""
        x0, x1 = (min(max(x, 0.0), width) for x in (self.x0, self.x1))
        y0, y1 = (min(max(y, 0.0), height) for y in (self.y0, self.y1))
        return type(self)(x0, y0, x1, y1)


@dataclass(frozen=True, slots=True)
class PixelXYXY(_Corners):
    """Corners in pixels: AndroidControl, most detectors."""

    def fractions(self, size: Size) -> Box:
        """As fractions of a screen of `(width, height)` pixels."""
        width, height = _size(size)
        return Box(self.x0, self.y0, self.x1, self.y1).scaled(1 / width, 1 / height)

    @classmethod
    def of(cls, box: Box, size: Size) -> PixelXYXY:
        """From fractions of the screen."""
        return cls(*box.scaled(*_size(size)))

    def scaled(self, seen: Size, real: Size) -> PixelXYXY:
        """The same box on the same screen in another resolution.

        >>> PixelXYXY(21, 300, 150, 448).scaled((364, 448), (368, 434)).y1
        434.0
        """
        return PixelXYXY.of(self.fractions(seen), real)


@dataclass(frozen=True, slots=True)
class PixelXYWH:
    """The upper left corner and the size in pixels: ScreenSpot v1 and v2, COCO.

    Raises:
        ValueError: a number is not finite, or the size is negative.
    """

    x: float
    y: float
    width: float
    height: float

    def __post_init__(self) -> None:
        numbers = dataclasses.astuple(self)
        if not all(_finite(n) for n in numbers):
            raise ValueError(f"PixelXYWH must hold four finite numbers, not {numbers}")
        if self.width < 0 or self.height < 0:
            raise ValueError(f"PixelXYWH must have a size of at least 0, not {self.width} x {self.height}")

    @property
    def center(self) -> Point:
        """The middle."""
        return self.corners.center

    def contains(self, x: float, y: float) -> bool:
        """Whether a point in pixels lies in the box or on its edge."""
        return self.corners.contains(x, y)

    @property
    def corners(self) -> PixelXYXY:
        """The same box by its corners.

        >>> PixelXYWH(900, 60, 40, 30).corners
        PixelXYXY(x0=900, y0=60, x1=940, y1=90)
        """
        return PixelXYXY(self.x, self.y, self.x + self.width, self.y + self.height)

    def fractions(self, size: Size) -> Box:
        """As fractions of a screen of `(width, height)` pixels."""
        return self.corners.fractions(size)

    @classmethod
    def of(cls, box: Box, size: Size) -> PixelXYWH:
        """From fractions of the screen."""
        x0, y0, x1, y1 = box.scaled(*_size(size))
        return cls(x0, y0, x1 - x0, y1 - y0)


@dataclass(frozen=True, slots=True)
class NormalizedXYXY(_Corners):
    """Corners as parts of the screen, 0 to 1: ScreenSpot on the hub, OS-Atlas's data."""

    _range: ClassVar[float] = 1.0

    def fractions(self) -> Box:
        """The same as the core's box."""
        return Box(self.x0, self.y0, self.x1, self.y1)

    @classmethod
    def of(cls, box: Box) -> NormalizedXYXY:
        """From fractions of the screen."""
        return cls(*box)


@dataclass(frozen=True, slots=True)
class Rel1000XYXY(_Corners):
    """Corners from 0 to 1000 across the screen: Qwen-VL's and UI-TARS's training data."""

    _range: ClassVar[float] = 1000.0

    def fractions(self) -> Box:
        """As fractions of the screen."""
        return Box(self.x0 / 1000, self.y0 / 1000, self.x1 / 1000, self.y1 / 1000)

    @classmethod
    def of(cls, box: Box) -> Rel1000XYXY:
        """From fractions of the screen."""
        return cls(*box.scaled(1000, 1000))


def parse_bounds(text: str) -> PixelXYXY:
    """The bounds of an element in a dump of Android's uiautomator.

    Raises:
        ValueError: the text is something else, or the corners are in the wrong order.

    >>> parse_bounds("[612,96][741,223]").center
    (676.5, 159.5)
    """
    match = _BOUNDS.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise ValueError(f"bounds must look like '[612,96][741,223]', not {text!r:.60}")
    return PixelXYXY(*(int(n) for n in match.groups()))


def visible_part(box: PixelXYXY, size: Size) -> PixelXYXY | None:
    """What of a box lies on a screen of `(width, height)` pixels; None when nothing does.

    >>> visible_part(parse_bounds("[-300,100][100,300]"), (1080, 2400))
    PixelXYXY(x0=0.0, y0=100, x1=100, y1=300)
    """
    part = box.clip(*_size(size))
    return part if part.x1 > part.x0 and part.y1 > part.y0 else None


def tap_pixel(box: PixelXYXY) -> tuple[int, int]:
    """The pixel that AndroidWorld taps: the centre, truncated.

    >>> tap_pixel(parse_bounds("[612,96][741,223]"))
    (676, 159)
    """
    return int(box.center[0]), int(box.center[1])
