"""Transforms chain, invert, and move pixels to where they say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gui_gym.transforms import (
    Transform,
    apply,
    crop,
    crop_around,
    density,
    dp_to_px,
    letterbox,
    px_to_dp,
    resize,
    rotation,
)

SIDES = st.integers(8, 4000)
SIZES = st.tuples(SIDES, SIDES)
PARTS = st.floats(0, 1)


@st.composite
def chains(draw):
    """One to four transforms, one after the other."""
    size = draw(SIZES)
    whole = resize(size, size)
    for _ in range(draw(st.integers(1, 4))):
        width, height = whole.target
        kind = draw(st.integers(0, 4))
        if kind == 0:
            step = resize(whole.target, draw(SIZES))
        elif kind == 1:
            step = letterbox(whole.target, draw(SIZES), draw(st.booleans()))
        elif kind == 2:
            step = rotation(whole.target, draw(st.integers(-4, 4)))
        elif kind == 3:
            step = density(whole.target, draw(st.sampled_from([1.25, 2, 3])))
        else:
            step = crop(whole.target, (width * 0.25, height * 0.1, width * 0.75, height))
        whole = whole.then(step)
    return whole


@settings(max_examples=300, deadline=None)
@given(chains(), PARTS, PARTS)
def test_the_way_back_leads_back(transform, x, y):
    point = (x * transform.source[0], y * transform.source[1])
    scale = max(*transform.source, *transform.target)
    assert transform.inverse().point(*transform.point(*point)) == pytest.approx(point, abs=1e-9 * scale)
    assert transform.inverse().source == transform.target and transform.inverse().target == transform.source


@settings(max_examples=100, deadline=None)
@given(chains(), SIZES, PARTS, PARTS)
def test_a_chain_does_one_after_the_other(transform, size, x, y):
    following = resize(transform.target, size)
    point = (x * transform.source[0], y * transform.source[1])
    expected = following.point(*transform.point(*point))
    assert transform.then(following).point(*point) == pytest.approx(expected, abs=1e-6)


@given(SIZES, st.integers(0, 3), PARTS, PARTS)
def test_turns(size, turns, x, y):
    turned = rotation(size, turns)
    inside = turned.point(x * size[0], y * size[1])
    assert 0 <= inside[0] <= turned.target[0] and 0 <= inside[1] <= turned.target[1]
    again = turned.then(rotation(turned.target, 4 - turns))
    assert again.point(x * size[0], y * size[1]) == pytest.approx((x * size[0], y * size[1]))
    corner = {0: (0, 0), 1: (size[1], 0), 2: size, 3: (0, size[0])}[turns]
    assert turned.point(0, 0) == corner


def test_letterboxes():
    middle = letterbox((1080, 2400), (1000, 1000))
    assert middle.box((0, 0, 1080, 2400)) == pytest.approx((275, 0, 725, 1000))
    corner = letterbox((1080, 2400), (1000, 1000), centred=False)
    assert corner.box((0, 0, 1080, 2400)) == pytest.approx((0, 0, 450, 1000))


@given(SIZES, PARTS, PARTS)
def test_a_window_stays_inside(size, x, y):
    window = (size[0] / 3, size[1] / 2)
    found = crop_around(size, (x * size[0], y * size[1]), window).inverse().box((0, 0, *window))
    assert found.x0 >= -1e-9 and found.y0 >= -1e-9 and found.x1 <= size[0] + 1e-6 and found.y1 <= size[1] + 1e-6
    assert found.x0 - 1e-6 <= x * size[0] <= found.x1 + 1e-6


def test_a_window_lies_on_whole_pixels():
    """An odd window around a whole point, and one around a point between pixels."""
    for center, window in (((30, 20), (11, 11)), ((30.3, 20.9), (10, 10))):
        found = crop_around((60, 40), center, window)
        assert all(float(edge).is_integer() for edge in found.inverse().box((0, 0, *window)))
        image = np.random.default_rng(0).integers(0, 256, (40, 60, 3), np.uint8)
        left, top = (int(n) for n in found.inverse().point(0, 0))
        assert np.array_equal(apply(found, image), image[top : top + window[1], left : left + window[0]])


@pytest.mark.parametrize(
    "make",
    [
        lambda: resize((0, 5), (1, 1)),
        lambda: resize((5, 5), (1, float("nan"))),
        lambda: resize(5, (1, 1)),
        lambda: crop((10, 10), (5, 5, 5, 9)),
        lambda: crop((10, 10), (-1, 0, 5, 5)),
        lambda: crop((10, 10), (0, 0, 11, 5)),
        lambda: crop_around((10, 10), (5, 5), (11, 2)),
        lambda: density((10, 10), 0),
        lambda: resize((10, 10), (20, 20)).then(resize((10, 10), (5, 5))),
        lambda: Transform((1, 1), (1, 1), (1, 1, 1, 1)),
        lambda: resize(("5", "6"), (1, 1)),
        lambda: rotation((5, 6), 1.5),
        lambda: rotation((10**400, 6), 1),
        lambda: crop((10, 10), None),
        lambda: crop_around((10, 10), None, (5, 5)),
        lambda: crop_around((10, 10), (float("inf"), 1), (5, 5)),
        lambda: apply(resize((4, 4), (8, 8)), np.zeros((4, 4, 3), np.float32)),
        lambda: apply(resize((4, 4), (8, 8)), np.zeros(4, np.uint8)),
        lambda: apply(resize((4, 4), (8, 8)), np.zeros((4, 4), np.uint8), fill=300),
        lambda: dp_to_px(1, 0),
        lambda: px_to_dp(1, -1),
        lambda: apply(resize((4, 4), (8, 8)), np.zeros((4, 5, 3), np.uint8)),
        lambda: apply(resize((4, 4), (8.5, 8)), np.zeros((4, 4, 3), np.uint8)),
    ],
)
def test_what_cannot_be(make):
    with pytest.raises(ValueError, match=r"must be|must fit|starts from"):
        make()


@given(st.floats(0, 1000), st.sampled_from([120, 160, 320, 420, 480.5]))
def test_dp(dp, dpi):
    assert px_to_dp(dp_to_px(dp, dpi), dpi) == pytest.approx(dp)
    assert dp_to_px(dp, 160) == pytest.approx(dp)


@pytest.mark.parametrize(
    "transform",
    [
        resize((60, 40), (60, 40)),
        resize((60, 40), (120, 120)),
        resize((60, 40), (30, 20)),
        crop((60, 40), (10, 5, 50, 35)),
        letterbox((60, 40), (90, 90)),
        letterbox((60, 40), (45, 45), centred=False),
        *(rotation((60, 40), turns) for turns in range(4)),
        rotation((60, 40), 1).then(letterbox((40, 60), (64, 64))).then(resize((64, 64), (128, 96))),
    ],
)
def test_pixels_go_where_points_go(transform):
    image = np.zeros((40, 60, 3), np.uint8)
    image[12:20, 24:40] = (255, 128, 0)
    moved = apply(transform, image)
    assert moved.shape == (transform.target[1], transform.target[0], 3) and moved.dtype == np.uint8
    rows, columns = np.nonzero(moved[:, :, 0] > 127)
    box = transform.box((24, 12, 40, 20))
    assert (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1) == pytest.approx(box, abs=1.0)
    x, y = transform.point(32, 16)
    assert moved[int(y), int(x)].tolist() == [255, 128, 0]


def test_bars_are_filled_and_nothing_is_moved_by_the_identity():
    image = np.random.default_rng(0).integers(0, 256, (40, 60, 3), np.uint8)
    assert np.array_equal(apply(resize((60, 40), (60, 40)), image), image)
    assert np.array_equal(apply(rotation((60, 40), 1), image), np.rot90(image, -1))
    assert np.array_equal(apply(crop((60, 40), (10, 5, 50, 35)), image), image[5:35, 10:50])
    assert (apply(letterbox((60, 40), (60, 60)), image, fill=7)[:9] == 7).all()


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_an_even_image_stays_even_between_its_bars(data):
    """Nothing of the bars gets into the image, and nothing of the image into the bars."""
    whole = st.tuples(st.integers(5, 60), st.integers(5, 60))
    source = data.draw(whole)
    transform = rotation(source, data.draw(st.integers(0, 3)))
    transform = transform.then(resize(transform.target, middle := data.draw(whole)))
    if data.draw(st.booleans()):
        transform = transform.then(letterbox(middle, data.draw(whole), data.draw(st.booleans())))
    moved = apply(transform, np.full((source[1], source[0], 3), 200, np.uint8), fill=7)
    x0, y0, x1, y1 = transform.box((0, 0, *source))
    rows, columns = np.mgrid[0 : moved.shape[0], 0 : moved.shape[1]] + 0.5
    for slack, value in ((1e-3, 200), (-1e-3, 7)):
        inside = (columns > x0 + slack) & (columns < x1 - slack) & (rows > y0 + slack) & (rows < y1 - slack)
        assert (moved[inside if value == 200 else ~inside] == value).all()


@pytest.mark.parametrize("shape", [(40, 60), (40, 60, 1), (40, 60, 3), (40, 60, 4)])
def test_channels_stay(shape):
    assert apply(resize((60, 40), (30, 50)), np.zeros(shape, np.uint8)).shape == (50, 30, *shape[2:])
