"""Group-relative advantages.

* `Advantages` - one advantage per sample, which samples take part in the loss, and counts
* `group_advantages` - GRPO, Dr. GRPO and RLOO over groups named by key
* `whiten` - zero mean, unit deviation over a mask (for baselines with a critic)

A sample is one scalar return: an episode, or one answer of a one-step environment. Statistics are computed once per
sample, before rows are copied, dropped or padded, and in float64.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Estimator = Literal["grpo", "dr_grpo", "rloo"]
ESTIMATORS: tuple[Estimator, ...] = ("grpo", "dr_grpo", "rloo")


@dataclass(frozen=True)
class Advantages:
    """Advantages of N samples.

    Attributes:
        values: float64 `(N,)`; 0 for every sample that does not take part.
        takes_part: bool `(N,)`; False for samples that must count neither in the loss nor in its denominator: a
            non-finite reward, a group with fewer than two finite rewards, a group whose rewards are all equal.
        num_groups: groups with at least one finite reward.
        num_groups_zero_std: of these, groups whose rewards are all equal (groups of one included).
        num_excluded: samples whose reward is not finite (judge failed, device fault).
    """

    values: NDArray[np.float64]
    takes_part: NDArray[np.bool_]
    num_groups: int
    num_groups_zero_std: int
    num_excluded: int


def positions_by_group(groups: Sequence[Hashable]) -> dict[Hashable, NDArray[np.intp]]:
    """Positions of the samples of each group, groups in order of first appearance.

    Groups are found by key, never by position: samples of one group need not stand side by side.
    """
    out: dict[Hashable, list[int]] = {}
    for i, group in enumerate(groups):
        out.setdefault(group, []).append(i)
    return {group: np.array(members, np.intp) for group, members in out.items()}


def group_advantages(
    rewards: ArrayLike,
    groups: Sequence[Hashable],
    estimator: Estimator = "grpo",
    *,
    delta: float = 1e-4,
    ddof: int = 1,
    std_floor: float = 1e-4,
) -> Advantages:
    """How much better each sample is than its group.

    * `grpo`: `(r - mean) / (std + delta)` (Shao et al. 2024, DeepSeekMath, section 4.1.2)
    * `dr_grpo`: `r - mean` (Liu et al. 2025, Understanding R1-Zero-like training, section 3.2)
    * `rloo`: `r_i - mean of the others = G / (G - 1) (r_i - mean)` (Ahmadian et al. 2024, equation 7)

    A group whose deviation is below `std_floor * max(1, largest |reward|)` carries no signal: float noise of 1e-4
    would else become advantages of one deviation. Its samples get exactly 0 and do not take part, and neither do
    those of a group of one.

    Args:
        rewards: `(N,)` returns; NaN or infinite means "could not be scored".
        groups: `(N,)` group keys: task, seed and policy version together, never the task alone.
        estimator: one of `ESTIMATORS`.
        delta: added to the deviation (`grpo`).
        ddof: 1 divides the variance by G - 1 (TRL, verl), 0 by G.
        std_floor: relative floor of the deviation.

    Raises:
        ValueError: lengths differ or the estimator is unknown.

    >>> group_advantages([1, 0, 0, 1], ["a"] * 4).values.round(6).tolist()
    [0.865875, -0.865875, -0.865875, 0.865875]
    """
    if estimator not in ESTIMATORS:
        raise ValueError(f"estimator must be one of {', '.join(ESTIMATORS)}, not {estimator!r}")
    if ddof not in (0, 1):
        raise ValueError(f"ddof must be 0 or 1, not {ddof!r}")
    returns = np.asarray(rewards, np.float64)
    if returns.shape != (len(groups),):
        raise ValueError(f"rewards must have one value for each of the {len(groups)} groups keys, not {returns.shape}")
    values = np.zeros(len(returns))
    takes_part = np.zeros(len(returns), bool)
    num_groups = num_zero = 0
    for members in positions_by_group(groups).values():
        members = members[np.isfinite(returns[members])]
        if len(members) == 0:
            continue
        num_groups += 1
        r = returns[members]
        std = r.std(ddof=ddof) if len(r) > 1 else 0.0
        if len(r) < 2 or std <= std_floor * max(1.0, float(np.abs(r).max())):
            num_zero += 1
            continue
        centred = r - r.mean()
        if estimator == "grpo":
            centred = centred / (std + delta)
        elif estimator == "rloo":
            centred = centred * len(r) / (len(r) - 1)
        values[members] = centred
        takes_part[members] = True
    return Advantages(values, takes_part, num_groups, num_zero, int((~np.isfinite(returns)).sum()))


def whiten(values: ArrayLike, mask: ArrayLike | None = None) -> NDArray[np.float64]:
    """Zero mean and unit deviation (ddof 1) over the true places of a mask; other places are 0.

    Fewer than two values have no deviation and are returned as they are. Group advantages are already normalised:
    do not whiten them a second time, that changes signs between groups.
    """
    x = np.asarray(values, np.float64)
    keep = np.ones(x.shape, bool) if mask is None else np.asarray(mask, bool)
    out = np.where(keep, x, 0.0)
    picked = x[keep]
    if picked.size < 2:
        return out
    out[keep] = (picked - picked.mean()) / (picked.std(ddof=1) + 1e-8)
    return out
