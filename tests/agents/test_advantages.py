"""Group advantages against hand-computed vectors and the faults seen in public trainers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gui_gym.agents.advantages import group_advantages, whiten
from gui_gym.agents.filtering import filter_groups


def values(rewards, groups=None, estimator="grpo", **options):
    groups = ["g"] * len(rewards) if groups is None else groups
    return group_advantages(rewards, groups, estimator, **options).values


class TestGoldenB:
    """P-2: where the deviation's ddof and delta stand."""

    def test_two_of_four(self):
        r = [1, 0, 0, 1]
        sign = np.array([1, -1, -1, 1])
        assert values(r, delta=1e-4) == pytest.approx(0.865875 * sign, abs=1e-6)
        assert values(r, delta=1e-6) == pytest.approx(0.866024 * sign, abs=1e-6)
        assert values(r, delta=1e-6, ddof=0) == pytest.approx(0.999998 * sign, abs=1e-6)
        assert values(r, estimator="dr_grpo") == pytest.approx(0.5 * sign, abs=1e-6)
        assert values(r, estimator="rloo") == pytest.approx(0.666667 * sign, abs=1e-6)

    def test_one_of_eight(self):
        a = values([1] + [0] * 7)
        assert a[0] == pytest.approx(2.474174, abs=1e-6)
        assert a[1:] == pytest.approx([-0.353453] * 7, abs=1e-6)

    def test_pairs(self):
        assert values([1, 0]) == pytest.approx([0.7070, -0.7070], abs=1e-4)
        assert values([1, 0], ddof=0) == pytest.approx([0.9998, -0.9998], abs=1e-4)

    def test_three(self):
        assert values([1, 1, 2], delta=0, ddof=0) == pytest.approx([-0.70711, -0.70711, 1.41421], abs=1e-4)
        assert values([1, 1, 2], delta=0) == pytest.approx([-0.57735, -0.57735, 1.1547], abs=1e-4)

    def test_jitter_is_no_signal(self):
        r = [0.8, 0.8, 0.8, 0.8001]
        assert values(r, std_floor=0) == pytest.approx([-1 / 6, -1 / 6, -1 / 6, 0.5], abs=1e-3)
        assert values(r, std_floor=0, delta=1e-6)[3] == pytest.approx(1.4706, abs=1e-3)
        assert values(r).tolist() == [0, 0, 0, 0]


def test_p1_equal_float32_rewards_give_exact_zero_and_leave_the_denominator():
    r = np.array([0.1] * 7, np.float32)
    a = group_advantages(r, ["g"] * 7)
    assert a.values.tolist() == [0.0] * 7
    assert not a.takes_part.any()
    assert (a.num_groups, a.num_groups_zero_std) == (1, 1)
    both = group_advantages([1, 0, *r], ["a", "a"] + ["b"] * 7)
    alone = group_advantages([1, 0], ["a", "a"])
    assert both.values[:2].tolist() == alone.values.tolist()
    assert both.takes_part.tolist() == [True, True] + [False] * 7


def test_p1_floor_is_relative_to_large_rewards():
    assert values([1e6, 1e6 + 1]).tolist() == [0, 0]


@pytest.mark.parametrize("estimator", ["grpo", "dr_grpo", "rloo"])
def test_p3_singleton_gets_zero_not_its_reward(estimator):
    a = group_advantages([5.0], ["g"], estimator)
    assert a.values.tolist() == [0.0]
    assert a.takes_part.tolist() == [False]


def test_p7_and_p22_groups_are_found_by_key_not_position():
    a = values([1, 5, 0, 5], ["p1", "p2", "p1", "p2"], delta=0)
    assert a == pytest.approx([0.70711, 0, -0.70711, 0], abs=1e-4)
    two_copies_of_a_task = values([1, 0, 1, 1], [("t", 1), ("t", 1), ("t", 2), ("t", 2)], delta=0)
    assert two_copies_of_a_task == pytest.approx([0.70711, -0.70711, 0, 0], abs=1e-4)


def test_p40_unscorable_samples_are_excluded_and_counted():
    a = group_advantages([1, 0, float("nan"), float("inf"), 0], ["g"] * 5, delta=0)
    assert a.values[[0, 1, 4]] == pytest.approx(np.array([2, -1, -1]) / 3 / np.sqrt(1 / 3))
    assert a.values[2:4].tolist() == [0, 0]
    assert a.takes_part.tolist() == [True, True, False, False, True]
    assert a.num_excluded == 2
    assert group_advantages([1, float("nan")], ["g", "g"]).takes_part.tolist() == [False, False]
    assert group_advantages([float("nan")] * 2, ["g", "g"]).num_groups == 0


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-10, 10), min_size=2, max_size=12), st.permutations(range(12)))
def test_advantages_sum_to_zero_follow_order_and_do_not_depend_on_position(rewards, order):
    order = [i for i in order if i < len(rewards)]
    a = values(rewards)
    assert abs(a.sum()) < 1e-6
    assert values([rewards[i] for i in order]) == pytest.approx(a[order], abs=1e-9)
    if a.any():
        assert (np.diff(a[np.argsort(rewards)]) >= 0).all()


def test_bad_arguments_name_the_field():
    with pytest.raises(ValueError, match="estimator must be one of grpo, dr_grpo, rloo"):
        group_advantages([1, 0], ["g", "g"], "gae")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rewards must have one value"):
        group_advantages([1, 0], ["g"])
    with pytest.raises(ValueError, match="ddof"):
        group_advantages([1, 0], ["g", "g"], ddof=2)


def test_p27_whitening_skips_padding_and_a_batch_of_one():
    assert whiten([3.7]).tolist() == [3.7]
    out = whiten([[1.0, 2.0, np.nan], [3.0, np.nan, np.nan]], [[1, 1, 0], [1, 0, 0]])
    assert out == pytest.approx(np.array([[-1, 0, 0], [1, 0, 0]]), abs=1e-6)


class TestFilter:
    def test_counts_name_why_a_group_went(self):
        metric = [1, 0, 0, 0, 1, 1, 0.5, 0.5, 1, float("nan")]
        kept = filter_groups(metric, [i // 2 for i in range(10)])
        assert (kept.kept, kept.all_low, kept.all_high, kept.all_equal, kept.too_few) == (1, 1, 1, 1, 1)
        assert kept.keep.tolist() == [True, True] + [False] * 8

    def test_tolerance_and_excluded_samples(self):
        assert not filter_groups([0.5, 0.5 + 1e-9], ["g", "g"]).keep.any()
        assert filter_groups([1, 0, float("nan")], ["g"] * 3).keep.tolist() == [True, True, False]

    def test_length_noise_does_not_make_a_group_informative(self):
        success, shaped = [1, 1, 1], [1 - 0.01, 1 - 0.02, 1 - 0.03]
        assert filter_groups(success, ["g"] * 3).all_high == 1
        assert filter_groups(shaped, ["g"] * 3).kept == 1

    def test_lengths_must_agree(self):
        with pytest.raises(ValueError, match="metric must have one value"):
            filter_groups([1.0], [])
