"""The vocabulary in which apps describe their screens.

An app's `view` returns a `View` of cells. Cells are plain hashable values; `gui_gym.devices.phone.widgets` knows how
each kind is painted and which elements it has. All lengths are in dp; the screen is 360 dp wide.

* `View` - a whole page: toolbar, tabs, body, pinned bottom, floating button
* `row`, `switch_row`, `check_row`, `radio_row`, `card` - list rows
* `section`, `paragraph`, `headline`, `empty` - text
* `field`, `button`, `buttons`, `chips`, `stepper` - controls
* `bubble`, `composer` - a conversation
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gui_gym.devices.phone.state import Event
from gui_gym.devices.phone.text import wrap

WIDTH = 360.0


class Cell(NamedTuple):
    """One full-width strip of a page: a kind of widget, its height in dp and its hashable properties."""

    kind: str
    height: float
    props: tuple[Any, ...] = ()


class IconButton(NamedTuple):
    """A toolbar or floating button."""

    icon: str
    label: str
    on: Event


class Tab(NamedTuple):
    """A tab below the toolbar."""

    label: str
    on: Event
    selected: bool = False


class View(NamedTuple):
    """A page.

    Attributes:
        title: in the toolbar.
        body: cells that scroll.
        actions: up to three toolbar buttons at the right.
        tabs: 0, or 2 to 4 tabs.
        fab: a floating button at the lower right.
        bottom: a cell pinned above the navigation bar or keyboard (a composer).
        back: whether the toolbar has a back arrow.
    """

    title: str
    body: tuple[Cell, ...]
    actions: tuple[IconButton, ...] = ()
    tabs: tuple[Tab, ...] = ()
    fab: IconButton | None = None
    bottom: Cell | None = None
    back: bool = True


class Trailing(NamedTuple):
    """The control at the end of a row: "switch", "check", "radio", "chevron", "icon" or "text".

    `on` is its own event; without one a tap on it is a tap on the row.
    """

    kind: str
    value: Any = None
    on: Event | None = None
    label: str = ""


def row(
    title: str,
    subtitle: str = "",
    icon: str = "",
    color: int = -1,
    trailing: Trailing | None = None,
    on: Event | None = None,
    selected: bool = False,
) -> Cell:
    """A list row. `icon` is an icon name or one capital letter (an avatar); `color` 0..7 fills the disc behind it."""
    return Cell("row", 56 if subtitle else 48, ("only", title, subtitle, icon, color, trailing, on, selected))


def switch_row(title: str, checked: bool, on: Event, subtitle: str = "", icon: str = "", color: int = -1) -> Cell:
    """A row that is one switch: a tap anywhere on it toggles."""
    return row(title, subtitle, icon, color, Trailing("switch", checked), on)


def check_row(title: str, checked: bool, on: Event, subtitle: str = "") -> Cell:
    """A row with a check box."""
    return row(title, subtitle, trailing=Trailing("check", checked), on=on)


def radio_row(title: str, chosen: bool, on: Event, subtitle: str = "") -> Cell:
    """A row with a radio button."""
    return row(title, subtitle, trailing=Trailing("radio", chosen), on=on)


def card(*rows: Cell) -> tuple[Cell, ...]:
    """Rows joined to one rounded card."""
    last = len(rows) - 1
    joined = []
    for i, cell in enumerate(rows):
        place = "only" if last == 0 else "first" if i == 0 else "last" if i == last else "mid"
        joined.append(Cell(cell.kind, cell.height, (place, *cell.props[1:])))  # _replace takes twice as long
    return tuple(joined)


def section(title: str) -> Cell:
    """A small coloured heading above a card."""
    return Cell("section", 36, (title,))


def headline(text: str, subtitle: str = "") -> Cell:
    """Large centred text, such as a running timer or a contact's name."""
    return Cell("headline", 112 if subtitle else 88, (text, subtitle))


def paragraph(text: str) -> Cell:
    """Wrapped body text."""
    lines = wrap(text, 14, WIDTH - 40)
    return Cell("paragraph", 16 + 20 * len(lines), (lines, text))


def empty(text: str, icon: str) -> Cell:
    """The picture of an empty list."""
    return Cell("empty", 200, (text, icon))


def field(key: str, label: str, value: str, focus: str | None, lines: int = 1) -> Cell:
    """A text field; a tap focuses it and the keyboard edits `page.form[key]`.

    While it holds text it has a button "Clear <label>" at its right, event `("system.clear", key)`.

    Args:
        key: the entry of `page.form` that it edits.
        focus: `phone.ui.focus`.
        lines: visible lines; more than 1 makes Enter a new line.
    """
    return Cell("field", 44 + 20 * lines, (key, label, value, focus == key, lines))


def button(label: str, on: Event | None, filled: bool = True) -> Cell:
    """One wide button; `on=None` disables it."""
    return Cell("button", 56, (label, on, filled))


def buttons(*pairs: tuple[str, Event | None]) -> Cell:
    """Two or three buttons side by side."""
    return Cell("buttons", 56, pairs)


def chips(*items: tuple[str, Event, bool]) -> Cell:
    """Up to seven small toggles in a line, each `(label, event, on)`, such as weekdays."""
    return Cell("chips", 52, items)


def stepper(label: str, value: str, down: Event, up: Event) -> Cell:
    """A value between a minus and a plus button, called "Decrease <label>" and "Increase <label>"."""
    return Cell("stepper", 56, (label, value, down, up))


def bubble(text: str, mine: bool, note: str = "") -> Cell:
    """A message; `mine` puts it at the right."""
    lines = wrap(text, 14, 220)
    return Cell("bubble", 28 + 20 * len(lines) + (14 if note else 0), (lines, text, mine, note))


def composer(key: str, hint: str, value: str, focus: str | None, send: Event) -> Cell:
    """A text field with a send button, for `View.bottom`."""
    return Cell("composer", 60, (key, hint, value, focus == key, send))
