"""From a phone's state to tiles on its screen.

* `Stage` - builds the `Scene` of a phone for one screen size
* `Scene`, `Pane` - a laid out screen, and the part of it that scrolls
* `check_size` - which screens there are

The phone is laid out once, in dp (a 360th of the screen's width), and then scaled; so every size with the same aspect
shows the same page. Edges are rounded, not heights, so that tiles meet exactly at every scale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gui_gym.devices.phone import surfaces
from gui_gym.devices.phone.app import App
from gui_gym.devices.phone.compositor import Placed, Screen
from gui_gym.devices.phone.state import DRAWER, RECENTS, Page, Phone
from gui_gym.devices.phone.ui import WIDTH, Cell
from gui_gym.devices.phone.views import FIRST, Views
from gui_gym.devices.phone.widgets import HEIGHT, dialog_size, menu_size, toast_size

_WALL = {"status": 2, "wallpaper": 0, "icons": 0, "fill": 0, "navbar": 0}  # position of the property `wall`


class Pane(NamedTuple):
    """The part of a screen that scrolls.

    Attributes:
        name: "page", "drawer", "recents" or "shade"; "home" does not scroll.
        y0: its first row, in pixels.
        y1: the end of its rows, exclusive.
        scroll: how far it is scrolled, in dp.
        most: how far it can be scrolled, in dp; 0 when all of it is visible.
        cells: its content.
        edges: the upper edge of every cell, and the lower one of the last, in pixels from where the content begins.
    """

    name: str
    y0: int
    y1: int
    scroll: int
    most: int
    cells: tuple[Cell, ...]
    edges: tuple[int, ...]


class Scene(NamedTuple):
    """What is on the screen; `timed` when it changes with every second of the clock."""

    screen: Screen
    pane: Pane
    timed: bool


def check_size(size: Sequence[int]) -> tuple[int, int]:
    """The size as a tuple of two ints.

    Raises:
        ValueError: not a portrait screen from 216x384 to 1440x3200 pixels, 1.5 to 2.5 times as high as wide.
    """
    wanted = "size must be (width, height) of a portrait screen from 216x384 to 1440x3200 pixels"
    try:
        width, height = (int(v) for v in size)
    except (TypeError, ValueError):
        raise ValueError(f"{wanted}, not {size!r}") from None
    if (width, height) != tuple(size):
        raise ValueError(f"{wanted}, in whole pixels, not {size!r}")
    if width > height:
        raise ValueError(f"{wanted}; {width}x{height} is landscape, which the phone does not have")
    if not (216 <= width <= 1440 and 384 <= height <= 3200):
        raise ValueError(f"{wanted}, not {width}x{height}")
    if not 1.5 <= height / width <= 2.5:
        raise ValueError(f"{wanted}, 1.5 to 2.5 times as high as wide; {width}x{height} is {height / width:.2f} times")
    return width, height


class Stage:
    """Scenes of one screen size.

    Args:
        size: `(width, height)` in pixels; see `check_size`.
        apps: app name -> app.
        views: the pages of the apps.

    Attributes:
        scale: pixels per dp.
        height: of the screen in dp.
    """

    def __init__(self, size: Sequence[int], apps: Mapping[str, App], views: Views):
        self.size = check_size(size)
        self.scale = self.size[0] / WIDTH
        self.height = self.size[1] / self.scale
        self.apps = apps
        self.views = views

    def build(self, phone: Phone) -> Scene:
        """What is on the screen."""
        surface, timed = self._surface(phone)
        theme = surfaces.theme_of(phone)
        base, pane = self._stack(surface, theme)
        ui = phone.ui
        overlay: list[Placed] = []
        scrim = ui.shade or ui.menu is not None or ui.dialog is not None
        if surface.fab is not None and not scrim:
            size = HEIGHT["fab"]
            overlay.append(self._float("fab", (size, size), surface.fab, theme, WIDTH - 16 - size, pane.y1, 16))
        if ui.shade:
            placed, pane = self._shade(phone, theme)
            overlay += placed
        elif ui.menu is not None:
            labels = tuple(label for label, _ in ui.menu.items)
            width, height = menu_size(labels)
            overlay.append(self._at("menu", (width, height), (labels,), theme, WIDTH - 8 - width, HEIGHT["status"] + 4))
        elif ui.dialog is not None:
            props = (ui.dialog.title, ui.dialog.body, tuple(label for label, _ in ui.dialog.buttons))
            width, height = dialog_size(*props)
            left, top = (WIDTH - width) / 2, max(0.0, (self.height - height) / 2)
            overlay.append(self._at("dialog", (width, height), props, theme, left, top))
        if ui.toast is not None:
            width, height = toast_size(ui.toast)
            above = 88 if surface.fab is not None else 16
            overlay.append(
                self._float("toast", (width, height), (ui.toast,), theme, (WIDTH - width) / 2, self._foot(base), above)
            )
        return Scene(Screen(tuple(base), tuple(overlay), scrim), pane, timed)

    def _surface(self, phone: Phone) -> tuple[surfaces.Surface, bool]:
        """What is in front, and whether it changes with every second."""
        ui = phone.ui
        view, timed = self.views.front(phone)
        if view is not None:
            page: Page = ui.stacks.get(ui.front, (FIRST,))[-1]
            return surfaces.app_surface(phone, view, page.scroll), timed
        if ui.front == RECENTS:
            return surfaces.recents(phone, self.views)
        return (surfaces.drawer if ui.front == DRAWER else surfaces.home)(phone, self.apps), False

    def _stack(self, surface: surfaces.Surface, theme: str) -> tuple[list[Placed], Pane]:
        """The base: pinned cells, the visible part of the body, and fill where it ends early."""
        width, height = self.size
        s, wall = self.scale, surface.wall
        base: list[Placed] = []
        dp, y = 0.0, 0
        for cell in surface.top:
            dp += cell.height
            edge = round(dp * s)
            base.append(self._tile(cell, y, edge, theme, wall))
            y = edge
        dp = sum(cell.height for cell in surface.bottom)
        end = height - round(dp * s)
        pane = self._pane(surface.name, surface.body, y, end, surface.scroll)
        stop = _scrolled(pane, s, base, width, theme)
        if stop < end:
            base.append(self._tile(Cell("fill", 0, (None,)), stop, end, theme, wall))
        y = end
        for cell in surface.bottom:
            dp -= cell.height
            edge = height - round(dp * s)
            base.append(self._tile(cell, y, edge, theme, wall))
            y = edge
        return base, pane

    def _tile(self, cell: Cell, y: int, edge: int, theme: str, wall: bool = False) -> Placed:
        kind, _, props = cell
        if wall and kind in _WALL:
            at = _WALL[kind]
            props = (*props[:at], (y, self.size[1]), *props[at + 1 :])
        return Placed(kind, self.size[0], edge - y, props, theme, 0, y, y, edge)

    def _pane(self, name: str, cells: tuple[Cell, ...], y0: int, y1: int, scroll: int) -> Pane:
        edges = [0]
        dp, s = 0.0, self.scale
        for cell in cells:
            dp += cell.height
            edges.append(round(dp * s))
        most = max(0, int((edges[-1] - (y1 - y0)) / s))
        return Pane(name, y0, y1, min(max(scroll, 0), most), most, cells, tuple(edges))

    def _shade(self, phone: Phone, theme: str) -> tuple[list[Placed], Pane]:
        """The notification shade, over the whole width; its notifications scroll."""
        s = self.scale
        head = (Cell("shade_head", HEIGHT["shade_head"], (surfaces.time_of(phone), surfaces.date_of(phone))),)
        placed: list[Placed] = []
        dp, y = 0.0, 0
        for cell in (*head, *surfaces.quick_rows(phone)):
            dp += cell.height
            edge = round(dp * s)
            placed.append(self._tile(cell, y, edge, theme))
            y = edge
        cells = surfaces.notices(phone, self.apps)
        free = self.height - dp - HEIGHT["shade_foot"] - HEIGHT["navbar"]
        shown = min(free, sum(cell.height for cell in cells))
        end = round((dp + shown) * s)
        pane = self._pane("shade", cells, y, end, phone.ui.shade_scroll)
        _scrolled(pane, s, placed, self.size[0], theme)
        edge = round((dp + shown + HEIGHT["shade_foot"]) * s)
        text = "" if cells else "No notifications"
        placed.append(self._tile(Cell("shade_foot", 0, (text,)), end, edge, theme))
        return placed, pane

    def _at(
        self, kind: str, size: tuple[float, float], props: tuple[Any, ...], theme: str, x: float, y: float
    ) -> Placed:
        s = self.scale
        left, top = round(x * s), round(y * s)
        width, height = min(round(size[0] * s), self.size[0] - left), min(round(size[1] * s), self.size[1] - top)
        return Placed(kind, width, height, props, theme, left, top, top, top + height)

    def _float(
        self, kind: str, size: tuple[float, float], props: tuple[Any, ...], theme: str, x: float, floor: int, gap: float
    ) -> Placed:
        """A tile that floats `gap` dp above the pixel row `floor`."""
        return self._at(kind, size, tuple(props), theme, x, max(0.0, floor / self.scale - gap - size[1]))

    def _foot(self, base: list[Placed]) -> int:
        return base[-1].y


def _scrolled(pane: Pane, scale: float, placed: list[Placed], width: int, theme: str) -> int:
    """Place the visible cells of a pane; returns the row at which they end."""
    edges = pane.edges
    start = pane.y0 - round(pane.scroll * scale)
    stop = pane.y0
    for i, cell in enumerate(pane.cells):
        y, edge = start + edges[i], start + edges[i + 1]
        if edge <= pane.y0:
            continue
        if y >= pane.y1:
            break
        stop = min(edge, pane.y1)
        if y < stop:
            placed.append(Placed(cell.kind, width, edge - y, cell.props, theme, 0, y, max(y, pane.y0), stop))
    return stop
