"""The expert kit: from any state of the phone to any data that an app can hold."""

from __future__ import annotations

import random

import pytest

from gui_gym.actions import Action
from gui_gym.devices.phone.device import PhoneDevice
from gui_gym.devices.phone.factory import new_phone
from gui_gym.suites.phone.experts import FIXERS, Hands, Stop, fix
from gui_gym.suites.phone.facts import same
from gui_gym.suites.phone.fix_settings import page_stop
from gui_gym.task import Unreachable
from gui_gym.verify import random_action

SIZE = (216, 384)


def device_at(seed: int = 0) -> PhoneDevice:
    device = PhoneDevice(size=SIZE)
    device.reset(new_phone(seed, dark=False))
    return device


def hands_of(device: PhoneDevice) -> Hands:
    return Hands(device.state(), device.elements())


def bring(device: PhoneDevice, app: str, want: object, limit: int = 600) -> int:
    for step in range(limit):
        have = device.state().data[app]
        if same(have, want):
            return step
        outcome = device.perform(fix(hands_of(device), app, have, want))
        assert outcome.invalid is None
    raise AssertionError(f"{app} not done after {limit} steps")


@pytest.mark.parametrize("app", ["settings", "clock", "contacts"])
@pytest.mark.parametrize("seed", range(3))
def test_any_data_can_be_turned_into_any_other(app, seed):
    device = device_at(seed)
    want = new_phone(seed + 100).data[app]
    if app == "settings":
        want = want.set(facts=device.state().data[app].facts)
    assert bring(device, app, want) > 20
    assert all(device.state().data[a] == new_phone(seed, dark=False).data[a] for a in ("notes", "messages", "files"))


@pytest.mark.parametrize("seed", range(8))
def test_any_page_is_reached_from_wherever_random_actions_lead(seed):
    rng = random.Random(seed)
    device = device_at(seed)
    for _ in range(40):
        device.perform(random_action(rng, device.elements()))
    stops = (*page_stop("sound"), Stop("choice", "ringtone", "Ringtone", "row"))
    for _ in range(20):
        action = hands_of(device).at("settings", *stops)
        if action is None:
            break
        device.perform(action)
    assert hands_of(device).on("settings", "choice", "ringtone")


def drive(device: PhoneDevice, make, limit: int = 12) -> list[Action]:
    """Act until `make(hands)` gives None."""
    actions = []
    for _ in range(limit):
        action = make(hands_of(device))
        if action is None:
            return actions
        actions.append(action)
        device.perform(action)
    raise AssertionError(f"not done after {actions}")


def test_a_field_with_other_text_is_cleared_and_one_that_begins_right_is_completed():
    device = device_at()
    drive(device, lambda h: h.at("contacts", Stop("edit", None, "New contact", "button")))
    kinds = [a.type.value for a in drive(device, lambda h: h.fill("name", "Name", "Ada"))]
    assert kinds == ["click", "type"]
    actions = drive(device, lambda h: h.fill("name", "Name", "Ada Lee"))
    assert actions == [Action("type", text=" Lee")]
    kinds = [a.type.value for a in drive(device, lambda h: h.fill("name", "Name", "Bo"))]
    assert kinds == ["click", "type"]
    assert hands_of(device).page.form["name"] == "Bo"


def test_seeking_scrolls_down_then_up_again():
    device = device_at()
    drive(device, lambda h: h.at("settings"))
    assert hands_of(device).tap("About phone", "row").direction == "down"
    drive(device, lambda h: None if h.find("About phone", "row") else h.tap("About phone", "row"))
    assert hands_of(device).tap("Wi-Fi", "switch").direction == "up"


def test_what_is_not_there_is_unreachable():
    device = device_at()
    drive(device, lambda h: h.at("settings"))
    with pytest.raises(Unreachable, match="'Nonsense'"):
        hands_of(device).tap("Nonsense")
    with pytest.raises(Unreachable, match="no app 'radio'"):
        hands_of(device).open("radio")
    with pytest.raises(Unreachable, match="data of 'radio'"):
        fix(hands_of(device), "radio", 1, 2)


def test_open_closes_a_dialog_and_the_shade_first():
    device = device_at()
    drive(device, lambda h: h.at("settings", *page_stop("system")))
    drive(device, lambda h: None if h.phone.ui.dialog else h.tap("Reset settings", "row"))
    assert hands_of(device).confirm("Delete contact?", "Delete") is None
    assert hands_of(device).confirm("Reset settings?", "Reset").type == "click"
    assert drive(device, lambda h: h.open("settings")) == [Action("back")]
    assert drive(device, lambda h: h.shade())[0].type == "click"
    assert device.state().ui.shade
    assert drive(device, lambda h: h.open("settings")) == [Action("back")]


def test_every_app_has_a_fixer():
    assert set(FIXERS) == {"settings", "clock", "contacts", "notes", "messages", "files"}
