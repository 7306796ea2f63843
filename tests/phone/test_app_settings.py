"""The Settings app, driven through its events."""

from __future__ import annotations

import random

import pytest

from gui_gym.devices.phone.app import APPS, Session, event_method
from gui_gym.devices.phone.apps import settings
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import HOME, Page, Phone, Ui

APP = APPS["settings"]


def start(seed: int = 0) -> Session:
    data = APP.initial(random.Random(seed))
    return Session(Phone(FrozenMap(settings=data), Ui(front="settings")), "settings")


def send(session: Session, *event: object) -> None:
    event_method(APP, event)(session, *event[1:])


def page(name: str, arg: object = None, **form: object):
    session = start()
    return APP.view(session.data, Page(name, arg, FrozenMap(form)), session.phone)


def test_the_first_page_has_six_switches_and_seven_links():
    view = page("main")
    assert [c.kind for c in view.body] == ["row"] * 6 + ["section"] + ["row"] * 7
    titles = [c.props[1] for c in view.body if c.kind == "row"]
    assert titles[:3] == ["Wi-Fi", "Bluetooth", "Airplane mode"]
    assert titles[-1] == "About phone"
    assert not view.back


@pytest.mark.parametrize("name", settings.PAGES)
def test_every_page_has_a_body_and_a_way_back(name):
    view = page(name)
    assert view.title == settings.PAGES[name].title
    assert view.back and view.body


def test_a_toggle_changes_one_switch_and_twice_none():
    session = start()
    before = session.data
    send(session, "toggle", "wifi")
    assert session.data.switches["wifi"] is not before.switches["wifi"]
    assert session.data.switches.set("wifi", before.switches["wifi"]) == before.switches
    send(session, "toggle", "wifi")
    assert session.data == before


def test_levels_stop_at_both_ends():
    session = start()
    for _ in range(12):
        send(session, "step", "brightness", 10)
    assert session.data.levels["brightness"] == 100
    for _ in range(12):
        send(session, "step", "brightness", -10)
    assert session.data.levels["brightness"] == 0


def test_a_choice_shows_on_its_page_and_on_the_page_above():
    session = start()
    send(session, "open", "choice", "ringtone")
    assert session.page == Page("choice", "ringtone")
    send(session, "choose", "ringtone", "Waltz")
    view = APP.view(session.data, session.page, session.phone)
    chosen = [c.props[1] for c in view.body if c.props[5].value]
    assert chosen == ["Waltz"]
    above = APP.view(session.data, Page("sound"), session.phone)
    assert ("Ringtone", "Waltz") in [c.props[1:3] for c in above.body if c.kind == "row"]


def test_the_name_is_saved_stripped_and_never_empty():
    session = start()
    old = session.data.name
    send(session, "rename")
    assert session.form["name"] == old
    session.edit(name="   ")
    send(session, "save_name")
    assert (session.data.name, session.page.name) == (old, "rename")
    session.edit(name=" Red phone ")
    send(session, "save_name")
    assert (session.data.name, session.page.name) == ("Red phone", "main")


def test_reset_asks_and_then_resets_all_but_the_name():
    session = start(3)
    before = session.data
    send(session, "reset")
    assert session.data == before
    assert [b[0] for b in session.phone.ui.dialog.buttons] == ["Cancel", "Reset"]
    send(session, *session.phone.ui.dialog.buttons[1][1])
    assert session.data == settings.DEFAULTS.set(name=before.name, facts=before.facts)
    assert session.data.switches["wifi"] and session.data.levels["brightness"] == 60


def test_permissions_are_kept_by_denial():
    session = start()
    session.set(denied=FrozenMap())
    send(session, "permit", "notes", "location")
    assert session.data.denied == FrozenMap({"notes.location": True})
    send(session, "permit", "notes", "location")
    assert session.data.denied == FrozenMap()


def test_search_finds_switches_levels_choices_and_pages():
    titles = [c.props[1] for c in page("search", query="vol").body[1:]]
    assert titles == ["Media volume", "Ring volume", "Alarm volume", "Sound"]
    assert page("search", query="zzz").body[1].kind == "empty"
    session = start()
    send(session, "search")
    assert session.phone.ui.focus == "query"


def test_the_first_page_leads_home():
    session = start()
    APP.on_back(session)
    assert session.phone.ui.front == HOME


def test_equal_seeds_give_equal_data_and_others_differ():
    assert APP.initial(random.Random(5)) == APP.initial(random.Random(5))
    assert len({APP.initial(random.Random(s)).digest() for s in range(30)}) == 30
