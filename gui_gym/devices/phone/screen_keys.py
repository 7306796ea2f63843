"""Keys of screens.

* `screen_digest` - 16 bytes that are equal exactly when the pixels are

Different tiles can look the same (two rows that only a tap tells apart; what scrolling has cut off), so equal pixels
can only be told by the pixels. A screen that was seen lately is known by its tiles and not drawn again.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from gui_gym.devices.base import Screen as Pixels
from gui_gym.devices.phone.text import fonts_version

if TYPE_CHECKING:
    from gui_gym.devices.phone.compositor import Screen

REMEMBERED = 512
"""Screens whose digests are kept, for all phones of the process."""

_known: OrderedDict[tuple[tuple[int, int], Screen, int], bytes] = OrderedDict()


def screen_digest(size: tuple[int, int], screen: Screen, draw: Callable[[], Pixels]) -> bytes:
    """The digest of a screen's pixels.

    Args:
        size: `(width, height)` in pixels.
        screen: its tiles.
        draw: returns its pixels, uint8 `(height, width, 3)`; only called for a screen that is not remembered.
    """
    key = (size, screen, fonts_version())
    found = _known.pop(key, None)
    if found is None:
        found = hashlib.blake2b(np.ascontiguousarray(draw()).data, digest_size=16).digest()
    _known[key] = found
    if len(_known) > REMEMBERED:
        _known.popitem(last=False)
    return found
