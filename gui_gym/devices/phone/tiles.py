"""Painted tiles, kept and shared.

* `TileCache` - least-recently-used tiles, bounded in bytes
* `TILES` - the process's cache, used by every phone
* `dim` - what a scrim does to colours
* `use_fonts` - add fonts for other scripts and forget the tiles painted without them

A tile is opaque and read-only, uint8 (height, width, 3). It depends on nothing but its key, so that equal keys give
equal pixels, in this process and another.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gui_gym.devices.phone import text
from gui_gym.devices.phone.theme import THEMES
from gui_gym.devices.phone.widgets import WIDGETS, parts_of

if TYPE_CHECKING:
    from gui_gym.devices.phone.compositor import Placed

Pixels = npt.NDArray[np.uint8]

_SMALLEST = 128 << 20  # twice as much finds hardly a tile more, even for 64 phones; new memory is slower than used one
_LARGEST = 512 << 20
_PLAIN = (None,)
_FRAMES = 200
"""Screens' worth of tiles that the default budget holds."""


def dim(pixels: Pixels) -> Pixels:
    """Colours under a scrim: 5/16 darker, computed as x - x/4 - x/16 in integers.

    >>> dim(np.array([[[255, 128, 0]]], np.uint8)).tolist()
    [[[177, 88, 0]]]
    """
    quarter = pixels >> 2
    out = pixels - quarter
    quarter >>= 2
    out -= quarter
    return out


class TileCache:
    """Tiles by key, the least recently used dropped first.

    Args:
        budget: bytes of pixels to keep.
    """

    def __init__(self, budget: int = _SMALLEST):
        self.budget = budget
        self.bytes = 0
        self.hits = 0
        self.misses = 0
        self._rows = 0
        self._tiles: OrderedDict[tuple[Any, ...], Pixels] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._tiles)

    def reserve(self, size: tuple[int, int]) -> None:
        """Raise the budget to what phones with screens of `size` pixels use: 200 screens, within 128 and 512 MiB."""
        self._rows = max(self._rows, size[1])
        self.budget = max(self.budget, min(_LARGEST, max(_SMALLEST, _FRAMES * size[0] * size[1] * 3)))

    def get(self, placed: Placed, scale: float, dimmed: bool = False) -> Pixels:
        """The tile of a placed cell.

        Args:
            placed: only its kind, size, props and theme matter.
            scale: pixels per dp.
            dimmed: as it looks under a scrim.

        Raises:
            KeyError: there is no such widget kind or theme.
        """
        tile_key = placed[:5]
        kind, width, height, props, theme = tile_key
        plain = kind == "fill" and props == _PLAIN and height < self._rows
        if plain:  # all plain ground comes from the top of one tile: it stays in the processor's cache
            tile_key = (kind, width, self._rows, props, theme)
        key = (tile_key, scale, dimmed)
        tiles = self._tiles
        tile = tiles.get(key)
        if tile is None:
            self.misses += 1
            if dimmed:
                tile = dim(paint(tile_key, scale) if plain else self.get(placed, scale))
            else:
                tile = paint(tile_key, scale)
            tile.flags.writeable = False
            self._keep(key, tile)
        else:
            self.hits += 1
            try:  # noqa: SIM105 - this is the hot path
                tiles.move_to_end(key)
            except KeyError:  # another thread dropped it in between; the pixels are still right
                pass
        return tile[:height] if plain else tile

    def _keep(self, key: tuple[Any, ...], tile: Pixels) -> None:
        with self._lock:
            if key not in self._tiles:
                self._tiles[key] = tile
                self.bytes += tile.nbytes
            while self.bytes > self.budget and len(self._tiles) > 1:
                self.bytes -= self._tiles.popitem(last=False)[1].nbytes

    def clear(self) -> None:
        """Forget every tile."""
        with self._lock:
            self._tiles.clear()
            self.bytes = 0


def paint(tile: tuple[Any, ...], scale: float) -> Pixels:
    """Paint a tile, past any cache.

    Args:
        tile: a `Placed` or its first five fields.
        scale: pixels per dp.

    Raises:
        KeyError: there is no such widget kind or theme.
    """
    from gui_gym.devices.phone.raster import Canvas

    kind, width, height, props, theme = tile[:5]
    if kind not in WIDGETS:
        raise KeyError(f"no widget of kind {kind!r}; kinds: {', '.join(sorted(WIDGETS))}")
    colors = THEMES[theme]
    canvas = Canvas(width, height, scale, colors.background)
    WIDGETS[kind].paint(canvas, colors, width / scale, height / scale, *props)
    return canvas.array()


TILES = TileCache()
"""The tiles of this process."""


def use_fonts(paths: Iterable[str | os.PathLike[str]]) -> None:
    """Add font files for scripts that the bundled fonts lack, for every phone of this process; earlier files win.

    Raises:
        FileNotFoundError: a file is missing; none is added then.
    """
    before = text.fonts_version()
    text.use_fonts(paths)
    if text.fonts_version() != before:
        TILES.clear()
        parts_of.cache_clear()  # bubbles and toasts are as wide as their text
