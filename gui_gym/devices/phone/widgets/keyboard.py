"""The on-screen keyboard.

* `keys` - the keys of a layer
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from gui_gym.devices.phone.state import Event
from gui_gym.devices.phone.theme import Theme
from gui_gym.devices.phone.widgets.base import Part, Widget, part, widget

if TYPE_CHECKING:
    from gui_gym.devices.phone.raster import Canvas

_ROWS = {
    "lower": ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "upper": ("QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"),
    "symbols": ("1234567890", "@#$_&-+()/", "*\"':;!?"),
}
_ROW_HEIGHT = 43.0
_TOP = 4.0


class Key(NamedTuple):
    """A key: what it shows (an icon name when `icon`), what it is called, what it does, where it lies (dp)."""

    face: str
    name: str
    event: Event
    x0: float
    x1: float
    y: float
    style: str
    icon: bool = False


@cache
def keys(layer: str, width: float) -> tuple[Key, ...]:
    """The keys of a layer: letters, then the last row."""
    unit = width / 10
    out = []
    for r, row in enumerate(_ROWS[layer]):
        y = _TOP + r * _ROW_HEIGHT
        x = (width - unit * len(row)) / 2
        for i, char in enumerate(row):
            out.append(Key(char, char, ("system.key", char), x + i * unit, x + (i + 1) * unit, y, "key"))
    y = _TOP + 2 * _ROW_HEIGHT
    if layer == "symbols":
        out.append(Key("%", "%", ("system.key", "%"), 0, 1.5 * unit, y, "function"))
    else:
        other = "lower" if layer == "upper" else "upper"
        face = "keyboard_capslock" if layer == "upper" else "arrow_upward"
        out.append(Key(face, "Shift", ("system.layer", other), 0, 1.5 * unit, y, "function", True))
    out.append(Key("backspace", "Backspace", ("system.key", "backspace"), 8.5 * unit, width, y, "function", True))
    y = _TOP + 3 * _ROW_HEIGHT
    if layer == "symbols":
        out.append(Key("ABC", "Letters", ("system.layer", "lower"), 0, 1.5 * unit, y, "function"))
    else:
        out.append(Key("?123", "Symbols", ("system.layer", "symbols"), 0, 1.5 * unit, y, "function"))
    out.append(Key(",", ",", ("system.key", ","), 1.5 * unit, 2.5 * unit, y, "key"))
    out.append(Key("English", "Space", ("system.key", " "), 2.5 * unit, 7.5 * unit, y, "key"))
    out.append(Key(".", ".", ("system.key", "."), 7.5 * unit, 8.5 * unit, y, "key"))
    out.append(Key("keyboard_return", "Enter", ("system.key", "enter"), 8.5 * unit, width, y, "enter", True))
    return tuple(out)


@widget("keyboard")
class Keyboard(Widget):
    """Four rows of keys and the navigation strip."""

    def paint(self, canvas: Canvas, theme: Theme, width: float, height: float, layer: str) -> None:
        """Rounded keys on a plain ground."""
        canvas.rect(0, 0, width, height, theme.keyboard)
        colors = {
            "key": (theme.key, theme.ink),
            "function": (theme.function_key, theme.ink),
            "enter": (theme.primary, theme.on_primary),
        }
        for key in keys(layer, width):
            ground, ink = colors[key.style]
            x, y = (key.x0 + key.x1) / 2, key.y + _ROW_HEIGHT / 2
            radius = 19 if key.style == "enter" else 6
            canvas.rounded(key.x0 + 2.5, key.y + 2.5, key.x1 - 2.5, key.y + _ROW_HEIGHT - 2.5, radius, ground)
            if key.icon:
                canvas.icon(x, y, key.face, 20, ink)
            else:
                canvas.text(x, y, key.face, 20 if len(key.face) == 1 else 13, ink, align="center")
        canvas.icon(40, height - 12, "keyboard_arrow_down", 22, theme.ink)
        canvas.rounded(width / 2 - 54, height - 14, width / 2 + 54, height - 10, 2, theme.ink)

    def elements(self, width: float, height: float, layer: str) -> tuple[Part, ...]:
        """The keys, "Hide keyboard" and "Home"."""
        parts = [
            part(
                "key",
                key.name,
                (key.x0, key.y, key.x1, key.y + _ROW_HEIGHT),
                key.event,
                "selected" if key.name == "Shift" and layer == "upper" else "",
            )
            for key in keys(layer, width)
        ]
        parts.append(part("button", "Hide keyboard", (16, height - 24, 64, height), ("system.back",)))
        parts.append(part("button", "Home", (72, height - 24, width, height), ("system.home",)))
        return tuple(parts)
