"""From one picture's pixels to another's and back: resizing, cropping, letterboxing, turning, and chains of them.

* `Transform` - maps points and boxes; `inverse`, `then`
* `resize`, `crop`, `crop_around`, `letterbox`, `rotation`, `density` - make one
* `apply` - the same for the pixels of an image
* `dp_to_px`, `px_to_dp` - Android's density-independent pixels

A point is `(x, y)` in pixels of a frame `(width, height)`, x right, y down, as real numbers: the left edge of the frame
is 0 and the right edge is `width`, so that a pixel's centre is at a half. Points outside a frame are mapped all the
same; nothing is rounded or clamped. Transforms that keep their places as numbers chain without loss: a zoom into a zoom
is one crop.

>>> zoom = crop((1920, 1080), (1200, 300, 1800, 700)).then(crop((600, 400), (150, 100, 450, 300)))
>>> zoom.inverse().point(75, 150)
(1425.0, 550.0)
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gui_gym.geometry import Box, Point

Size = tuple[float, float]
Pixels = tuple[float, float, float, float]
_TURNS = {0: (1, 0, 0, 1), 1: (0, -1, 1, 0), 2: (-1, 0, 0, -1), 3: (0, 1, -1, 0)}  # clockwise quarter turns
BASE_DPI = 160
"""At so many dots per inch, a density-independent pixel is a pixel (Android)."""


@dataclass(frozen=True, slots=True)
class Transform:
    """`(x, y)` becomes `(a x + b y + left, c x + d y + top)`.

    Attributes:
        source, target: sizes of the frames before and after.
        matrix: `(a, b, c, d)`; axes are scaled, mirrored or exchanged, never slanted.
        offset: `(left, top)`.
    """

    source: Size
    target: Size
    matrix: tuple[float, float, float, float]
    offset: Point = (0.0, 0.0)

    def __post_init__(self) -> None:
        for name in ("source", "target"):
            _check(name, getattr(self, name))
        a, b, c, d = self.matrix
        if not all(map(math.isfinite, (*self.matrix, *self.offset))) or a * d - b * c == 0:
            raise ValueError(f"matrix and offset must be finite and invertible, not {self.matrix} and {self.offset}")

    def point(self, x: float, y: float) -> Point:
        """Where a point of the source lies in the target."""
        a, b, c, d = self.matrix
        return a * x + b * y + self.offset[0], c * x + d * y + self.offset[1]

    def box(self, box: Pixels) -> Box:
        """Where a box `(x0, y0, x1, y1)` of the source lies in the target; not cut off at its edges."""
        (ax, ay), (bx, by) = self.point(box[0], box[1]), self.point(box[2], box[3])
        return Box(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))

    def inverse(self) -> Transform:
        """The way back."""
        a, b, c, d = self.matrix
        det = a * d - b * c
        back = (d / det, -b / det, -c / det, a / det)
        x, y = self.offset
        offset = (-(back[0] * x + back[1] * y), -(back[2] * x + back[3] * y))
        return Transform(self.target, self.source, back, offset)

    def then(self, following: Transform) -> Transform:
        """This one, and another one after it.

        Raises:
            ValueError: the other one starts from another frame.
        """
        if not all(math.isclose(p, q) for p, q in zip(self.target, following.source, strict=True)):
            raise ValueError(f"the next transform starts from {following.source}, but this one ends at {self.target}")
        a, b, c, d = self.matrix
        e, f, g, h = following.matrix
        matrix = (e * a + f * c, e * b + f * d, g * a + h * c, g * b + h * d)
        return Transform(self.source, following.target, matrix, following.point(*self.offset))


def _check(name: str, size: Any) -> Size:
    """Width and height as floats."""
    try:
        if any(isinstance(n, str | bool) for n in size):
            raise TypeError("numbers in words")
        width, height = (float(n) for n in size)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be (width, height), not {size!r}") from None
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise ValueError(f"{name} must be (width, height) above 0, not {size!r}")
    return width, height


def _numbers(name: str, value: Any, count: int) -> Any:
    """So many finite floats."""
    try:
        numbers = tuple(float(n) for n in value if not isinstance(n, str | bool))
    except (TypeError, ValueError, OverflowError):
        numbers = ()
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        raise ValueError(f"{name} must be {count} finite numbers, not {value!r}")
    return numbers


def resize(source: Size, target: Size) -> Transform:
    """Each axis by its own factor.

    >>> resize((606, 1280), (1440, 3040)).point(303, 640)
    (720.0, 1520.0)
    """
    _check("source", source)
    _check("target", target)
    return Transform(source, target, (target[0] / source[0], 0.0, 0.0, target[1] / source[1]))


def crop(size: Size, box: Pixels) -> Transform:
    """The part `(x0, y0, x1, y1)` of a frame; points outside the part are mapped, too.

    Raises:
        ValueError: the part is empty or not inside the frame.
    """
    width, height = _check("size", size)
    x0, y0, x1, y1 = _numbers("box", box, 4)
    if not (0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height):
        raise ValueError(f"box must be (x0, y0, x1, y1) inside {size}, not {box!r}")
    return Transform(size, (x1 - x0, y1 - y0), (1.0, 0.0, 0.0, 1.0), (-x0, -y0))


def crop_around(size: Size, center: Point, window: Size) -> Transform:
    """A part of a given size around a point, shifted to lie inside the frame.

    Its corner is rounded to the nearest pixel, halves up, so that cutting it out of an image blurs nothing.

    Raises:
        ValueError: the part is larger than the frame.

    >>> crop_around((1920, 1080), (1900, 20), (400, 400)).inverse().box((0, 0, 400, 400))
    Box(x0=1520.0, y0=0.0, x1=1920.0, y1=400.0)
    """
    width, height = _check("size", size)
    across, down = _check("window", window)
    center = _numbers("center", center, 2)
    if across > width or down > height:
        raise ValueError(f"window must fit into {size}, not {window!r}")
    x0 = min(max(math.floor(center[0] - across / 2 + 0.5), 0.0), width - across)
    y0 = min(max(math.floor(center[1] - down / 2 + 0.5), 0.0), height - down)
    return crop(size, (x0, y0, x0 + across, y0 + down))


def letterbox(source: Size, target: Size, centred: bool = True) -> Transform:
    """One factor for both axes, so that the frame fits; bars fill the rest.

    Args:
        source, target: sizes.
        centred: bars on both sides; False puts the frame into the upper left corner.
    """
    (width, height), (wide, high) = _check("source", source), _check("target", target)
    scale = min(wide / width, high / height)
    offset = ((wide - width * scale) / 2, (high - height * scale) / 2) if centred else (0.0, 0.0)
    return Transform(source, target, (scale, 0.0, 0.0, scale), offset)


def rotation(size: Size, quarter_turns: int) -> Transform:
    """A frame turned clockwise by quarters.

    >>> rotation((1080, 2400), 1).point(0, 0), rotation((1080, 2400), 1).target
    ((2400.0, 0.0), (2400, 1080))
    """
    width, height = _check("size", size)
    try:
        turns = operator.index(quarter_turns) % 4
    except TypeError:
        raise ValueError(f"quarter_turns must be a whole number, not {quarter_turns!r}") from None
    target = size if turns % 2 == 0 else (size[1], size[0])
    offset = {0: (0.0, 0.0), 1: (height, 0.0), 2: (width, height), 3: (0.0, width)}[turns]
    a, b, c, d = _TURNS[turns]
    return Transform(size, target, (float(a), float(b), float(c), float(d)), offset)


def density(size: Size, scale: float) -> Transform:
    """Physical pixels to the logical ones of a display that is scaled by `scale`, such as 2.

    >>> density((2880, 1800), 2).point(1440, 900)
    (720.0, 450.0)
    """
    width, height = _check("size", size)
    if not 0 < scale < math.inf:
        raise ValueError(f"scale must be above 0, not {scale!r}")
    return resize(size, (width / scale, height / scale))


def dp_to_px(dp: float, dpi: float) -> float:
    """Density-independent pixels to pixels, not rounded.

    Android rounds sizes to the nearest pixel, halves away from 0, and what is not 0 dp is never 0 pixels.

    >>> dp_to_px(48, 420)
    126.0
    """
    if not 0 < dpi < math.inf:
        raise ValueError(f"dpi must be above 0, not {dpi!r}")
    return dp * dpi / BASE_DPI


def px_to_dp(px: float, dpi: float) -> float:
    """The inverse of `dp_to_px`."""
    if not 0 < dpi < math.inf:
        raise ValueError(f"dpi must be above 0, not {dpi!r}")
    return px * BASE_DPI / dpi


def apply(transform: Transform, image: NDArray[np.uint8], fill: int = 0) -> NDArray[np.uint8]:
    """The image in the target frame, which `transform.point` tells the places of.

    Shrinking averages, growing is linear; a pixel whose centre lies outside the image is `fill`.

    Args:
        transform: from a frame of the image's size to one of whole pixels.
        image: uint8 `(height, width)` or `(height, width, channels)`.
        fill: 0 to 255.

    Raises:
        ValueError: the image is of another size, or the target is not of whole pixels.
    """
    import cv2

    if not isinstance(image, np.ndarray) or image.dtype != np.uint8 or image.ndim not in (2, 3):
        raise ValueError("image must be a uint8 array (height, width) or (height, width, channels)")
    if not isinstance(fill, int) or not 0 <= fill <= 255:
        raise ValueError(f"fill must be a number in 0..255, not {fill!r}")
    if (image.shape[1], image.shape[0]) != tuple(transform.source):
        raise ValueError(f"image must be of size {transform.source}, not {image.shape[1::-1]}")
    if not all(float(n).is_integer() for n in transform.target):
        raise ValueError(f"the target must be of whole pixels, not {transform.target}")
    width, height = (int(n) for n in transform.target)
    shape = (height, width, *image.shape[2:])  # OpenCV drops a single channel's axis
    a, b, c, d = transform.matrix
    across, down = math.hypot(a, c), math.hypot(b, d)
    if min(across, down) < 1:  # warping samples single points: average first, so that nothing is lost between them
        smaller = max(1, round(image.shape[1] * min(1.0, across))), max(1, round(image.shape[0] * min(1.0, down)))
        shrunk = cv2.resize(image, smaller, interpolation=cv2.INTER_AREA)
        transform = resize(smaller, transform.source).then(transform)
        image = np.asarray(shrunk, np.uint8)
        a, b, c, d = transform.matrix
    # OpenCV counts from the centre of the first pixel, which is at (0.5, 0.5) here
    x, y = transform.point(0.5, 0.5)
    matrix = np.array([[a, b, x - 0.5], [c, d, y - 0.5]])
    # replicated, since mixing with the fill would draw a frame around everything that grows
    moved = cv2.warpAffine(image, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    pixels: NDArray[np.uint8] = np.asarray(moved, np.uint8).reshape(shape)
    x0, y0, x1, y1 = (max(0, math.ceil(edge - 0.5 - 1e-6)) for edge in transform.box((0, 0, *transform.source)))
    filled = np.full_like(pixels, fill)
    filled[y0:y1, x0:x1] = pixels[y0:y1, x0:x1]
    return filled
