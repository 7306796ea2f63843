"""Keys of states and screens: exact, and equal in every process."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
from toy_phone import tap, toy_device

from gui_gym.actions import Action
from gui_gym.devices.phone import PhoneDevice, new_phone
from gui_gym.devices.phone.screen_keys import screen_digest

PLAY = """
from gui_gym.actions import Action
from gui_gym.devices.phone import PhoneDevice, new_phone
device = PhoneDevice((216, 384))
device.reset(new_phone(11))
for action in (Action("open_app", text="notes"), Action("scroll", direction="down"), Action("click", point=(0.5, 0.5)),
               Action("back"), Action("recents"), Action("open_app", text="clock"), Action("home")):
    device.perform(action)
    print(device.state_key().hex(), device.screen_key().hex())
"""


def test_keys_are_equal_under_other_hash_seeds():
    outputs = []
    for seed in ("1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", PLAY], env=environment, capture_output=True, text=True, check=True)
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    lines = outputs[0].split("\n")[:-1]
    assert len(lines) == 7
    assert all(len(key) == 32 for line in lines for key in line.split())


def test_state_key_leaves_out_clock_and_toast():
    device = toy_device()
    key = device.state_key()
    assert len(key) == 16
    device.perform(Action("wait", duration=500))
    assert device.state_key() == key
    tap(device, "Row 4", "row")
    toasted = device.state_key()
    assert toasted != key
    device.perform(Action("wait"))
    assert device.state_key() == toasted
    assert device.state().ui.toast is None


def test_state_key_tells_scrolls_and_pages_and_days_apart():
    device = toy_device()
    keys = {device.state_key()}
    for action in (Action("scroll", direction="down"), Action("home"), Action("recents")):
        device.perform(action)
        keys.add(device.state_key())
    state = device.state()
    device.load(state.set(day=state.day + 1))
    keys.add(device.state_key())
    assert len(keys) == 5


def test_going_there_and_back_is_the_same_situation():
    device = toy_device()
    key = device.state_key()
    tap(device, "Form")
    tap(device, "Title", "field")
    tap(device, "Symbols", "key")
    device.perform(Action("back"))
    device.perform(Action("back"))
    tap(device, "9:41", "status_bar")
    device.perform(Action("back"))
    assert device.state_key() == key


def test_screen_key_is_the_pixels_not_what_taps_mean():
    device = toy_device(app="plain")
    key, screen = device.screen_key(), device.screenshot()
    state = device.state()
    marks = state.data.set("toy", state.data["toy"].set(sent=("x",)))
    device.load(state.set(data=marks))  # another state behind the same screen
    assert device.screen_key() == key
    assert np.array_equal(device.screenshot(), screen)
    assert device.state_key() != state.situation()


def test_screens_that_differ_in_one_pixel_have_other_keys():
    device = toy_device(app="plain")
    size, screen = device.size, device.layout.scene(device.state()).screen
    frame = device.screenshot()
    key = screen_digest(size, screen._replace(overlay=()), lambda: frame)
    frame[639, 359, 2] ^= 1
    other = screen_digest(size, screen._replace(scrim=True), lambda: frame)
    assert key == device.screen_key() != other


def test_known_screens_are_not_drawn_again():
    device = PhoneDevice((216, 384))
    device.reset(new_phone(1))
    key = device.screen_key()
    twin = PhoneDevice((216, 384))
    twin.reset(new_phone(1))
    twin._draw = None  # would raise if it were called
    assert twin.screen_key() == key
