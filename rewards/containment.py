"""Grounding reward: does the point fall into the element?

* `containment` - 1 inside, 0 outside
* `answered_point` - the point that an action, a point or a box stands for
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from gui_gym.actions import Action, Target
from gui_gym.geometry import Box, Point


def answered_point(prediction: Action | Sequence[float] | None) -> Point | None:
    """The point that a prediction stands for: that of an action, else the centre of its box; two or four numbers.

    None where there is none or a number is not finite. Nothing is clamped: a point off the screen stays there.

    >>> answered_point([0.25, 0.25, 0.75, 0.5])
    (0.5, 0.375)
    """
    numbers: Sequence[float] | None = prediction if not isinstance(prediction, Action) else None
    if isinstance(prediction, Action):
        numbers = prediction.point if prediction.point is not None else prediction.box
    if numbers is None or len(numbers) not in (2, 4) or not all(math.isfinite(v) for v in numbers):
        return None
    if len(numbers) == 4:
        return (numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2
    return numbers[0], numbers[1]


def containment(prediction: Action | Sequence[float] | None, truth: Target | Box | Sequence[float]) -> float:
    """1 when the predicted point lies in the true box (edges included) or polygon, else 0.

    `1[(x, y) in box]`, the grounding reward of Ferret-UI Lite (section on RL with verifiable rewards). Only a point
    counts, so a huge predicted box earns no more than a click on its centre.

    Args:
        prediction: an action, a point, a box (its centre counts) or None, in the units of `truth`.
        truth: a target with a box or polygon, or a box; swapped corners are put in order.

    Returns:
        0.0 or 1.0; 0.0 when either is missing or not finite.

    >>> containment((0.5, 0.4), Box(0.25, 0.4, 0.5, 0.6)), containment((0.51, 0.4), Box(0.25, 0.4, 0.5, 0.6))
    (1.0, 0.0)
    """
    point = answered_point(prediction)
    if point is None:
        return 0.0
    if isinstance(truth, Target):
        return float(truth.contains(point))
    if len(truth) != 4:
        raise ValueError(f"truth must be a Target or a box of four numbers, not {truth!r}")
    if not all(math.isfinite(v) for v in truth):
        return 0.0
    x0, x1 = sorted((truth[0], truth[2]))
    y0, y1 = sorted((truth[1], truth[3]))
    return float(x0 <= point[0] <= x1 and y0 <= point[1] <= y1)
