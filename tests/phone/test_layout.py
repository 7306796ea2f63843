"""Placing cells: sizes, the partition of the screen, elements, hit test, what is out of sight."""

from __future__ import annotations

import pytest
from toy_phone import APPS, page, tap, texts, toy_device

from gui_gym.actions import Action
from gui_gym.devices.phone.compositor import check_partition
from gui_gym.devices.phone.factory import installed, new_phone
from gui_gym.devices.phone.layout import Layout, locate
from gui_gym.devices.phone.scene import check_size
from gui_gym.devices.phone.state import Notification
from gui_gym.geometry import to_pixel

SIZES = [
    (216, 384),
    (270, 480),
    (360, 640),
    (320, 693),
    (411, 891),
    (719, 1279),
    (1080, 2400),
    (1440, 3200),
    (401, 997),
]


def situations(size):
    """A device on every sort of screen there is."""
    device = toy_device(size, app=None)
    state = device.state()
    device.load(state.set(notifications=tuple(Notification("toy", f"Title {i}", "Body") for i in range(9))))
    yield device  # home
    for action in (Action("swipe", direction="up"), Action("recents"), Action("open_app", text="toy")):
        device.perform(action)
        yield device
    device.perform(Action("recents"))
    yield device
    device.perform(Action("open_app", text="toy"))
    for amount in (0.37, 0.5, 9):
        device.perform(Action("scroll", direction="down", amount=amount))
        yield device
    for opener in ("Add", "More", device.elements()[0].text):
        tap(device, opener)
        yield device
        device.perform(Action("scroll", direction="down", amount=0.3))
        yield device
        device.perform(Action("back"))
    tap(device, "Form")
    device.perform(Action("scroll", direction="down", amount=0.2))
    yield device
    device.perform(Action("scroll", direction="up", amount=1))
    tap(device, "Title", "field")
    for layer in ("Shift", "Symbols", "Letters"):
        yield device
        tap(device, layer, "key")
    device.perform(Action("home"))
    device.perform(Action("open_app", text="toy"))
    device.perform(Action("back"))
    tap(device, "Two", "tab")
    yield device
    tap(device, "Say", "field")
    yield device


@pytest.mark.parametrize("size", SIZES)
def test_base_is_a_partition_at_every_size(size):
    for device in situations(size):
        check_partition(device.layout.scene(device.state()).screen, size)


@pytest.mark.parametrize("size", SIZES)
def test_elements_and_hit_test_agree(size):
    for device in situations(size):
        tree, phone = device.elements(), device.state()
        assert len(tree.clickable()) >= 1
        for element in tree:
            assert 0 <= element.box.x0 < element.box.x1 <= size[0]
            assert 0 <= element.box.y0 < element.box.y1 <= size[1]
            assert element.parent < tree.index(element)
        for element, point in tree.clickable():
            assert tree.hit(point) is element
            part = device.layout.hit(phone, to_pixel(point[0], size[0]), to_pixel(point[1], size[1]))
            assert (part.role, part.text) == (element.role, element.text)


@pytest.mark.parametrize("size", [(360, 640), (216, 384), (1440, 2560)])
def test_same_aspect_shows_the_same(size):
    want = [(texts(device), device.layout.scene(device.state()).pane.scroll) for device in situations((270, 480))]
    got = [(texts(device), device.layout.scene(device.state()).pane.scroll) for device in situations(size)]
    for (words, scroll), (same, near) in zip(want, got, strict=True):
        assert abs(scroll - near) <= 1
        assert set(words) == set(same)


@pytest.mark.parametrize(
    ("size", "why"),
    [
        ((640, 360), "640x360 is landscape, which the phone does not have"),
        ((200, 400), "not 200x400"),
        ((1441, 3200), "not 1441x3200"),
        ((1080, 3300), "not 1080x3300"),
        ((400, 400), "400x400 is 1.00 times"),
        ((360, 3000), "360x3000 is 8.33 times"),
        ((360.5, 640), r"in whole pixels, not \(360.5, 640\)"),
        ("big", "not 'big'"),
        (360, "not 360"),
        ((360, 640, 3), r"not \(360, 640, 3\)"),
    ],
)
def test_impossible_sizes_are_named(size, why):
    with pytest.raises(ValueError, match=f"^size must be.*{why}"):
        check_size(size)


def test_list_is_an_element_with_its_scroll():
    device = toy_device()
    listed = device.elements().find(role="list")
    assert (listed.value, listed.flags) == ("0.00", frozenset(["scrollable"]))
    assert listed.box == (0, 128, 360, 616)  # status 24, toolbar 56, tabs 48; navigation bar 24
    tree = device.elements()
    assert tree[tree.find("Row 0", "row").parent].role == "list"
    assert tree[tree.find("Mark 0").parent].text == "Row 0"
    pane = device.layout.scene(device.state()).pane
    assert pane.most == 8 + 30 * 48 + 88 - 488
    device.perform(Action("scroll", direction="down", amount=pane.most / 2 / 488))
    assert device.elements().find(role="list").value == "0.50"
    device.perform(Action("scroll", direction="down", amount=9))
    assert device.elements().find(role="list").value == "1.00"


def test_slivers_are_neither_seen_nor_touched():
    device = toy_device()
    for scroll, seen in ((48, True), (49, False), (8, True), (56 - 8, True), (56 - 7, False)):
        phone = device.state()
        stack = phone.ui.stacks.set("toy", (page(device).set(scroll=scroll),))
        device.load(phone.set(ui=phone.ui.set(stacks=stack)))
        assert ("Row 0" in texts(device)) is seen, scroll
        part = device.layout.hit(device.state(), 100, 129)
        assert (part is not None and part.text == "Row 0") is seen, scroll


def test_modal_layers_hide_what_is_below():
    device = toy_device()
    tap(device, "Add")
    tree = device.elements()
    assert [e.role for e in tree] == ["scrim", "dialog", "text", "text", "button", "button"]
    assert tree[0].box == (0, 0, 360, 640)
    assert tree.hit((0.5, 0.5)) is None  # the dialog itself
    assert tree.hit((0.5, 0.05)) is tree[0]


def test_floating_button_hides_only_what_it_covers():
    device = toy_device()
    tree = device.elements()
    fab = tree.find("Add")
    assert fab.box == (288, 544, 344, 600)
    below = [e for e in tree if e.role == "row" and e.box.y0 < 600 and e.box.y1 > 544]
    assert below
    for element in below:
        x, _ = tree.click_point(element)
        assert x * 360 < 288


def test_locate_says_how_far_the_view_must_move():
    device = toy_device()
    find = device.layout.locate
    assert find(device.state(), "Row 0", "row") == 0
    assert find(device.state(), "Row 20", "row") == 8 + 21 * 48 - 488
    assert find(device.state(), "Row 31", "row") is None
    assert find(device.state(), "Row 20", "button") is None
    device.perform(Action("scroll", direction="down", amount=find(device.state(), "Row 20", "row") / 488))
    assert find(device.state(), "Row 20", "row") == 0
    assert find(device.state(), "Row 0", "row") == -(8 + 21 * 48 - 488) + 8
    assert find(device.state(), "Toy") == 0


def test_locate_by_name():
    phone = new_phone(3)
    phone = phone.set(ui=phone.ui.set(front="settings"))
    assert locate(phone, "Wi-Fi") == "visible"
    assert locate(phone, role="row", text="About phone · Name, model, storage") == "below"
    assert locate(phone, "Quantum drive") is None
    stack = phone.ui.stacks.set("settings", (page_of("main", 5000),))
    phone = phone.set(ui=phone.ui.set(stacks=stack))
    assert locate(phone, "Wi-Fi") == "above"
    assert locate(phone, "Wi-Fi", size=(1080, 2400)) == "visible"  # the longer screen scrolls by 44 dp only


def page_of(name, scroll):
    from gui_gym.devices.phone.state import Page

    return Page(name, scroll=scroll)


def test_time_alone_does_not_lay_out_anew():
    device = toy_device()
    first = device.layout.scene(device.state())
    device.perform(Action("wait", duration=5))
    assert device.layout.scene(device.state()) is first
    device.perform(Action("wait", duration=60))
    assert device.layout.scene(device.state()) is not first


def test_layout_is_the_same_for_equal_phones():
    layouts = [Layout((360, 640), installed(APPS)) for _ in range(2)]
    phones = [toy_device().state() for _ in range(2)]
    assert layouts[0].scene(phones[0]) == layouts[1].scene(phones[1])
