"""The phone's state: one immutable tree.

* `Phone` - everything: the apps' data, the user interface, the clock
* `Ui` - what is open: back stacks, focus, keyboard, dialog, menu, shade, toast
* `Page`, `Dialog`, `Menu`, `Notification` - its parts

Tasks score `Phone.data`; the rest is where the user happens to be.
"""

from __future__ import annotations

from typing import Any, ClassVar

from gui_gym.devices.phone.records import EMPTY, FrozenMap, Record, record

Event = tuple[Any, ...]
"""What a tap means: `("name", *arguments)`. A name that starts with "system." goes to the system, any other to the
method `on_name` of the app in front."""

HOME = "home"
DRAWER = "drawer"
RECENTS = "recents"


@record
class Page(Record):
    """One screen of an app: `name` and `arg` say which, `form` holds what is being edited, `scroll` is in dp."""

    name: str = "main"
    arg: Any = None
    form: FrozenMap = EMPTY
    scroll: int = 0


@record
class Dialog(Record):
    """A modal question; each button is `(label, event)`; a tap on any button closes it first.

    `app` takes the events; "" means the app in front.
    """

    title: str
    body: str = ""
    buttons: tuple[tuple[str, Event | None], ...] = (("OK", None),)
    app: str = ""


@record
class Menu(Record):
    """A pop-up menu below the toolbar; each item is `(label, event)`."""

    items: tuple[tuple[str, Event], ...]


@record
class Notification(Record):
    """A line in the shade; a tap opens `app` (and sends it `event`)."""

    app: str
    title: str
    body: str = ""
    event: Event | None = None


@record
class Ui(Record):
    """What is open.

    front: an app's name, or `HOME`, `DRAWER`, `RECENTS`.
    stacks: app name -> tuple of its open pages, the visible one last.
    recents: apps by last use, newest first.
    focus: key of the focused text field of the front page, or None; the keyboard is up while a field has the focus.
    layout: the keyboard's layer: "lower", "upper" or "symbols".
    drawer_scroll: scroll of the app drawer or of recents in dp.
    shade_scroll: scroll of the notifications in the shade in dp.
    toast: a passing message.
    """

    front: str = HOME
    stacks: FrozenMap = EMPTY
    recents: tuple[str, ...] = ()
    shade: bool = False
    shade_scroll: int = 0
    dialog: Dialog | None = None
    menu: Menu | None = None
    focus: str | None = None
    layout: str = "lower"
    drawer_scroll: int = 0
    toast: str | None = None

    passing: ClassVar[tuple[str, ...]] = ("toast",)


@record
class Phone(Record):
    """A whole phone.

    data: app name -> that app's data record.
    clock: seconds since the start of `day`; moves by steps, not by the wall.
    day: days since 2024-01-01, a Monday.
    """

    data: FrozenMap
    ui: Ui = Ui()
    notifications: tuple[Notification, ...] = ()
    clock: int = 9 * 3600 + 41 * 60
    day: int = 287

    passing: ClassVar[tuple[str, ...]] = ("clock",)
