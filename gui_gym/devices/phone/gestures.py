"""Touches: from fingers on the screen to events and scrolling.

* `Gestures` - tap, long press, scroll, swipe and drag on a layout; `settle` after any change

A finger that moves less than `SLOP` dp has tapped. Longer moves scroll what lies under the finger one to one, save
for those that the system takes:

* down from the status bar: the notification shade; up from the navigation bar: home
* inwards from the left or right edge: back
* on the home screen up: the app drawer, down: the shade; in the drawer down, when it is at its top: home
* in the shade up, when it has nothing to scroll: close it; sideways on a notification: remove it
* in recents sideways on a card: close that app
"""

from __future__ import annotations

from typing import Any

from gui_gym.devices.phone.layout import Layout
from gui_gym.devices.phone.records import EMPTY
from gui_gym.devices.phone.scene import Pane
from gui_gym.devices.phone.state import DRAWER, HOME, RECENTS, Event, Phone
from gui_gym.devices.phone.system import System, front_page, set_front_page
from gui_gym.devices.phone.ui import WIDTH
from gui_gym.devices.phone.widgets import HEIGHT
from gui_gym.geometry import Point, to_pixel

SLOP = 8.0
"""dp that a finger may move in a tap."""
EDGE = 14.0
"""dp from the left or right edge in which a swipe inwards goes back."""
FLICK = 40.0
"""dp that a gesture of the system takes at least."""

_UNIT = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class Gestures:
    """Touches on screens of one layout.

    Args:
        layout: says what lies where.
        system: does what it means.
    """

    def __init__(self, layout: Layout, system: System):
        self.layout = layout
        self.system = system

    def tap(self, phone: Phone, point: Point, log: list[Any]) -> Phone:
        """Touch and let go."""
        event = self._event(phone, point)
        phone = quiet(phone)
        if event is None:
            return phone
        return self._reveal(self.system.dispatch(phone, event, log), event)

    def long_press(self, phone: Phone, point: Point, log: list[Any]) -> Phone:
        """Touch and hold: the keyboard's backspace empties the field, other keys act once; all else takes no notice."""
        event = self._event(phone, point)
        phone = quiet(phone)
        if event is None or event[0] not in ("system.key", "system.layer"):
            return phone
        if event == ("system.key", "backspace"):
            event = ("system.clear", phone.ui.focus)
        return self._reveal(self.system.dispatch(phone, event, log), event)

    def scroll(self, phone: Phone, direction: str, amount: float, point: Point | None) -> Phone:
        """Move the view by `amount` times the height of the list; at a point, if that lies on the list.

        Scrolling down on the home screen opens the drawer. There is nothing that scrolls sideways.
        """
        pane = self.layout.scene(phone).pane
        phone, ui = quiet(phone), phone.ui
        step = _UNIT[direction][1]
        if step == 0 or not _scrolls(phone, pane) or not (point is None or self._in_pane(pane, point)):
            return phone
        if ui.front == HOME and not ui.shade:
            return self.system.dispatch(phone, ("system.drawer",), []) if step > 0 and amount > 0 else phone
        return self._move_view(phone, pane, step * min(amount, 1e3) * (pane.y1 - pane.y0) / self.layout.scale)

    def swipe(self, phone: Phone, direction: str, amount: float, point: Point | None, log: list[Any]) -> Phone:
        """Flick in the finger's direction over `amount` times the list's height (sideways: the screen's width).

        It starts at `point`, by default in the middle of what scrolls.
        """
        pane, s = self.layout.scene(phone).pane, self.layout.scale
        dx, dy = _UNIT[direction]
        if point is None:
            x, y = WIDTH / 2, (pane.y0 + pane.y1) / 2 / s
        else:
            x, y = self._dp(point)
        amount = min(amount, 1e3)
        return self._finger(phone, x, y, dx * amount * WIDTH, dy * amount * (pane.y1 - pane.y0) / s, log)

    def drag(self, phone: Phone, point: Point, end: Point, log: list[Any]) -> Phone:
        """Touch at `point`, move to `end`, let go."""
        x, y = self._dp(point)
        x1, y1 = self._dp(end)
        return self._finger(phone, x, y, x1 - x, y1 - y, log)

    def settle(self, phone: Phone, before: Phone) -> Phone:
        """After any change: see to it that a newly focused field is in view and that no page is scrolled too far."""
        if phone is before:
            return phone
        phone = self.system.tidy(phone, before)
        if phone.ui is before.ui and phone.data is before.data and phone.notifications is before.notifications:
            return phone
        if phone.ui.focus is not None and phone.ui.focus != before.ui.focus:
            phone = self._reveal(self._stay_at_end(phone, before), ("system.focus",))
        pane = self.layout.scene(phone).pane
        return _with_scroll(phone, pane, pane.scroll)

    # helpers ------------------------------------------------------------------------------------------------------
    def _event(self, phone: Phone, point: Point) -> Event | None:
        width, height = self.layout.size
        part = self.layout.hit(phone, to_pixel(point[0], width), to_pixel(point[1], height))
        return None if part is None else part.event

    def _dp(self, point: Point) -> tuple[float, float]:
        width, height = self.layout.size
        s = self.layout.scale
        return (to_pixel(point[0], width) + 0.5) / s, (to_pixel(point[1], height) + 0.5) / s

    def _in_pane(self, pane: Pane, point: Point) -> bool:
        return pane.y0 <= to_pixel(point[1], self.layout.size[1]) < pane.y1

    def _reveal(self, phone: Phone, event: Event) -> Phone:
        """Bring the focused field into view when it was touched or typed into."""
        focus = phone.ui.focus
        if focus is None or event[0] not in ("system.focus", "system.key", "system.clear"):
            return phone
        if self.system.views.focused_lines(phone) == 0:
            return phone
        return _with_scroll(phone, self.layout.scene(phone).pane, self.layout.reveal(phone, focus))

    def _stay_at_end(self, phone: Phone, before: Phone) -> Phone:
        """A conversation that showed its last message goes on showing it above the keyboard."""
        view, old = self.layout.view(phone), self.layout.scene(before).pane
        here = front_page(phone.ui).set(form=EMPTY) == front_page(before.ui).set(form=EMPTY)
        if view is None or view.bottom is None or not here or old.name != "page" or old.scroll < old.most:
            return phone
        pane = self.layout.scene(phone).pane
        return _with_scroll(phone, pane, pane.most)

    def reveal(self, phone: Phone) -> Phone:
        """Bring the focused field into view."""
        return self._reveal(phone, ("system.focus",))

    def _move_view(self, phone: Phone, pane: Pane, dp: float) -> Phone:
        return _with_scroll(phone, pane, min(max(round(pane.scroll + dp), 0), pane.most))

    def _finger(self, phone: Phone, x: float, y: float, dx: float, dy: float, log: list[Any]) -> Phone:
        """A finger that goes down at (x, y) and moves by (dx, dy), in dp."""
        layout, dispatch = self.layout, self.system.dispatch
        point = (x / WIDTH, y / layout.height)
        if abs(dx) < SLOP and abs(dy) < SLOP:
            return self.tap(phone, point, log)
        pane, event = layout.scene(phone).pane, self._event(phone, point)
        phone, ui = quiet(phone), phone.ui
        if abs(dx) > abs(dy):
            if abs(dx) < FLICK:
                return phone
            if (x < EDGE and dx > 0) or (x > WIDTH - EDGE and dx < 0):
                return dispatch(phone, ("system.back",), log)
            if event is not None and event[0] == "system.notification":
                return dispatch(phone, ("system.clear_notification", event[1]), log)
            card = event is not None and event[0] in ("system.open", "system.close")
            if event is not None and card and ui.front == RECENTS and not ui.shade:
                return dispatch(phone, ("system.close", event[1]), log)
            return phone
        if y < HEIGHT["status"] and dy > 0:
            return dispatch(phone, ("system.shade",), log) if dy >= FLICK else phone
        if y >= layout.height - HEIGHT["navbar"] and dy < 0:
            return dispatch(phone, ("system.home",), log) if dy <= -FLICK else phone
        if not _scrolls(phone, pane):
            return phone
        if ui.shade and (pane.most == 0 or not self._in_pane(pane, point)):
            return dispatch(phone, ("system.dismiss",), log) if dy <= -FLICK else phone
        if not self._in_pane(pane, point) and ui.front != HOME:
            return phone
        if not ui.shade and ui.front == HOME and abs(dy) >= FLICK:
            return dispatch(phone, ("system.drawer",) if dy < 0 else ("system.shade",), log)
        if not ui.shade and ui.front == DRAWER and pane.scroll == 0 and dy >= FLICK:
            return dispatch(phone, ("system.home",), log)
        return self._move_view(phone, pane, -dy)


def quiet(phone: Phone) -> Phone:
    """The phone without its toast: it has been seen."""
    return phone if phone.ui.toast is None else phone.set(ui=phone.ui.set(toast=None))


def _scrolls(phone: Phone, pane: Pane) -> bool:
    """Whether fingers reach what scrolls: a menu or dialog above it takes all touches."""
    ui = phone.ui
    return ui.shade or (ui.menu is None and ui.dialog is None)


def _with_scroll(phone: Phone, pane: Pane, scroll: int) -> Phone:
    """The phone with `pane` scrolled to `scroll` dp."""
    ui = phone.ui
    if pane.name == "shade":
        return phone.set(ui=ui.set(shade_scroll=scroll))
    if pane.name in (DRAWER, RECENTS):
        return phone.set(ui=ui.set(drawer_scroll=scroll))
    if pane.name == "page":
        page = front_page(ui)
        return phone if page.scroll == scroll else set_front_page(phone, page.set(scroll=scroll))
    return phone
