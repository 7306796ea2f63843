"""What may be said about a success rate.

* `Interval` - an estimate with its lower and upper bound
* `wilson_interval` - of a share of independent trials; `clustered_interval` - of trials that come in clusters
* `pass_at_k`, `mean_pass_at_k` - the unbiased chance that one of k samples passes
* `bootstrap_interval` - of a mean whose values come in clusters
* `paired_difference` - of two arms that played the same tasks and seeds

Everything is deterministic: the bootstraps take a seed.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Key = TypeVar("Key", bound=Hashable)
_BLOCK = 4_000_000  # indices drawn at once by a bootstrap: 32 MB


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and its two-sided interval; unpacks as `mean, low, high`."""

    mean: float
    low: float
    high: float

    def __iter__(self) -> Any:
        return iter((self.mean, self.low, self.high))


def _check_confidence(confidence: float) -> None:
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must lie strictly between 0 and 1, not {confidence!r}")


def wilson_interval(successes: float, trials: int, confidence: float = 0.95) -> Interval:
    """The score interval of a binomial proportion (Wilson 1927), without continuity correction.

    It stays inside [0, 1] and holds for few trials and at 0 and 100 %, where the normal approximation does not.

    Args:
        successes: in [0, trials].
        trials: number of independent trials; with 0 the interval is the whole of [0, 1] and the mean is NaN.

    >>> "{:.4f} {:.4f} {:.4f}".format(*wilson_interval(8, 10))
    '0.8000 0.4902 0.9433'
    """
    _check_confidence(confidence)
    if trials < 0 or not 0.0 <= successes <= trials:
        raise ValueError(f"successes must lie in [0, trials] with trials >= 0, not {successes!r} of {trials!r}")
    return _wilson(successes / trials, trials, confidence) if trials else Interval(math.nan, 0.0, 1.0)


def _wilson(p: float, trials: float, confidence: float) -> Interval:
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    scale = 1.0 + z * z / trials
    centre = (p + z * z / (2 * trials)) / scale
    half = z / scale * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    # At 0 and n the bound is exactly 0 or 1; rounding must not move it past the estimate.
    return Interval(p, min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half)))


def clustered_interval(clusters: Iterable[Sequence[float]], confidence: float = 0.95) -> Interval:
    """The Wilson interval at the effective number of trials, for 0/1 trials that come in clusters.

    Several samples of one task and seed share a start state and are not independent. The design effect (Kish 1965),
    the variance of the mean between clusters over that of independent trials, says how much less they tell; it is
    kept between 1 and the size of the largest cluster, which is also what it is taken for at 0 and at 100 %, where a
    bootstrap would claim certainty.

    Args:
        clusters: the 0/1 results of each start state. Clusters of one give `wilson_interval`.
    """
    groups = [np.asarray(c, np.float64) for c in clusters if len(c)]
    sizes = np.array([len(g) for g in groups], np.float64)
    sums = np.array([g.sum() for g in groups])
    trials = float(sizes.sum())
    if not trials:
        return wilson_interval(0, 0, confidence)
    p, count, largest = float(sums.sum() / trials), len(groups), float(sizes.max())
    effect = largest
    if 0.0 < p < 1.0 and count > 1:
        between = float(((sums - p * sizes) ** 2).sum()) / trials**2 * count / (count - 1)
        effect = min(max(between / (p * (1 - p) / trials), 1.0), largest)
    effective = trials / effect
    return _wilson(p, effective, confidence)


def pass_at_k(samples: int, passed: int, k: int) -> float:
    """Unbiased estimate of the chance that at least one of k samples passes: `1 - C(n-c, k) / C(n, k)`.

    Source: Chen et al. 2021, "Evaluating Large Language Models Trained on Code", equation 1.

    Args:
        samples: n, samples drawn for one problem.
        passed: c, how many of them passed.
        k: between 1 and n.

    >>> pass_at_k(4, 1, 2)
    0.5
    """
    if not 0 <= passed <= samples:
        raise ValueError(f"passed must lie in [0, samples], not {passed!r} of {samples!r}")
    if not 1 <= k <= samples:
        raise ValueError(f"k must lie in [1, samples] = [1, {samples}], not {k!r}")
    return 1.0 - math.comb(samples - passed, k) / math.comb(samples, k)


def mean_pass_at_k(outcomes: Iterable[Sequence[float]], k: int) -> float:
    """The mean of `pass_at_k` over problems, each given by the 0/1 results of its samples; NaN without problems."""
    values = [pass_at_k(len(o), int(sum(o)), k) for o in outcomes]
    return math.fsum(values) / len(values) if values else math.nan


def _cluster_means(sums: NDArray[Any], sizes: NDArray[Any], resamples: int, seed: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    count = len(sums)
    means = np.empty(resamples)
    step = max(1, _BLOCK // count)
    for start in range(0, resamples, step):
        stop = min(start + step, resamples)
        picks = rng.integers(count, size=(stop - start, count))
        means[start:stop] = sums[picks].sum(1) / sizes[picks].sum(1)
    return means


def bootstrap_interval(
    clusters: Iterable[Sequence[float]], confidence: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> Interval:
    """Percentile bootstrap of the mean of all values, resampling whole clusters (Efron & Tibshirani 1993, ch. 13).

    Args:
        clusters: the values of each cluster; samples of one task and seed share a start state and are not independent,
            so they form a cluster. For independent values, clusters of one.
        resamples: bootstrap replicates.
        seed: of the resampling.

    Returns:
        The plain mean and the percentile bounds; NaN and infinite bounds when there is no value.
    """
    _check_confidence(confidence)
    groups = [np.asarray(c, np.float64) for c in clusters if len(c)]
    if not groups:
        return Interval(math.nan, -math.inf, math.inf)
    sums = np.array([g.sum() for g in groups])
    sizes = np.array([len(g) for g in groups], np.float64)
    means = _cluster_means(sums, sizes, resamples, seed)
    tail = 50 * (1 - confidence)
    low, high = np.percentile(means, (tail, 100 - tail))
    return Interval(float(sums.sum() / sizes.sum()), float(low), float(high))


def paired_difference(
    treated: Mapping[Key, Sequence[float]],
    control: Mapping[Key, Sequence[float]],
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Interval:
    """Paired bootstrap of `mean(treated) - mean(control)` over the keys, each a task and seed that both arms played.

    The difference of a key is the difference of its means over samples; keys are resampled as a whole, so that what
    makes one start state easier than another cancels out.

    Raises:
        ValueError: the arms did not play the same keys, or a key has no value.
    """
    only = sorted(map(str, treated.keys() ^ control.keys()))
    if only:
        raise ValueError(
            f"a paired comparison needs the same tasks and seeds in both arms; {len(only)} differ, such as {only[0]}"
        )
    for name, arm in (("treated", treated), ("control", control)):
        empty = [key for key, values in arm.items() if not len(values)]
        if empty:
            raise ValueError(f"{name} has no value for {empty[0]}")
    differences = [[float(np.mean(treated[key]) - np.mean(control[key]))] for key in treated]
    return bootstrap_interval(differences, confidence, resamples, seed)
