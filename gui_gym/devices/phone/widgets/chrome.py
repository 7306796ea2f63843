"""The system's strips: status bar, toolbar, tabs, navigation bar, wallpaper and app icons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui_gym.devices.phone.state import Event
from gui_gym.devices.phone.text import MEDIUM, ellipsize
from gui_gym.devices.phone.theme import PALETTE, Color, Theme, wallpaper
from gui_gym.devices.phone.widgets.base import Part, Widget, part, widget

if TYPE_CHECKING:
    from gui_gym.devices.phone.raster import Canvas

Wall = tuple[int, int] | None
"""None for the theme's background, or the tile's top and the screen's height in pixels for a strip of wallpaper."""
_WHITE = (255, 255, 255)


def _ground(canvas: Canvas, theme: Theme, wall: Wall) -> Color:
    """Paint the background; returns the colour to write in."""
    if wall is None:
        return theme.ink
    canvas.fill_rows(wallpaper(theme.sky, theme.ground, wall[0], canvas.height, wall[1]))
    return _WHITE


@widget("status")
class StatusBar(Widget):
    """Time and status icons; a tap opens the shade."""

    def paint(
        self, canvas: Canvas, theme: Theme, width: float, height: float, time: str, icons: tuple[str, ...], wall: Wall
    ) -> None:
        """Time at the left, icons from the right."""
        ink = _ground(canvas, theme, wall)
        canvas.text(16, height / 2, time, 13, ink, MEDIUM)
        for i, icon in enumerate(icons):
            canvas.icon(width - 22 - 18 * i, height / 2, icon, 16, ink)

    def elements(self, width: float, height: float, time: str, icons: tuple[str, ...], wall: Wall) -> tuple[Part, ...]:
        """One bar; its value names the icons."""
        value = " ".join(icons)
        return (part("status_bar", time, (0, 0, width, height), ("system.shade",), value=value),)


@widget("toolbar")
class Toolbar(Widget):
    """The title of a page, with a back arrow and buttons."""

    def paint(
        self,
        canvas: Canvas,
        theme: Theme,
        width: float,
        height: float,
        title: str,
        back: bool,
        actions: tuple[tuple[str, str, Event], ...],
    ) -> None:
        """Arrow, title, icons."""
        x = 56 if back else 20
        if back:
            canvas.icon(28, height / 2, "arrow_back", 24, theme.ink)
        canvas.text(x, height / 2, title, 22, theme.ink, width=width - x - 8 - 48 * len(actions))
        for i, (icon, _, _) in enumerate(reversed(actions)):
            canvas.icon(width - 28 - 48 * i, height / 2, icon, 24, theme.ink)

    def elements(
        self, width: float, height: float, title: str, back: bool, actions: tuple[tuple[str, str, Event], ...]
    ) -> tuple[Part, ...]:
        """Back, title, one button an action."""
        parts = []
        x = 56 if back else 20
        right = width - 4 - 48 * len(actions)
        if back:
            parts.append(part("button", "Back", (4, 4, 52, height - 4), ("system.up",)))
        parts.append(part("text", title, (x, 4, right, height - 4)))
        for i, (_, label, event) in enumerate(actions):
            parts.append(part("button", label, (right + 48 * i, 4, right + 48 * i + 48, height - 4), event))
        return tuple(parts)


@widget("tabs")
class Tabs(Widget):
    """Tabs of equal width."""

    def paint(
        self,
        canvas: Canvas,
        theme: Theme,
        width: float,
        height: float,
        tabs: tuple[tuple[str, Event, bool], ...],
    ) -> None:
        """Labels over a line; the selected one is coloured and underlined."""
        canvas.rect(0, height - 1, width, height, theme.divider if theme.name == "dark" else theme.track)
        each = width / max(1, len(tabs))
        for i, (label, _, selected) in enumerate(tabs):
            middle = (i + 0.5) * each
            color = theme.primary if selected else theme.faint
            canvas.text(middle, height / 2, label, 14, color, MEDIUM, "center", each - 16)
            if selected:
                canvas.rounded(middle - 28, height - 3, middle + 28, height, 3, theme.primary, ("tl", "tr"))

    def elements(self, width: float, height: float, tabs: tuple[tuple[str, Event, bool], ...]) -> tuple[Part, ...]:
        """One part a tab."""
        each = width / max(1, len(tabs))
        return tuple(
            part("tab", label, (i * each, 0, (i + 1) * each, height), event, "selected" if selected else "")
            for i, (label, event, selected) in enumerate(tabs)
        )


@widget("navbar")
class NavigationBar(Widget):
    """The home handle."""

    def paint(self, canvas: Canvas, theme: Theme, width: float, height: float, wall: Wall) -> None:
        """A short bar."""
        ink = _ground(canvas, theme, wall)
        canvas.rounded(width / 2 - 54, height / 2 - 2, width / 2 + 54, height / 2 + 2, 2, ink)

    def elements(self, width: float, height: float, wall: Wall) -> tuple[Part, ...]:
        """The whole strip goes home."""
        return (part("button", "Home", (0, 0, width, height), ("system.home",)),)


@widget("fill")
class Fill(Widget):
    """Nothing."""

    def paint(self, canvas: Canvas, theme: Theme, width: float, height: float, wall: Wall = None) -> None:
        """The background."""
        _ground(canvas, theme, wall)


@widget("wallpaper")
class Wallpaper(Widget):
    """A strip of the home screen, with the clock when `time` is not empty."""

    def paint(
        self, canvas: Canvas, theme: Theme, width: float, height: float, wall: Wall, time: str, date: str
    ) -> None:
        """Large time over the date."""
        ink = _ground(canvas, theme, wall)
        if time:
            canvas.text(width / 2, height / 2 - 10, time, 60, ink, align="center", width=width - 32)
            canvas.text(width / 2, height / 2 + 34, date, 15, ink, MEDIUM, "center", width - 32)

    def elements(self, width: float, height: float, wall: Wall, time: str, date: str) -> tuple[Part, ...]:
        """The clock and the date."""
        if not time:
            return ()
        y = height / 2
        return (
            part("text", time, (width / 2 - 90, y - 36, width / 2 + 90, y + 16)),
            part("text", date, (width / 2 - 90, y + 22, width / 2 + 90, y + 46)),
        )


@widget("icons")
class AppIcons(Widget):
    """Up to four app icons."""

    def paint(
        self,
        canvas: Canvas,
        theme: Theme,
        width: float,
        height: float,
        wall: Wall,
        apps: tuple[tuple[str, str, int, Event], ...],
    ) -> None:
        """Rounded squares with a label below."""
        ink = _ground(canvas, theme, wall)
        each = (width - 16) / 4
        for i, (label, icon, color, _) in enumerate(apps):
            x = 8 + (i + 0.5) * each
            canvas.rounded(x - 27, 8, x + 27, 62, 18, PALETTE[color % len(PALETTE)])
            canvas.icon(x, 35, icon, 28, _WHITE)
            canvas.text(x, 77, ellipsize(label, 12, each - 6), 12, ink, align="center")

    def elements(
        self, width: float, height: float, wall: Wall, apps: tuple[tuple[str, str, int, Event], ...]
    ) -> tuple[Part, ...]:
        """One part an app."""
        each = (width - 16) / 4
        return tuple(
            part("icon", label, (8 + i * each, 2, 8 + (i + 1) * each, height - 2), event)
            for i, (label, _, _, event) in enumerate(apps)
        )
