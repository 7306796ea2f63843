"""The system's own surfaces, as cells: what is in front when no app is, and what surrounds an app.

* `Surface` - cells from top to bottom, the middle ones scroll
* `app_surface`, `home`, `drawer`, `recents` - what may be in front
* `quick_rows`, `notices` - the notification shade
* `status_icons`, `time_of`, `date_of`, `theme_of` - what they share

All pure functions of the phone. `Event` names that start with "system." are handled in
`gui_gym.devices.phone.system`.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import NamedTuple

from gui_gym.devices.phone.app import App
from gui_gym.devices.phone.records import EMPTY
from gui_gym.devices.phone.state import HOME, RECENTS, Event, Phone
from gui_gym.devices.phone.ui import WIDTH, Cell, IconButton, View, empty
from gui_gym.devices.phone.views import Views
from gui_gym.devices.phone.widgets import HEIGHT, parts_of

DOCK = 3
"""Apps in the dock, beside the button of the drawer; further ones stand above it."""
GRID = 8
"""Most apps above the dock; the drawer holds all."""

QUICK = {
    "wifi": ("Wi-Fi", "wifi"),
    "bluetooth": ("Bluetooth", "bluetooth"),
    "mobile_data": ("Mobile data", "signal_cellular_alt"),
    "airplane": ("Airplane mode", "airplanemode_active"),
    "flashlight": ("Flashlight", "flashlight_on"),
    "dnd": ("Do not disturb", "do_not_disturb_on"),
    "dark": ("Dark theme", "dark_mode"),
    "battery_saver": ("Battery saver", "battery_saver"),
}
"""Quick settings: switch name -> (label, icon)."""


class Surface(NamedTuple):
    """Cells from top to bottom.

    Attributes:
        top: pinned at the top.
        body: scrolls.
        bottom: pinned at the bottom.
        name: what scrolls: "page", "home", "drawer" or "recents".
        scroll: of the body, in dp; may lie beyond its end.
        fab: a floating button.
        wall: whether it lies on the wallpaper.
    """

    top: tuple[Cell, ...]
    body: tuple[Cell, ...]
    bottom: tuple[Cell, ...]
    name: str
    scroll: int = 0
    fab: IconButton | None = None
    wall: bool = False


def switches_of(phone: Phone) -> Mapping[str, bool]:
    """The switches of the Settings app; empty when the phone has none."""
    return getattr(phone.data.get("settings"), "switches", EMPTY)


def theme_of(phone: Phone) -> str:
    """ "light" or "dark"."""
    return "dark" if switches_of(phone).get("dark", False) else "light"


def time_of(phone: Phone) -> str:
    """The time of day, such as "9:41"."""
    return f"{phone.clock // 3600}:{phone.clock // 60 % 60:02d}"


def date_of(phone: Phone) -> str:
    """The date, such as "Mon, 14 Oct"."""
    day = datetime.date(2024, 1, 1) + datetime.timedelta(phone.day)
    weekday = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[day.weekday()]
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    return f"{weekday}, {day.day} {months[day.month - 1]}"


def status_icons(phone: Phone) -> tuple[str, ...]:
    """Icons of the status bar, from right to left."""
    on = switches_of(phone).get
    icons = ["battery_saver" if on("battery_saver") else "battery_full"]
    if on("airplane"):
        icons.append("airplanemode_active")
    elif on("mobile_data", True):
        icons.append("signal_cellular_alt")
    icons += [name for name in ("wifi", "bluetooth") if on(name)]
    if on("dnd"):
        icons.append("do_not_disturb_on")
    if phone.notifications:
        icons.append("notifications")
    return tuple(icons)


def _fixed(kind: str, *props: object) -> Cell:
    return Cell(kind, HEIGHT[kind], props)


def _status(phone: Phone) -> Cell:
    return _fixed("status", time_of(phone), status_icons(phone), None)


def _foot(phone: Phone) -> Cell:
    return _fixed("navbar", None) if phone.ui.focus is None else _fixed("keyboard", phone.ui.layout)


def _gap(height: float) -> Cell:
    return Cell("fill", height, (None,))


def _rows(icons: list[tuple[str, str, int, Event]]) -> tuple[Cell, ...]:
    return tuple(_fixed("icons", None, tuple(icons[i : i + 4])) for i in range(0, len(icons), 4))


def _icons(phone: Phone, apps: Mapping[str, App]) -> list[tuple[str, str, int, Event]]:
    return [(app.label, app.icon, app.color, ("system.open", name)) for name, app in apps.items() if name in phone.data]


def app_surface(phone: Phone, view: View, scroll: int) -> Surface:
    """An app's page between status bar and navigation bar or keyboard."""
    top = [_status(phone), _fixed("toolbar", view.title, view.back, view.actions)]
    if view.tabs:
        top.append(_fixed("tabs", view.tabs))
    foot = _foot(phone)
    fab = view.fab if phone.ui.focus is None else None
    end = _gap(88 if fab is not None else 16)  # the last row can be scrolled out from under the floating button
    bottom = (foot,) if view.bottom is None else (view.bottom, foot)
    lead = (_gap(8),) if view.body and view.body[0].kind == "row" else ()  # keeps a card off the toolbar
    return Surface(tuple(top), (*lead, *view.body, end), bottom, "page", scroll, fab)


def home(phone: Phone, apps: Mapping[str, App]) -> Surface:
    """The home screen: a clock, apps, and a dock with the button of the drawer."""
    icons = _icons(phone, apps)
    clock = Cell("wallpaper", 160, (None, time_of(phone), date_of(phone)))
    dock = [*icons[:DOCK], ("Apps", "apps", 7, ("system.drawer",))]
    top = (_status(phone), clock, *_rows(icons[DOCK : DOCK + GRID]))
    return Surface(top, (), (*_rows(dock), _fixed("navbar", None)), HOME, wall=True)


def drawer(phone: Phone, apps: Mapping[str, App]) -> Surface:
    """All apps."""
    top = (_status(phone), _fixed("toolbar", "Apps", True, ()))
    body = (_gap(8), *_rows(_icons(phone, apps)), _gap(16))
    return Surface(top, body, (_fixed("navbar", None),), "drawer", phone.ui.drawer_scroll)


def recents(phone: Phone, views: Views) -> tuple[Surface, bool]:
    """The apps that were used, newest first, and whether they change with every second."""
    cards, timed = [], False
    names = [name for name in phone.ui.recents if name in views.apps and name in phone.data]
    for name in names:
        app = views.apps[name]
        view, looked = views.of(phone, name)
        timed = timed or looked
        props = (app.label, app.icon, app.color, _lines(view), ("system.open", name), ("system.close", name))
        cards.append(_fixed("recent", *props))
    clear = (IconButton("close", "Close all", ("system.close_all",)),) if names else ()
    top = (_status(phone), _fixed("toolbar", "Recent apps", True, clear))
    body = (*cards, _gap(16)) if cards else (empty("No recent apps", "apps"),)
    return Surface(top, body, (_fixed("navbar", None),), RECENTS, phone.ui.drawer_scroll), timed


def _lines(view: View, most: int = 6) -> tuple[str, ...]:
    texts = [view.title]
    for cell in view.body:
        texts += [part.text for part in parts_of(cell.kind, WIDTH, cell.height, cell.props)[:1] if part.text]
        if len(texts) >= most:
            break
    return tuple(texts[:most])


def quick_rows(phone: Phone) -> tuple[Cell, ...]:
    """Quick settings, two a row."""
    switches = switches_of(phone)
    tiles = [(name, label, icon, switches[name]) for name, (label, icon) in QUICK.items() if name in switches]
    return tuple(_fixed("quick", tuple(tiles[i : i + 2])) for i in range(0, len(tiles), 2))


def notices(phone: Phone, apps: Mapping[str, App]) -> tuple[Cell, ...]:
    """The notifications."""
    cells = []
    for index, notice in enumerate(phone.notifications):
        app = apps.get(notice.app)
        label, icon, color = (app.label, app.icon, app.color) if app is not None else (notice.app, "notifications", 7)
        cells.append(_fixed("notice", label, icon, color, notice.title, notice.body, index))
    return tuple(cells)
