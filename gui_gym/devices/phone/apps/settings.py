"""The Settings app.

* `Settings` - the app: switches on the first page, pages for network, display, sound, apps, battery, system, about
* `SettingsData` - its data
* `SWITCHES`, `LEVELS`, `CHOICES`, `PAGES` - what there is to set, and on which page it stands
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from gui_gym.devices.phone.app import APPS, App, Session, register_app
from gui_gym.devices.phone.records import EMPTY, FrozenMap, Record, record
from gui_gym.devices.phone.state import Page, Phone
from gui_gym.devices.phone.ui import (
    Cell,
    IconButton,
    Trailing,
    View,
    card,
    empty,
    field,
    headline,
    paragraph,
    radio_row,
    row,
    section,
    stepper,
    switch_row,
)


class Switch(NamedTuple):
    """Something that is on or off; `page` is where its row stands, "" when only quick settings have it."""

    title: str
    icon: str
    page: str
    subtitle: str = ""
    default: bool = False


class Level(NamedTuple):
    """Something from 0 to 100 % in steps of 10."""

    title: str
    page: str
    default: int = 50


class Choice(NamedTuple):
    """One of several options, on a page of its own that its row on `page` opens."""

    title: str
    icon: str
    page: str
    default: str
    options: tuple[str, ...]


class Link(NamedTuple):
    """A page that a row on the first page opens."""

    title: str
    subtitle: str
    icon: str
    color: int


SWITCHES: dict[str, Switch] = {
    "wifi": Switch("Wi-Fi", "wifi", "main", default=True),
    "bluetooth": Switch("Bluetooth", "bluetooth", "main"),
    "airplane": Switch("Airplane mode", "airplanemode_active", "main"),
    "dnd": Switch("Do not disturb", "do_not_disturb_on", "main"),
    "location": Switch("Location", "location_on", "main", default=True),
    "notifications": Switch("Notifications", "notifications", "main", default=True),
    "mobile_data": Switch("Mobile data", "signal_cellular_alt", "network", default=True),
    "hotspot": Switch("Hotspot", "devices", "network", "Share this connection"),
    "data_saver": Switch("Data saver", "data_usage", "network", "Less data in the background"),
    "sync": Switch("Auto-sync", "sync", "network", "Mail, contacts and calendar", True),
    "dark": Switch("Dark theme", "dark_mode", "display"),
    "adaptive_brightness": Switch("Adaptive brightness", "brightness_6", "display", "Follows the light around", True),
    "auto_rotate": Switch("Auto-rotate", "screen_rotation", "display", "Turn the screen with the phone"),
    "vibrate": Switch("Vibrate for calls", "vibration", "sound", default=True),
    "touch_sounds": Switch("Touch sounds", "volume_up", "sound"),
    "battery_saver": Switch("Battery saver", "battery_saver", "battery", "Slows background activity"),
    "battery_percentage": Switch("Battery percentage", "battery_full", "battery", "Show it in the status bar", True),
    "auto_time": Switch("Automatic time zone", "schedule", "system", "Use the network's time", True),
    "flashlight": Switch("Flashlight", "flashlight_on", ""),
}

LEVELS: dict[str, Level] = {
    "brightness": Level("Brightness", "display", 60),
    "media_volume": Level("Media volume", "sound", 50),
    "ring_volume": Level("Ring volume", "sound", 70),
    "alarm_volume": Level("Alarm volume", "sound", 80),
}

CHOICES: dict[str, Choice] = {
    "network": Choice(
        "Wi-Fi network",
        "wifi",
        "network",
        "Home-5G",
        ("Cafe Luna", "Home-5G", "Library Guest", "Office-Net", "TP-7731"),
    ),
    "font_size": Choice("Font size", "text_fields", "display", "Default", ("Small", "Default", "Large", "Largest")),
    "timeout": Choice(
        "Screen timeout",
        "timelapse",
        "display",
        "30 seconds",
        ("15 seconds", "30 seconds", "1 minute", "2 minutes", "5 minutes", "10 minutes"),
    ),
    "ringtone": Choice(
        "Ringtone",
        "music_note",
        "sound",
        "Morning dew",
        (
            *("Beacon", "Bright morning", "Chimes", "City lights", "Crystal", "Daybreak", "Echo", "Harbour", "Marimba"),
            *("Morning dew", "Northern sky", "Old phone", "Pebbles", "Ripples", "Tower bells", "Waltz"),
        ),
    ),
    "language": Choice(
        "Language",
        "translate",
        "system",
        "English",
        (
            *("Dansk", "Deutsch", "English", "Español", "Français", "Italiano", "Magyar", "Nederlands", "Norsk"),
            *("Polski", "Português", "Română", "Suomi", "Svenska", "Türkçe"),
        ),
    ),
    "time_zone": Choice(
        "Time zone",
        "public",
        "system",
        "London",
        (
            *("Amsterdam", "Athens", "Auckland", "Berlin", "Cairo", "Chicago", "Delhi", "Hong Kong", "Lima", "London"),
            *("Madrid", "Nairobi", "New York", "Oslo", "Sydney", "Tokyo"),
        ),
    ),
}

PAGES: dict[str, Link] = {
    "network": Link("Network & internet", "Mobile data, hotspot, sync", "public", 0),
    "display": Link("Display", "Theme, brightness, font size", "brightness_6", 1),
    "sound": Link("Sound", "Volume, ringtone", "volume_up", 2),
    "apps": Link("Apps", "Permissions, notifications", "apps", 3),
    "battery": Link("Battery", "Saver, percentage", "battery_full", 4),
    "system": Link("Date & language", "Time zone, language, reset", "language", 5),
    "about": Link("About phone", "Name, model, storage", "info", 6),
}

PERMISSIONS = {
    "notifications": ("Allow notifications", "notifications"),
    "background": ("Background data", "data_usage"),
    "location": ("Location access", "location_on"),
}

_MODELS = ("Nova 7", "Nova 9 Pro", "Orbit S2", "Orbit S4 Lite", "Lumen One", "Lumen Two XL", "Kestrel 5", "Fjord M3")
_NAMES = ("Alex's phone", "Work phone", "Travel phone", "Blue phone", "My phone", "Kitchen phone", "Robin's phone")
_APPS = ("settings", "clock", "contacts", "notes", "messages", "files")


@record
class SettingsData(Record):
    """What is set.

    switches: key of `SWITCHES` -> bool.
    levels: key of `LEVELS` -> percent.
    choices: key of `CHOICES` -> option.
    denied: "app.permission" -> True for what an app may not do; all else it may.
    name: the phone's name; can be edited.
    facts: what the phone says of itself ("model", "version", "serial", "storage", "battery").
    """

    switches: FrozenMap
    levels: FrozenMap
    choices: FrozenMap
    denied: FrozenMap = EMPTY
    name: str = "My phone"
    facts: FrozenMap = EMPTY


DEFAULTS = SettingsData(
    FrozenMap({k: s.default for k, s in SWITCHES.items()}),
    FrozenMap({k: v.default for k, v in LEVELS.items()}),
    FrozenMap({k: c.default for k, c in CHOICES.items()}),
)


def reset_data(data: SettingsData) -> SettingsData:
    """The data after "Reset settings": all but the phone's name and facts as on a new phone."""
    return DEFAULTS.set(name=data.name, facts=data.facts)


_CHEVRON = Trailing("chevron")


def _switch(data: SettingsData, key: str) -> Cell:
    s = SWITCHES[key]
    color = list(SWITCHES).index(key) % 8 if s.page == "main" else -1
    return switch_row(s.title, data.switches[key], ("toggle", key), s.subtitle, s.icon, color)


def _choice(data: SettingsData, key: str) -> Cell:
    choice = CHOICES[key]
    return row(choice.title, data.choices[key], choice.icon, trailing=_CHEVRON, on=("open", "choice", key))


def _level(data: SettingsData, key: str) -> Cell:
    return stepper(LEVELS[key].title, f"{data.levels[key]} %", ("step", key, -10), ("step", key, 10))


def _link(key: str) -> Cell:
    link = PAGES[key]
    return row(link.title, link.subtitle, link.icon, link.color, _CHEVRON, ("open", key))


@register_app
class Settings(App):
    """Switches, levels and choices; a search over all of them; a reset with a confirmation."""

    name = "settings"
    label = "Settings"
    icon = "settings"
    color = 7

    def initial(self, rng: random.Random) -> SettingsData:
        """Every setting drawn; rare ones (airplane mode, dark theme) mostly off."""
        rare = {"airplane": 0.2, "dark": 0.25, "flashlight": 0.1, "battery_saver": 0.3, "notifications": 0.8}
        size = rng.choice((64, 128, 256))
        return SettingsData(
            switches=FrozenMap({k: rng.random() < rare.get(k, 0.5) for k in SWITCHES}),
            levels=FrozenMap({k: 10 * rng.randint(1, 9) for k in LEVELS}),
            choices=FrozenMap({k: rng.choice(c.options) for k, c in CHOICES.items()}),
            denied=FrozenMap({f"{a}.{p}": True for a in _APPS for p in PERMISSIONS if rng.random() < 0.3}),
            name=rng.choice(_NAMES),
            facts=FrozenMap(
                model=rng.choice(_MODELS),
                version=f"{rng.randint(11, 16)}.{rng.randint(0, 9)}",
                serial="".join(rng.choice("ABCDEFGHKLMNPRSTUVWX23456789") for _ in range(8)),
                storage=f"{rng.randint(size // 8, size - 8)} GB of {size} GB used",
                battery=f"{rng.randint(12, 99)} %",
            ),
        )

    # pages --------------------------------------------------------------------------------------------------------
    def view(self, data: SettingsData, page: Page, phone: Phone) -> View:
        """The page named `page.name`."""
        if page.name == "main":
            body = (
                *card(*(_switch(data, k) for k, s in SWITCHES.items() if s.page == "main")),
                section("More settings"),
                *card(*map(_link, PAGES)),
            )
            return View("Settings", body, (IconButton("search", "Search settings", ("search",)),), back=False)
        if page.name == "choice":
            choice = CHOICES[page.arg]
            options = tuple(radio_row(o, o == data.choices[page.arg], ("choose", page.arg, o)) for o in choice.options)
            return View(choice.title, card(*options))
        if page.name == "app":
            permissions = (
                switch_row(title, f"{page.arg}.{p}" not in data.denied, ("permit", page.arg, p), icon=icon)
                for p, (title, icon) in PERMISSIONS.items()
            )
            return View(APPS[page.arg].label if page.arg in APPS else page.arg, card(*permissions))
        if page.name == "rename":
            body = (field("name", "Phone name", page.form["name"], phone.ui.focus),)
            return View("Rename phone", body, (IconButton("check", "Save", ("save_name",)),))
        if page.name == "search":
            return View("Search settings", self._search(data, page.form["query"], phone))
        title = PAGES[page.name].title
        if page.name == "apps":
            rows = (row(a.label, "", a.icon, a.color, _CHEVRON, ("open", "app", n)) for n, a in APPS.items())
            return View(title, card(*rows))
        if page.name == "about":
            facts = (("Model", "model"), ("Version", "version"), ("Serial number", "serial"), ("Storage", "storage"))
            body = (
                *card(row("Phone name", data.name, "edit", 6, on=("rename",))),
                section("This phone"),
                *card(*(row(label, data.facts[key]) for label, key in facts)),
            )
            return View(title, body)
        switches = tuple(_switch(data, k) for k, s in SWITCHES.items() if s.page == page.name)
        levels = tuple(_level(data, k) for k, v in LEVELS.items() if v.page == page.name)
        choices = tuple(_choice(data, k) for k, c in CHOICES.items() if c.page == page.name)
        body = card(*switches, *choices)
        if page.name == "battery":
            body = (headline(data.facts["battery"], "Battery level"), *body)
        if levels:
            body = (*body, section("Levels"), *levels)
        if page.name == "system":
            reset = row("Reset settings", "Set everything back", "restart_alt", 3, _CHEVRON, ("reset",))
            body = (*body, section("Reset"), *card(reset))
        return View(title, body)

    def _search(self, data: SettingsData, query: str, phone: Phone) -> tuple[Cell, ...]:
        head = field("query", "Search", query, phone.ui.focus)
        wanted = query.strip().casefold()
        if not wanted:
            return (head, paragraph("Type a word such as volume, theme or language."))
        found = [_switch(data, k) for k, s in SWITCHES.items() if s.page and wanted in s.title.casefold()]
        found += [
            row(v.title, f"{data.levels[k]} %", trailing=_CHEVRON, on=("open", v.page))
            for k, v in LEVELS.items()
            if wanted in v.title.casefold()
        ]
        found += [_choice(data, k) for k, c in CHOICES.items() if wanted in c.title.casefold()]
        found += [_link(k) for k, v in PAGES.items() if wanted in f"{v.title} {v.subtitle}".casefold()]
        return (head, *card(*found)) if found else (head, empty("Nothing found", "search"))

    # events -------------------------------------------------------------------------------------------------------
    def on_toggle(self, session: Session, key: str) -> None:
        """A switch of `SWITCHES`; quick settings call it too."""
        switches = session.data.switches
        session.set(switches=switches.set(key, not switches[key]))

    def on_permit(self, session: Session, app: str, permission: str) -> None:
        """A switch on an app's page."""
        key, denied = f"{app}.{permission}", session.data.denied
        session.set(denied=denied.drop(key) if key in denied else denied.set(key, True))

    def on_step(self, session: Session, key: str, change: int) -> None:
        """A stepper; stops at 0 and 100 %."""
        levels = session.data.levels
        session.set(levels=levels.set(key, min(100, max(0, levels[key] + change))))

    def on_choose(self, session: Session, key: str, option: str) -> None:
        """A radio row."""
        session.set(choices=session.data.choices.set(key, option))

    def on_open(self, session: Session, page: str, arg: Any = None) -> None:
        """A row that leads to another page."""
        session.push(page, arg)

    def on_search(self, session: Session) -> None:
        """The magnifying glass."""
        session.push("search", query="")
        session.focus("query")

    def on_rename(self, session: Session) -> None:
        """The row with the phone's name."""
        session.push("rename", name=session.data.name)

    def on_save_name(self, session: Session) -> None:
        """Save the phone's name; an empty one is refused."""
        name = session.form["name"].strip()
        if not name:
            session.toast("Enter a name")
            return
        session.set(name=name)
        session.pop()
        session.toast("Name saved")

    def on_submit(self, session: Session, key: str) -> None:
        """Enter saves the name and ends a search."""
        if key == "name":
            self.on_save_name(session)
        else:
            session.blur()

    def on_reset(self, session: Session) -> None:
        """Ask before resetting."""
        session.dialog(
            "Reset settings?",
            "Switches, levels, choices and permissions go back to their defaults.",
            ("Cancel", None),
            ("Reset", ("reset_now",)),
        )

    def on_reset_now(self, session: Session) -> None:
        """Confirmed."""
        session.data = reset_data(session.data)
        session.toast("Settings were reset")
