"""Writing an app.

* `App` - subclass it: `initial` makes its data, `view` describes its pages, methods `on_<event>` react
* `Session` - a short-lived transaction over the immutable phone that the reactions work with
* `register_app`, `APPS` - the installed apps

An app is one class. `initial(rng)` returns its data (a record), `view(data, page, phone)` the page to show, and an
event `("save", 3)` on an element calls `on_save(session, 3)`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from gui_gym.devices.phone.records import FrozenMap, Record
from gui_gym.devices.phone.state import HOME, Dialog, Event, Menu, Notification, Page, Phone
from gui_gym.devices.phone.ui import View


class Session:
    """The changes that one event makes. Read and assign `data`; the other methods do the rest."""

    def __init__(self, phone: Phone, app: str):
        self.phone = phone
        self.app = app
        self.events: list[Any] = []

    # data ---------------------------------------------------------------------------------------------------------
    @property
    def data(self) -> Any:
        """The app's own data record; assign to change it."""
        return self.phone.data[self.app]

    @data.setter
    def data(self, value: Record) -> None:
        self.phone = self.phone.set(data=self.phone.data.set(self.app, value))

    def set(self, **changes: Any) -> None:
        """Change fields of the app's data."""
        self.data = self.data.set(**changes)

    def other(self, app: str) -> Any:
        """Another app's data."""
        return self.phone.data[app]

    def set_other(self, app: str, value: Record) -> None:
        """Change another app's data."""
        self.phone = self.phone.set(data=self.phone.data.set(app, value))

    # pages --------------------------------------------------------------------------------------------------------
    def _ui(self, **changes: Any) -> None:
        self.phone = self.phone.set(ui=self.phone.ui.set(**changes))

    @property
    def pages(self) -> tuple[Page, ...]:
        """The app's back stack, the visible page last."""
        stack: tuple[Page, ...] = self.phone.ui.stacks.get(self.app, (Page(),))
        return stack

    @pages.setter
    def pages(self, pages: tuple[Page, ...]) -> None:
        self._ui(stacks=self.phone.ui.stacks.set(self.app, pages))

    @property
    def page(self) -> Page:
        """The visible page."""
        return self.pages[-1]

    @page.setter
    def page(self, page: Page) -> None:
        self.pages = (*self.pages[:-1], page)

    @property
    def form(self) -> FrozenMap:
        """What is being edited on the visible page."""
        return self.page.form

    def edit(self, **values: Any) -> None:
        """Change entries of the visible page's form."""
        form = self.form
        for key, value in values.items():
            form = form.set(key, value)
        self.page = self.page.set(form=form)

    def push(self, name: str, arg: Any = None, /, **form: Any) -> None:
        """Open a page of the app."""
        self.blur()
        self.pages = (*self.pages, Page(name, arg, FrozenMap(form)))

    def pop(self) -> None:
        """Leave the visible page; from the first page, go home."""
        self.blur()
        if len(self.pages) > 1:
            self.pages = self.pages[:-1]
        else:
            self._ui(front=HOME)

    def replace(self, name: str, arg: Any = None, /, **form: Any) -> None:
        """Exchange the visible page."""
        self.blur()
        self.page = Page(name, arg, FrozenMap(form))

    def launch(self, app: str, name: str = "main", arg: Any = None, /, **form: Any) -> None:
        """Bring another app to the front, on a page of its own."""
        self.blur()
        first = Page()
        page = Page(name, arg, FrozenMap(form))
        ui = self.phone.ui
        recents = (app, *(a for a in ui.recents if a != app))
        self._ui(front=app, recents=recents, stacks=ui.stacks.set(app, (page,) if page == first else (first, page)))

    # the rest of the screen ---------------------------------------------------------------------------------------
    def focus(self, key: str) -> None:
        """Put the cursor into a field; the keyboard comes up."""
        self._ui(focus=key, layout="lower")

    def blur(self) -> None:
        """Take the focus away; the keyboard goes down."""
        self._ui(focus=None)

    def dialog(self, title: str, body: str, *buttons: tuple[str, Event | None]) -> None:
        """Ask; the last button is the affirmative one."""
        self.blur()
        self._ui(dialog=Dialog(title, body, buttons, self.app))

    def menu(self, *items: tuple[str, Event]) -> None:
        """Open a pop-up menu."""
        self.blur()
        self._ui(menu=Menu(items))

    def toast(self, text: str) -> None:
        """Show a passing message."""
        self._ui(toast=text)

    def notify(self, title: str, body: str = "", event: Event | None = None) -> None:
        """Add a notification of this app."""
        self.phone = self.phone.set(
            notifications=(Notification(self.app, title, body, event), *self.phone.notifications)
        )

    def log(self, *event: Any) -> None:
        """Record something that happened, for `End.events`."""
        self.events.append((self.app, *event))


class App:
    """One app. Subclass, set the class attributes, define `initial` and `view`, add `on_<event>` methods.

    Class attributes:
        name: key in `Phone.data`; lower case.
        label: below the icon.
        icon: name of an icon (see `fonts/icons.json`).
        color: 0 to 7, of the icon's background.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    icon: ClassVar[str]
    color: ClassVar[int] = 0

    def initial(self, rng: random.Random) -> Record:
        """The app's data on a fresh phone: plausible content drawn from `rng`."""
        raise NotImplementedError(f"{type(self).__name__} needs initial()")

    def settle(self, data: Any, phone: Mapping[str, Any], rng: random.Random) -> Record:
        """Fit the app's fresh data to the other apps' (`phone`, app name -> data), once all have some."""
        settled: Record = data
        return settled

    def view(self, data: Any, page: Page, phone: Phone) -> View:
        """The page as cells; a pure function, called again when something changes that it read. Not `page.scroll`."""
        raise NotImplementedError(f"{type(self).__name__} needs view()")

    def tick(self, session: Session, seconds: int) -> None:
        """Called when the clock moves; change data only when something is due."""

    def on_submit(self, session: Session, key: str) -> None:
        """Enter in a one-line field."""
        session.blur()

    def on_back(self, session: Session) -> None:
        """The back gesture, when no keyboard, menu, dialog or shade is open."""
        session.pop()


APPS: dict[str, App] = {}
"""The installed apps by name, in the order of the drawer."""


def register_app(app: type[App]) -> type[App]:
    """Class decorator that installs an app on every phone made from now on.

    Raises:
        ValueError: the name is taken by another class.
    """
    old = APPS.get(app.name)
    if old is not None and (type(old).__module__, type(old).__qualname__) != (app.__module__, app.__qualname__):
        raise ValueError(f"app name {app.name!r} is already taken by {type(old).__qualname__}")
    APPS[app.name] = app()
    return app


def event_method(app: App, event: Event) -> Any:
    """The method that an event calls.

    Raises:
        AttributeError: the app has none.
    """
    method = getattr(app, f"on_{event[0]}", None)
    if method is None:
        raise AttributeError(f"app {app.name!r} has no method on_{event[0]} for the event {event!r}")
    return method
