"""What lies where on the phone's screen: elements, hit test, and what is out of sight.

* `Layout` - all of it for one screen size
* `locate` - where an element of the page is: visible, or above or below what is visible

All of it is pure; a `Layout` only remembers its last answers. Hit test and element tree agree: both go by the same
boxes, and leave out parts of which less than `SLIVER` is left after clipping.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from gui_gym.devices.phone.app import App
from gui_gym.devices.phone.compositor import Placed
from gui_gym.devices.phone.scene import Pane, Scene, Stage
from gui_gym.devices.phone.state import Phone
from gui_gym.devices.phone.ui import View
from gui_gym.devices.phone.views import Lately, Views
from gui_gym.devices.phone.widgets import HEIGHT, Part, part, parts_of
from gui_gym.elements import Element, ElementTree
from gui_gym.geometry import Box

SLIVER = 8
"""dp; of a part that is clipped to less than this nothing can be told or touched."""

_SCRIM = part("scrim", "Dismiss", (0, 0, 0, 0), ("system.dismiss",))


@lru_cache(32768)
def _boxes(
    kind: str, width: int, height: int, scale: float, props: tuple[Any, ...]
) -> tuple[tuple[int, int, int, int, Part, int], ...]:
    """A tile's parts with their boxes in pixels of the tile and the position of the part that holds each, or -1."""
    out: list[tuple[int, int, int, int, Part, int]] = []
    for found in parts_of(kind, width / scale, height / scale, props):
        x0, y0, x1, y1 = (round(v * scale) for v in found.box)
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
        if x0 >= x1 or y0 >= y1:
            continue
        holder = -1
        if out and out[0][0] <= x0 and out[0][1] <= y0 and x1 <= out[0][2] and y1 <= out[0][3]:
            holder = 0
        out.append((x0, y0, x1, y1, found, holder))
    return tuple(out)


class Layout:
    """Screens of one size.

    Args:
        size: `(width, height)` in pixels; see `check_size`.
        apps: app name -> app.
        views: the pages of the apps, to share them; made from `apps` by default.

    Attributes:
        size: as given.
        scale: pixels per dp.
        height: of the screen in dp.
    """

    def __init__(self, size: Sequence[int], apps: Mapping[str, App], views: Views | None = None):
        self._stage = Stage(size, apps, Views(apps) if views is None else views)
        self.size = self._stage.size
        self.scale = self._stage.scale
        self.height = self._stage.height
        self._sliver = SLIVER * self.scale
        self._scenes: Lately[Scene] = Lately(minutes=True)
        self._tree: tuple[Scene, ElementTree] | None = None

    def scene(self, phone: Phone) -> Scene:
        """What is on the screen; built anew when anything that it shows has changed."""
        scene = self._scenes.find(phone)
        if scene is None:
            scene = self._stage.build(phone)
            self._scenes.keep(phone, scene.timed, scene)
        return scene

    def view(self, phone: Phone) -> View | None:
        """The page of the app in front, None when none is."""
        return self._stage.views.front(phone)[0]

    # elements -----------------------------------------------------------------------------------------------------
    def elements(self, phone: Phone) -> ElementTree:
        """What is visible. While a shade, menu or dialog is open, only that, above a scrim that closes it."""
        scene = self.scene(phone)
        if self._tree is not None and self._tree[0] is scene:
            return self._tree[1]
        tree = ElementTree(tuple(self._elements(scene)), self.size)
        self._tree = (scene, tree)
        return tree

    def _elements(self, scene: Scene) -> list[Element]:
        screen, pane = scene.screen, scene.pane
        out: list[Element] = []
        if screen.scrim:
            out.append(Element("scrim", _SCRIM.text, Box(0, 0, *self.size), _SCRIM.flags))
            layers = screen.overlay
        else:
            layers = screen.base + screen.overlay
        listed = -1
        for placed in layers:
            _, width, height, props, _, x, y, top, end = placed
            inside = pane.most > 0 and pane.y0 <= top < pane.y1 and width == self.size[0]
            if inside and listed < 0:
                listed = len(out)
                share = f"{pane.scroll / pane.most:.2f}"
                out.append(Element("list", "", Box(0, pane.y0, width, pane.y1), frozenset(["scrollable"]), share))
            first = len(out)
            shown = -1  # position in `out` of the cell's first part
            for x0, y0, x1, y1, found, holder in _boxes(placed.kind, width, height, self.scale, props):
                upper, lower = max(y0 + y, top), min(y1 + y, end)
                if lower - upper < y1 - y0 and lower - upper < self._sliver:
                    continue
                if shown < 0 and len(out) == first and holder < 0:
                    shown = first
                parent = shown if holder == 0 and shown >= 0 else listed if inside else -1
                out.append(
                    Element(
                        found.role,
                        found.text,
                        Box(x0 + x, upper, x1 + x, lower),
                        found.flags,
                        found.value,
                        parent,
                        found.opaque,
                    )
                )
        return out

    def hit(self, phone: Phone, x: int, y: int) -> Part | None:
        """What a finger at a pixel touches: the topmost clickable part, or None."""
        screen = self.scene(phone).screen
        for placed in reversed(screen.overlay):
            found = self._touch(placed, x, y)
            if found is not None:
                return found if found.event is not None else None
        if screen.scrim:
            return _SCRIM
        for placed in screen.base:
            if placed.y0 <= y < placed.y1 and placed.x <= x < placed.x + placed.width:
                found = self._touch(placed, x, y)
                return found if found is not None and found.event is not None else None
        return None

    def _touch(self, placed: Placed, x: int, y: int) -> Part | None:
        """The topmost part at a pixel that is clickable or opaque."""
        _, width, height, props, _, left, top, y0, y1 = placed
        if not (y0 <= y < y1 and left <= x < left + width):
            return None
        for x0, up, x1, low, found, _ in reversed(_boxes(placed.kind, width, height, self.scale, props)):
            if found.event is None and not found.opaque:
                continue
            if x0 <= x - left < x1 and up <= y - top < low:
                shown = min(low + top, y1) - max(up + top, y0)
                if shown < low - up and shown < self._sliver:
                    continue
                return found
        return None

    # whole pages --------------------------------------------------------------------------------------------------
    def reveal(self, phone: Phone, key: str) -> int:
        """The scroll in dp at which the page's text field `key` is in view, the nearest to the present one."""
        pane = self.scene(phone).pane
        for i, cell in enumerate(pane.cells):
            if cell.kind == "field" and cell.props[0] == key:
                return self._nearest(pane, pane.edges[i], pane.edges[i + 1])
        return pane.scroll

    def _nearest(self, pane: Pane, upper: int, lower: int) -> int:
        """The scroll nearest to the present one that shows the rows [upper, lower) of the content."""
        s = self.scale
        scroll, room = pane.scroll, pane.y1 - pane.y0
        if round(scroll * s) + room < lower:
            scroll = -int((room - lower) // s)
        if upper < round(scroll * s):
            scroll = int(upper / s)
        return min(max(scroll, 0), pane.most)

    def locate(self, phone: Phone, text: str | None = None, role: str | None = None) -> int | None:
        """How far the view must move down, in dp, to show an element; negative for up, 0 when it is visible.

        The first element of the whole page, or of the open shade, menu or dialog, with this text and role.

        Returns:
            None when there is no such element.
        """
        tree = self.elements(phone)
        for element in tree:
            if _is(element, text, role) and (not element.clickable or tree.click_point(element) is not None):
                return 0
        scene = self.scene(phone)
        pane, s = scene.pane, self.scale
        for i, cell in enumerate(pane.cells):
            upper, lower = pane.edges[i], pane.edges[i + 1]
            for x in _boxes(cell.kind, self.size[0], lower - upper, s, cell.props):
                if _is(x[4], text, role):
                    away = self._nearest(pane, upper + x[1], upper + x[3]) - pane.scroll
                    if away == 0:  # it is covered by what floats above the page
                        away = min(HEIGHT["fab"] + 16, pane.most - pane.scroll)
                    return away if away != 0 else None
        return None


def _is(found: Element | Part, text: str | None, role: str | None) -> bool:
    return (text is None or found.text == text) and (role is None or found.role == role)


@lru_cache(16)
def _layout(size: tuple[int, int]) -> Layout:
    from gui_gym.devices.phone.factory import installed

    return Layout(size, installed())


def locate(
    phone: Phone, text: str | None = None, role: str | None = None, size: tuple[int, int] = (360, 640)
) -> str | None:
    """Where an element is: "visible", "above" or "below" what is visible, or None when the page does not have it.

    Args:
        text: its label, None for any.
        role: its role, None for any.
        size: of the screen in pixels; the visible part depends on it. `ElementTree.size` is the device's.
    """
    away = _layout(size).locate(phone, text, role)
    return None if away is None else "visible" if away == 0 else "below" if away > 0 else "above"
