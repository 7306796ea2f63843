"""A small panel of switches, buttons and text fields: a whole device in one file, for tests and as an example.

* `Panel`, `Widget` - its state
* `FakeDevice` - forkable, drawn with numpy alone, answers in microseconds
* `FaultPlan` - makes chosen calls fail, to test what happens then
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from gui_gym.actions import Action, ActionType
from gui_gym.devices.base import DeviceFault, ForkableDevice, Outcome, Screen
from gui_gym.elements import Element, ElementTree
from gui_gym.geometry import Box, to_pixel

SWITCH, BUTTON, FIELD = "switch", "button", "field"
_BACK, _INK, _FOCUS = (244, 244, 248), (20, 20, 30), (60, 60, 220)
_COLORS = {SWITCH: (205, 205, 215), BUTTON: (170, 205, 245), FIELD: (255, 255, 255)}
_ON = (70, 180, 90)


@dataclass(frozen=True)
class Widget:
    """One line of the panel.

    Attributes:
        kind: `SWITCH`, `BUTTON` or `FIELD`.
        label: shown at the left.
        value: "on" or "off" of a switch, the count of a button's presses, the text of a field.
    """

    kind: str
    label: str
    value: str


@dataclass(frozen=True)
class Panel:
    """The whole state: the widgets from top to bottom and the index of the focused field, or -1."""

    widgets: tuple[Widget, ...]
    focus: int = -1

    def value(self, label: str) -> str:
        """The value of the widget with this label."""
        return next(w.value for w in self.widgets if w.label == label)

    def put(self, index: int, value: str) -> Panel:
        """A panel with another value in one widget."""
        widget = replace(self.widgets[index], value=value)
        return replace(self, widgets=(*self.widgets[:index], widget, *self.widgets[index + 1 :]))


class FaultPlan:
    """Which calls fail: method name -> the numbers of the calls that raise a `DeviceFault`, counted from 1.

    The count goes on when the device is built anew, because the plan outlives it.
    """

    def __init__(self, calls: Mapping[str, Iterable[int]] | None = None):
        self.calls = {name: frozenset(numbers) for name, numbers in (calls or {}).items()}
        self.count: Counter[str] = Counter()

    def check(self, method: str) -> None:
        """Count a call; raise when the plan says so."""
        self.count[method] += 1
        if self.count[method] in self.calls.get(method, ()):
            raise DeviceFault(method, f"planned failure of call {self.count[method]}")


class FakeDevice(ForkableDevice):
    """A panel on a small touch screen.

    Args:
        size: width and height in pixels.
        faults: a `FaultPlan` or its `calls`; methods are "reset", "perform", "screenshot", "elements" and "state".
        latency: how many further actions pass before an action shows; until then the screen is not stable.
    """

    platform: ClassVar[str] = "mobile"
    action_types: ClassVar[tuple[ActionType, ...]] = (
        ActionType.CLICK,
        ActionType.TYPE,
        ActionType.KEY,
        ActionType.BACK,
        ActionType.WAIT,
    )

    def __init__(
        self,
        size: tuple[int, int] = (120, 160),
        faults: FaultPlan | Mapping[str, Iterable[int]] | None = None,
        latency: int = 0,
    ):
        self.size = (int(size[0]), int(size[1]))
        self.faults = faults if isinstance(faults, FaultPlan) else FaultPlan(faults)
        self.latency = latency
        self._panel = Panel(())
        self._pending: tuple[tuple[int, Action], ...] = ()  # (actions to wait, action)

    def reset(self, setup: Panel) -> None:
        self.faults.check("reset")
        self._panel, self._pending = setup, ()

    def screenshot(self, out: Screen | None = None) -> Screen:
        self.faults.check("screenshot")
        width, height = self.size
        screen = np.empty((height, width, 3), np.uint8) if out is None else out
        screen[:] = _BACK
        for index, widget in enumerate(self._panel.widgets):
            y0, y1 = self._rows(index)
            screen[y0:y1] = _strip(widget, width, y1 - y0, index == self._panel.focus)
        return screen

    def perform(self, action: Action) -> Outcome:
        self.faults.check("perform")
        if action.type not in self.action_types:
            return Outcome(invalid=f"type {action.type.value!r} is not taken by this device")
        pending = [(wait - 1, later) for wait, later in self._pending]
        if self.latency and action.type is not ActionType.WAIT:
            pending.append((self.latency, action))
            outcome = Outcome()
        else:
            outcome = self._do(action)
        for wait, later in pending:
            if wait == 0:
                self._do(later)
        self._pending = tuple((wait, later) for wait, later in pending if wait > 0)
        return replace(outcome, stable=not self._pending)

    def elements(self) -> ElementTree:
        self.faults.check("elements")
        elements = []
        for index, w in enumerate(self._panel.widgets):
            y0, y1 = self._rows(index)
            flags = {"clickable", {SWITCH: "checkable", FIELD: "editable"}.get(w.kind, "clickable")}
            flags |= {"focused"} if index == self._panel.focus else set()
            flags |= {"checked"} if w.value == "on" and w.kind == SWITCH else set()
            elements.append(Element(w.kind, w.label, Box(0, y0, self.size[0], y1), frozenset(flags), w.value))
        return ElementTree(tuple(elements), self.size)

    def state(self) -> Panel:
        self.faults.check("state")
        return self._panel

    def save(self) -> Any:
        return self._panel, self._pending

    def load(self, snapshot: Any) -> None:
        self._panel, self._pending = snapshot

    def state_key(self) -> bytes:
        return hashlib.blake2b(repr((self._panel, self._pending)).encode(), digest_size=16).digest()

    def screen_key(self) -> bytes:
        return hashlib.blake2b(repr((self._panel, self.size)).encode(), digest_size=16).digest()

    def _rows(self, index: int) -> tuple[int, int]:
        count = len(self._panel.widgets)
        return index * self.size[1] // count, (index + 1) * self.size[1] // count

    def _do(self, action: Action) -> Outcome:
        panel = self._panel
        if action.type is ActionType.CLICK and panel.widgets:
            assert action.point is not None
            y = to_pixel(action.point[1], self.size[1])
            index = next(i for i in range(len(panel.widgets)) if y < self._rows(i)[1])
            widget = panel.widgets[index]
            panel = replace(panel, focus=index if widget.kind == FIELD else -1)
            if widget.kind == SWITCH:
                panel = panel.put(index, "off" if widget.value == "on" else "on")
            elif widget.kind == BUTTON:
                panel = panel.put(index, str(int(widget.value) + 1))
            self._panel = panel
            return Outcome(events=((action.type.value, widget.label),))
        if action.type is ActionType.BACK:
            self._panel = replace(panel, focus=-1)
        elif action.type in (ActionType.TYPE, ActionType.KEY):
            if panel.focus < 0:
                return Outcome(invalid="no field has the focus")
            value = panel.widgets[panel.focus].value
            if action.type is ActionType.TYPE:
                value += action.text or ""
            elif action.keys == ("backspace",):
                value = value[:-1]
            panel = panel.put(panel.focus, value)
            self._panel = replace(panel, focus=-1) if action.submit or action.keys == ("enter",) else panel
        return Outcome()


@lru_cache(maxsize=4096)
def _strip(widget: Widget, width: int, height: int, focused: bool) -> Screen:
    """One widget, uint8 `(height, width, 3)`; read only."""
    strip = np.empty((height, width, 3), np.uint8)
    strip[:] = _BACK
    inner = strip[1 : height - 1, 1 : width - 1]
    inner[:] = _FOCUS if focused else _INK
    inner[1:-1, 1:-1] = _ON if widget.value == "on" else _COLORS[widget.kind]
    _write(inner, widget.label, 3, 3)
    value = widget.value[-(width // 8) :]
    _write(inner, value, max(3, inner.shape[1] - 4 * len(value) - 2), max(3, inner.shape[0] - 8))
    strip.flags.writeable = False
    return strip


def _write(image: Screen, text: str, x: int, y: int) -> None:
    for char in text:
        glyph = _glyph(char)
        area = image[y : y + 5, x : x + 3]
        area[glyph[: area.shape[0], : area.shape[1]]] = _INK
        x += 4


# 3x5 pixels a character: five octal digits, rows from the top
_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "
_ROWS = (
    "2575565656344436555674647746443455355755722271115255655444475775565555255526564425563656553421672222"
    "5555755522557755525555222712477555726227612476121655711746163465271222252522531600000"
)
_FONT = {char: int(_ROWS[5 * i : 5 * i + 5], 8) for i, char in enumerate(_CHARS)}


@lru_cache(maxsize=4096)
def _glyph(char: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """5x3 bits; a character that the font lacks shows the bits of its code point, so that texts stay distinct."""
    bits = _FONT.get(char.upper(), ord(char) % 32749 + 1)
    return np.array([[bits >> (14 - 3 * y - x) & 1 for x in range(3)] for y in range(5)], np.bool_)
