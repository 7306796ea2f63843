"""Named reward parts and their weighted sum.

* `RewardPart` - a value and whether it is earned at a step or at the end
* `combine` - weighted sum of parts
* `LITEGUI_WEIGHTS` - a published choice
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, NamedTuple

Kind = Literal["step", "terminal"]

LITEGUI_WEIGHTS = {"match": 0.6, "subtask": 0.3, "format": 0.1}
"""`R = 0.60 R_gui + 0.30 R_subtask + 0.10 R_format` (LiteGUI, appendix A.6)."""


class RewardPart(NamedTuple):
    """One part of a reward.

    Attributes:
        value: finite; NaN means that it could not be scored (a judge failed).
        kind: "step" for what is earned on the way, "terminal" for the outcome; trainers may discount them differently.
    """

    value: float
    kind: Kind = "step"


def combine(parts: Mapping[str, RewardPart | float], weights: Mapping[str, float]) -> float:
    """`sum over parts of weight * value`.

    A part that is missing counts 0, a part without a weight is only reported. NaN in a part that has a weight makes
    the sum NaN: what cannot be scored must not read as a reward of 0.

    Args:
        parts: values by name.
        weights: by name; at least one.

    Raises:
        ValueError: there are no weights or one is not finite.

    >>> combine({"success": RewardPart(1.0, "terminal"), "format": 0.5}, {"success": 0.9, "format": 0.1})
    0.9500000000000001
    """
    if not weights or not all(math.isfinite(w) for w in weights.values()):
        raise ValueError(f"weights must hold at least one part, all finite, not {dict(weights)!r}")
    total = 0.0
    for name, weight in weights.items():
        part = parts.get(name, 0.0)
        value = part.value if isinstance(part, RewardPart) else float(part)
        if weight:
            total += weight * value
    return total
