"""What the canvas paints, pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest

from gui_gym.devices.phone.raster import Canvas, corner_coverage
from gui_gym.devices.phone.text import text_width
from gui_gym.devices.phone.theme import THEMES, wallpaper

WHITE = (255, 255, 255)
RED = (255, 0, 0)


def painted(canvas: Canvas) -> np.ndarray:
    """Which pixels are no longer white."""
    return (canvas.array() != 255).any(axis=2)


def extent(mask: np.ndarray) -> tuple[int, int, int, int]:
    ys, xs = np.nonzero(mask)
    return int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1


@pytest.mark.parametrize("scale", [0.75, 1.0, 2.0, 3.0])
def test_edges_are_sharp_and_on_whole_pixels(scale):
    canvas = Canvas(int(40 * scale), int(40 * scale), scale, WHITE)
    canvas.rect(4, 8, 20, 24, RED)
    pixels = canvas.array()
    assert extent(painted(canvas)) == tuple(int(v * scale) for v in (4, 8, 20, 24))
    assert {tuple(c) for c in pixels.reshape(-1, 3)} == {WHITE, RED}


def test_hairlines_never_vanish():
    canvas = Canvas(30, 30, 0.75, WHITE)
    canvas.rect(0, 10, 40, 10.2, RED)
    assert painted(canvas).sum() == 30


def test_a_quarter_disc_covers_a_quarter_of_a_circle():
    for radius in (4, 12, 28):
        quarters = corner_coverage(radius)
        area = sum(int(q.astype(np.int64).sum()) for q in quarters) / 255
        assert area == pytest.approx(np.pi * radius**2, rel=0.01)
        assert np.array_equal(quarters[0], quarters[3][::-1, ::-1])
        assert np.array_equal(quarters[1], quarters[0][:, ::-1])


def test_rounded_corners_are_chosen_one_by_one():
    canvas = Canvas(40, 40, 1.0, WHITE)
    canvas.rounded(0, 0, 40, 40, 12, RED, ("tl", "br"))
    pixels = canvas.array()
    assert tuple(pixels[0, 0]) == tuple(pixels[39, 39]) == WHITE
    assert tuple(pixels[0, 39]) == tuple(pixels[39, 0]) == tuple(pixels[20, 20]) == RED


def test_a_circle_is_round_and_centred():
    canvas = Canvas(40, 40, 1.0, WHITE)
    canvas.circle(20, 20, 10, RED)
    mask = painted(canvas)
    assert extent(mask) == (10, 10, 30, 30)
    assert np.array_equal(mask, mask[::-1]) and np.array_equal(mask, mask.T)


def test_a_frame_is_a_ring():
    canvas = Canvas(40, 40, 1.0, WHITE)
    canvas.frame(4, 4, 36, 36, 8, 2, RED, WHITE)
    pixels = canvas.array()
    assert tuple(pixels[20, 5]) == RED
    assert tuple(pixels[20, 6]) == WHITE
    assert tuple(pixels[20, 20]) == WHITE


@pytest.mark.parametrize("scale", [0.75, 1.0, 3.0])
def test_text_is_as_wide_as_measured_at_every_scale(scale):
    words = "Do Not Disturb"
    canvas = Canvas(int(200 * scale), int(40 * scale), scale, WHITE)
    canvas.text(10, 20, words, 16, (0, 0, 0))
    x0, y0, x1, y1 = extent(painted(canvas))
    assert x0 / scale == pytest.approx(10 + 1.5, abs=2)  # the D's side bearing
    assert x1 / scale == pytest.approx(10 + text_width(words, 16), abs=2)
    assert (y0 + y1) / 2 / scale == pytest.approx(20, abs=1)  # capitals are centred at the middle


def test_alignment_and_cutting():
    def box(**options):
        canvas = Canvas(200, 40, 1.0, WHITE)
        canvas.text(100, 20, "Hello", 16, (0, 0, 0), **options)
        return extent(painted(canvas))

    left, center, right = box(), box(align="center"), box(align="right")
    assert left[0] == pytest.approx(101, abs=1)
    assert (center[0] + center[2]) / 2 == pytest.approx(100, abs=1)
    assert right[2] == pytest.approx(99, abs=1)
    cut = box(width=25)
    assert cut[2] <= 125
    canvas = Canvas(200, 40, 1.0, WHITE)
    canvas.text(100, 20, "Hello", 16, (0, 0, 0), width=2)
    assert not painted(canvas).any()


@pytest.mark.parametrize("scale", [0.75, 1.0, 3.0])
def test_icons_are_centred(scale):
    canvas = Canvas(int(48 * scale), int(48 * scale), scale, WHITE)
    canvas.icon(24, 24, "square", 24, (0, 0, 0))
    x0, y0, x1, y1 = (v / scale for v in extent(painted(canvas)))
    assert (x0 + x1) / 2 == pytest.approx(24, abs=0.7)
    assert (y0 + y1) / 2 == pytest.approx(24, abs=0.7)
    with pytest.raises(KeyError, match="no_such_icon"):
        canvas.icon(0, 0, "no_such_icon", 24, RED)


def test_painting_outside_is_cut():
    canvas = Canvas(20, 20, 1.0, WHITE)
    canvas.rect(-5, -5, 5, 5, RED)
    canvas.rounded(15, 15, 40, 40, 6, RED)
    canvas.text(12, 10, "WWWW", 16, RED)
    canvas.circle(0, 20, 8, RED)
    assert canvas.array().shape == (20, 20, 3)


def test_strips_of_the_wallpaper_join_without_a_seam():
    theme = THEMES["light"]
    whole = wallpaper(theme.sky, theme.ground, 0, 100, 100)
    parts = np.concatenate(
        [wallpaper(theme.sky, theme.ground, 0, 37, 100), wallpaper(theme.sky, theme.ground, 37, 63, 100)]
    )
    assert np.array_equal(whole, parts)
    assert abs(whole[0].astype(int) - theme.sky).max() <= 1
    assert abs(whole[-1].astype(int) - theme.ground).max() <= 1
    canvas = Canvas(5, 100, 1.0, WHITE)
    canvas.fill_rows(whole)
    assert np.array_equal(canvas.array()[:, 3], whole)


def test_themes_have_readable_text():
    def luminance(color):
        c = np.array(color) / 255
        c = np.where(c <= 0.03928, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
        return float(c @ [0.2126, 0.7152, 0.0722])

    def contrast(a, b):
        high, low = sorted((luminance(a), luminance(b)), reverse=True)
        return (high + 0.05) / (low + 0.05)

    for theme in THEMES.values():  # WCAG AA: 4.5 for text
        for ink, ground in (
            (theme.ink, theme.background),
            (theme.ink, theme.card),
            (theme.faint, theme.card),
            (theme.faint, theme.background),
            (theme.primary, theme.background),
            (theme.on_primary, theme.primary),
            (theme.on_container, theme.container),
            (theme.ink, theme.key),
            (theme.ink, theme.function_key),
            (theme.ink, theme.surface),
            (theme.ink, theme.track),
            (theme.on_inverse, theme.inverse),
        ):
            assert contrast(ink, ground) >= 4.5, (theme.name, ink, ground)


def test_a_canvas_does_not_remember_the_one_before():
    first = Canvas(20, 20, 1.0, WHITE)
    first.rect(0, 0, 20, 20, RED)
    kept = first.array()
    assert (Canvas(20, 20, 1.0, WHITE).array() == 255).all()
    assert (kept == RED).all()


def test_large_tiles_are_read_in_pieces():
    canvas = Canvas(1080, 700, 3.0, WHITE)
    canvas.rect(0, 100, 360, 200, RED)
    pixels = canvas.array()
    assert pixels.shape == (700, 1080, 3)
    assert (pixels[300:600] == RED).all() and (pixels[:300] == 255).all() and (pixels[600:] == 255).all()
