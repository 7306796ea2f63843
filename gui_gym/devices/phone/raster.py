"""Painting one tile: dp in, whole pixels out.

* `Canvas` - rectangles, rounded rectangles, circles, text and icons on an opaque image
* `corner_masks` - the anti-aliased quarter discs of rounded corners

Edges lie on whole pixels, so that straight edges are sharp at every scale; only corners, glyphs and circles are
anti-aliased. Glyphs and corners are masks from a cache, pasted one by one.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import PIL
from PIL import Image

from gui_gym.devices.phone.text import (
    CAP_HEIGHT,
    ICONS,
    REGULAR,
    ellipsize,
    glyph,
    icons,
    is_simple,
    runs,
    sheet,
    text_width,
)
from gui_gym.devices.phone.theme import Color

CORNERS = ("tl", "tr", "bl", "br")
_KEPT = 16 << 20
"""Bytes of boards that are kept."""
_UNSPLIT = 60_000
"""Pixels up to which OpenCV converts in the calling thread; it would start threads of its own for more."""
_SMALL = 6000
"""Pixels of a shape up to which one mask of all of it is quicker than its corners apart."""


@lru_cache(512)
def corner_coverage(radius: int) -> tuple[npt.NDArray[np.uint8], ...]:
    """Coverage 0..255 of the four quarters of a disc, each uint8 (radius, radius), in the order of `CORNERS`."""
    at = np.arange(2 * radius) + 0.5 - radius
    distance = np.sqrt(at[None, :] ** 2 + at[:, None] ** 2) - radius
    disc = (np.clip(0.5 - distance, 0, 1) * 255 + 0.5).astype(np.uint8)
    quarters = (disc[:radius, :radius], disc[:radius, radius:], disc[radius:, :radius], disc[radius:, radius:])
    return tuple(np.ascontiguousarray(quarter) for quarter in quarters)


@lru_cache(512)
def corner_masks(radius: int) -> tuple[Any, ...]:
    """`corner_coverage` as cores of Pillow masks."""
    return tuple(Image.fromarray(quarter).im for quarter in corner_coverage(radius))


class _Boards(threading.local):
    """Images to paint on, used again and again: fresh memory costs more than painting a small tile.

    A board is a Pillow image over the memory of an array, uint8 (height, width, 4). Each thread has its own; a board
    may be taken again once its canvas has been read.
    """

    def __init__(self) -> None:
        self.boards: dict[tuple[int, int], tuple[Any, npt.NDArray[np.uint8]]] = {}
        self.bytes = 0

    def take(self, width: int, height: int) -> tuple[Any, npt.NDArray[np.uint8]]:
        """The core object of an image and the array that it paints on."""
        board = self.boards.get((width, height))
        if board is None:
            if self.bytes > _KEPT:
                self.boards.clear()
                self.bytes = 0
            pixels = np.zeros((height, width, 4), np.uint8)
            image = Image.frombuffer("RGBX", (width, height), pixels, "raw", "RGBX", 0, 1)
            board = self.boards[width, height] = image.im, pixels
            self.bytes += pixels.nbytes
            board[0].paste((1, 2, 3), (0, 0, 1, 1))
            if pixels[0, 0, 2] != 3:
                raise RuntimeError(f"Pillow {PIL.__version__} copies buffers; gui-gym needs one that paints on them")
        return board


_boards = _Boards()


class Canvas:
    """One opaque tile. Read it with `array` before another canvas of the same size is made.

    Args:
        width: pixels.
        height: pixels.
        scale: pixels per dp.
        color: what it is filled with.
    """

    __slots__ = ("_core", "_pixels", "height", "scale", "width")

    def __init__(self, width: int, height: int, scale: float, color: Color):
        self.width, self.height, self.scale = width, height, scale
        # The core object's paste skips a microsecond of argument checks per glyph; a tile has dozens.
        self._core, self._pixels = _boards.take(width, height)
        self._core.paste(color, (0, 0, width, height))

    def array(self) -> npt.NDArray[np.uint8]:
        """A copy of what is painted, uint8 (height, width, 3)."""
        out = np.empty((self.height, self.width, 3), np.uint8)
        step = max(1, _UNSPLIT // self.width)
        for y in range(0, self.height, step):
            cv2.cvtColor(self._pixels[y : y + step], cv2.COLOR_RGBA2RGB, out[y : y + step])
        return out

    def fill_rows(self, colors: npt.NDArray[np.uint8]) -> None:
        """Replace everything by rows of one colour each, uint8 (height, 3)."""
        padded = np.zeros((self.height, 4), np.uint8)
        padded[:, :3] = colors
        self._pixels.view(np.uint32)[:, :, 0] = padded.view(np.uint32)  # a pixel at once

    def rect(self, x0: float, y0: float, x1: float, y1: float, color: Color) -> None:
        """A filled rectangle, at least one pixel in each direction, cut at the tile's edge."""
        s = self.scale
        left, top, right, bottom = int(x0 * s + 0.5), int(y0 * s + 0.5), int(x1 * s + 0.5), int(y1 * s + 0.5)
        self._core.paste(color, (left, top, max(right, left + 1), max(bottom, top + 1)))

    def rounded(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        radius: float,
        color: Color,
        corners: tuple[str, ...] = CORNERS,
    ) -> None:
        """A filled rectangle with some corners rounded."""
        s = self.scale
        left, top, right, bottom = int(x0 * s + 0.5), int(y0 * s + 0.5), int(x1 * s + 0.5), int(y1 * s + 0.5)
        r = min(int(radius * s + 0.5), (right - left) // 2, (bottom - top) // 2)
        paste = self._core.paste
        if r < 1 or not corners:
            paste(color, (left, top, right, bottom))
            return
        if (right - left) * (bottom - top) <= _SMALL:
            paste(color, (left, top, right, bottom), _shape(right - left, bottom - top, r, corners))
            return
        paste(color, (left + r, top, right - r, bottom))
        paste(color, (left, top + r, left + r, bottom - r))
        paste(color, (right - r, top + r, right, bottom - r))
        masks = corner_masks(r)
        places = ((left, top), (right - r, top), (left, bottom - r), (right - r, bottom - r))
        for name, mask, (x, y) in zip(CORNERS, masks, places, strict=True):
            box = (x, y, x + r, y + r)
            if name in corners:
                paste(color, box, mask)
            else:
                paste(color, box)

    def frame(
        self, x0: float, y0: float, x1: float, y1: float, radius: float, line: float, color: Color, inside: Color
    ) -> None:
        """A rounded rectangle filled with `inside` and outlined by `line` dp of `color`."""
        line = max(1, int(line * self.scale + 0.5)) / self.scale
        self.rounded(x0, y0, x1, y1, radius, color)
        self.rounded(x0 + line, y0 + line, x1 - line, y1 - line, max(radius - line, 0), inside)

    def circle(self, x: float, y: float, radius: float, color: Color) -> None:
        """A filled disc."""
        s = self.scale
        side = int(2 * radius * s + 0.5)
        left, top = int((x - radius) * s + 0.5), int((y - radius) * s + 0.5)
        self._core.paste(color, (left, top, left + side, top + side), _disc(side))

    def text(
        self,
        x: float,
        middle: float,
        text: str,
        sp: float,
        color: Color,
        font: str = REGULAR,
        align: str = "left",
        width: float | None = None,
    ) -> None:
        """One line of text.

        Args:
            x: dp of its left end, centre or right end, by `align`.
            middle: dp of the middle of its capitals.
            align: "left", "center" or "right".
            width: dp that it may take; longer text ends in "…".
        """
        if width is not None:
            text = ellipsize(text, sp, width, font)
        if not text:
            return
        s = self.scale
        px = sp * s
        if align != "left":
            x -= text_width(text, sp, font) * (0.5 if align == "center" else 1)
        baseline = int(middle * s + CAP_HEIGHT / 2 * px + 0.5)
        paste = self._core.paste
        if is_simple(text):
            letters = sheet(font, px)
            shift, last = letters.shift, letters.steps - 1
            pen = x * s * letters.steps + 0.5
            for char in text:
                advance, masks = letters[char]
                if masks:
                    step = int(pen)
                    mask, left, top, w, h = masks[step & last]
                    left += step >> shift
                    top += baseline
                    paste(color, (left, top, left + w, top + h), mask)
                pen += advance
            return
        for run, face, at in runs(text, font)[0]:
            if len(run) == 1:
                letters = sheet(face, px)
                step = int((x * s + at * px) * letters.steps + 0.5)
                masks = letters[run].masks or (glyph(" ", font, px),)
                mask, left, top, w, h = masks[step & (len(masks) - 1)]
                left += step >> letters.shift
            else:
                mask, left, top, w, h = glyph(run, face, px)
                left += int(x * s + at * px + 0.5)
            if mask is not None:
                top += baseline
                paste(color, (left, top, left + w, top + h), mask)

    def icon(self, x: float, y: float, name: str, size: float, color: Color) -> None:
        """An icon centred at `(x, y)` in a square of `size` dp.

        Raises:
            KeyError: there is no such icon.
        """
        s = self.scale
        px = size * s
        mask, left, top, w, h = glyph(icons()[name], ICONS, px)
        left += int(x * s - px / 2 + 0.5)
        top += int(y * s + px / 2 + 0.5)
        self._core.paste(color, (left, top, left + w, top + h), mask)


@lru_cache(512)
def _disc(side: int) -> Any:
    at = np.arange(side) + 0.5 - side / 2
    distance = np.sqrt(at[None, :] ** 2 + at[:, None] ** 2) - side / 2
    return Image.fromarray((np.clip(0.5 - distance, 0, 1) * 255 + 0.5).astype(np.uint8)).im


@lru_cache(1024)
def _shape(width: int, height: int, radius: int, corners: tuple[str, ...]) -> Any:
    coverage = np.full((height, width), 255, np.uint8)
    for name, quarter in zip(CORNERS, corner_coverage(radius), strict=True):
        if name in corners:
            top = 0 if name[0] == "t" else height - radius
            left = 0 if name[1] == "l" else width - radius
            coverage[top : top + radius, left : left + radius] = quarter
    return Image.fromarray(coverage).im
