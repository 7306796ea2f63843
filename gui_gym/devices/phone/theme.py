"""Colours.

* `Theme`, `THEMES` - the light and the dark theme, by Material's colour roles
* `PALETTE` - what `color` 0..7 of rows and app icons means
* `wallpaper` - the home screen's gradient
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Color = tuple[int, int, int]
"""Red, green, blue, 0..255."""


class Theme(NamedTuple):
    """Colour roles; `on_x` is what is written on `x`."""

    name: str
    background: Color
    card: Color
    ink: Color
    faint: Color
    primary: Color
    on_primary: Color
    container: Color
    on_container: Color
    track: Color
    thumb: Color
    outline: Color
    divider: Color
    disabled: Color
    on_disabled: Color
    surface: Color
    keyboard: Color
    key: Color
    function_key: Color
    inverse: Color
    on_inverse: Color
    sky: Color
    ground: Color


THEMES: dict[str, Theme] = {
    "light": Theme(
        name="light",
        background=(243, 243, 250),
        card=(255, 255, 255),
        ink=(27, 27, 31),
        faint=(92, 94, 102),
        primary=(11, 87, 208),
        on_primary=(255, 255, 255),
        container=(211, 227, 253),
        on_container=(4, 30, 73),
        track=(224, 226, 236),
        thumb=(116, 119, 127),
        outline=(160, 163, 172),
        divider=(236, 237, 244),
        disabled=(226, 227, 232),
        on_disabled=(150, 151, 157),
        surface=(250, 250, 255),
        keyboard=(232, 234, 242),
        key=(255, 255, 255),
        function_key=(200, 208, 224),
        inverse=(47, 48, 51),
        on_inverse=(241, 240, 247),
        sky=(38, 70, 140),
        ground=(190, 120, 160),
    ),
    "dark": Theme(
        name="dark",
        background=(17, 19, 24),
        card=(30, 32, 38),
        ink=(227, 226, 230),
        faint=(168, 170, 180),
        primary=(168, 199, 250),
        on_primary=(6, 46, 111),
        container=(8, 66, 160),
        on_container=(211, 227, 253),
        track=(68, 71, 79),
        thumb=(142, 145, 153),
        outline=(112, 115, 124),
        divider=(44, 46, 52),
        disabled=(42, 44, 50),
        on_disabled=(112, 115, 122),
        surface=(38, 40, 47),
        keyboard=(34, 36, 42),
        key=(58, 60, 68),
        function_key=(78, 82, 94),
        inverse=(227, 226, 230),
        on_inverse=(47, 48, 51),
        sky=(14, 24, 56),
        ground=(78, 42, 74),
    ),
}

PALETTE: tuple[Color, ...] = (
    (66, 133, 244),
    (15, 157, 88),
    (230, 145, 0),
    (219, 68, 55),
    (103, 58, 183),
    (0, 150, 136),
    (233, 30, 99),
    (84, 110, 122),
)


@lru_cache(256)
def wallpaper(sky: Color, ground: Color, y: int, rows: int, height: int) -> npt.NDArray[np.uint8]:
    """Colours of the rows from `y` on of a wallpaper `height` pixels tall, `sky` to `ground`; uint8 (rows, 3)."""
    fraction = (np.arange(y, y + rows, dtype=np.float64) + 0.5) / height
    top, bottom = np.array(sky, np.float64), np.array(ground, np.float64)
    colors = np.clip(top + fraction[:, None] * (bottom - top) + 0.5, 0, 255).astype(np.uint8)
    colors.flags.writeable = False
    return colors
