"""The visible page of an app, computed once for as long as it stays the same.

* `Views` - app pages, remembered
* `fields_of` - the text fields of a page
* `Glance` - a phone that notices whether its clock was looked at
* `Lately` - what was computed of the last few phones

`App.view` is a pure function of the app's data, the page and the phone, and may read the clock (a running timer does).
Time passes with every action, so a page is only computed anew for the time's sake when it did read the clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from gui_gym.devices.phone.app import App
from gui_gym.devices.phone.state import Page, Phone
from gui_gym.devices.phone.ui import View

T = TypeVar("T")
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


class Lately(Generic[T]):
    """What was computed of the last few phones; several, so that a search tries many actions from one state at ease.

    Phones are told by identity of their parts: what is equal but not shared counts as another.

    Args:
        minutes: whether it shows the time of day, and so changes with every minute.
    """

    KEPT = 4

    def __init__(self, minutes: bool):
        self._span = 60 if minutes else 1 << 60
        self._entries: list[tuple[Phone, bool, T]] = []

    def find(self, phone: Phone) -> T | None:
        """What was computed of this phone, or of one that differs only in a time of day that does not show."""
        entries = self._entries
        for i in range(len(entries) - 1, -1, -1):
            old, timed, value = entries[i]
            if old is phone:
                pass
            elif (
                old.ui is not phone.ui
                or old.data is not phone.data
                or old.notifications is not phone.notifications
                or old.day != phone.day
                or (old.clock != phone.clock if timed else old.clock // self._span != phone.clock // self._span)
            ):
                continue
            if i != len(entries) - 1:
                entries.append(entries.pop(i))
            return value
        return None

    def keep(self, phone: Phone, timed: bool, value: T) -> T:
        """Remember a value; `timed` when it changes with every second."""
        self._entries.append((phone, timed, value))
        if len(self._entries) > self.KEPT:
            del self._entries[0]
        return value


class Views:
    """The pages of a phone's apps.

    Args:
        apps: app name -> app.
    """

    def __init__(self, apps: Mapping[str, App]):
        self.apps = apps
        self._fronts: Lately[tuple[View | None, bool]] = Lately(minutes=False)

    def front(self, phone: Phone) -> tuple[View | None, bool]:
        """The page in front, None when no app is, and whether it changes with every second."""
        found = self._fronts.find(phone)
        if found is None:
            name = phone.ui.front
            found = self.of(phone, name) if name in self.apps else (None, False)
            self._fronts.keep(phone, found[1], found)
        return found

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


def fields_of(view: View) -> dict[str, int]:
    """Key -> number of lines of the page's text fields, in page order."""
    fields: dict[str, Any] = {}
    for cell in (*view.body, view.bottom):
        if cell is not None and cell.kind == "field":
            fields[cell.props[0]] = cell.props[4]
        elif cell is not None and cell.kind == "composer":
            fields[cell.props[0]] = 1
    return fields
