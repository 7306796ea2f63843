"""Online filtering: groups whose samples all earned the same teach nothing.

* `Filtered` - what was kept, and why the rest went
* `filter_groups` - drop groups with equal values of a metric (Ferret-UI Lite, section on online filtering; the
  condition of DAPO's dynamic sampling, Yu et al. 2025, equation 11)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gui_gym.agents.advantages import positions_by_group


@dataclass(frozen=True)
class Filtered:
    """Result of `filter_groups`.

    Attributes:
        keep: bool `(N,)`, samples of the groups that are kept and whose own value is finite.
        kept: groups kept.
        all_low: groups dropped because every sample has the lowest value (0 by default): too hard for now.
        all_high: groups dropped because every sample has the highest value (1 by default): solved.
        all_equal: groups dropped whose common value is neither.
        too_few: groups dropped because fewer than two samples have a finite value.
    """

    keep: NDArray[np.bool_]
    kept: int
    all_low: int
    all_high: int
    all_equal: int
    too_few: int


def filter_groups(
    metric: ArrayLike,
    groups: Sequence[Hashable],
    *,
    tolerance: float = 1e-6,
    low: float = 0.0,
    high: float = 1.0,
) -> Filtered:
    """Keep the groups whose metric differs by more than `tolerance` between samples.

    Pass the task reward before format, length or overlong shaping: with these in it nearly every group looks
    informative through length noise.

    Args:
        metric: `(N,)` success, match or return of each sample; not finite means "could not be scored".
        groups: `(N,)` group keys.
        tolerance: `max - min` up to this is equal.
        low, high: values counted as all failed and all solved.

    Raises:
        ValueError: lengths differ.

    >>> filter_groups([1, 0, 1, 1, 0, 0], ["a", "a", "b", "b", "c", "c"]).keep.tolist()
    [True, True, False, False, False, False]
    """
    values = np.asarray(metric, np.float64)
    if values.shape != (len(groups),):
        raise ValueError(f"metric must have one value for each of the {len(groups)} group keys, not {values.shape}")
    keep = np.zeros(len(values), bool)
    counts = {"kept": 0, "all_low": 0, "all_high": 0, "all_equal": 0, "too_few": 0}
    for members in positions_by_group(groups).values():
        members = members[np.isfinite(values[members])]
        v = values[members]
        if len(v) < 2:
            counts["too_few"] += 1
        elif v.max() - v.min() > tolerance:
            keep[members] = True
            counts["kept"] += 1
        elif v.max() <= low + tolerance:
            counts["all_low"] += 1
        elif v.min() >= high - tolerance:
            counts["all_high"] += 1
        else:
            counts["all_equal"] += 1
    return Filtered(keep, **counts)
