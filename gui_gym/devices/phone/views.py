"""The visible page of an app, computed once for as long as it stays the same.

* `Views` - app pages, remembered
* `fields_of` - the text fields of a page
* `Glance` - a phone that notices what is read of it
* `Lately` - what was computed of the last few phones

`App.view` is a pure function of the app's data, the page and the phone. Most pages read no more of the phone than the
focus, or nothing; only a running timer reads the clock, which moves with every action. So a page is computed anew only
when something has changed that it did read. How far it is scrolled is not the app's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from gui_gym.devices.phone.app import App
from gui_gym.devices.phone.state import Page, Phone
from gui_gym.devices.phone.ui import View

T = TypeVar("T")
FIRST = Page()
"""The page on which an app starts."""


class Glance(Phone):
    """A phone as a view sees it: notes which of its fields the view reads."""

    def __init__(self, phone: Phone):
        own = self.__dict__
        own.update({name: phone.__dict__[name] for name in phone._names})
        own["read"] = {}

    @property
    def read(self) -> dict[str, Any]:
        """Field -> value of the fields that were read."""
        return self.__dict__["read"]  # type: ignore[no-any-return]

    def values(self) -> tuple[Any, ...]:
        """The field values in order, all read."""
        return tuple([getattr(self, name) for name in self._names])

    def set(self, **changes: Any) -> Any:
        """A plain phone with some fields changed; the others are read."""
        return Phone(*self.values()).set(**changes)


def _watched(name: str) -> property:
    def read(glance: Glance) -> Any:
        own = glance.__dict__
        value = own["read"][name] = own[name]
        return value

    return property(read)


for _name in Phone._names:
    setattr(Glance, _name, _watched(_name))


class _Seen(NamedTuple):
    """A page that was computed, and all that it depends on."""

    data: Any
    page: Page
    read: dict[str, Any]
    view: View

    def holds(self, data: Any, page: Page, phone: Phone) -> bool:
        """Whether the page is still the same."""
        old = self.page
        if self.data is not data or not (
            old is page or (old.name == page.name and old.arg == page.arg and old.form == page.form)
        ):
            return False
        for name, value in self.read.items():
            now = phone.__dict__[name]
            if now is not value and (name not in _NUMBERS or now != value):
                return False
        return True


_NUMBERS = ("clock", "day")


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

    KEPT = 4  # pages an app: whoever goes back and forth between two apps finds them again

    def __init__(self, apps: Mapping[str, App]):
        self.apps = apps
        self._seen: dict[str, list[_Seen]] = {name: [] for name in apps}

    def front(self, phone: Phone) -> tuple[View | None, bool]:
        """The page in front, None when no app is, and whether it changes with every second."""
        name = phone.ui.front
        return self.of(phone, name) if name in self.apps else (None, False)

    def of(self, phone: Phone, name: str) -> tuple[View, bool]:
        """The page that an app shows or would show in front, and whether it changes with every second."""
        data, page = phone.data[name], phone.ui.stacks.get(name, (FIRST,))[-1]
        pages = self._seen[name]
        for i in range(len(pages) - 1, -1, -1):
            seen = pages[i]
            if seen.holds(data, page, phone):
                if i != len(pages) - 1:
                    pages.append(pages.pop(i))
                return seen.view, "clock" in seen.read
        glance = Glance(phone)
        seen = _Seen(data, page, glance.read, self.apps[name].view(data, page, glance))
        pages.append(seen)
        if len(pages) > self.KEPT:
            del pages[0]
        return seen.view, "clock" in seen.read

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
