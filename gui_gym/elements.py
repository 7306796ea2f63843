"""The accessibility tree: what is on the screen, by role, text and box.

* `Element` - one node
* `ElementTree` - all visible nodes in paint order, with hit test and search
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gui_gym.geometry import Box, Point, largest_rectangle

FLAGS = ("clickable", "checkable", "checked", "editable", "focused", "scrollable", "selected", "disabled", "password")
"""The flags that an element may carry."""


@dataclass(frozen=True, slots=True)
class Element:
    """One visible node.

    Attributes:
        role: "button", "switch", "text", "field", "icon", "row", "dialog", "list", ... (lower case).
        text: its label; for a field its label, for a row title and subtitle.
        box: the visible part in screen pixels.
        flags: a subset of `FLAGS`.
        value: its content: the text in a field, "on" or "off" of a switch; "" when it has none.
        parent: index of the parent in the tree, or -1.
        opaque: whether it hides what lies below it (a dialog, a sheet, a floating button).
    """

    role: str
    text: str
    box: Box
    flags: frozenset[str] = frozenset()
    value: str = ""
    parent: int = -1
    opaque: bool = False

    @property
    def clickable(self) -> bool:
        return "clickable" in self.flags


@dataclass(frozen=True)
class ElementTree:
    """The visible elements in paint order (a later one lies on top) on a screen of `size` pixels."""

    elements: tuple[Element, ...]
    size: tuple[int, int]

    def __len__(self) -> int:
        return len(self.elements)

    def __iter__(self) -> Iterator[Element]:
        return iter(self.elements)

    def __getitem__(self, index: int) -> Element:
        return self.elements[index]

    def hit(self, point: Point) -> Element | None:
        """The topmost clickable element at a point given in fractions; an opaque element stops the search."""
        x, y = point[0] * self.size[0], point[1] * self.size[1]
        for element in reversed(self.elements):
            if element.box.contains(x, y):
                if element.clickable:
                    return element
                if element.opaque:
                    return None
        return None

    def smallest_containing(self, point: Point) -> Element | None:
        """The element of least area that contains a point given in fractions (ties: the topmost)."""
        x, y = point[0] * self.size[0], point[1] * self.size[1]
        hits = [e for e in reversed(self.elements) if e.box.contains(x, y)]
        return min(hits, key=lambda e: e.box.area, default=None)

    def find(self, text: str | None = None, role: str | None = None, flag: str | None = None) -> Element | None:
        """The first element with exactly this text, role and flag (each optional), or None."""
        for element in self.elements:
            if (
                (text is None or element.text == text)
                and (role is None or element.role == role)
                and (flag is None or flag in element.flags)
            ):
                return element
        return None

    def index(self, element: Element) -> int:
        """Position of an element in paint order."""
        return self._positions[id(element)]

    @cached_property
    def _positions(self) -> dict[int, int]:
        return {id(element): i for i, element in enumerate(self.elements)}

    def click_point(self, element: Element) -> Point | None:
        """Where to click it: the centre of its largest rectangle that nothing on top takes away, in fractions.

        None when other elements cover it altogether.
        """
        above = self.elements[self.index(element) + 1 :]
        covers = [e.box for e in above if e.clickable or e.opaque]
        free = largest_rectangle(element.box, covers)
        if free is None:
            return None
        x, y = free.center
        return x / self.size[0], y / self.size[1]

    def clickable(self) -> list[tuple[Element, Point]]:
        """Every clickable element that is not covered, with its click point."""
        out = []
        for element in self.elements:
            if element.clickable:
                point = self.click_point(element)
                if point is not None:
                    out.append((element, point))
        return out
