"""What the numbers of a dialect mean: pixels of the screen, pixels of the model's image, or parts of the screen.

* `Coordinates` - reads numbers as fractions of the screen and writes fractions as numbers
* `SCREEN_PIXELS`, `INPUT_PIXELS`, `UNIT`, `PER_1000`, `PER_999` - the kinds that are in use
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gui_gym.geometry import Point
from gui_gym.transforms import letterbox

if TYPE_CHECKING:
    from gui_gym.codecs.base import ScreenView

_SPACES = ("screen", "input", "relative")


@dataclass(frozen=True, slots=True)
class Coordinates:
    """One way to say where something is.

    Attributes:
        space: "screen" (pixels of the original screenshot), "input" (pixels of the image that the model saw) or
            "relative" (0 to `range` across the screen).
        range: what the right and bottom edges are called when `space` is "relative". A value beyond it is refused, not
            clamped: it is likelier to be in other units than a little off.
        cell: written numbers are multiples of this.

    A number `v` is read as `v / extent` (never `extent - 1`); an edge itself is legal, is kept as 1.0, and lands on the
    last pixel when it is executed. Written numbers are the nearest cell, and never the edge itself, so that every
    written point lies on the screen.
    """

    space: str
    range: float = 1000.0
    cell: float = 1.0

    def __post_init__(self) -> None:
        if self.space not in _SPACES:
            raise ValueError(f"space must be one of {', '.join(_SPACES)}, not {self.space!r}")
        for name in ("range", "cell"):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
                raise ValueError(f"{name} must be a finite number, not {number!r}")
        if not self.range > 0 or not 0 < self.cell <= self.range:
            raise ValueError(f"range and cell must be above 0 and cell at most range, not {self.range} and {self.cell}")

    def extent(self, screen: ScreenView) -> tuple[float, float]:
        """What the right and bottom edges of the model's image are called."""
        if self.space == "relative":
            return self.range, self.range
        if self.space == "input" and screen.model_input is not None:
            return screen.model_input
        return screen.original

    def read(self, x: float, y: float, screen: ScreenView) -> Point:
        """Numbers as fractions of the screen.

        Raises:
            ValueError: a number lies outside the image, or in the bars of a letterbox.
        """
        width, height = self.extent(screen)
        if not (0 <= x <= width and 0 <= y <= height):
            raise ValueError(f"must lie in 0..{width:g} and 0..{height:g}, not ({x:g}, {y:g})")
        if 0 < x < 1 and 0 < y < 1 and min(width, height) > 1:
            raise ValueError(f"({x:g}, {y:g}) are parts of the screen; the dialect counts to {width:g} and {height:g}")
        return self._unbar(x, width, 0, screen), self._unbar(y, height, 1, screen)

    def _unbar(self, number: float, extent: float, axis: int, screen: ScreenView) -> float:
        """The part of the screen that a number means; one that is off the screen by up to a cell is its edge."""
        start, length = self._content(screen, axis)
        part = (number / extent - start) / length
        if start == 0.0 and length == 1.0:
            return part
        slack = self.cell / extent / length
        if not -slack <= part <= 1 + slack:
            raise ValueError(f"{number:g} lies in the bars around the screen")
        return min(max(part, 0.0), 1.0)

    def write(self, point: Point, screen: ScreenView) -> tuple[float, float]:
        """Fractions of the screen as numbers; whole ones are ints.

        Raises:
            ValueError: the point does not lie on the screen.
        """
        if not (0 <= point[0] <= 1 and 0 <= point[1] <= 1):
            raise ValueError(f"has no words for the point {point}, which is not on the screen")
        width, height = self.extent(screen)
        return self._number(point[0], width, 0, screen), self._number(point[1], height, 1, screen)

    def cell_of(self, screen: ScreenView) -> Point:
        """Width and height of a cell in fractions of the screen: what a written point may be off, doubled."""
        width, height = self.extent(screen)
        return self.cell / width / self._content(screen, 0)[1], self.cell / height / self._content(screen, 1)[1]

    def _content(self, screen: ScreenView, axis: int) -> tuple[float, float]:
        """Where the screen begins in the model's image along an axis, and how much of the image it takes."""
        if screen.resize != "letterbox" or screen.model_input is None or self.space == "screen":
            return 0.0, 1.0
        box = letterbox(screen.original, screen.model_input).box((0, 0, *screen.original))
        side = screen.model_input[axis]
        return box[axis] / side, (box[axis + 2] - box[axis]) / side

    def _number(self, part: float, extent: float, axis: int, screen: ScreenView) -> float:
        start, length = self._content(screen, axis)
        most = math.ceil((start + length) * extent / self.cell - 1e-9) - 1
        cells = max(0, min(math.floor((start + part * length) * extent / self.cell + 0.5), most))
        value = cells * self.cell
        if float(self.cell).is_integer():
            return int(value)
        return round(value, max(0, 1 - math.floor(math.log10(self.cell))))


SCREEN_PIXELS = Coordinates("screen")
INPUT_PIXELS = Coordinates("input")
UNIT = Coordinates("relative", 1.0, 0.0001)
PER_1000 = Coordinates("relative", 1000.0)
PER_999 = Coordinates("relative", 999.0)
