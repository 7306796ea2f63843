"""Sizes that processors and services give to images."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gui_gym.resize import RESIZE_RULES, ResizeRule, fit_within, smart_resize

SIDES = st.integers(1, 9000)


@pytest.mark.parametrize(
    ("size", "name", "expected"),
    [  # published golden values
        ((1920, 1080), "qwen2.5-vl", (1932, 1092)),
        ((1920, 1080), "qwen3-vl", (1920, 1088)),
        ((1080, 2400), "qwen2.5-vl", (1092, 2408)),
        ((1080, 2400), "qwen3-vl", (1088, 2400)),
        ((1522, 1022), "qwen2.5-vl", (1512, 1008)),  # 36.5 blocks round to the even 36
        ((7680, 4320), "ui-tars", (4760, 2688)),
        ((100, 100), "ui-tars", (280, 280)),
        ((100, 100), "qwen3-vl", (256, 256)),
    ],
)
def test_golden_values(size, name, expected):
    assert smart_resize(size, RESIZE_RULES[name]) == expected


@settings(max_examples=400, deadline=None)
@given(SIDES, SIDES, st.sampled_from(sorted(RESIZE_RULES)))
def test_as_transformers_does_it(width, height, name):
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import smart_resize as reference

    rule = RESIZE_RULES[name]
    if max(width, height) > 200 * min(width, height):
        with pytest.raises(ValueError, match="at most 200 times"):
            smart_resize((width, height), rule)
        return
    high, wide = reference(height, width, rule.factor, rule.min_pixels, rule.max_pixels)
    found = smart_resize((width, height), rule)
    if min(width, height) > rule.factor / 2:  # thinner sides round to nothing there, to one block here
        assert found == (wide, high)
    assert min(found) >= rule.factor and found[0] % rule.factor == found[1] % rule.factor == 0


def test_thin_sides_keep_a_block():
    assert smart_resize((2600, 13), RESIZE_RULES["qwen2.5-vl"]) == (2604, 28)  # transformers: (812, 28)
    assert smart_resize((2800, 14), ResizeRule(28, 784, 2000)) == (616, 28)  # qwen-vl-utils: (616, 0)


@settings(max_examples=200, deadline=None)
@given(SIDES, SIDES, st.sampled_from(sorted(RESIZE_RULES)))
def test_a_prepared_image_is_left_alone_by_the_processor(width, height, name):
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import smart_resize as reference

    assume(max(width, height) <= 150 * min(width, height))  # beyond it the result may be too long an image itself
    rule = RESIZE_RULES[name]
    wide, high = smart_resize((width, height), rule)
    assert reference(high, wide, rule.factor, rule.min_pixels, rule.max_pixels) == (high, wide)


@pytest.mark.parametrize("size", [(0, 5), (5, -1), (1, 201)])
def test_impossible_sizes(size):
    with pytest.raises(ValueError, match=r"size must be|at most 200 times"):
        smart_resize(size, RESIZE_RULES["qwen3-vl"])


@pytest.mark.parametrize("rule", [(0, 1, 9), (28, 0, 10**6), (28, 10, 5), (28, 1, 100)])
def test_impossible_rules(rule):
    with pytest.raises(ValueError, match="must be"):
        ResizeRule(*rule)


@settings(max_examples=300, deadline=None)
@given(SIDES, SIDES, st.none() | st.integers(1, 4000), st.none() | st.integers(1, 10**7))
def test_within_the_limits_and_never_larger(width, height, long_edge, max_pixels):
    wide, high = fit_within((width, height), long_edge, max_pixels)
    assert 1 <= wide <= width and 1 <= high <= height
    assert long_edge is None or max(wide, high) <= long_edge
    assert max_pixels is None or wide * high <= max_pixels
    if (long_edge is None or max(width, height) <= long_edge) and (max_pixels is None or width * height <= max_pixels):
        assert (wide, high) == (width, height)


def test_squares_stay_square():
    assert fit_within((100, 100), max_pixels=5000) == (70, 70)


@pytest.mark.parametrize(("size", "limits"), [((0, 5), {}), ((5, 5), {"long_edge": 0}), ((5, 5), {"max_pixels": -1})])
def test_limits_are_above_zero(size, limits):
    with pytest.raises(ValueError, match="above 0"):
        fit_within(size, **limits)


@pytest.mark.parametrize("value", [float("nan"), 1.5, True, "5", None])
def test_numbers_are_whole(value):
    with pytest.raises(ValueError, match="must be a whole number"):
        ResizeRule(value, 1, 10**6)
    for call in (lambda: fit_within((value, 5)), lambda: smart_resize((5, value), "qwen3-vl")):
        if value is not True:  # which is 1 wherever Python counts
            with pytest.raises(ValueError, match="in whole pixels"):
                call()
    if value is not None:
        with pytest.raises(ValueError, match="must be a whole number above 0"):
            fit_within((100, 200), long_edge=value)
