"""What the phone does: a pure reduction of events over its state.

* `System` - taps on elements, typing, the clock
* `MAX_TEXT` - most characters of a text field

Every method takes a `Phone` and returns a `Phone`, and appends to a list what happened ("End.events"). Where things
lie on the screen is not known here: `gui_gym.devices.phone.gestures` turns touches into events.

Events: "system.open" app, "system.close" app, "system.close_all", "system.home", "system.back", "system.up",
"system.drawer", "system.recents", "system.shade", "system.dismiss", "system.toggle" switch,
"system.notification" index, "system.clear_notification" index, "system.dialog" index, "system.menu" index,
"system.focus" key, "system.clear" key, "system.key" character or name, "system.layer" name. Any other goes to the app
in front.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gui_gym.devices.phone.app import App, Session, event_method
from gui_gym.devices.phone.state import DRAWER, HOME, RECENTS, Event, Page, Phone, Ui
from gui_gym.devices.phone.views import FIRST, Views, fields_of

MAX_TEXT = 2000
DAY = 24 * 3600

_CLOSED: dict[str, Any] = {"shade": False, "shade_scroll": 0, "dialog": None, "menu": None, "focus": None}
_CALM: dict[str, Any] = {**_CLOSED, "layout": "lower", "drawer_scroll": 0}


class System:
    """The phone's behaviour.

    Args:
        apps: app name -> app.
        views: the pages of the apps; made from `apps` by default.
    """

    def __init__(self, apps: Mapping[str, App], views: Views | None = None):
        self.apps = apps
        self.views = Views(apps) if views is None else views
        self._ticking = [name for name, app in apps.items() if type(app).tick is not App.tick]

    # events -------------------------------------------------------------------------------------------------------
    def dispatch(self, phone: Phone, event: Event, log: list[Any]) -> Phone:
        """What an event does.

        Raises:
            AttributeError: the app in front, or the system, has no method for the event.
        """
        name = event[0]
        if name.startswith("system."):
            method: Callable[..., Phone] | None = getattr(self, f"_on_{name[7:]}", None)
            if method is None:
                raise AttributeError(f"the system has no event {event!r}")
            return method(phone, log, *event[1:])
        return self.send(phone, phone.ui.front, event, log)

    def send(self, phone: Phone, app: str, event: Event, log: list[Any]) -> Phone:
        """Let an app react to an event; none of its own is ignored while no app is in front."""
        if app not in self.apps or app not in phone.data:
            return phone
        return self._session(phone, app, log, event_method(self.apps[app], event), *event[1:])

    def _session(self, phone: Phone, app: str, log: list[Any], method: Callable[..., Any], *args: Any) -> Phone:
        session = Session(phone, app)
        method(session, *args)
        log += session.events
        return session.phone

    def _on_open(self, phone: Phone, log: list[Any], app: str) -> Phone:
        ui = phone.ui
        if app not in self.apps or app not in phone.data:
            return phone
        return phone.set(ui=ui.set(front=app, recents=(app, *(a for a in ui.recents if a != app)), **_CALM))

    def _on_close(self, phone: Phone, log: list[Any], app: str) -> Phone:
        """Take an app out of recents; it starts at its first page next time."""
        ui = phone.ui
        return phone.set(ui=ui.set(recents=tuple(a for a in ui.recents if a != app), stacks=ui.stacks.drop(app)))

    def _on_close_all(self, phone: Phone, log: list[Any]) -> Phone:
        for app in phone.ui.recents:
            phone = self._on_close(phone, log, app)
        return self._on_home(phone, log)

    def _on_home(self, phone: Phone, log: list[Any]) -> Phone:
        return phone.set(ui=phone.ui.set(front=HOME, **_CALM))

    def _on_drawer(self, phone: Phone, log: list[Any]) -> Phone:
        return phone.set(ui=phone.ui.set(front=DRAWER, **_CALM))

    def _on_recents(self, phone: Phone, log: list[Any]) -> Phone:
        return phone.set(ui=phone.ui.set(front=RECENTS, **_CALM)) if phone.ui.front != RECENTS else phone

    def _on_back(self, phone: Phone, log: list[Any]) -> Phone:
        """Close the topmost of shade, menu, dialog and keyboard; else go back in the app, or home."""
        ui = phone.ui
        if ui.shade or ui.menu is not None or ui.dialog is not None:
            return self._on_dismiss(phone, log)
        if ui.focus is not None:
            return phone.set(ui=ui.set(focus=None))
        return self._on_up(phone, log)

    def _on_up(self, phone: Phone, log: list[Any]) -> Phone:
        """The arrow in the toolbar: leave the page, also with the keyboard up."""
        phone = phone.set(ui=phone.ui.set(focus=None))
        app = self.apps.get(phone.ui.front)
        if app is None:
            return self._on_home(phone, log)
        return self._session(phone, phone.ui.front, log, app.on_back)

    def _on_shade(self, phone: Phone, log: list[Any]) -> Phone:
        return phone.set(ui=phone.ui.set(shade=True))

    def _on_dismiss(self, phone: Phone, log: list[Any]) -> Phone:
        """Close the topmost of shade, menu and dialog."""
        ui = phone.ui
        if ui.shade:
            return phone.set(ui=ui.set(shade=False, shade_scroll=0))
        return phone.set(ui=ui.set(menu=None) if ui.menu is not None else ui.set(dialog=None))

    def _on_toggle(self, phone: Phone, log: list[Any], switch: str) -> Phone:
        """A quick setting."""
        app = self.apps.get("settings")
        if app is not None and hasattr(app, "on_toggle"):
            return self.send(phone, "settings", ("toggle", switch), log)
        settings = phone.data.get("settings")
        if settings is None:
            return phone
        switches = settings.switches
        settings = settings.set(switches=switches.set(switch, not switches[switch]))
        return phone.set(data=phone.data.set("settings", settings))

    def _on_notification(self, phone: Phone, log: list[Any], index: int) -> Phone:
        """Open its app, and tell it."""
        if index >= len(phone.notifications):
            return phone
        notice = phone.notifications[index]
        phone = self._on_open(self._on_clear_notification(phone, log, index), log, notice.app)
        return phone if notice.event is None else self.send(phone, notice.app, notice.event, log)

    def _on_clear_notification(self, phone: Phone, log: list[Any], index: int) -> Phone:
        rest = phone.notifications[:index] + phone.notifications[index + 1 :]
        return phone.set(notifications=rest)

    def _on_dialog(self, phone: Phone, log: list[Any], index: int) -> Phone:
        dialog = phone.ui.dialog
        if dialog is None:
            return phone
        event = dialog.buttons[index][1]
        phone = phone.set(ui=phone.ui.set(dialog=None))
        if event is None:
            return phone
        if event[0].startswith("system."):
            return self.dispatch(phone, event, log)
        return self.send(phone, dialog.app or phone.ui.front, event, log)

    def _on_menu(self, phone: Phone, log: list[Any], index: int) -> Phone:
        menu = phone.ui.menu
        if menu is None:
            return phone
        return self.dispatch(phone.set(ui=phone.ui.set(menu=None)), menu.items[index][1], log)

    # typing -------------------------------------------------------------------------------------------------------
    def _on_focus(self, phone: Phone, log: list[Any], key: str) -> Phone:
        return phone if phone.ui.focus == key else phone.set(ui=phone.ui.set(focus=key, layout="lower"))

    def _on_clear(self, phone: Phone, log: list[Any], key: str) -> Phone:
        return _edit(self._on_focus(phone, log, key), key, "")

    def _on_layer(self, phone: Phone, log: list[Any], layer: str) -> Phone:
        return phone.set(ui=phone.ui.set(layout=layer))

    def _on_key(self, phone: Phone, log: list[Any], key: str) -> Phone:
        """A key of the keyboard; shift holds for one character."""
        focus = phone.ui.focus
        if focus is None:
            return phone
        if key == "enter":
            return self.enter(phone, log)
        if key == "backspace":
            return _edit(phone, focus, field_text(phone)[:-1])
        phone = self.insert(phone, key)[0]
        return phone.set(ui=phone.ui.set(layout="lower")) if phone.ui.layout == "upper" else phone

    def enter(self, phone: Phone, log: list[Any]) -> Phone:
        """Enter: a new line in a field of several lines, else the app's `on_submit`."""
        focus = phone.ui.focus
        if focus is None:
            return phone
        if self.views.focused_lines(phone) > 1:
            return self.insert(phone, "\n")[0]
        return self._session(phone, phone.ui.front, log, self.apps[phone.ui.front].on_submit, focus)

    def insert(self, phone: Phone, text: str) -> tuple[Phone, int]:
        """Text at the end of the focused field, as it is, save that a field of one line takes a space for a line break.

        Returns:
            the phone, and how many characters did not fit (see `MAX_TEXT`).
        """
        focus = phone.ui.focus
        if focus is None:
            return phone, 0
        if ("\n" in text or "\r" in text) and self.views.focused_lines(phone) <= 1:
            text = text.replace("\r\n", " ").replace("\n", " ").replace("\r", " ")
        whole = field_text(phone) + text
        return _edit(phone, focus, whole[:MAX_TEXT]), max(0, len(whole) - MAX_TEXT)

    # time and order -----------------------------------------------------------------------------------------------
    def pass_time(self, phone: Phone, seconds: int, log: list[Any]) -> Phone:
        """Move the clock and let the apps that wait for something look at it."""
        clock = phone.clock + seconds
        phone = phone.set(clock=clock % DAY, day=phone.day + clock // DAY)
        for name in self._ticking:
            if name in phone.data:
                phone = self._session(phone, name, log, self.apps[name].tick, seconds)
        return phone

    def tidy(self, phone: Phone, before: Phone) -> Phone:
        """Drop what does not show any more since `before`, so that equal situations are equal states."""
        ui = phone.ui
        changes: dict[str, Any] = {}
        if ui.focus is not None:
            view = self.views.front(phone)[0]
            if view is None or ui.focus not in fields_of(view):
                changes["focus"] = None
        if ui.layout != "lower" and (ui.focus is None or "focus" in changes):
            changes["layout"] = "lower"
        if ui.stacks is not before.ui.stacks:
            stacks = ui.stacks
            for name, pages in stacks.items():
                if pages == (FIRST,):
                    stacks = stacks.drop(name)
            changes["stacks"] = stacks
        return phone.set(ui=ui.set(**changes)) if changes else phone


def front_page(ui: Ui) -> Page:
    """The page of the app in front, the first one's default when none is."""
    page: Page = ui.stacks.get(ui.front, (FIRST,))[-1]
    return page


def set_front_page(phone: Phone, page: Page) -> Phone:
    """The phone with another page in front."""
    ui = phone.ui
    pages = ui.stacks.get(ui.front, (FIRST,))
    return phone.set(ui=ui.set(stacks=ui.stacks.set(ui.front, (*pages[:-1], page))))


def field_text(phone: Phone) -> str:
    """The text of the focused field."""
    value = front_page(phone.ui).form.get(str(phone.ui.focus), "")
    return value if isinstance(value, str) else ""


def _edit(phone: Phone, key: str, text: str) -> Phone:
    page = front_page(phone.ui)
    return set_front_page(phone, page.set(form=page.form.set(key, text)))
