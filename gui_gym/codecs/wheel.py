"""Scrolling with a wheel: pixels and clicks to and from screenfuls.

* `pixel_scrolls`, `scroll_pixels` - distances in pixels, positive to the right and downwards
* `wheel_clicks` - whole clicks
"""

from __future__ import annotations

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.dialect import NoWords
from gui_gym.codecs.reading import BadCall
from gui_gym.geometry import Point

CLICKS = 10
"""How many clicks of the wheel scroll a screenful."""
PIXEL_CELL = 0.01
"""The cell of amounts that are written in whole pixels: a pixel of a screen of a hundred, and less of larger ones."""


def pixel_scrolls(
    across: float, down: float, point: Point | None, size: tuple[float, float], held: tuple[str, ...] = ()
) -> list[Action]:
    """What scrolls by a distance; one action for each axis, the horizontal one first.

    Args:
        across, down: the way of the view in pixels.
        point: where the pointer is.
        size: width and height of the screen in the same pixels.
        held: keys that are held meanwhile.

    Raises:
        BadCall: bad_argument, when the distance is nothing.
    """
    actions = []
    for distance, extent, ways in ((across, size[0], ("left", "right")), (down, size[1], ("up", "down"))):
        if distance:
            way, amount = ways[distance > 0], abs(distance) / extent
            actions.append(Action(ActionType.SCROLL, point=point, direction=way, amount=amount, modifiers=held))
    if not actions:
        raise BadCall("bad_argument", "the scroll has no distance")
    return actions


def scroll_pixels(action: Action, size: tuple[float, float]) -> tuple[int, int]:
    """How far a scroll goes across and down, in whole pixels.

    Raises:
        NoWords: it is less than one.
    """
    level = action.direction in ("left", "right")
    distance = round(action.amount * size[0 if level else 1])
    if not distance:
        raise NoWords("the scroll is shorter than a pixel")
    signed = distance if action.direction in ("right", "down") else -distance
    return (signed, 0) if level else (0, signed)


def wheel_clicks(amount: float) -> int:
    """A scroll's amount in clicks of the wheel.

    Raises:
        NoWords: it is less than one.
    """
    clicks = round(amount * CLICKS)
    if not clicks:
        raise NoWords("the scroll is shorter than a click of the wheel")
    return clicks
