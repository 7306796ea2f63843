"""The fake device keeps the contract of devices."""

from __future__ import annotations

import numpy as np
import pytest

from gui_gym import Action, DeviceFault
from gui_gym.devices.fake import BUTTON, FIELD, SWITCH, FakeDevice, FaultPlan, Panel, Widget

PANEL = Panel((Widget(SWITCH, "Fan", "off"), Widget(BUTTON, "Bell", "0"), Widget(FIELD, "Name", "")))
FAN, BELL, NAME = (Action("click", point=(0.5, (line + 0.5) / 3)) for line in range(3))


@pytest.fixture
def device():
    device = FakeDevice((60, 90))
    device.reset(PANEL)
    return device


def values(device):
    return [widget.value for widget in device.state().widgets]


def test_taps(device):
    assert device.perform(FAN).events == (("click", "Fan"),)
    device.perform(BELL)
    device.perform(BELL)
    assert values(device) == ["on", "2", ""]
    device.perform(FAN)
    assert values(device) == ["off", "2", ""] and device.state().focus == -1


def test_typing(device):
    assert device.perform(Action("type", text="x")).invalid == "no field has the focus"
    device.perform(NAME)
    device.perform(Action("type", text="Hü中"))
    device.perform(Action("key", keys=("backspace",)))
    assert values(device)[2] == "Hü" and device.state().focus == 2
    device.perform(Action("key", keys=("enter",)))
    assert device.state().focus == -1
    device.perform(NAME)
    device.perform(Action("back"))
    assert device.state().focus == -1


def test_other_types_do_nothing(device):
    outcome = device.perform(Action("scroll", direction="down"))
    assert outcome.invalid == "type 'scroll' is not taken by this device" and device.state() is PANEL


def test_elements_are_what_is_hit(device):
    tree = device.elements()
    assert [(e.role, e.text, e.value) for e in tree] == [
        ("switch", "Fan", "off"),
        ("button", "Bell", "0"),
        ("field", "Name", ""),
    ]
    assert [point for _, point in tree.clickable()] == [FAN.point, BELL.point, NAME.point]
    device.perform(FAN)
    device.perform(NAME)
    assert [sorted(e.flags) for e in device.elements()] == [
        ["checkable", "checked", "clickable"],
        ["clickable"],
        ["clickable", "editable", "focused"],
    ]


def test_equal_screens_have_equal_keys_and_pixels(device):
    seen = {}
    for action in (FAN, FAN, NAME, Action("type", text="a"), Action("type", text="b"), BELL, Action("back"), FAN, NAME):
        device.perform(action)
        pixels = device.screenshot().tobytes()
        assert seen.setdefault(device.screen_key(), pixels) == pixels
    assert len(set(seen.values())) == len(seen) == 8  # the second tap on the fan gave the first screen back


def test_texts_beyond_the_font_are_told_apart(device):
    screens = set()
    for text in ("中", "文", "😀", "é", "A"):
        device.reset(Panel((Widget(FIELD, "Name", text),)))
        screens.add(device.screenshot().tobytes())
    assert len(screens) == 5


def test_screenshot_into_a_given_array(device):
    out = np.zeros((90, 60, 3), np.uint8)
    assert device.screenshot(out) is out and np.array_equal(out, device.screenshot())
    assert device.screenshot() is not device.screenshot()


def test_save_and_load(device):
    device.perform(FAN)
    moment, key = device.save(), device.state_key()
    device.perform(BELL)
    assert device.state_key() != key
    device.load(moment)
    assert device.state_key() == key and values(device) == ["on", "0", ""]


def test_latency_counts_actions():
    device = FakeDevice(latency=2)
    device.reset(PANEL)
    assert device.perform(FAN).stable is False and values(device)[0] == "off"
    assert device.perform(Action("wait")).stable is False and values(device)[0] == "off"
    assert device.perform(Action("wait")).stable is True and values(device)[0] == "on"


def test_planned_faults_are_counted_over_devices():
    plan = FaultPlan({"perform": [2]})
    for device in (FakeDevice(faults=plan), FakeDevice(faults=plan)):
        device.reset(PANEL)
    device.perform(FAN)
    with pytest.raises(DeviceFault, match="perform: planned failure of call 2") as error:
        FakeDevice(faults=plan).perform(FAN)
    assert error.value.kind == "perform"
    device.perform(FAN)
    assert plan.count == {"reset": 2, "perform": 3}
