"""Putting tiles on the screen.

* `Placed` - one tile and where it lies
* `Screen` - everything that is visible: base, overlay, scrim
* `Compositor` - keeps a frame in step with a `Screen`
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt


class Placed(NamedTuple):
    """A tile on the screen; all lengths in pixels.

    Attributes:
        kind: a key of `gui_gym.devices.phone.widgets.WIDGETS`.
        width: of the tile.
        height: of the tile.
        props: the widget's properties; hashable.
        theme: "light" or "dark".
        x: left edge of the tile.
        y: top edge of the whole tile; may lie above the visible rows when it is scrolled.
        y0: first visible row.
        y1: end of the visible rows, exclusive; `y <= y0 < y1 <= y + height`.
    """

    kind: str
    width: int
    height: int
    props: tuple[Any, ...]
    theme: str
    x: int
    y: int
    y0: int
    y1: int


class Screen(NamedTuple):
    """What is visible. Equal screens give equal pixels.

    Attributes:
        base: tiles whose visible parts cover the screen exactly once each pixel.
        overlay: tiles on top, the last one topmost.
        scrim: whether the base is dimmed.
    """

    base: tuple[Placed, ...]
    overlay: tuple[Placed, ...] = ()
    scrim: bool = False


class Compositor:
    """Keeps a frame in step with a `Screen`, repainting only what changed.

    Args:
        size: `(width, height)` in pixels.
        out: the frame to draw into, uint8 (height, width, 3), for example a row of a batch; a new one by default.
    """

    def __init__(self, size: tuple[int, int], out: npt.NDArray[np.uint8] | None = None):
        self.size = size
        self.frame = np.zeros((size[1], size[0], 3), np.uint8) if out is None else out

    def draw(self, screen: Screen) -> npt.NDArray[np.uint8]:
        """Bring the frame up to date; returns the live frame, not a copy."""
        return self.frame
