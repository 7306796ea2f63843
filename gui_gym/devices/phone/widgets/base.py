"""What a widget is.

* `Part` - one element of a cell, `part` makes it
* `Widget`, `widget`, `WIDGETS` - the registry of cell kinds
* `parts_of` - a cell's elements, cached
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from gui_gym.devices.phone.state import Event
from gui_gym.devices.phone.theme import Theme

if TYPE_CHECKING:
    from gui_gym.devices.phone.raster import Canvas

BoxDp = tuple[float, float, float, float]


class Part(NamedTuple):
    """An element of a cell, relative to the cell's upper left corner, in dp.

    Attributes:
        role: see `gui_gym.elements.Element.role`.
        text: its label.
        box: `(x0, y0, x1, y1)` in dp.
        event: what a tap means, or None; an element is clickable iff it has an event.
        flags: of `gui_gym.elements.FLAGS`; holds "clickable" exactly when there is an event.
        value: its content.
        opaque: whether it hides what lies below it.
    """

    role: str
    text: str
    box: BoxDp
    event: Event | None = None
    flags: frozenset[str] = frozenset()
    value: str = ""
    opaque: bool = False


def part(
    role: str,
    text: str,
    box: BoxDp,
    event: Event | None = None,
    *flags: str,
    value: str = "",
    opaque: bool = False,
) -> Part:
    """Make a `Part`; "clickable" follows from the event, and empty flags are left out."""
    names = [flag for flag in flags if flag]
    if event is not None:
        names.append("clickable")
    return Part(role, text, box, event, frozenset(names), value, opaque)


class Widget:
    """A cell kind. Subclass, override `paint` and `elements`, decorate with `widget(kind)`.

    Both take the cell's size in dp and then its properties.

    Attributes:
        radius: dp of the rounded corners when the tile lies on top of others; 0 for a plain rectangle.
        corners: which are rounded, by name, of "tl", "tr", "bl", "br".
    """

    radius: float = 0
    corners: tuple[str, ...] = ("tl", "tr", "bl", "br")

    def paint(self, canvas: Canvas, theme: Theme, width: float, height: float, *props: Any) -> None:
        """Paint the whole tile, opaquely."""
        raise NotImplementedError

    def elements(self, width: float, height: float, *props: Any) -> tuple[Part, ...]:
        """The parts in paint order; a control inside a row comes after the row."""
        return ()


WIDGETS: dict[str, Widget] = {}
"""Cell kind -> widget."""


def widget(kind: str) -> Callable[[type[Widget]], type[Widget]]:
    """Class decorator that registers a cell kind."""

    def register(cls: type[Widget]) -> type[Widget]:
        WIDGETS[kind] = cls()
        return cls

    return register


@lru_cache(16384)
def parts_of(kind: str, width: float, height: float, props: tuple[Any, ...]) -> tuple[Part, ...]:
    """The elements of a cell.

    Args:
        width: dp.
        height: dp.
    """
    return WIDGETS[kind].elements(width, height, *props)
