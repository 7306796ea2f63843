"""Actions and points in words, for prompts, histories and reports.

* `describe` - an action in a few words
* `grid_point` - a point on the 0..999 grid that VLMs speak
"""

from __future__ import annotations

import math

from gui_gym.actions import Action, ActionType
from gui_gym.geometry import Point

POINTS = 1000


def grid_point(point: Point, grid: int = 1) -> tuple[int, int]:
    """A point in fractions as whole numbers 0..999, each rounded to the nearest multiple of `grid` that is at most 999.

    The same rule as in `gui_gym.codecs.qwen`, so that a model may copy what it read.

    >>> grid_point((0.5, 0.2579)), grid_point((0.5, 0.2579), 10), grid_point((1.0, -0.1), 10)
    ((500, 258), (500, 260), (990, 0))
    """
    most = (POINTS - 1) // grid
    x, y = (max(0, min(math.floor(v * POINTS / grid + 0.5), most)) * grid for v in point)
    return x, y


def describe(action: Action) -> str:
    """An action in a few words; points on a grid of 0..999.

    >>> describe(Action("click", point=(0.5, 0.25))), describe(Action("type", text="milk", submit=True))
    ('click (500,250)', 'type "milk" and Enter')
    """
    parts = [action.type.value]
    if action.direction is not None:
        parts.append(action.direction)
    for name, point in (("", action.point), ("to ", action.end)):
        if point is not None:
            x, y = grid_point(point)
            parts.append(f"{name}({x},{y})")
    if action.text is not None:
        parts.append(f'"{action.text}"' + (" and Enter" if action.submit else ""))
    if action.keys:
        parts.append("+".join((*action.modifiers, *action.keys)))
    if action.type is ActionType.WAIT:
        parts.append(f"{action.duration:g} s")
    if action.status is not None:
        parts.append(action.status)
    return " ".join(parts)
