"""What taps, back, home, the shade, recents, dialogs, menus and the clock do."""

from __future__ import annotations

import pytest
from toy_phone import APPS, page, tap, texts, toy, toy_device

from gui_gym.actions import Action
from gui_gym.devices.phone.factory import installed
from gui_gym.devices.phone.state import DRAWER, HOME, RECENTS, Page
from gui_gym.devices.phone.system import System

BACK, HOME_KEY, RECENT_KEY = Action("back"), Action("home"), Action("recents")


def test_icons_open_apps_and_home_leaves_them():
    device = toy_device(app=None)
    assert device.state().ui.front == HOME
    tap(device, "Toy Box", "icon")
    assert device.state().ui.front == "toy"
    tap(device, "Home")
    assert device.state().ui.front == HOME
    assert device.state().ui.recents == ("toy",)


def test_app_keeps_its_pages_until_it_is_closed_in_recents():
    device = toy_device()
    tap(device, "Form")
    assert page(device).name == "form"
    device.perform(HOME_KEY)
    tap(device, "Toy Box")
    assert page(device).name == "form"
    device.perform(RECENT_KEY)
    tap(device, "Close Toy Box")
    assert device.state().ui.recents == ()
    device.perform(Action("open_app", text="Toy Box"))
    assert page(device) == Page()


def test_recents_switch_between_apps_newest_first():
    device = toy_device()
    device.perform(Action("open_app", text="plain"))
    device.perform(RECENT_KEY)
    assert device.state().ui.front == RECENTS
    assert [e.text for e in device.elements() if e.role == "card"] == ["Plain", "Toy Box"]
    tap(device, "Toy Box", "card")
    assert device.state().ui.front == "toy"
    assert device.state().ui.recents == ("toy", "plain")
    device.perform(RECENT_KEY)
    tap(device, "Close all")
    assert (device.state().ui.front, device.state().ui.recents) == (HOME, ())


def test_back_closes_the_topmost_thing_first():
    device = toy_device()
    tap(device, "Form")
    tap(device, "Title", "field")
    tap(device, device.elements()[0].text, "status_bar")
    ui = device.state().ui
    assert (ui.shade, ui.focus) == (True, "title")
    device.perform(BACK)
    assert (device.state().ui.shade, device.state().ui.focus) == (False, "title")
    device.perform(BACK)
    assert (device.state().ui.focus, page(device).name) == (None, "form")
    device.perform(BACK)
    assert page(device).name == "main"
    device.perform(BACK)
    assert device.state().ui.front == HOME
    device.perform(BACK)
    assert device.state().ui.front == HOME


def test_arrow_in_the_toolbar_leaves_the_page_also_with_the_keyboard_up():
    device = toy_device()
    tap(device, "Form")
    tap(device, "Title", "field")
    tap(device, "Back", "button")
    assert (device.state().ui.focus, page(device).name) == (None, "main")
    tap(device, "9:41", "status_bar")
    device.perform(BACK)
    device.perform(RECENT_KEY)
    tap(device, "Back", "button")
    assert device.state().ui.front == HOME


def test_dialog_buttons_close_it_and_send_their_event():
    device = toy_device()
    tap(device, "Add")
    assert device.state().ui.dialog.title == "Sure?"
    assert [e.text for e in device.elements() if e.role == "button"] == ["No", "Yes"]
    tap(device, "No")
    assert (device.state().ui.dialog, toy(device).tapped) == (None, ())
    tap(device, "Add")
    outcome = tap(device, "Yes")
    assert (device.state().ui.dialog, toy(device).tapped) == (None, (100,))
    assert outcome.events == (("toy", "tap", 100),)


@pytest.mark.parametrize("opener", ["Add", "More"])
def test_touch_outside_dismisses_and_reaches_nothing_below(opener):
    device = toy_device()
    tap(device, opener)
    before = toy(device)
    device.perform(Action("click", point=(0.3, 0.93)))
    ui = device.state().ui
    assert (ui.dialog, ui.menu, toy(device)) == (None, None, before)


def test_menu_items_send_their_event():
    device = toy_device()
    tap(device, "More")
    assert [e.text for e in device.elements() if e.role == "menu_item"] == ["Tap row 7", "Seconds", "Alarm"]
    tap(device, "Tap row 7")
    assert (device.state().ui.menu, toy(device).tapped) == (None, (7,))


def test_toast_is_gone_with_the_next_action():
    device = toy_device()
    tap(device, "Row 3", "row")
    assert device.state().ui.toast == "Tapped 3"
    assert "Tapped 3" in texts(device)
    device.perform(Action("type", text="nothing has the focus"))
    assert device.state().ui.toast is None


def test_quick_settings_toggle_switches_and_the_theme():
    device = toy_device(app="plain")
    tap(device, "9:41", "status_bar")
    switch = device.elements().find("Dark theme", "switch")
    assert switch.value == "off"
    tap(device, "Dark theme", "switch")
    assert device.state().data["settings"].switches["dark"] is True
    assert {placed.theme for placed in device.layout.scene(device.state()).screen.base} == {"dark"}
    assert device.elements().find("Dark theme", "switch").value == "on"
    tap(device, "Close")
    assert device.state().ui.shade is False


def test_status_icons_follow_the_switches():
    device = toy_device(app="plain")
    assert device.elements()[0].value == "battery_full signal_cellular_alt wifi"
    tap(device, "9:41", "status_bar")
    tap(device, "Airplane mode")
    tap(device, "Wi-Fi")
    device.perform(BACK)
    assert device.elements()[0].value == "battery_full airplanemode_active"


def test_clock_moves_two_seconds_an_action_and_as_long_as_a_wait():
    device = toy_device(app=None)
    start = device.state().clock
    device.perform(Action("click", point=(0.5, 0.5)))
    device.perform(Action("type", text="invalid"))
    assert device.state().clock == start + 4
    device.perform(Action("wait", duration=30))
    device.perform(Action("wait", duration=0.2))
    assert device.state().clock == start + 35
    assert device.elements()[0].text == "9:41"
    device.perform(Action("wait", duration=25))
    assert device.elements()[0].text == "9:42"


def test_midnight_begins_a_new_day():
    device = toy_device(app=None, clock=24 * 3600 - 5, day=287)
    device.perform(Action("wait", duration=10))
    state = device.state()
    assert (state.day, state.clock) == (288, 5)
    assert {"0:00", "Tue, 15 Oct"} <= set(texts(device))


def test_apps_hear_the_clock_also_in_the_background():
    device = toy_device()
    tap(device, "More")
    tap(device, "Alarm")
    device.perform(HOME_KEY)
    outcomes = [device.perform(Action("wait", duration=3)) for _ in range(3)]
    assert [o.events for o in outcomes] == [(), (("toy", "rang"),), ()]  # 2 + 2 + 3 + 3 seconds after it was set
    assert device.state().ui.dialog.title == "Ring"
    tap(device, "Stop")  # the event goes to the app that asked, which stays in the background
    assert (toy(device).tapped, device.state().ui.front) == ((55,), HOME)


def test_notification_opens_its_app_with_its_event_and_is_gone():
    device = toy_device()
    tap(device, "More")
    tap(device, "Alarm")
    device.perform(Action("wait", duration=10))
    tap(device, "Stop")
    device.perform(HOME_KEY)
    assert "notifications" in device.elements()[0].value
    tap(device, device.elements()[0].text, "status_bar")
    notice = next(e for e in device.elements() if "Ten seconds" in e.text + e.value)
    device.perform(Action("click", point=device.elements().click_point(notice)))
    state = device.state()
    assert (state.ui.front, state.ui.shade, state.notifications) == ("toy", False, ())
    assert toy(device).tapped[-1] == 9


def test_drawer_holds_all_apps():
    device = toy_device(app=None)
    tap(device, "Apps", "icon")
    assert device.state().ui.front == DRAWER
    assert [e.text for e in device.elements() if e.role == "icon"] == ["Settings", "Toy Box", "Plain"]
    tap(device, "Plain")
    assert device.state().ui.front == "plain"


def test_page_that_shows_seconds_changes_with_every_action():
    device = toy_device(clock=9 * 3600)
    tap(device, "More")
    tap(device, "Seconds")
    assert "6 s" in texts(device)
    device.perform(Action("wait", duration=1))
    assert "7 s" in texts(device)


def test_unknown_events_are_errors_of_the_app():
    system = System(installed(APPS))
    phone = toy_device().state()
    with pytest.raises(AttributeError, match=r"the system has no event \('system\.fly',\)"):
        system.dispatch(phone, ("system.fly",), [])
    with pytest.raises(AttributeError, match="app 'toy' has no method on_fly"):
        system.dispatch(phone, ("fly",), [])
