"""What lies on top of a page: dialog, menu, toast, floating button.

* `dialog_size`, `menu_size`, `toast_size` - how large to place them, `(width, height)` in dp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui_gym.devices.phone.state import Event
from gui_gym.devices.phone.text import MEDIUM, text_width, wrap
from gui_gym.devices.phone.theme import Theme
from gui_gym.devices.phone.widgets.base import Part, Widget, part, widget

if TYPE_CHECKING:
    from gui_gym.devices.phone.raster import Canvas

DIALOG_WIDTH = 312.0
_PAD = 24.0


def _dialog_lines(title: str, body: str, width: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
    titles = wrap(title, 22, width - 2 * _PAD, lines=2) if title else ()
    bodies = wrap(body, 14, width - 2 * _PAD, lines=8) if body else ()
    return titles, bodies


def _dialog_text_height(titles: tuple[str, ...], bodies: tuple[str, ...]) -> float:
    return _PAD + 28 * len(titles) + (12 if titles and bodies else 0) + 20 * len(bodies) + 20


def _stacked(buttons: tuple[str, ...], width: float) -> bool:
    """Whether the buttons do not fit side by side."""
    return sum(_button_width(label) for label in buttons) + 8 * (len(buttons) - 1) > width - 32


def _button_width(label: str) -> float:
    return max(64.0, text_width(label, 14, MEDIUM) + 24)


def dialog_size(title: str, body: str, buttons: tuple[str, ...]) -> tuple[float, float]:
    """Size of a dialog."""
    titles, bodies = _dialog_lines(title, body, DIALOG_WIDTH)
    rows = len(buttons) if _stacked(buttons, DIALOG_WIDTH) else 1
    return DIALOG_WIDTH, _dialog_text_height(titles, bodies) + 48 * rows + 12


def _button_boxes(
    title: str, body: str, buttons: tuple[str, ...], width: float
) -> list[tuple[float, float, float, float]]:
    y = _dialog_text_height(*_dialog_lines(title, body, width))
    if _stacked(buttons, width):
        return [(16, y + 48 * i, width - 16, y + 48 * i + 48) for i in range(len(buttons))]
    boxes, right = [], width - 16
    for label in reversed(buttons):
        left = right - _button_width(label)
        boxes.append((left, y, right, y + 48))
        right = left - 8
    return boxes[::-1]


@widget("dialog")
class DialogBox(Widget):
    """A question with buttons; see `dialog_size`."""

    radius = 28

    def paint(
        self,
        canvas: Canvas,
        theme: Theme,
        width: float,
        height: float,
        title: str,
        body: str,
        buttons: tuple[str, ...],
    ) -> None:
        """Title, wrapped body, text buttons at the lower right."""
        canvas.rect(0, 0, width, height, theme.surface)
        titles, bodies = _dialog_lines(title, body, width)
        y = _PAD + 14
        for line in titles:
            canvas.text(_PAD, y, line, 22, theme.ink, width=width - 2 * _PAD)
            y += 28
        y = _PAD + 28 * len(titles) + (12 if titles and bodies else 0) + 10
        for line in bodies:
            canvas.text(_PAD, y, line, 14, theme.faint, width=width - 2 * _PAD)
            y += 20
        for label, (x0, y0, x1, y1) in zip(buttons, _button_boxes(title, body, buttons, width), strict=True):
            canvas.text(
                (x0 + x1) / 2, (y0 + y1) / 2, label, 14, theme.primary, MEDIUM, align="center", width=x1 - x0 - 16
            )

    def elements(
        self, width: float, height: float, title: str, body: str, buttons: tuple[str, ...]
    ) -> tuple[Part, ...]:
        """The opaque dialog, its texts and its buttons."""
        titles, bodies = _dialog_lines(title, body, width)
        parts = [part("dialog", title or body, (0, 0, width, height), opaque=True)]
        y = _PAD
        for text, rows in ((title, 28 * len(titles)), (body, 20 * len(bodies))):
            if rows:
                parts.append(part("text", text, (_PAD, y, width - _PAD, y + rows)))
                y += rows + 12
        boxes = _button_boxes(title, body, buttons, width)
        for i, (label, box) in enumerate(zip(buttons, boxes, strict=True)):
            parts.append(part("button", label, box, ("system.dialog", i)))
        return tuple(parts)


def menu_size(items: tuple[str, ...]) -> tuple[float, float]:
    """Size of a menu."""
    widest = max((text_width(item, 15) for item in items), default=0)
    return min(280.0, max(152.0, widest + 40)), 16.0 + 48 * len(items)


@widget("menu")
class PopupMenu(Widget):
    """A menu; see `menu_size`."""

    radius = 12

    def paint(self, canvas: Canvas, theme: Theme, width: float, height: float, items: tuple[str, ...]) -> None:
        """Lines of text in an outlined box."""
        canvas.rect(0, 0, width, height, theme.outline)
        canvas.frame(0, 0, width, height, self.radius, 1, theme.outline, theme.surface)
        for i, item in enumerate(items):
            canvas.text(20, 8 + 48 * i + 24, item, 15, theme.ink, width=width - 36)

    def elements(self, width: float, height: float, items: tuple[str, ...]) -> tuple[Part, ...]:
        """The opaque menu and its items."""
        parts = [part("menu", "Menu", (0, 0, width, height), opaque=True)]
        for i, item in enumerate(items):
            parts.append(part("menu_item", item, (0, 8 + 48 * i, width, 56 + 48 * i), ("system.menu", i)))
        return tuple(parts)


_TOAST_WIDTH = 312.0


def toast_size(text: str) -> tuple[float, float]:
    """Size of a toast."""
    lines = wrap(text, 14, _TOAST_WIDTH - 48, lines=2)
    widest = max(text_width(line, 14) for line in lines)
    return min(_TOAST_WIDTH, max(96.0, float(round(widest)) + 48)), 24.0 + 20 * len(lines)


@widget("toast")
class Toast(Widget):
    """A passing message; see `toast_size`. It takes no touches."""

    radius = 22

    def paint(self, canvas: Canvas, theme: Theme, width: float, height: float, text: str) -> None:
        """One or two centred lines on an inverse capsule."""
        canvas.rect(0, 0, width, height, theme.inverse)
        for i, line in enumerate(wrap(text, 14, _TOAST_WIDTH - 48, lines=2)):
            canvas.text(width / 2, 22 + 20 * i, line, 14, theme.on_inverse, align="center", width=width - 24)

    def elements(self, width: float, height: float, text: str) -> tuple[Part, ...]:
        """The message."""
        return (part("toast", text, (0, 0, width, height)),)


@widget("fab")
class FloatingButton(Widget):
    """A floating action button."""

    radius = 16

    def paint(
        self, canvas: Canvas, theme: Theme, width: float, height: float, icon: str, label: str, event: Event
    ) -> None:
        """An icon on a coloured square."""
        canvas.rect(0, 0, width, height, theme.container)
        canvas.icon(width / 2, height / 2, icon, 24, theme.on_container)

    def elements(self, width: float, height: float, icon: str, label: str, event: Event) -> tuple[Part, ...]:
        """The button."""
        return (part("button", label, (0, 0, width, height), event, opaque=True),)
