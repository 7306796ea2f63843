"""Intervals and pass@k against values worked by hand and against SciPy."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from gui_gym.experiments.statistics import (
    Interval,
    bootstrap_interval,
    clustered_interval,
    mean_pass_at_k,
    paired_difference,
    pass_at_k,
    wilson_interval,
)


def test_wilson_by_hand():
    # p = 1/2, n = 4, z = 1.959964: centre 1/2, half-width z/(1 + z^2/4) * sqrt(1/16 + z^2/64) = 0.349961
    mean, low, high = wilson_interval(2, 4)
    assert mean == 0.5
    assert low == pytest.approx(0.5 - 0.349961, abs=1e-6)
    assert high == pytest.approx(0.5 + 0.349961, abs=1e-6)
    # 0 of n: [0, z^2 / (n + z^2)]
    z2 = 1.959963984540054**2
    assert tuple(wilson_interval(0, 10)) == pytest.approx((0.0, 0.0, z2 / (10 + z2)))
    assert tuple(wilson_interval(10, 10)) == pytest.approx((1.0, 10 / (10 + z2), 1.0))


@pytest.mark.parametrize(
    ("successes", "trials", "confidence"), [(0, 1, 0.95), (3, 7, 0.9), (497, 500, 0.95), (25, 50, 0.99)]
)
def test_wilson_is_scipys(successes: int, trials: int, confidence: float):
    theirs = stats.binomtest(successes, trials).proportion_ci(confidence, method="wilson")
    _, low, high = wilson_interval(successes, trials, confidence)
    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_wilson_edges():
    mean, low, high = wilson_interval(0, 0)
    assert math.isnan(mean) and (low, high) == (0.0, 1.0)
    for n in range(1, 60):  # rounding never puts the estimate outside of its interval
        for s in (0, n):
            mean, low, high = wilson_interval(s, n)
            assert 0.0 <= low <= mean <= high <= 1.0
    with pytest.raises(ValueError, match="successes must lie in"):
        wilson_interval(3, 2)
    with pytest.raises(ValueError, match="confidence"):
        wilson_interval(1, 2, 1.0)


def test_clustered_interval_by_hand():
    # Ten starts, four samples each, all samples of a start agree: as good as ten trials.
    # Squared deviations 8 * 0.8^2 + 2 * 3.2^2 = 25.6; 25.6 / 1600 * 10/9 over 0.16 / 40 is 40/9, kept at 4.
    agreeing = [[1.0] * 4] * 8 + [[0.0] * 4] * 2
    assert tuple(clustered_interval(agreeing)) == pytest.approx(tuple(wilson_interval(8, 10)))
    # Each start passes half of the time exactly: less than independent trials would vary, counted as independent.
    mixed = [[1.0, 0.0]] * 10
    assert tuple(clustered_interval(mixed)) == pytest.approx(tuple(wilson_interval(10, 20)))
    # (2, 2, 1, 1) of 2: p = 3/4, squared deviations 4 * 0.25, between 1/64 * 4/3 = 1/48, independent 3/128: below 1.
    assert tuple(clustered_interval([[1, 1], [1, 1], [1, 0], [1, 0]])) == pytest.approx(tuple(wilson_interval(6, 8)))
    # (2, 2, 2, 0) of 2: p = 3/4, deviations 3 * 0.25 + 2.25 = 3, between 3/64 * 4/3 = 1/16: effect 8/3, kept at 2.
    assert clustered_interval([[1, 1]] * 3 + [[0, 0]]).low == pytest.approx(wilson_interval(3, 4).low)
    # At the ends there is no variance to see: only the starts count.
    assert tuple(clustered_interval([[0.0] * 4] * 20)) == pytest.approx(tuple(wilson_interval(0, 20)))
    assert tuple(clustered_interval([[1.0], [0.0], [1.0]])) == tuple(wilson_interval(2, 3))
    assert clustered_interval([]).high == 1.0


@pytest.mark.parametrize("n", [1, 3, 5])
def test_pass_at_k_is_the_share_of_subsets_with_a_pass(n: int):
    for c in range(n + 1):
        results = [True] * c + [False] * (n - c)
        for k in range(1, n + 1):
            subsets = list(itertools.combinations(results, k))
            assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, subsets)) / len(subsets))


def test_pass_at_k_values_and_errors():
    assert pass_at_k(200, 1, 100) == pytest.approx(0.5)
    assert pass_at_k(5, 2, 1) == pytest.approx(0.4)  # k = 1 is the plain share
    assert pass_at_k(5, 4, 2) == 1.0  # only one failure: any two hold a pass
    assert mean_pass_at_k([[1, 0, 0, 0], [0, 0, 0, 0]], 2) == pytest.approx(0.25)
    assert math.isnan(mean_pass_at_k([], 1))
    with pytest.raises(ValueError, match="k must lie in"):
        pass_at_k(4, 1, 5)
    with pytest.raises(ValueError, match="passed must lie in"):
        pass_at_k(4, 5, 1)


def test_bootstrap_is_seeded_and_close_to_scipys():
    values = np.random.default_rng(3).normal(2.0, 1.0, 80)
    ours = bootstrap_interval([[v] for v in values], resamples=4000, seed=1)
    assert ours == bootstrap_interval([[v] for v in values], resamples=4000, seed=1)
    assert ours != bootstrap_interval([[v] for v in values], resamples=4000, seed=2)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=4000, method="percentile", rng=np.random.default_rng(5)
    ).confidence_interval
    assert ours.mean == pytest.approx(values.mean())
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.03)


def test_clusters_widen_the_interval():
    # Four samples of each start state agree fully: the effective number of values is 50, not 200.
    outcomes = [float(i % 2) for i in range(50)]
    clustered = bootstrap_interval([[o] * 4 for o in outcomes])
    single = bootstrap_interval([[o] for o in outcomes])
    as_if_independent = bootstrap_interval([[o] for o in outcomes for _ in range(4)])
    assert clustered.mean == as_if_independent.mean == 0.5
    assert clustered.high - clustered.low == pytest.approx(single.high - single.low)
    assert (clustered.high - clustered.low) / (as_if_independent.high - as_if_independent.low) == pytest.approx(
        2, rel=0.1
    )


def test_unequal_clusters_weigh_by_size():
    assert bootstrap_interval([[1.0, 1.0, 1.0], [0.0]]).mean == 0.75
    assert bootstrap_interval([]).low == -math.inf


def test_paired_difference():
    keys = [("A", seed) for seed in range(40)]
    control = {k: [float(k[1] % 2)] for k in keys}
    assert tuple(paired_difference(control, control)) == (0.0, 0.0, 0.0)  # what both share cancels out
    treated = {k: [1.0] if k[1] < 20 else v for k, v in control.items()}  # ten of forty keys gain
    mean, low, high = paired_difference(treated, control)
    assert mean == pytest.approx(0.25)
    assert 0.0 < low < mean < high < 0.5  # the differences have sd 0.433, so 1.96 sd / sqrt(40) = 0.134
    assert (low, high) == pytest.approx((0.25 - 0.134, 0.25 + 0.134), abs=0.03)


def test_paired_difference_averages_samples_and_wants_equal_keys():
    treated = {("A", 1): [1.0, 0.0], ("A", 2): [1.0, 1.0]}
    control = {("A", 1): [0.0, 0.0, 0.0], ("A", 2): [1.0]}
    assert paired_difference(treated, control).mean == pytest.approx(0.25)
    with pytest.raises(ValueError, match=r"same tasks and seeds in both arms; 1 differ, such as \('A', 2\)"):
        paired_difference(treated, {("A", 1): [1.0]})
    with pytest.raises(ValueError, match="control has no value"):
        paired_difference({1: [1.0]}, {1: []})


def test_interval_unpacks():
    assert tuple(Interval(0.5, 0.25, 0.75)) == (0.5, 0.25, 0.75)
