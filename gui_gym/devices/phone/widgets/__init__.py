"""What each cell kind looks like and which elements it has.

`WIDGETS[kind].paint(canvas, theme, width, height, *props)`, and `parts_of(kind, width, height, props)` for the
elements; sizes in dp. `HEIGHT[kind]` is the height of the kinds that have a fixed one.

Content kinds are built by `gui_gym.devices.phone.ui`: row, section, headline, paragraph, empty, field, button,
buttons, chips, stepper, bubble, composer (modules `cells`, `controls`). The element of a row has the text
`row_text(title, subtitle)`, that is "title · subtitle"; its role is "row", or "switch", "checkbox" or "radio" when the
row is one control (its trailing control has no event of its own). Other roles: "text", "field" (text = label, value =
content; one that holds text has a button "Clear <label>", ("system.clear", key)), "button", "chip", "message".

System kinds, with their props in order:

Base cells, 360 dp wide, opaque; they tile the screen:

* `status(time, icons, wall)` - 24. `time` "9:41"; `icons` names from right to left, such as ("battery_full", "wifi").
  One part, role "status_bar", ("system.shade",).
* `toolbar(title, back, actions)` - 56. `back` bool: button "Back", ("system.up",); `actions` up to three
  `(icon, label, event)`, from left to right (`IconButton`s do).
* `tabs(tabs)` - 48. `tabs` of `(label, event, selected)` (`Tab`s do); role "tab".
* `navbar(wall)` - 24. Button "Home", ("system.home",).
* `keyboard(layer)` - 200, its last 24 are the navigation bar. `layer` "lower", "upper" or "symbols". Role "key":
  characters as ("system.key", "a"), space ("system.key", " "), ("system.key", "backspace"), ("system.key", "enter"),
  ("system.layer", "lower" | "upper" | "symbols"); buttons "Hide keyboard" ("system.back",) and "Home"
  ("system.home",).
* `wallpaper(wall, time, date)` - any height; with a non-empty `time` the home screen's clock, at least 120.
* `icons(wall, apps)` - 96. Up to four `(label, icon, color, event)` side by side, role "icon".
* `fill(wall)` - any height.
* `shade_head(time, date)` - 64, top of the notification shade.
* `quick(switches)` - 64. One or two `(name, label, icon, on)` side by side, role "switch", ("system.toggle", name).
* `notice(app, icon, color, title, body, index)` - 80, a notification, ("system.notification", index).
* `shade_foot(text)` - 40, rounded lower end of the shade with a handle; `text` such as "No notifications" or "";
  button "Close", ("system.dismiss",).
* `recent(label, icon, color, lines, on, close)` - 208, a card in recents: `lines` a few strings of the app's page,
  `on` the event of the card, `close` the event of its x or None.

`wall` is None for the theme's background, or `(y, height)`: the tile's top and the screen's height, both in pixels,
for a strip of the wallpaper.

Overlay tiles, placed anywhere, with rounded corners (`Widget.radius`); their first part is opaque:

* `dialog(title, body, buttons)` - size `dialog_size(title, body, buttons)` in dp; `buttons` the labels, the i-th is
  ("system.dialog", i).
* `menu(items)` - size `menu_size(items)`; `items` the labels, the i-th is ("system.menu", i), role "menu_item".
* `toast(text)` - size `toast_size(text)`; role "toast", takes no touches.
* `fab(icon, label, event)` - 56 by 56.

The shade may be placed as overlay too: `shade_head`, `quick`..., `notice`..., `shade_foot` below each other, 360 wide.
"""

from __future__ import annotations

from gui_gym.devices.phone.widgets import cells, chrome, controls, keyboard, overlays, shade
from gui_gym.devices.phone.widgets.base import WIDGETS, Part, Widget, part, parts_of, widget
from gui_gym.devices.phone.widgets.cells import SEPARATOR, row_text
from gui_gym.devices.phone.widgets.overlays import dialog_size, menu_size, toast_size

HEIGHT: dict[str, int] = {
    "status": 24,
    "toolbar": 56,
    "tabs": 48,
    "navbar": 24,
    "keyboard": 200,
    "icons": 96,
    "shade_head": 64,
    "quick": 64,
    "notice": 80,
    "shade_foot": 40,
    "recent": 208,
    "fab": 56,
}
"""dp of the system kinds with a fixed height."""

__all__ = [
    "HEIGHT",
    "SEPARATOR",
    "WIDGETS",
    "Part",
    "Widget",
    "cells",
    "chrome",
    "controls",
    "dialog_size",
    "keyboard",
    "menu_size",
    "overlays",
    "part",
    "parts_of",
    "row_text",
    "shade",
    "toast_size",
    "widget",
]
