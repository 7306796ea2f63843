"""Draw an action on its screen, for logs and reports.

* `draw_action` - a mark where the finger goes, and the action in words below the screen
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from gui_gym.actions import Action, ActionType
from gui_gym.geometry import Point, to_pixel

_MARK, _RIM = (230, 30, 90), (255, 255, 255)
_STEPS = {"up": (0.0, -1.0), "down": (0.0, 1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
_FINGER = {"up": "down", "down": "up", "left": "right", "right": "left"}


def _path(action: Action) -> tuple[Point, Point] | None:
    """Where the finger starts and ends, for actions that move."""
    if action.type not in (ActionType.SCROLL, ActionType.SWIPE, ActionType.DRAG):
        return None
    if action.point is not None and action.end is not None:
        return action.point, action.end
    if action.direction is None:
        return None
    direction = _FINGER[action.direction] if action.type is ActionType.SCROLL else action.direction
    (x, y), (dx, dy), half = action.point or (0.5, 0.5), _STEPS[direction], min(action.amount, 1.0) / 2
    return (x - dx * half, y - dy * half), (x + dx * half, y + dy * half)


def draw_action(screen: NDArray[np.uint8], action: Action | None, caption: str | None = None) -> NDArray[np.uint8]:
    """A copy of the screen with the action drawn on it.

    Args:
        screen: uint8 `(height, width, 3)`.
        action: None draws no mark (nothing could be parsed).
        caption: words below the screen; None writes the action itself.

    Returns:
        uint8 `(height + caption line, width, 3)`.
    """
    height, width = screen.shape[:2]
    radius = max(width // 24, 3)
    line = max(width // 18, 10)
    image = Image.new("RGB", (width, height + line), _RIM)
    image.paste(Image.fromarray(screen))
    draw = ImageDraw.Draw(image)

    def pixel(point: Point) -> tuple[int, int]:
        return to_pixel(point[0], width), to_pixel(point[1], height)

    if action is not None:
        path = _path(action)
        if path is not None:
            (ax, ay), (bx, by) = pixel(path[0]), pixel(path[1])
            angle = math.atan2(by - ay, bx - ax)
            wings = [
                (bx - 2 * radius * math.cos(angle + s), by - 2 * radius * math.sin(angle + s)) for s in (-0.4, 0.4)
            ]
            for colour, extra in ((_RIM, 2), (_MARK, 0)):
                draw.line([(ax, ay), (bx, by)], colour, max(radius // 3, 1) + extra)
                draw.polygon([(bx, by), *wings], colour)
        elif action.point is not None:
            x, y = pixel(action.point)
            for colour, extra in ((_RIM, 1), (_MARK, 0)):
                box = (x - radius - extra, y - radius - extra, x + radius + extra, y + radius + extra)
                draw.ellipse(box, outline=colour, width=max(radius // 3, 1) + extra)
    text = caption if caption is not None else ("no action" if action is None else repr(action)[7:-1])
    text = text.encode("latin-1", "replace").decode("latin-1")  # the font that Pillow ships knows no more
    draw.text((2, height), text[: width // 4], _MARK, font=ImageFont.load_default(size=max(line - 4, 8)))
    return np.asarray(image).copy()
