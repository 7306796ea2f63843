"""Incremental drawing equals a full repaint; the cache stays within its budget."""

from __future__ import annotations

import random
import threading

import numpy as np
import pytest
from widget_samples import content, place, random_screen, shade

from gui_gym.devices.phone.compositor import Compositor, Placed, Screen, check_partition
from gui_gym.devices.phone.tiles import TILES, TileCache, dim, paint

SIZE = (180, 320)


def repaint(screen: Screen, size: tuple[int, int] = SIZE) -> np.ndarray:
    return Compositor(size).draw(screen).copy()


@pytest.mark.parametrize("size", [SIZE, (270, 480), (400, 640)])
def test_incremental_drawing_equals_a_full_repaint(size):
    rng = random.Random(size[0])
    compositor = Compositor(size)
    theme = "light"
    last = None
    for _ in range(150):
        if rng.random() < 0.1:
            theme = "dark" if theme == "light" else "light"
        screen = random_screen(rng, size, theme)
        if last is not None and rng.random() < 0.4:  # the same page, with other things on top
            screen = last._replace(overlay=screen.overlay, scrim=screen.scrim if rng.random() < 0.3 else last.scrim)
        check_partition(screen, size)
        assert np.array_equal(compositor.draw(screen), repaint(screen, size))
        last = screen


def test_equal_screens_give_equal_pixels_whatever_came_before():
    first, second = random_screen(random.Random(1), SIZE), random_screen(random.Random(1), SIZE)
    assert first == second and first is not second
    a, b = Compositor(SIZE), Compositor(SIZE, tiles=TileCache())
    b.draw(random_screen(random.Random(2), SIZE, "dark"))
    assert np.array_equal(a.draw(first), b.draw(second))


def test_only_what_changed_is_drawn():
    rng = random.Random(5)
    screen = random_screen(rng, SIZE)._replace(overlay=(), scrim=False)
    compositor = Compositor(SIZE)
    compositor.draw(screen)
    compositor.frame[:] = 7  # pixels that are not drawn again stay as they are
    status = screen.base[0]
    changed = status._replace(props=("9:42", *status.props[1:]))
    compositor.draw(screen._replace(base=(changed, *screen.base[1:])))
    assert (compositor.frame[status.y1 :] == 7).all()
    assert (compositor.frame[: status.y1] != 7).any()


def test_a_scrim_darkens_the_base_but_not_the_overlay():
    rng = random.Random(9)
    screen = random_screen(rng, SIZE)
    over = Placed("fab", 28, 28, ("add", "New", ("x",)), "light", 100, 100, 100, 128)
    plain = repaint(screen._replace(overlay=(), scrim=False))
    dimmed = repaint(screen._replace(overlay=(over,), scrim=True))
    expected = dim(plain)
    centre = paint(over, SIZE[0] / 360)
    assert np.array_equal(dimmed[:100], expected[:100])
    assert np.array_equal(dimmed[110:120, 100:128], centre[10:20])
    assert not np.array_equal(dimmed[100, 100], centre[0, 0])  # the rounded corner lets the base through
    assert np.array_equal(dimmed[100, 100], expected[100, 100])


def test_dimming_is_exact():
    levels = np.arange(256, dtype=np.uint8)
    expected = [v - v // 4 - v // 16 for v in range(256)]
    assert dim(levels).tolist() == expected


def test_an_overlay_can_be_cut_at_its_rows():
    screen = random_screen(random.Random(3), SIZE)._replace(scrim=False)
    whole = Placed("menu", 100, 60, (("A", "B"),), "light", 40, 100, 100, 160)
    cut = whole._replace(y0=120, y1=140)
    base = repaint(screen._replace(overlay=()))
    shown = repaint(screen._replace(overlay=(cut,)))
    full = repaint(screen._replace(overlay=(whole,)))
    assert np.array_equal(shown[120:140], full[120:140])
    assert np.array_equal(shown[:120], base[:120]) and np.array_equal(shown[140:], base[140:])


def test_what_a_full_width_overlay_hides_is_not_painted_before_it_goes():
    rng = random.Random(8)
    page = random_screen(rng, SIZE)._replace(overlay=(), scrim=False)
    over = shade(random.Random(0), SIZE, "light")
    tiles = TileCache()
    compositor = Compositor(SIZE, tiles=tiles)
    compositor.draw(page._replace(overlay=over))
    painted = tiles.misses
    status = page.base[0]._replace(props=("9:42", (), None))
    later = page._replace(base=(status, *page.base[1:]))
    compositor.draw(later._replace(overlay=over))
    assert tiles.misses == painted
    assert np.array_equal(compositor.draw(later), repaint(later))


def test_plain_ground_of_any_height_is_one_tile():
    cache = TileCache()
    cache.reserve((360, 640))
    tall = Placed("fill", 360, 300, (None,), "light", 0, 0, 0, 300)
    one, two = cache.get(tall, 1.0), cache.get(tall._replace(height=41), 1.0)
    assert (one.shape, two.shape, cache.misses) == ((300, 360, 3), (41, 360, 3), 1)
    assert np.shares_memory(one, two) and not two.flags.writeable


def test_it_draws_into_a_row_of_a_batch():
    batch = np.zeros((3, SIZE[1], SIZE[0], 3), np.uint8)
    screens = [random_screen(random.Random(i), SIZE) for i in range(3)]
    for row, screen in zip(batch, screens, strict=True):
        Compositor(SIZE, out=row).draw(screen)
    assert np.array_equal(batch, np.stack([repaint(screen) for screen in screens]))


def test_a_new_array_is_painted_altogether():
    compositor = Compositor(SIZE)
    screen = random_screen(random.Random(4), SIZE)
    before = compositor.draw(screen).copy()
    other = np.full_like(before, 9)
    compositor.attach(other)
    assert compositor.draw(screen) is other
    assert np.array_equal(other, before)
    other[:] = 1
    compositor.forget()
    assert np.array_equal(compositor.draw(screen), before)


def test_strided_arrays_are_refused():
    with pytest.raises(ValueError, match="C-contiguous"):
        Compositor(SIZE, out=np.zeros((320, 360, 3), np.uint8)[:, ::2])


@pytest.mark.parametrize("bad", [np.zeros((320, 180, 4), np.uint8), np.zeros((320, 180, 3), np.float32)])
def test_another_shape_or_type_is_refused(bad):
    with pytest.raises(ValueError, match=r"out: expected a uint8 array of shape \(320, 180, 3\)"):
        Compositor(SIZE, out=bad)


def test_gaps_and_overlaps_are_found():
    screen = random_screen(random.Random(4), SIZE)._replace(overlay=())
    check_partition(screen, SIZE)
    with pytest.raises(ValueError, match=r"base: pixel \(0, 0\) is covered 0 times"):
        check_partition(screen._replace(base=screen.base[1:]), SIZE)
    with pytest.raises(ValueError, match="covered 2 times"):
        check_partition(screen._replace(base=(screen.base[0], *screen.base)), SIZE)
    with pytest.raises(ValueError, match="status at x=5"):
        check_partition(Screen((screen.base[0]._replace(x=5),)), SIZE)


def test_unknown_kinds_are_named():
    with pytest.raises(KeyError, match="no widget of kind 'nonsense'"):
        Compositor(SIZE).draw(Screen((Placed("nonsense", 180, 320, (), "light", 0, 0, 0, 320),)))


def tiles_of(cache: TileCache, count: int) -> list[np.ndarray]:
    cells = content()[:count]
    return [cache.get(place(cell, (360, 640), 0, "light", 0, 640), 1.0) for cell in cells]


def test_the_cache_drops_the_least_recently_used():
    cache = TileCache(budget=200_000)
    first = tiles_of(cache, 3)  # 56, 48 and 48 dp: about 60 and 52 kB
    assert cache.bytes == sum(tile.nbytes for tile in first) <= 200_000
    again = tiles_of(cache, 1)[0]
    assert again is first[0]
    tiles_of(cache, 4)
    assert cache.bytes <= 200_000
    assert cache.misses == 4
    assert len(cache) == 3
    assert cache.get(place(content()[3], (360, 640), 0, "light", 0, 640), 1.0) is not None
    assert cache.misses == 4  # the newest is still there
    cache.clear()
    assert (len(cache), cache.bytes) == (0, 0)


def test_a_tile_larger_than_the_budget_still_works():
    cache = TileCache(budget=10)
    tile = tiles_of(cache, 1)[0]
    assert tile.shape == (56, 360, 3)
    assert len(cache) == 1


def test_tiles_are_read_only_and_told_apart_by_scale_and_theme():
    cell = content()[0]
    placed = place(cell, (360, 640), 0, "light", 0, 640)
    one, two = TILES.get(placed, 1.0), TILES.get(placed, 0.9)
    assert not one.flags.writeable
    assert one is not two
    assert TILES.get(placed._replace(theme="dark"), 1.0) is not one
    assert TILES.get(placed._replace(y=30, y0=31), 1.0) is one  # where it lies does not matter
    assert np.array_equal(TILES.get(placed, 1.0, True), dim(one))


def test_the_budget_follows_the_screen():
    cache = TileCache()
    cache.reserve((270, 480))
    assert cache.budget == 128 << 20
    cache.reserve((480, 960))
    assert cache.budget == 200 * 480 * 960 * 3
    cache.reserve((1080, 2400))
    cache.reserve((270, 480))
    assert cache.budget == 512 << 20


def test_threads_may_share_the_cache():
    cache = TileCache(budget=150_000)
    wrong = []

    def work(seed: int) -> None:
        rng = random.Random(seed)
        try:
            for _ in range(60):
                screen = random_screen(rng, SIZE)
                if not np.array_equal(Compositor(SIZE, tiles=cache).draw(screen), repaint(screen)):
                    wrong.append(seed)
        except Exception as error:  # reported below
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
