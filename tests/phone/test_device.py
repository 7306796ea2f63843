"""The phone as a device: contract, snapshots, drawing, invalid actions."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from toy_phone import APPS, Toy, tap, toy, toy_device

from gui_gym.actions import Action, ActionType
from gui_gym.devices.phone import PhoneDevice, new_phone
from gui_gym.devices.phone.app import APPS as REGISTERED


def test_device_is_mobile_and_deterministic():
    assert PhoneDevice.platform == "mobile"
    assert PhoneDevice.nondeterministic is False
    assert {t.value for t in PhoneDevice.action_types} == {
        *("click", "double_click", "long_press", "swipe", "scroll", "drag", "type", "key"),
        *("back", "home", "recents", "open_app", "wait"),
    }


def test_screenshot_is_a_fresh_array():
    device = toy_device()
    first = device.screenshot()
    kept = first.copy()
    assert (first.shape, first.dtype) == ((640, 360, 3), np.uint8)
    first[:] = 0
    assert np.array_equal(device.screenshot(), kept)


def test_screenshot_fills_out():
    device = toy_device()
    out = np.zeros((640, 360, 3), np.uint8)
    assert device.screenshot(out) is out
    assert np.array_equal(out, device.screenshot())


@pytest.mark.parametrize("out", [np.zeros((360, 640, 3), np.uint8), np.zeros((640, 360, 3), np.float32), [1]])
def test_wrong_out_is_refused(out):
    device = toy_device()
    for method in (device.screenshot, device.attach):
        with pytest.raises(ValueError, match=r"out must be a writeable uint8 array of shape \(640, 360, 3\)"):
            method(out)


def test_attached_array_is_drawn_into():
    device, other = toy_device(), toy_device()
    batch = np.zeros((2, 640, 360, 3), np.uint8)
    row = batch[1]
    device.attach(row)
    for action in (Action("wait"), Action("scroll", direction="down"), Action("home")):
        device.perform(action)
        other.perform(action)
        assert device.screenshot(row) is row
        assert np.array_equal(batch[1], other.screenshot())
    assert not batch[0].any()
    device.attach(None)
    device.perform(Action("recents"))
    device.screenshot()
    assert np.array_equal(batch[1], other.screenshot())


def test_save_and_load_return_to_the_same_pixels_and_keys():
    device = toy_device()
    saved, screen, keys = device.save(), device.screenshot(), (device.state_key(), device.screen_key())
    tap(device, "Row 4", "row")
    device.perform(Action("scroll", direction="down"))
    assert device.state_key() != keys[0]
    assert device.screen_key() != keys[1]
    device.load(saved)
    assert (device.state_key(), device.screen_key()) == keys
    assert np.array_equal(device.screenshot(), screen)
    assert toy(device).tapped == ()


def test_same_actions_give_the_same_pixels_on_another_device():
    devices = [toy_device(), toy_device()]
    for action in (
        Action("click", point=(0.3, 0.4)),
        Action("recents"),
        Action("back"),
        Action("scroll", direction="up"),
    ):
        outcomes = [device.perform(action) for device in devices]
        assert outcomes[0] == outcomes[1]
    assert np.array_equal(devices[0].screenshot(), devices[1].screenshot())


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda d: pickle.loads(pickle.dumps(d))])
def test_device_can_be_copied_and_pickled(clone):
    device = toy_device()
    tap(device, "Row 4", "row")
    device.screenshot()
    twin = clone(device)
    assert twin.state() == device.state()
    assert twin.state_key() == device.state_key()
    assert np.array_equal(twin.screenshot(), device.screenshot())
    assert clone(PhoneDevice((270, 480))).size == (270, 480)


def test_reset_takes_phones_only():
    device = PhoneDevice()
    with pytest.raises(RuntimeError, match=r"call reset\(new_phone\(seed\)\) first"):
        device.state()
    with pytest.raises(TypeError, match="setup must be a Phone"):
        device.reset({"data": 1})
    phone = toy_device().state()
    with pytest.raises(ValueError, match=r"setup\.ui\.front must be an app of the device"):
        device.reset(phone)


def test_types_of_other_platforms_are_invalid():
    device = toy_device()
    before = device.state()
    for action in (Action("right_click", point=(0.5, 0.5)), Action("open_url", text="x"), Action("answer", text="x")):
        assert device.perform(action).invalid.startswith(f"the phone takes no {action.type.value}; it takes click, ")
    assert device.state() == before.set(clock=before.clock + 6)
    assert ActionType.ANSWER not in device.action_types


@pytest.mark.parametrize(
    ("text", "front"), [("Toy Box", "toy"), ("toy box ", "toy"), ("TOY", "toy"), ("plain", "plain")]
)
def test_open_app_knows_label_and_name(text, front):
    device = toy_device(app=None)
    assert device.perform(Action("open_app", text=text)).invalid is None
    assert device.state().ui.front == front


def test_open_app_suggests_a_name():
    device = toy_device()
    before = device.state()
    outcome = device.perform(Action("open_app", text="Setings"))
    assert outcome.invalid == (
        "there is no app 'Setings'; there are Settings, Toy Box, Plain; did you mean 'Settings'?"
    )
    assert device.state() == before.set(clock=before.clock + 2)


def test_apps_may_be_names_classes_and_objects():
    device = PhoneDevice(apps=["notes", Toy, APPS[2]()])
    assert list(device.apps) == ["notes", "toy", "plain"]
    assert "toy" not in REGISTERED
    with pytest.raises(ValueError, match=r"apps must name registered apps .* not 'note'; did you mean 'notes'\?"):
        PhoneDevice(apps=["note"])
    with pytest.raises(ValueError, match="apps must be a list of names, not the string 'notes'"):
        PhoneDevice(apps="notes")
    with pytest.raises(ValueError, match="apps must hold names or apps, not 3"):
        new_phone(0, apps=[3])


def test_new_phone_draws_each_app_from_its_own_stream():
    few, many = new_phone(5, apps=["notes", "files"]), new_phone(5)
    assert few.data["notes"] == many.data["notes"]
    assert (few.clock, few.day) == (many.clock, many.day)
    assert new_phone(6).data["notes"] != many.data["notes"]
    assert list(many.data) == sorted(REGISTERED)
    assert new_phone(5, dark=True).data["settings"].switches["dark"] is True
    assert new_phone(5, dark=False).data["settings"].switches["dark"] is False


def test_close_lets_the_frame_go():
    device = toy_device()
    want = device.screenshot()
    device.close()
    device.close()
    assert np.array_equal(device.screenshot(), want)


def test_gallery_writes_pages_and_sheets(tmp_path, capsys):
    from gui_gym.devices.phone.gallery import main

    main([str(tmp_path), "--size", "216x384", "--most", "12"])
    pages = sorted(path.name for path in (tmp_path / "pages").iterdir())
    assert pages[0] == "000_home.png"
    assert len(pages) >= 8
    assert (tmp_path / "sheet_00.png").exists()
    assert capsys.readouterr().out == f"{len(pages)} pages in {tmp_path}\n"
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--size", "10x10"])
