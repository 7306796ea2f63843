"""Content that is read or tapped as a whole: rows, headings, text, message bubbles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui_gym.devices.phone.state import Event
from gui_gym.devices.phone.text import MEDIUM, text_width, wrap
from gui_gym.devices.phone.theme import PALETTE, Theme
from gui_gym.devices.phone.ui import Trailing
from gui_gym.devices.phone.widgets.base import Part, Widget, part, widget

if TYPE_CHECKING:
    from gui_gym.devices.phone.raster import Canvas

SEPARATOR = " · "
"""Between title and subtitle in a row's text."""

_WHITE = (255, 255, 255)
_MARGIN = 12.0
_CONTROL = {"switch": "switch", "check": "checkbox", "radio": "radio"}
_CORNERS: dict[str, tuple[str, ...]] = {
    "only": ("tl", "tr", "bl", "br"),
    "first": ("tl", "tr"),
    "last": ("bl", "br"),
    "mid": (),
}


def row_text(title: str, subtitle: str) -> str:
    """The text of a row's element.

    >>> row_text("Wi-Fi", "HomeNetwork")
    'Wi-Fi · HomeNetwork'
    """
    return f"{title}{SEPARATOR}{subtitle}" if subtitle else title


def _trailing_width(trailing: Trailing | None, width: float) -> float:
    """dp at the right end that the title must leave free."""
    if trailing is None:
        return 28
    if trailing.kind == "switch":
        return 84
    if trailing.kind == "text":
        return min(width * 0.45, text_width(str(trailing.value), 13) + 40)
    return 64


@widget("row")
class Row(Widget):
    """A list row in a card: disc, title, subtitle, trailing control.

    With a control that has no event of its own the row is that control: one element with the control's role.
    """

    def paint(
        self,
        canvas: Canvas,
        theme: Theme,
        width: float,
        height: float,
        place: str,
        title: str,
        subtitle: str,
        icon: str,
        color: int,
        trailing: Trailing | None,
        on: Event | None,
        selected: bool,
    ) -> None:
        """Card, disc, texts, control."""
        ground = theme.container if selected else theme.card
        ink = theme.on_container if selected else theme.ink
        faint = theme.on_container if selected else theme.faint
        canvas.rounded(_MARGIN, 0, width - _MARGIN, height, 16, ground, _CORNERS[place])
        middle, x = height / 2, 28.0
        if icon:
            x = 66
            disc = color >= 0
            if disc:
                canvas.circle(38, middle, 16, PALETTE[color % len(PALETTE)])
            if len(icon) == 1:
                canvas.text(38, middle, icon, 16, _WHITE if disc else faint, MEDIUM, "center")
            else:
                canvas.icon(38, middle, icon, 20 if disc else 24, _WHITE if disc else faint)
        if place in ("first", "mid"):
            canvas.rect(x, height - 1, width - 28, height, theme.divider)
        room = width - x - _trailing_width(trailing, width)
        if subtitle:
            canvas.text(x, middle - 9, title, 16, ink, width=room)
            canvas.text(x, middle + 10, subtitle, 13, faint, width=room)
        else:
            canvas.text(x, middle, title, 16, ink, width=room)
        if trailing is not None:
            self._control(canvas, theme, width, middle, trailing, faint)

    @staticmethod
    def _control(
        canvas: Canvas, theme: Theme, width: float, middle: float, trailing: Trailing, faint: tuple[int, int, int]
    ) -> None:
        kind, value = trailing.kind, trailing.value
        if kind == "switch":
            x = width - 70
            if value:
                canvas.rounded(x, middle - 13, x + 46, middle + 13, 13, theme.primary)
                canvas.circle(x + 33, middle, 10, theme.on_primary)
            else:
                canvas.frame(x, middle - 13, x + 46, middle + 13, 13, 1.5, theme.thumb, theme.track)
                canvas.circle(x + 13, middle, 7, theme.thumb)
        elif kind in ("check", "radio"):
            names = ("check_box_outline_blank", "check_box")
            if kind == "radio":
                names = ("radio_button_unchecked", "radio_button_checked")
            canvas.icon(width - 42, middle, names[bool(value)], 24, theme.primary if value else faint)
        elif kind == "chevron":
            canvas.icon(width - 36, middle, "chevron_right", 22, faint)
        elif kind == "icon":
            canvas.icon(width - 42, middle, value, 24, faint)
        elif kind == "text":
            canvas.text(width - 28, middle, str(value), 13, faint, align="right", width=width * 0.45 - 40)

    def elements(
        self,
        width: float,
        height: float,
        place: str,
        title: str,
        subtitle: str,
        icon: str,
        color: int,
        trailing: Trailing | None,
        on: Event | None,
        selected: bool,
    ) -> tuple[Part, ...]:
        """The row; a trailing control with an event of its own lies on it."""
        box = (_MARGIN, 0.0, width - _MARGIN, height)
        text = row_text(title, subtitle)
        chosen = "selected" if selected else ""
        if trailing is None or trailing.kind == "chevron":
            return (part("row", text, box, on, chosen),)
        if trailing.kind == "text":
            return (part("row", text, box, on, chosen, value=str(trailing.value)),)
        role = _CONTROL.get(trailing.kind, "button")
        flags: tuple[str, ...] = ()
        value = ""
        if trailing.kind != "icon":
            flags = ("checkable", "checked" if trailing.value else "")
            value = "on" if trailing.value else "off"
        if trailing.on is None:
            if trailing.kind == "icon":
                return (part("row", text, box, on, chosen, value=trailing.label),)
            return (part(role, text, box, on, chosen, *flags, "" if on else "disabled", value=value),)
        control = part(
            role, trailing.label or title, (width - 84, 0, width - _MARGIN, height), trailing.on, *flags, value=value
        )
        return (part("row", text, box, on, chosen), control)


@widget("section")
class Section(Widget):
    """A coloured heading."""

    def paint(self, canvas: Canvas, theme: Theme, width: float, height: float, title: str) -> None:
        """The title at the lower left."""
        canvas.text(28, height - 13, title, 14, theme.primary, MEDIUM, width=width - 56)

    def elements(self, width: float, height: float, title: str) -> tuple[Part, ...]:
        """The title."""
        return (part("text", title, (24, height - 26, width - 24, height)),)


@widget("headline")
class Headline(Widget):
    """Large centred text."""

    def paint(self, canvas: Canvas, theme: Theme, width: float, height: float, text: str, subtitle: str) -> None:
        """As large as fits; words smaller than numbers."""
        room = width - 48
        sizes = (34, 28) if any(char.isalpha() for char in text) else (52, 44, 36, 28)
        size = next((sp for sp in sizes if text_width(text, sp) <= room), 24)
        canvas.text(width / 2, 42, text, size, theme.ink, align="center", width=room)
        if subtitle:
            canvas.text(width / 2, 86, subtitle, 15, theme.faint, align="center", width=room)

    def elements(self, width: float, height: float, text: str, subtitle: str) -> tuple[Part, ...]:
        """Text and subtitle."""
        parts = [part("text", text, (24, 12, width - 24, 72))]
        if subtitle:
            parts.append(part("text", subtitle, (24, 76, width - 24, 98)))
        return tuple(parts)


@widget("paragraph")
class Paragraph(Widget):
    """Wrapped text."""

    def paint(
        self, canvas: Canvas, theme: Theme, width: float, height: float, lines: tuple[str, ...], text: str
    ) -> None:
        """20 dp a line."""
        for i, line in enumerate(lines):
            canvas.text(20, 18 + 20 * i, line, 14, theme.ink, width=width - 38)

    def elements(self, width: float, height: float, lines: tuple[str, ...], text: str) -> tuple[Part, ...]:
        """The whole text."""
        return (part("text", text, (20, 6, width - 20, height - 6)),)


@widget("empty")
class Empty(Widget):
    """An empty list."""

    def paint(self, canvas: Canvas, theme: Theme, width: float, height: float, text: str, icon: str) -> None:
        """A large icon over the text."""
        canvas.circle(width / 2, 76, 40, theme.track)
        canvas.icon(width / 2, 76, icon, 40, theme.faint)
        for i, line in enumerate(wrap(text, 16, width - 80, lines=2)):
            canvas.text(width / 2, 144 + 24 * i, line, 16, theme.faint, align="center", width=width - 80)

    def elements(self, width: float, height: float, text: str, icon: str) -> tuple[Part, ...]:
        """The text."""
        return (part("text", text, (40, 130, width - 40, 182)),)


@widget("bubble")
class Bubble(Widget):
    """A message of a conversation."""

    @staticmethod
    def _box(
        width: float, height: float, lines: tuple[str, ...], mine: bool, note: str
    ) -> tuple[float, float, float, float]:
        widest = max(text_width(line, 14) for line in lines)
        wide = min(252.0, max(48.0, float(round(widest)) + 30))
        bottom = height - 4 - (14 if note else 0)
        return (width - 16 - wide, 4, width - 16, bottom) if mine else (16, 4, 16 + wide, bottom)

    def paint(
        self,
        canvas: Canvas,
        theme: Theme,
        width: float,
        height: float,
        lines: tuple[str, ...],
        text: str,
        mine: bool,
        note: str,
    ) -> None:
        """Own messages at the right, in the primary colour."""
        x0, y0, x1, y1 = self._box(width, height, lines, mine, note)
        ground, ink = (theme.primary, theme.on_primary) if mine else (theme.track, theme.ink)
        corners = ("tl", "tr", "bl") if mine else ("tl", "tr", "br")
        canvas.rounded(x0, y0, x1, y1, 18, ground, corners)
        for i, line in enumerate(lines):
            canvas.text(x0 + 15, y0 + 20 + 20 * i, line, 14, ink, width=x1 - x0 - 20)
        if note:
            x, align = (x1 - 6, "right") if mine else (x0 + 6, "left")
            canvas.text(x, height - 9, note, 11, theme.faint, align=align, width=200)

    def elements(
        self, width: float, height: float, lines: tuple[str, ...], text: str, mine: bool, note: str
    ) -> tuple[Part, ...]:
        """The message, valued "sent" or "received", and its note."""
        box = self._box(width, height, lines, mine, note)
        parts = [part("message", text, box, value="sent" if mine else "received")]
        if note:
            x0 = width - 216 if mine else 16
            parts.append(part("text", note, (x0, height - 17, x0 + 200, height - 1)))
        return tuple(parts)
