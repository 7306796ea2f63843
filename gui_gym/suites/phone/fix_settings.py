"""How the expert sets the Settings app."""

from __future__ import annotations

from gui_gym.actions import Action
from gui_gym.devices.phone.app import APPS
from gui_gym.devices.phone.apps.settings import (
    CHOICES,
    LEVELS,
    PAGES,
    PERMISSIONS,
    SWITCHES,
    SettingsData,
    reset_data,
)
from gui_gym.suites.phone.experts import Hands, Stop, fixer


def page_stop(page: str) -> tuple[Stop, ...]:
    """The way from the first page to one of `PAGES`; "main" is the first page itself."""
    return () if page == "main" else (Stop(page, None, PAGES[page].title, "row"),)


def to_name(hands: Hands) -> Action | None:
    """Go to the form with the phone's name."""
    return hands.at("settings", *page_stop("about"), Stop("rename", None, "Phone name", "row"))


@fixer("settings")
def fix_settings(hands: Hands, have: SettingsData, want: SettingsData) -> Action | None:
    """Reset when that is wanted; else one switch, level, choice, permission or the name after the other."""
    if want == reset_data(have):
        return (
            hands.confirm("Reset settings?", "Reset")
            or hands.at("settings", *page_stop("system"))
            or hands.tap("Reset settings", "row")
        )
    for key, on in want.switches.items():
        if have.switches.get(key) != on:
            return _toggle(hands, key)
    for key, percent in want.levels.items():
        if have.levels[key] != percent:
            change = "Increase" if have.levels[key] < percent else "Decrease"
            page = page_stop(LEVELS[key].page)
            return hands.at("settings", *page) or hands.tap(f"{change} {LEVELS[key].title}", "button")
    for key, option in want.choices.items():
        if have.choices[key] != option:
            choice = CHOICES[key]
            stop = Stop("choice", key, choice.title, "row")
            return hands.at("settings", *page_stop(choice.page), stop) or hands.tap(option, "radio")
    for key in sorted({*have.denied} ^ {*want.denied}):
        app, permission = key.split(".")
        stop = Stop("app", app, APPS[app].label, "row")
        return hands.at("settings", *page_stop("apps"), stop) or hands.tap(PERMISSIONS[permission][0], "switch")
    if have.name != want.name:
        return to_name(hands) or hands.fill("name", "Phone name", want.name) or hands.tap("Save", "button")
    return None


def _toggle(hands: Hands, key: str) -> Action:
    """A switch: in the open shade when it is there, else on its page of the app, else in the shade."""
    switch = SWITCHES[key]
    if hands.phone.ui.shade:
        tile = hands.find(switch.title, "switch")
        if tile is not None:
            return hands.tap(switch.title, "switch")
    if switch.page:
        return hands.at("settings", *page_stop(switch.page)) or hands.tap(switch.title, "switch")
    return hands.shade() or hands.tap(switch.title, "switch")
