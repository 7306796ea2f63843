"""Putting tiles on the screen.

* `Placed` - one tile and where it lies
* `Screen` - everything that is visible: base, overlay, scrim
* `Compositor` - keeps a frame in step with a `Screen`
* `check_partition` - asserts that a screen is well formed
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gui_gym.devices.phone.tiles import TILES, Pixels, TileCache
from gui_gym.devices.phone.widgets import WIDGETS


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

    Since the base is a partition and its tiles are opaque, the tiles that were not placed before are exactly the
    damage. A scrim is not a pass over the pixels: the same partition is drawn with dimmed tiles. An overlay damages
    its own rectangle.

    Args:
        size: `(width, height)` in pixels; 360 dp are `width`.
        out: the frame to draw into, uint8 (height, width, 3), for example a row of a batch; a new one by default.
        tiles: where tiles come from; the process's `TILES` by default.

    Attributes:
        frame: the live frame.

    Raises:
        ValueError: `out` has another shape or type.
    """

    def __init__(self, size: tuple[int, int], out: Pixels | None = None, tiles: TileCache | None = None):
        self.size = size
        self.scale = size[0] / 360
        self.tiles = TILES if tiles is None else tiles
        self.tiles.reserve(size)
        self._screen: Screen | None = None
        self._placed: frozenset[Placed] = frozenset()
        self.frame: Pixels = np.zeros((size[1], size[0], 3), np.uint8)
        if out is not None:
            self.attach(out)

    def attach(self, out: Pixels) -> None:
        """Draw into another array from now on; the next `draw` paints all of it.

        Raises:
            ValueError: `out` has another shape or type.
        """
        shape = (self.size[1], self.size[0], 3)
        if out.shape != shape or out.dtype != np.uint8:
            raise ValueError(f"out: expected a uint8 array of shape {shape}, got {out.dtype} {out.shape}")
        self.frame = out
        self.forget()

    def forget(self) -> None:
        """Assume nothing about the frame's pixels: the next `draw` paints all of them."""
        self._screen = None

    def draw(self, screen: Screen) -> Pixels:
        """Bring the frame up to date; returns the live frame, not a copy."""
        last = self._screen
        if screen is last:
            return self.frame
        base, overlay, scrim = screen
        full = last is None or last.scrim != scrim
        before = self._placed
        fresh = base if full else [placed for placed in base if placed not in before]
        get, scale, frame = self.tiles.get, self.scale, self.frame
        self._screen = None  # should painting fail, the frame holds neither screen
        for placed in fresh:
            tile = get(placed, scale, scrim)
            y, y0, y1 = placed[6:]
            if y != y0 or y1 - y0 != placed[2]:
                tile = tile[y0 - y : y1 - y]
            if placed[5] == 0 and placed[1] == frame.shape[1]:
                frame[y0:y1] = tile
            else:
                frame[y0:y1, placed[5] : placed[5] + placed[1]] = tile
        covered = () if last is None or full else last.overlay
        if (overlay or covered) and (full or overlay != covered or _touch(overlay, fresh)):
            if len(fresh) != len(base):
                self._restore(base, set(fresh), covered, scrim)
            for placed in overlay:
                _lay(frame, get(placed, scale), placed, scale)
        if fresh:
            self._placed = frozenset(base)
        self._screen = screen
        return frame

    def _restore(self, base: tuple[Placed, ...], fresh: set[Placed], covered: tuple[Placed, ...], scrim: bool) -> None:
        """Draw again what the last overlay covered of the tiles that stay."""
        frame = self.frame
        for over in covered:
            left, right = over.x, over.x + over.width
            for placed in base:
                top, bottom = max(placed.y0, over.y0), min(placed.y1, over.y1)
                x0, x1 = max(placed.x, left), min(placed.x + placed.width, right)
                if top < bottom and x0 < x1 and placed not in fresh:
                    tile = self.tiles.get(placed, self.scale, scrim)
                    frame[top:bottom, x0:x1] = tile[top - placed.y : bottom - placed.y, x0 - placed.x : x1 - placed.x]


def _touch(overlay: tuple[Placed, ...], fresh: Sequence[Placed]) -> bool:
    """Whether a freshly drawn tile lies under the overlay."""
    return any(
        over.y0 < placed.y1
        and placed.y0 < over.y1
        and over.x < placed.x + placed.width
        and placed.x < over.x + over.width
        for over in overlay
        for placed in fresh
    )


@lru_cache(128)
def _coverage(radius: int) -> dict[str, npt.NDArray[np.uint16]]:
    from gui_gym.devices.phone.raster import CORNERS, corner_coverage

    return {
        name: quarter.astype(np.uint16)[:, :, None]
        for name, quarter in zip(CORNERS, corner_coverage(radius), strict=True)
    }


def _lay(frame: Pixels, tile: Pixels, placed: Placed, scale: float) -> None:
    """Draw an overlay tile, its rounded corners blended with what lies below."""
    widget = WIDGETS[placed.kind]
    height, width = tile.shape[:2]
    x, y, y0, y1 = placed[5:]
    radius = min(int(widget.radius * scale + 0.5), width // 2, height // 2)
    blends = []
    if radius:
        for name in widget.corners:
            top = 0 if name[0] == "t" else height - radius
            left = 0 if name[1] == "l" else width - radius
            first, end = max(top, y0 - y), min(top + radius, y1 - y)
            if first >= end:
                continue
            mask = _coverage(radius)[name][first - top : end - top]
            target = frame[y + first : y + end, x + left : x + left + radius]
            source = tile[first:end, left : left + radius]
            blends.append((target, (source * mask + target * (255 - mask) + 127) // 255))
    frame[y0:y1, x : x + width] = tile[y0 - y : y1 - y]
    for target, mixed in blends:
        target[...] = mixed


def check_partition(screen: Screen, size: tuple[int, int]) -> None:
    """Assert that the base covers each pixel of the screen exactly once and the overlay lies inside.

    Raises:
        ValueError: it does not; the message names the cell or the first pixel.
    """
    count = np.zeros((size[1], size[0]), np.uint8)
    for placed in (*screen.base, *screen.overlay):
        inside = min(placed.x, placed.y0) >= 0 and placed.x + placed.width <= size[0] and placed.y1 <= size[1]
        if not (inside and placed.y <= placed.y0 < placed.y1 <= placed.y + placed.height):
            raise ValueError(f"{placed.kind} at x={placed.x}, y={placed.y}, rows {placed.y0}..{placed.y1} lies outside")
    for placed in screen.base:
        count[placed.y0 : placed.y1, placed.x : placed.x + placed.width] += 1
    wrong = np.argwhere(count != 1)
    if len(wrong):
        y, x = wrong[0]
        raise ValueError(f"base: pixel ({x}, {y}) is covered {count[y, x]} times, expected once")
