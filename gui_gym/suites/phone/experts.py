"""What an expert on the phone is made of.

* `Hands` - the next action of someone who knows where things are, from any state of the phone
* `Stop` - one page on the way through an app
* `fixer`, `fix` - one function per app that brings its data one action nearer to what is wanted

Every method of `Hands` that returns `Action | None` gives None when nothing is left to do, so that a way reads as one
expression: `hands.at("notes") or hands.tap("New note")`. Hands look at elements as an agent does: by role and text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from gui_gym.actions import Action
from gui_gym.devices.phone.app import APPS
from gui_gym.devices.phone.state import DRAWER, HOME, Page, Phone
from gui_gym.devices.phone.ui import WIDTH
from gui_gym.elements import Element, ElementTree
from gui_gym.task import Unreachable

if TYPE_CHECKING:
    from gui_gym.devices.phone.layout import Layout

FIRST = Page()


class Stop(NamedTuple):
    """A page on the way: its name and argument, and the element on the page before that leads to it."""

    page: str
    arg: Any = None
    tap: str = ""
    role: str | None = None


Fixer = Callable[["Hands", Any, Any], Action | None]
FIXERS: dict[str, Fixer] = {}


def fixer(app: str) -> Callable[[Fixer], Fixer]:
    """Decorator: `fix(hands, have, want)` brings an app's data from `have` one action nearer to `want`."""

    def register(function: Fixer) -> Fixer:
        FIXERS[app] = function
        return function

    return register


def fix(hands: Hands, app: str, have: Any, want: Any) -> Action:
    """One action that brings an app's data nearer to what is wanted.

    Raises:
        Unreachable: there is none.
    """
    action = FIXERS[app](hands, have, want) if app in FIXERS else None
    if action is None:
        raise Unreachable(f"no way to bring the data of {app!r} to what is wanted")
    return action


class Hands:
    """What to do next on a phone, given its state and what is visible.

    Args:
        phone: the device's state.
        elements: what is visible; its size is the screen's.
    """

    def __init__(self, phone: Phone, elements: ElementTree):
        self.phone = phone
        self.elements = elements

    # where we are -------------------------------------------------------------------------------------------------
    @property
    def stack(self) -> tuple[Page, ...]:
        """The open pages of the app in front, the visible one last."""
        pages: tuple[Page, ...] = self.phone.ui.stacks.get(self.phone.ui.front, (FIRST,))
        return pages

    @property
    def page(self) -> Page:
        """The visible page."""
        return self.stack[-1]

    def on(self, app: str, page: str = "main", arg: Any = None) -> bool:
        """Whether this page is in front."""
        return self.phone.ui.front == app and (self.page.name, self.page.arg) == (page, arg)

    # going somewhere ----------------------------------------------------------------------------------------------
    def clear(self) -> Action | None:
        """Close what lies on top: shade, menu, dialog."""
        ui = self.phone.ui
        return Action("back") if ui.shade or ui.menu is not None or ui.dialog is not None else None

    def open(self, app: str) -> Action | None:
        """Bring an app to the front by its icon."""
        ui = self.phone.ui
        if ui.front == app:
            return self.clear()
        if self.clear() is not None:
            return self.clear()
        if app not in APPS or app not in self.phone.data:
            raise Unreachable(f"there is no app {app!r}")
        if ui.front not in (HOME, DRAWER):
            return Action("home")
        if ui.front == HOME and self.find(APPS[app].label, "icon") is None:
            return self.tap("Apps", "icon")
        return self.tap(APPS[app].label, "icon")

    def at(self, app: str, *stops: Stop) -> Action | None:
        """Go to a page of an app: forward by the stops' elements, back from anywhere else.

        The last stop counts as reached however it was reached, so that a search may lead to it, too. Without stops,
        go to the app's first page.
        """
        action = self.open(app)
        if action is not None:
            return action
        stack = self.stack
        if stops and self.on(app, stops[-1].page, stops[-1].arg):
            return None
        depth = len(stack) - 1
        along = depth <= len(stops) and all(
            (page.name, page.arg) == (stop.page, stop.arg) for page, stop in zip(stack[1:], stops, strict=False)
        )
        if not along or stack[0].name != "main":
            return Action("back")
        if depth == len(stops):
            return None
        return self.tap(stops[depth].tap, stops[depth].role)

    def shade(self) -> Action | None:
        """Open the notification shade with its quick settings."""
        if self.phone.ui.shade:
            return None
        bar = next((e for e in self.elements if e.role == "status_bar"), None)
        if bar is None:  # a menu or dialog lies on top
            return self.clear() or Action("home")
        return self._click(bar)

    def tab(self, label: str) -> Action | None:
        """Choose a tab of the visible page."""
        tab = self.find(label, "tab")
        if tab is None:
            raise Unreachable(f"there is no tab {label!r} here")
        return None if "selected" in tab.flags else self._click(tab)

    # acting -------------------------------------------------------------------------------------------------------
    def tap(self, text: str, role: str | None = None) -> Action:
        """Tap the element with this text; scroll towards it when it is not visible.

        Args:
            text: the whole text, or the part before " · " (a row's title).
            role: its role, None for any that can be clicked.

        Raises:
            Unreachable: the page has no such element.
        """
        element = self.find(text, role)
        if element is not None:
            return self._click(element)
        return self.seek(text, role)

    def seek(self, text: str, role: str | None = None) -> Action:
        """Scroll towards an element that is not visible.

        Raises:
            Unreachable: the page has no such element.
        """
        if self.phone.ui.focus is not None:
            return Action("back")  # the keyboard takes a third of the screen
        direction = self._direction(lambda t, r: _is(t, r, text, role))
        if direction is None:
            raise Unreachable(f"there is no {role or 'element'} {text!r} here")
        return Action("scroll", point=(0.5, 0.5), direction=direction, amount=0.5)

    def find(self, text: str, role: str | None = None) -> Element | None:
        """The first visible element with this text that can be clicked."""
        for element in self.elements:
            fits = element.clickable and _is(element.text, element.role, text, role)
            if fits and self.elements.click_point(element) is not None:
                return element
        return None

    def sees(self, text: str) -> bool:
        """Whether a visible element shows this text, alone or within other text."""
        return any(text in e.text or text in e.value for e in self.elements if e.role != "key")

    def show(self, text: str) -> Action | None:
        """Scroll until the text can be read."""
        if self.sees(text):
            return None
        if self.phone.ui.focus is not None:
            return Action("back")
        direction = self._direction(lambda t, r: text in t)
        if direction is None:
            raise Unreachable(f"{text!r} is not on this page")
        return Action("scroll", point=(0.5, 0.5), direction=direction, amount=0.5)

    def fill(self, key: str, label: str, text: str) -> Action | None:
        """Bring a text field to hold exactly this text: clear it when it holds something else, focus it, type.

        Args:
            key: the field's key in the page's form.
            label: the field's label.
        """
        value = self.page.form.get(key, "")
        if value == text:
            return None
        if not text.startswith(value):
            return self.tap(f"Clear {label}", "button")
        if self.phone.ui.focus != key:
            return self.tap(label, "field")
        return Action("type", text=text[len(value) :])

    def confirm(self, title: str, button: str, body: str = "") -> Action | None:
        """Press a button of the dialog with this title (and body, unless empty), if it is open; else None."""
        dialog = self.phone.ui.dialog
        if dialog is None or dialog.title != title or (body and dialog.body != body):
            return None
        return self.tap(button, "button")

    def choose(self, label: str) -> Action | None:
        """Press an item of the open menu; None when none is open or it has no such item."""
        menu = self.phone.ui.menu
        if menu is None or label not in [text for text, _ in menu.items]:
            return None
        return self.tap(label, "menu_item")

    # seeing -------------------------------------------------------------------------------------------------------
    def _click(self, element: Element) -> Action:
        return Action("click", point=self.elements.click_point(element))

    def _direction(self, wanted: Callable[[str, str], bool]) -> str | None:
        """Where the page's first part with such a text and role lies, seen from the middle of what is visible."""
        from gui_gym.devices.phone.widgets import parts_of

        layout = _layout(self.elements.size, tuple(APPS))
        pane = layout.scene(self.phone).pane
        middle = pane.scroll + (pane.y1 - pane.y0) / layout.scale / 2
        for cell, edge in zip(pane.cells, pane.edges, strict=False):
            for part in parts_of(cell.kind, WIDTH, cell.height, cell.props):
                if wanted(part.text, part.role):
                    return "up" if edge / layout.scale + (part.box[1] + part.box[3]) / 2 < middle else "down"
        return None


@lru_cache(8)
def _layout(size: tuple[int, int], apps: tuple[str, ...]) -> Layout:
    from gui_gym.devices.phone.factory import installed
    from gui_gym.devices.phone.layout import Layout

    return Layout(size, installed())


def _is(text: str, role: str, wanted: str, wanted_role: str | None) -> bool:
    if wanted_role is not None and role != wanted_role:
        return False
    return text == wanted or text.startswith(f"{wanted} · ")
