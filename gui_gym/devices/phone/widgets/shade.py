"""The notification shade and the recents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui_gym.devices.phone.state import Event
from gui_gym.devices.phone.text import MEDIUM
from gui_gym.devices.phone.theme import PALETTE, Theme
from gui_gym.devices.phone.widgets.base import Part, Widget, part, widget

if TYPE_CHECKING:
    from gui_gym.devices.phone.raster import Canvas

_WHITE = (255, 255, 255)


@widget("shade_head")
class ShadeHead(Widget):
    """Time and date above the quick settings."""

    def paint(self, canvas: Canvas, theme: Theme, width: float, height: float, time: str, date: str) -> None:
        """Time large, date beside it."""
        canvas.rect(0, 0, width, height, theme.surface)
        canvas.text(24, height / 2 + 6, time, 28, theme.ink, width=120)
        canvas.text(width - 24, height / 2 + 8, date, 14, theme.faint, MEDIUM, "right", 180)

    def elements(self, width: float, height: float, time: str, date: str) -> tuple[Part, ...]:
        """Both texts on the opaque ground."""
        return (
            part("shade", "Notification shade", (0, 0, width, height), opaque=True),
            part("text", time, (24, 16, 150, height - 4)),
            part("text", date, (width - 200, 16, width - 24, height - 4)),
        )


@widget("quick")
class QuickSettings(Widget):
    """One or two switches of the quick settings."""

    @staticmethod
    def _boxes(width: float, height: float, count: int) -> list[tuple[float, float, float, float]]:
        each = (width - 40) / 2
        return [(16 + i * (each + 8), 4, 16 + i * (each + 8) + each, height - 4) for i in range(count)]

    def paint(
        self,
        canvas: Canvas,
        theme: Theme,
        width: float,
        height: float,
        switches: tuple[tuple[str, str, str, bool], ...],
    ) -> None:
        """Capsules; those that are on are filled."""
        canvas.rect(0, 0, width, height, theme.surface)
        boxes = self._boxes(width, height, len(switches))
        for (_, label, icon, on), (x0, y0, x1, y1) in zip(switches, boxes, strict=True):
            ground, ink = (theme.primary, theme.on_primary) if on else (theme.track, theme.ink)
            middle = (y0 + y1) / 2
            canvas.rounded(x0, y0, x1, y1, 28, ground)
            canvas.icon(x0 + 28, middle, icon, 22, ink)
            canvas.text(x0 + 48, middle - 8, label, 14, ink, MEDIUM, width=x1 - x0 - 60)
            canvas.text(x0 + 48, middle + 9, "On" if on else "Off", 12, ink, width=x1 - x0 - 60)

    def elements(
        self, width: float, height: float, switches: tuple[tuple[str, str, str, bool], ...]
    ) -> tuple[Part, ...]:
        """One switch each, on the opaque ground."""
        parts = [part("shade", "Quick settings", (0, 0, width, height), opaque=True)]
        for (name, label, _, on), box in zip(switches, self._boxes(width, height, len(switches)), strict=True):
            flags = ("checkable", "checked" if on else "")
            parts.append(part("switch", label, box, ("system.toggle", name), *flags, value="on" if on else "off"))
        return tuple(parts)


@widget("notice")
class Notice(Widget):
    """A notification."""

    def paint(
        self,
        canvas: Canvas,
        theme: Theme,
        width: float,
        height: float,
        app: str,
        icon: str,
        color: int,
        title: str,
        body: str,
        index: int,
    ) -> None:
        """A card with the app's icon, its name, title and body."""
        canvas.rect(0, 0, width, height, theme.surface)
        canvas.rounded(12, 4, width - 12, height - 4, 16, theme.card if theme.name == "dark" else theme.track)
        canvas.circle(40, height / 2, 16, PALETTE[color % len(PALETTE)])
        canvas.icon(40, height / 2, icon, 20, _WHITE)
        room = width - 66 - 28
        canvas.text(66, 20, app, 12, theme.faint, width=room)
        canvas.text(66, 40 if body else 46, title, 15, theme.ink, MEDIUM, width=room)
        canvas.text(66, 60, body, 13, theme.faint, width=room)

    def elements(
        self,
        width: float,
        height: float,
        app: str,
        icon: str,
        color: int,
        title: str,
        body: str,
        index: int,
    ) -> tuple[Part, ...]:
        """The notification, with the app's name as its value."""
        text = f"{title} · {body}" if body else title
        return (
            part("shade", "Notifications", (0, 0, width, height), opaque=True),
            part("notification", text, (12, 4, width - 12, height - 4), ("system.notification", index), value=app),
        )


@widget("shade_foot")
class ShadeFoot(Widget):
    """The lower end of the shade."""

    radius = 24
    corners = ("bl", "br")

    def paint(self, canvas: Canvas, theme: Theme, width: float, height: float, text: str) -> None:
        """A line of text over the handle."""
        canvas.rect(0, 0, width, height, theme.surface)
        canvas.text(width / 2, 12, text, 13, theme.faint, align="center", width=width - 48)
        canvas.rounded(width / 2 - 24, height - 12, width / 2 + 24, height - 8, 2, theme.thumb)

    def elements(self, width: float, height: float, text: str) -> tuple[Part, ...]:
        """The handle closes the shade."""
        parts = [part("button", "Close", (0, 0, width, height), ("system.dismiss",), opaque=True)]
        if text:
            parts.append(part("text", text, (24, 4, width - 24, 20)))
        return tuple(parts)


@widget("recent")
class RecentCard(Widget):
    """An open app in the recents."""

    def paint(
        self,
        canvas: Canvas,
        theme: Theme,
        width: float,
        height: float,
        label: str,
        icon: str,
        color: int,
        lines: tuple[str, ...],
        on: Event,
        close: Event | None,
    ) -> None:
        """The app's name over a card with what its page says."""
        canvas.circle(52, 22, 14, PALETTE[color % len(PALETTE)])
        canvas.icon(52, 22, icon, 18, _WHITE)
        canvas.text(76, 22, label, 15, theme.ink, MEDIUM, width=width - 76 - 88)
        if close is not None:
            canvas.icon(width - 52, 22, "close", 20, theme.faint)
        canvas.frame(32, 44, width - 32, height - 8, 20, 1, theme.divider, theme.card)
        for i, line in enumerate(lines[:6]):
            color_, font = (theme.ink, MEDIUM) if i == 0 else (theme.faint, "regular")
            canvas.text(52, 66 + 23 * i, line, 15 if i == 0 else 13, color_, font, width=width - 104)

    def elements(
        self,
        width: float,
        height: float,
        label: str,
        icon: str,
        color: int,
        lines: tuple[str, ...],
        on: Event,
        close: Event | None,
    ) -> tuple[Part, ...]:
        """The card and its close button."""
        parts = [part("card", label, (32, 0, width - 32, height - 8), on, value=lines[0] if lines else "")]
        if close is not None:
            parts.append(part("button", f"Close {label}", (width - 76, 0, width - 32, 42), close))
        return tuple(parts)
