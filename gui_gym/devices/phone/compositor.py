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

Rect = tuple[int, int, int, int]
"""`(x0, y0, x1, y1)` in pixels, right and bottom exclusive."""


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
    damage. A scrim is not a pass over the pixels: the same partition is drawn with dimmed tiles. Base tiles below a
    full-width overlay are not drawn; when an overlay goes, the base below it is drawn from its tiles.

    Args:
        size: `(width, height)` in pixels; 360 dp are `width`.
        out: the frame to draw into, uint8 (height, width, 3), C-contiguous, for example a row of a batch; a new one by
            default.
        tiles: where tiles come from; the process's `TILES` by default.

    Attributes:
        frame: the live frame.

    Raises:
        ValueError: `out` has another shape, type or memory layout.
    """

    def __init__(self, size: tuple[int, int], out: Pixels | None = None, tiles: TileCache | None = None):
        self.size = size
        self.scale = size[0] / 360
        self.tiles = TILES if tiles is None else tiles
        self.tiles.reserve(size)
        self._screen: Screen | None = None
        self._at: dict[int, Placed] = {}
        self.frame: Pixels = np.zeros((size[1], size[0], 3), np.uint8)
        if out is not None:
            self.attach(out)

    def attach(self, out: Pixels) -> None:
        """Draw into another array from now on; the next `draw` paints all of it.

        Raises:
            ValueError: `out` has another shape, type or memory layout.
        """
        shape = (self.size[1], self.size[0], 3)
        if out.shape != shape or out.dtype != np.uint8:
            raise ValueError(f"out: expected a uint8 array of shape {shape}, got {out.dtype} {out.shape}")
        if not (out.flags.c_contiguous and out.flags.writeable):
            raise ValueError("out: expected a writeable, C-contiguous array")
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
        self._screen = None  # should painting fail, the frame holds neither screen
        base, overlay, scrim = screen
        width = self.size[0]
        fresh: Sequence[Placed] = base
        full = last is None or last.scrim != scrim
        if not full:
            before = self._at
            fresh = [placed for placed in base if before.get(placed[7] * width + placed[5]) != placed]
        if fresh:
            self._at = {placed[7] * width + placed[5]: placed for placed in base}
        if overlay and fresh:
            for top, end in _hidden(overlay, width):
                fresh = [placed for placed in fresh if placed[7] < top or placed[8] > end]
        get, scale, frame = self.tiles.get, self.scale, self.frame
        for placed in fresh:
            tile = get(placed, scale, scrim)
            _, own, height, _, _, x, y, y0, y1 = placed
            if y1 - y0 != height:
                tile = tile[y0 - y : y1 - y]
            if own == width:
                frame[y0:y1] = tile
            else:
                frame[y0:y1, x : x + own] = tile
        if last is None or full:
            for placed in overlay:
                self._lay(placed)
        elif overlay or last.overlay:
            self._exchange(base, fresh, last.overlay, overlay, scrim)
        self._screen = screen
        return frame

    def _exchange(
        self,
        base: tuple[Placed, ...],
        fresh: Sequence[Placed],
        old: tuple[Placed, ...],
        new: tuple[Placed, ...],
        scrim: bool,
    ) -> None:
        """Bring the overlay up to date.

        Every overlay tile that touches a change, or touches one that does, is laid again; what is left of the base
        below the old ones is drawn before. An opaque rectangle that takes the place of another needs no base.
        """
        same = new == old
        damage = [_rect(placed) for placed in fresh]
        gone = [] if same else [_rect(placed) for placed in old if placed not in new]
        damage += gone
        waiting = list(range(len(new)))
        stale: set[int] = set()
        grew = True
        while grew:
            grew = False
            for i in waiting:
                placed = new[i]
                rect = _rect(placed)
                if (not same and placed not in old) or _touches(rect, damage):
                    stale.add(i)
                    damage.append(rect)
                    grew = True
            waiting = [i for i in waiting if i not in stale]
        opaque = {_rect(new[i]) for i in stale if not WIDGETS[new[i].kind].radius}
        bare = [rect for rect in gone if rect not in opaque]
        bare += [_rect(new[i]) for i in stale if WIDGETS[new[i].kind].radius and (same or new[i] in old)]
        self._restore(base, fresh, bare, scrim)
        for i in sorted(stale):
            self._lay(new[i])

    def _restore(self, base: tuple[Placed, ...], fresh: Sequence[Placed], rects: list[Rect], scrim: bool) -> None:
        """Draw again what lies below some rectangles, except what has just been drawn."""
        frame = self.frame
        for left, upper, right, lower in rects:
            for placed in base:
                top, bottom = max(placed.y0, upper), min(placed.y1, lower)
                x0, x1 = max(placed.x, left), min(placed.x + placed.width, right)
                if top < bottom and x0 < x1 and placed not in fresh:
                    tile = self.tiles.get(placed, self.scale, scrim)
                    frame[top:bottom, x0:x1] = tile[top - placed.y : bottom - placed.y, x0 - placed.x : x1 - placed.x]

    def _lay(self, placed: Placed) -> None:
        """Draw an overlay tile, its rounded corners blended with what lies below."""
        tile = self.tiles.get(placed, self.scale)
        x, y, y0, y1 = placed[5:]
        region = self.frame[y0:y1, x : x + placed.width]
        if y1 - y0 != placed.height:
            tile = tile[y0 - y : y1 - y]
        if not WIDGETS[placed.kind].radius:
            region[...] = tile
            return
        pitch = self.size[0] * 3
        offsets, inverse, weighted = _blend(self.tiles, placed[:5], self.scale, pitch)
        if y1 - y0 != placed.height:
            seen = (offsets >= (y0 - y) * pitch) & (offsets < (y1 - y) * pitch)
            offsets, inverse, weighted = offsets[seen], inverse[seen], weighted[seen]
        offsets = offsets + (y * pitch + x * 3)
        flat = self.frame.reshape(-1)
        mixed = flat.take(offsets) * inverse
        mixed += weighted
        mixed //= 255
        region[...] = tile
        flat.put(offsets, mixed)


def _rect(placed: Placed) -> Rect:
    return placed[5], placed[7], placed[5] + placed[1], placed[8]


def _touches(rect: Rect, others: list[Rect]) -> bool:
    """Whether a rectangle shares a pixel with another."""
    x0, y0, x1, y1 = rect
    return any(y0 < bottom and top < y1 and x0 < right and left < x1 for left, top, right, bottom in others)


def _hidden(overlay: tuple[Placed, ...], width: int) -> list[tuple[int, int]]:
    """The runs of rows that full-width rectangles of the overlay cover altogether."""
    if overlay[0][1] != width:
        return []
    runs: list[tuple[int, int]] = []
    for top, end in sorted((p[7], p[8]) for p in overlay if p[1] == width and not WIDGETS[p[0]].radius):
        if runs and top <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(end, runs[-1][1]))
        else:
            runs.append((top, end))
    return runs


class _Blend(NamedTuple):
    """The bytes of a tile's rounded corners that are not covered altogether.

    Attributes:
        offsets: in a frame, from the tile's upper left corner.
        inverse: 255 minus their coverage.
        weighted: their value times their coverage, plus 127 for rounding.
    """

    offsets: npt.NDArray[np.intp]
    inverse: npt.NDArray[np.uint16]
    weighted: npt.NDArray[np.uint16]


@lru_cache(64)
def _blend(tiles: TileCache, tile: tuple[Any, ...], scale: float, pitch: int) -> _Blend:
    """The blend of a tile, given by the first five fields of a `Placed`, in a frame with rows of `pitch` bytes."""
    columns, rows = tile[1], tile[2]
    widget = WIDGETS[tile[0]]
    radius = min(int(widget.radius * scale + 0.5), columns // 2, rows // 2)
    pixels = tiles.get(Placed(tile[0], columns, rows, tile[3], tile[4], 0, 0, 0, rows), scale)
    ys, xs, alpha = _rim(columns, rows, radius, widget.corners)
    offsets = (ys * pitch + xs * 3)[:, None] + np.arange(3)
    inverse = np.repeat(255 - alpha, 3)
    return _Blend(offsets.ravel(), inverse, (pixels[ys, xs] * alpha[:, None] + np.uint16(127)).ravel())


@lru_cache(256)
def _rim(
    columns: int, rows: int, radius: int, corners: tuple[str, ...]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.uint16]]:
    """Rows, columns and coverage of the pixels of rounded corners that are not covered altogether."""
    from gui_gym.devices.phone.raster import CORNERS, corner_coverage

    found = []
    for name, quarter in zip(CORNERS, corner_coverage(radius), strict=True):
        if name in corners:
            ys, xs = np.nonzero(quarter < 255)
            top = 0 if name[0] == "t" else rows - radius
            left = 0 if name[1] == "l" else columns - radius
            found.append((ys + top, xs + left, quarter[ys, xs].astype(np.uint16)))
    ys, xs, alpha = (np.concatenate(part) for part in zip(*found, strict=True))
    return ys, xs, alpha


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
