"""Scrolls, swipes, drags and long presses."""

from __future__ import annotations

import pytest
from toy_phone import page, tap, texts, toy, toy_device

from gui_gym.actions import Action
from gui_gym.devices.phone.state import DRAWER, HOME, Notification

VIEW = 488  # dp of the toy list at 360x640


def scrolled(device):
    return page(device).scroll


def test_scroll_moves_the_view_by_screenfuls():
    device = toy_device()
    device.perform(Action("scroll", direction="down"))
    assert scrolled(device) == VIEW // 2
    device.perform(Action("scroll", direction="up", amount=0.25))
    assert scrolled(device) == VIEW // 4
    device.perform(Action("scroll", direction="up", amount=3))
    assert scrolled(device) == 0
    device.perform(Action("scroll", direction="down", amount=1e300))
    assert scrolled(device) == 8 + 30 * 48 + 88 - VIEW
    device.perform(Action("scroll", direction="right", amount=1))
    assert scrolled(device) == 8 + 30 * 48 + 88 - VIEW


@pytest.mark.parametrize(("point", "want"), [((0.5, 0.5), 244), ((0.5, 0.1), 0), ((0.5, 0.99), 0), (None, 244)])
def test_scroll_at_a_point_needs_a_list_there(point, want):
    device = toy_device()
    device.perform(Action("scroll", direction="down", point=point))
    assert scrolled(device) == want


def test_swipe_is_the_finger_and_scroll_the_view():
    device = toy_device()
    device.perform(Action("swipe", direction="up", amount=0.5))
    assert scrolled(device) == VIEW // 2
    device.perform(Action("swipe", direction="down", amount=0.25))
    assert scrolled(device) == VIEW // 4


@pytest.mark.parametrize("kind", ["drag", "swipe"])
def test_dragging_is_one_to_one(kind):
    device = toy_device((720, 1280))
    device.perform(Action(kind, point=(0.5, 0.75), end=(0.5, 0.5)))
    assert scrolled(device) == 160  # a quarter of 640 dp
    device.perform(Action(kind, point=(0.5, 0.5), end=(0.4, 0.6)))
    assert scrolled(device) == 96


def test_smallest_drag_is_a_tap():
    device = toy_device()
    device.perform(Action("drag", point=(0.3, 0.5), end=(0.31, 0.505)))
    assert len(toy(device).tapped) == 1


def test_lists_under_a_keyboard_are_smaller():
    device = toy_device()
    tap(device, "Form")
    tap(device, "Title", "field")
    pane = device.layout.scene(device.state()).pane
    assert (pane.y0, pane.y1) == (80, 440)
    device.perform(Action("scroll", direction="down", amount=0.5))
    assert scrolled(device) == 180
    device.perform(Action("scroll", direction="down", amount=0.5, point=(0.5, 0.9)))  # on the keyboard
    assert scrolled(device) == 180


@pytest.mark.parametrize("size", [(360, 640), (1080, 2400)])
def test_swipe_from_the_top_edge_opens_the_shade_and_up_closes_it(size):
    device = toy_device(size)
    device.perform(Action("drag", point=(0.5, 0.0), end=(0.5, 0.4)))
    assert (device.state().ui.shade, scrolled(device)) == (True, 0)
    device.perform(Action("swipe", direction="up", point=(0.5, 0.6)))
    assert device.state().ui.shade is False


def test_swipe_up_from_the_bottom_edge_goes_home():
    device = toy_device()
    tap(device, "Form")
    device.perform(Action("swipe", direction="up", point=(0.5, 0.99)))
    assert device.state().ui.front == HOME


@pytest.mark.parametrize(("start", "end"), [((0.01, 0.5), (0.5, 0.5)), ((0.99, 0.5), (0.5, 0.45))])
def test_swipe_from_the_side_goes_back(start, end):
    device = toy_device()
    tap(device, "Form")
    device.perform(Action("drag", point=start, end=end))
    assert page(device).name == "main"


def test_home_and_drawer_follow_the_finger():
    device = toy_device(app=None)
    device.perform(Action("swipe", direction="up"))
    assert device.state().ui.front == DRAWER
    device.perform(Action("swipe", direction="down"))
    assert device.state().ui.front == HOME
    device.perform(Action("scroll", direction="down"))
    assert device.state().ui.front == DRAWER
    device.perform(Action("back"))
    device.perform(Action("swipe", direction="down", point=(0.5, 0.3)))
    assert device.state().ui.shade is True


def test_notifications_scroll_and_are_swiped_away():
    device = toy_device()
    many = tuple(Notification("toy", f"N{i}") for i in range(8))
    device.load(device.state().set(notifications=many))
    tap(device, "9:41")
    before = texts(device)
    device.perform(Action("scroll", direction="down", amount=5))
    assert device.state().ui.shade_scroll == device.layout.scene(device.state()).pane.most > 0
    assert texts(device) != before
    device.perform(Action("scroll", direction="up", amount=5))
    tree = device.elements()
    first = next(e for e in tree if "N0" in e.text)
    device.perform(Action("swipe", direction="right", point=tree.click_point(first), amount=0.6))
    assert [n.title for n in device.state().notifications] == [f"N{i}" for i in range(1, 8)]


def test_recents_cards_are_swiped_away():
    device = toy_device()
    device.perform(Action("recents"))
    tree = device.elements()
    point = tree.click_point(tree.find("Toy Box", "card"))
    device.perform(Action("swipe", direction="left", point=point, amount=0.6))
    assert device.state().ui.recents == ()
    assert "No recent apps" in texts(device)


@pytest.mark.parametrize("opener", ["Add", "More"])
def test_modal_layers_hold_fingers(opener):
    device = toy_device()
    tap(device, opener)
    before = device.state()
    for action in (Action("scroll", direction="down"), Action("swipe", direction="up", point=(0.5, 0.6))):
        device.perform(action)
    after = device.state()
    assert after == before.set(clock=after.clock)


def test_double_click_is_two_taps():
    device = toy_device()
    tree = device.elements()
    point = tree.click_point(tree.find("Row 2", "row"))
    device.perform(Action("double_click", point=point))
    assert toy(device).tapped == (2, 2)


def test_long_press_is_no_tap():
    device = toy_device()
    before = device.state()
    tree = device.elements()
    outcome = device.perform(Action("long_press", point=tree.click_point(tree.find("Row 2", "row"))))
    assert (outcome.invalid, device.state()) == (None, before.set(clock=before.clock + 2))


@pytest.mark.parametrize("kind", ["click", "long_press", "double_click"])
@pytest.mark.parametrize("point", [(-1e300, 0.5), (1e300, 1e300), (1.0, 1.0)])
def test_points_outside_are_clamped(kind, point):
    assert toy_device().perform(Action(kind, point=point)).invalid is None


def test_page_that_got_shorter_is_scrolled_back():
    device = toy_device()
    tap(device, "Form")
    tap(device, "Title", "field")
    device.perform(Action("scroll", direction="down", amount=9))
    low = scrolled(device)
    device.perform(Action("back"))
    assert 0 < scrolled(device) == device.layout.scene(device.state()).pane.most < low
