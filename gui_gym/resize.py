"""How images are brought to the size that a model or a service takes.

* `smart_resize` - the size that Qwen-VL's processors and their relatives give an image
* `ResizeRule`, `RESIZE_RULES` - what differs between model families
* `fit_within` - the size to which services shrink large images

These prepare images. They do not tell what a processor did: take the size that was fed (`ScreenView.model_input`).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass

Size = tuple[int, int]
MOST_ASPECT = 200


@dataclass(frozen=True, slots=True)
class ResizeRule:
    """What an image's size must be.

    Attributes:
        factor: both sides are multiples of it.
        min_pixels, max_pixels: the area lies between them.
    """

    factor: int
    min_pixels: int
    max_pixels: int

    def __post_init__(self) -> None:
        for name in ("factor", "min_pixels", "max_pixels"):
            if type(getattr(self, name)) is not int:
                raise ValueError(f"{name} must be a whole number, not {getattr(self, name)!r}")
        if self.factor < 1:
            raise ValueError(f"factor must be at least 1, not {self.factor}")
        if not 0 < self.min_pixels <= self.max_pixels or self.max_pixels < self.factor**2:
            raise ValueError(
                f"min_pixels and max_pixels must be a range above 0 that holds one block of {self.factor}x{self.factor}"
                f", not {self.min_pixels} and {self.max_pixels}"
            )


RESIZE_RULES = {
    "qwen2-vl": ResizeRule(28, 56 * 56, 12_845_056),
    "qwen2.5-vl": ResizeRule(28, 56 * 56, 12_845_056),
    "qwen3-vl": ResizeRule(32, 65_536, 16_777_216),
    "ui-tars": ResizeRule(28, 100 * 28 * 28, 16_384 * 28 * 28),
    "gui-owl": ResizeRule(28, 56 * 56, 10_035_200),
}
"""The published rule of each model family. A checkpoint's own processor may be configured otherwise."""


def smart_resize(size: Size, rule: ResizeRule | str) -> Size:
    """`(width, height)` in multiples of the rule's factor, close to the image's own shape.

    Each side is rounded to the nearest multiple, halves to the even one (Python's `round`), and is at least one block.
    Then an area above the most is shrunk and rounded down, one below the least is grown and rounded up.

    Copies differ for thin images. Rounded to the nearest, a side is at least one block here, as in qwen-vl-utils and
    UI-TARS; in transformers it may be none, which counts as too small an area. Rounded down, it is at least one block
    here, as in transformers, even where the area then exceeds the most (only with `max_pixels` below 200 blocks); in
    the others it may be none.

    Args:
        size: `(width, height)` in pixels.
        rule: of the model, or its name in `RESIZE_RULES`.

    Raises:
        ValueError: a side is not positive, one is more than 200 times the other, or no rule is called so.

    Source: `smart_resize` of qwen-vl-utils and transformers.

    >>> smart_resize((1920, 1080), "qwen2.5-vl"), smart_resize((1920, 1080), "qwen3-vl")
    ((1932, 1092), (1920, 1088))
    """
    if isinstance(rule, str):
        if rule not in RESIZE_RULES:
            raise ValueError(f"rule must be one of {', '.join(RESIZE_RULES)}, not {rule!r}")
        rule = RESIZE_RULES[rule]
    width, height = _whole(size)
    if max(size) > MOST_ASPECT * min(size):
        raise ValueError(f"one side must be at most {MOST_ASPECT} times the other, not {size!r}")
    factor = rule.factor
    wide, high = (max(factor, round(side / factor) * factor) for side in size)
    if wide * high > rule.max_pixels:
        shrink = math.sqrt(width * height / rule.max_pixels)
        return _blocks(width / shrink, factor, math.floor), _blocks(height / shrink, factor, math.floor)
    if wide * high < rule.min_pixels:
        grow = math.sqrt(rule.min_pixels / (width * height))
        return _blocks(width * grow, factor, math.ceil), _blocks(height * grow, factor, math.ceil)
    return wide, high


def _blocks(side: float, factor: int, rounding: Callable[[float], int]) -> int:
    return max(factor, rounding(side / factor) * factor)


def _whole(size: Size) -> Size:
    try:
        width, height = (operator.index(side) for side in size)
    except (TypeError, ValueError):
        width = height = 0
    if width <= 0 or height <= 0:
        raise ValueError(f"size must be (width, height) in whole pixels above 0, not {size!r}")
    return width, height


def fit_within(size: Size, long_edge: int | None = None, max_pixels: int | None = None) -> Size:
    """`(width, height)` after the shrinking that a service does; smaller images stay as they are.

    One factor for both sides, so that both limits hold; sides are rounded to the nearest pixel, halves up, and down
    where that would break a limit; at least 1.

    Args:
        size: `(width, height)` in pixels.
        long_edge: the longer side's limit, such as 1568.
        max_pixels: the area's limit.

    Raises:
        ValueError: a number is not positive.

    >>> fit_within((945, 2048), long_edge=1568)
    (724, 1568)
    """
    for name, limit in (("long_edge", long_edge), ("max_pixels", max_pixels)):
        if limit is not None and (type(limit) is not int or limit <= 0):
            raise ValueError(f"{name} must be a whole number above 0, not {limit!r}")
    width, height = size = _whole(size)
    scale = 1.0
    if long_edge is not None:
        scale = min(scale, long_edge / max(size))
    if max_pixels is not None:
        scale = min(scale, math.sqrt(max_pixels / (width * height)))
    if scale == 1.0:
        return width, height
    wide, high = (max(1, math.floor(side * scale + 0.5)) for side in size)
    if max_pixels is not None and wide * high > max_pixels:
        wide, high = (max(1, math.floor(side * scale)) for side in size)
    return min(wide, max_pixels or wide), min(high, max_pixels or high)
