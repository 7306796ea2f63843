"""Content that is edited or pressed: fields, buttons, chips, steppers, the composer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui_gym.devices.phone.state import Event
from gui_gym.devices.phone.text import MEDIUM, ellipsize, tail, text_width, wrap
from gui_gym.devices.phone.theme import Theme
from gui_gym.devices.phone.widgets.base import Part, Widget, part, widget

if TYPE_CHECKING:
    from gui_gym.devices.phone.raster import Canvas

_CLEAR = 34
"""dp that the clear button takes from a field's text."""


def _visible(value: str, width: float, focused: bool, lines: int) -> tuple[str, ...]:
    """The lines of a field's value that can be seen: its end while it is edited, else its beginning."""
    if lines == 1:
        value = value.replace("\n", " ")
        return (tail(value, 16, width) if focused else ellipsize(value, 16, width),)
    if focused:
        return wrap(value, 16, width)[-lines:]
    return wrap(value, 16, width, lines=lines)


def _clear(key: str, label: str, right: float, lower: float) -> Part:
    """The button that empties a field that holds text."""
    return part("button", f"Clear {label}", (right - 44, 8, right, lower), ("system.clear", key))


@widget("field")
class Field(Widget):
    """An outlined text field with a floating label."""

    def paint(
        self,
        canvas: Canvas,
        theme: Theme,
        width: float,
        height: float,
        key: str,
        label: str,
        value: str,
        focused: bool,
        lines: int,
    ) -> None:
        """Outline, label, value, caret."""
        color = theme.primary if focused else theme.outline
        canvas.frame(16, 8, width - 16, height - 4, 8, 2 if focused else 1, color, theme.background)
        if not value and not focused:
            canvas.text(32, 8 + 26, label, 16, theme.faint, width=width - 64)
            return
        label = ellipsize(label, 12, width - 80)
        canvas.rect(27, 6, 33 + text_width(label, 12) + 4, 12, theme.background)
        canvas.text(32, 8.5, label, 12, theme.primary if focused else theme.faint)
        shown = _visible(value, width - 66 - (_CLEAR if value else 0), focused, lines)
        for i, line in enumerate(shown):
            canvas.text(32, 34 + 20 * i, line, 16, theme.ink)
        if focused:
            x, y = 32.5 + text_width(shown[-1], 16), 34 + 20 * (len(shown) - 1)
            canvas.rect(x, y - 10, x + 2, y + 10, theme.primary)
        if value:
            canvas.icon(width - 38, 34, "close", 20, theme.faint)

    def elements(
        self, width: float, height: float, key: str, label: str, value: str, focused: bool, lines: int
    ) -> tuple[Part, ...]:
        """The field; a tap focuses it. A button empties it."""
        flags = ("editable", "focused" if focused else "")
        text = part("field", label, (16, 4, width - 16, height - 2), ("system.focus", key), *flags, value=value)
        if not value:
            return (text,)
        return text, _clear(key, label, width - 16, min(height - 2, 62))


def _paint_button(
    canvas: Canvas, theme: Theme, box: tuple[float, float, float, float], label: str, enabled: bool, filled: bool
) -> None:
    x0, y0, x1, y1 = box
    if not enabled:
        canvas.rounded(x0, y0, x1, y1, 20, theme.disabled)
        ink = theme.on_disabled
    elif filled:
        canvas.rounded(x0, y0, x1, y1, 20, theme.primary)
        ink = theme.on_primary
    else:
        canvas.frame(x0, y0, x1, y1, 20, 1, theme.outline, theme.background)
        ink = theme.primary
    canvas.text((x0 + x1) / 2, (y0 + y1) / 2, label, 15, ink, MEDIUM, "center", x1 - x0 - 20)


@widget("button")
class Button(Widget):
    """One wide button."""

    def paint(
        self, canvas: Canvas, theme: Theme, width: float, height: float, label: str, on: Event | None, filled: bool
    ) -> None:
        """A capsule."""
        _paint_button(canvas, theme, (24, 8, width - 24, height - 8), label, on is not None, filled)

    def elements(self, width: float, height: float, label: str, on: Event | None, filled: bool) -> tuple[Part, ...]:
        """The button."""
        return (part("button", label, (24, 6, width - 24, height - 6), on, "" if on else "disabled"),)


@widget("buttons")
class Buttons(Widget):
    """Buttons side by side; the last one is filled."""

    @staticmethod
    def _boxes(width: float, height: float, count: int) -> list[tuple[float, float, float, float]]:
        each = (width - 48 - 12 * (count - 1)) / max(1, count)
        return [(24 + i * (each + 12), 8, 24 + i * (each + 12) + each, height - 8) for i in range(count)]

    def paint(
        self, canvas: Canvas, theme: Theme, width: float, height: float, *pairs: tuple[str, Event | None]
    ) -> None:
        """Capsules of equal width."""
        boxes = self._boxes(width, height, len(pairs))
        for i, ((label, on), box) in enumerate(zip(pairs, boxes, strict=True)):
            _paint_button(canvas, theme, box, label, on is not None, i == len(pairs) - 1)

    def elements(self, width: float, height: float, *pairs: tuple[str, Event | None]) -> tuple[Part, ...]:
        """One part a button."""
        boxes = self._boxes(width, height, len(pairs))
        return tuple(
            part("button", label, box, on, "" if on else "disabled")
            for (label, on), box in zip(pairs, boxes, strict=True)
        )


@widget("chips")
class Chips(Widget):
    """Small toggles in a line."""

    @staticmethod
    def _boxes(width: float, height: float, count: int) -> list[tuple[float, float, float, float]]:
        gap = 6
        each = min(104.0, (width - 32 - gap * (count - 1)) / max(1, count))
        return [(16 + i * (each + gap), 8, 16 + i * (each + gap) + each, height - 8) for i in range(count)]

    def paint(self, canvas: Canvas, theme: Theme, width: float, height: float, *items: tuple[str, Event, bool]) -> None:
        """Capsules; those that are on are filled."""
        boxes = self._boxes(width, height, len(items))
        for (label, _, on), (x0, y0, x1, y1) in zip(items, boxes, strict=True):
            radius = (y1 - y0) / 2
            if on:
                canvas.rounded(x0, y0, x1, y1, radius, theme.primary)
            else:
                canvas.frame(x0, y0, x1, y1, radius, 1, theme.outline, theme.background)
            ink = theme.on_primary if on else theme.ink
            canvas.text((x0 + x1) / 2, (y0 + y1) / 2, label, 13, ink, MEDIUM, "center", x1 - x0 - 8)

    def elements(self, width: float, height: float, *items: tuple[str, Event, bool]) -> tuple[Part, ...]:
        """One part a chip."""
        boxes = self._boxes(width, height, len(items))
        return tuple(
            part(
                "chip", label, (x0, 2, x1, height - 2), event, "checkable", "checked" if on else "",
                value="on" if on else "off",
            )
            for (label, event, on), (x0, _, x1, _) in zip(items, boxes, strict=True)
        )  # fmt: skip


@widget("stepper")
class Stepper(Widget):
    """A value between minus and plus."""

    def paint(
        self, canvas: Canvas, theme: Theme, width: float, height: float, label: str, value: str, down: Event, up: Event
    ) -> None:
        """Label at the left, the control at the right."""
        middle = height / 2
        canvas.text(28, middle, label, 16, theme.ink, width=width - 28 - 196)
        for x, icon in ((width - 166, "remove"), (width - 42, "add")):
            canvas.circle(x, middle, 18, theme.container)
            canvas.icon(x, middle, icon, 20, theme.on_container)
        canvas.text(width - 104, middle, value, 18, theme.ink, MEDIUM, "center", 80)

    def elements(self, width: float, height: float, label: str, value: str, down: Event, up: Event) -> tuple[Part, ...]:
        """The value and both buttons."""
        return (
            part("text", label, (24, 4, width - 190, height - 4), value=value),
            part("button", f"Decrease {label}", (width - 190, 4, width - 142, height - 4), down),
            part("button", f"Increase {label}", (width - 66, 4, width - 18, height - 4), up),
        )


@widget("composer")
class Composer(Widget):
    """A text field with a send button."""

    def paint(
        self,
        canvas: Canvas,
        theme: Theme,
        width: float,
        height: float,
        key: str,
        hint: str,
        value: str,
        focused: bool,
        send: Event,
    ) -> None:
        """A capsule with the text's end, and a round button."""
        middle = height / 2
        canvas.rounded(12, 6, width - 68, height - 6, 24, theme.track)
        room = width - 68 - 12 - 40 - (_CLEAR if value else 0)
        if value:
            canvas.icon(width - 90, middle, "close", 20, theme.faint)
        if value or focused:
            shown = _visible(value, room, focused, 1)[0]
            canvas.text(32, middle, shown, 16, theme.ink)
            if focused:
                x = 32.5 + text_width(shown, 16)
                canvas.rect(x, middle - 10, x + 2, middle + 10, theme.primary)
        else:
            canvas.text(32, middle, hint, 16, theme.faint, width=room)
        active = bool(value)
        canvas.circle(width - 36, middle, 24, theme.primary if active else theme.track)
        canvas.icon(width - 35, middle, "send", 22, theme.on_primary if active else theme.faint)

    def elements(
        self, width: float, height: float, key: str, hint: str, value: str, focused: bool, send: Event
    ) -> tuple[Part, ...]:
        """The field, a button that empties it, and the button that sends."""
        flags = ("editable", "focused" if focused else "")
        text = part("field", hint, (12, 4, width - 66, height - 4), ("system.focus", key), *flags, value=value)
        out = part("button", "Send", (width - 62, 4, width - 8, height - 4), send)
        return (text, _clear(key, hint, width - 68, height - 6), out) if value else (text, out)
