"""Finds an action that a dialect has words for.

* `closest` - the action itself, or one that does the same, or nearly, on the same screen
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.base import Codec, ScreenView
from gui_gym.geometry import Point

_WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
_GESTURES = (ActionType.SWIPE, ActionType.SCROLL, ActionType.DRAG)
_TIMED = (ActionType.LONG_PRESS, ActionType.WAIT)


def closest(codec: Codec, action: Action, screen: ScreenView) -> Action:
    """An action that `codec.render` writes: `action` itself where the dialect can say it, as it reads back.

    Otherwise, in this order: without what is only a matter of degree (duration, amount); a scroll at the middle of the
    screen; the same movement of the finger in another form (a scroll is a swipe the other way); a click of the right
    button as a right click; one second, or five, for what is left to the device, where a dialect always names a time;
    a final line break as Enter; with Enter, where typing always presses it; a declared failure as "infeasible".

    Raises:
        ValueError: the dialect has nothing like it.

    >>> from gui_gym.codecs import get_codec
    >>> closest(get_codec("qwen3-vl"), Action("scroll", direction="down"), ScreenView((360, 640)))
    Action(swipe, point=(0.5, 0.75), end=(0.5, 0.25))
    """
    failure: ValueError | None = None
    for candidate in _candidates(action):
        try:
            text = codec.render(candidate, screen)
        except ValueError as error:
            failure = failure or error
        else:
            return codec.parse(text, screen).actions[0]
    assert failure is not None
    raise failure


def _candidates(action: Action) -> Iterator[Action]:
    yield action
    plain = replace(action, duration=0.0, box=None)
    yield plain
    if action.type in _GESTURES:
        start, end = _finger(action)
        finger = _direction(start, end)
        yield replace(plain, amount=0.5)
        if action.type is ActionType.SCROLL and action.point is None:
            yield replace(plain, point=(0.5, 0.5))
            yield replace(plain, point=(0.5, 0.5), amount=0.5)
        yield Action(ActionType.SWIPE, point=start, end=end)
        if action.type is ActionType.SCROLL and action.end is None:
            yield Action(ActionType.SWIPE, point=action.point, direction=finger, amount=action.amount)
        yield Action(ActionType.DRAG, point=start, end=end)
        for where in (start, None) if action.type is not ActionType.DRAG else ():  # a drag may carry something
            swipe = Action(ActionType.SWIPE, point=where, direction=finger)
            scroll = Action(ActionType.SCROLL, point=where, direction=_OPPOSITE[finger])
            yield from (scroll, swipe) if action.type is ActionType.SCROLL else (swipe, scroll)
    elif action.type is ActionType.CLICK and action.button == "right":
        yield replace(plain, type=ActionType.RIGHT_CLICK, button="left")
    elif action.type in _TIMED:
        yield replace(plain, duration=1.0)
        yield replace(plain, duration=5.0)  # the only wait that some dialects have
    elif action.type is ActionType.TYPE and action.text and not action.submit:
        if action.text.endswith("\n"):
            yield replace(plain, text=action.text[:-1], submit=True)
        yield replace(plain, submit=True)
    elif action.type is ActionType.TERMINATE and action.status != "success":
        yield replace(plain, status="infeasible" if action.status == "failure" else "failure")


def _finger(action: Action) -> tuple[Point, Point]:
    """Where the finger starts and ends. Without an end it moves `amount` screenfuls around the point."""
    if action.end is not None and action.point is not None:
        return action.point, action.end
    direction = action.direction or "up"
    if action.type is ActionType.SCROLL:
        direction = _OPPOSITE[direction]
    dx, dy = _WAYS[direction]
    x, y = action.point or (0.5, 0.5)
    half = min(action.amount, 0.9) / 2
    # shifted along its way so that both ends stay on the screen
    x = min(max(x, 0.05 + half), 0.95 - half) if dx else x
    y = min(max(y, 0.05 + half), 0.95 - half) if dy else y
    return (x - dx * half, y - dy * half), (x + dx * half, y + dy * half)


def _direction(start: Point, end: Point) -> str:
    """Where the finger mostly moves."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    if abs(dx) > abs(dy):
        return "right" if dx > 0 else "left"
    return "down" if dy > 0 else "up"
