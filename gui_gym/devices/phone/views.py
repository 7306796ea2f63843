"""The visible page of an app, computed once for as long as it stays the same.

* `Views` - app pages, remembered
* `fields_of` - the text fields of a page
* `Glance` - a phone that notices whether its clock was looked at

`App.view` is a pure function of the app's data, the page and the phone, and may read the clock (a running timer does).
Time passes with every action, so a page is only computed anew for the time's sake when it did read the clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gui_gym.devices.phone.app import App
from gui_gym.devices.phone.state import Page, Phone
from gui_gym.devices.phone.ui import View

FIRST = Page()
"""The page on which an app starts."""


class Glance(Phone):
    """A phone as a view sees it; `looked` tells whether the view has read `clock`."""

    def __init__(self, phone: Phone):
        self.__dict__.update({name: phone.__dict__[name] for name in phone._names})
        self.__dict__["looked"] = False

    @property
    def clock(self) -> int:
        """Seconds since the start of the day."""
        self.__dict__["looked"] = True
        return self.__dict__["clock"]  # type: ignore[no-any-return]

    @property
    def looked(self) -> bool:
        """Whether `clock` was read."""
        return self.__dict__["looked"]  # type: ignore[no-any-return]


class Views:
    """The pages of a phone's apps.

    Args:
        apps: app name -> app.
    """

    def __init__(self, apps: Mapping[str, App]):
        self.apps = apps
        self._phone: Phone | None = None
        self._page: View | None = None
        self._timed = False

    def front(self, phone: Phone) -> tuple[View | None, bool]:
        """The page in front, None when no app is, and whether it changes with every second."""
        last = self._phone
        if last is None or not same_look(last, phone) or (self._timed and last.clock != phone.clock):
            name = phone.ui.front
            self._page, self._timed = self.of(phone, name) if name in self.apps else (None, False)
            self._phone = phone
        return self._page, self._timed

    def of(self, phone: Phone, name: str) -> tuple[View, bool]:
        """The page that an app shows or would show in front, and whether it changes with every second."""
        glance = Glance(phone)
        page: Page = phone.ui.stacks.get(name, (FIRST,))[-1]
        view = self.apps[name].view(phone.data[name], page, glance)
        return view, glance.looked

    def focused_lines(self, phone: Phone) -> int:
        """Lines of the text field that has the focus; 0 when none has."""
        focus = phone.ui.focus
        view = self.front(phone)[0] if focus is not None else None
        return fields_of(view).get(str(focus), 0) if view is not None else 0


def same_look(a: Phone, b: Phone) -> bool:
    """Whether two phones share all but the time of day. Told by identity: what is equal but not shared is another."""
    return a is b or (a.ui is b.ui and a.data is b.data and a.notifications is b.notifications and a.day == b.day)


def fields_of(view: View) -> dict[str, int]:
    """Key -> number of lines of the page's text fields, in page order."""
    fields: dict[str, Any] = {}
    for cell in (*view.body, view.bottom):
        if cell is not None and cell.kind == "field":
            fields[cell.props[0]] = cell.props[4]
        elif cell is not None and cell.kind == "composer":
            fields[cell.props[0]] = 1
    return fields
