"""A simulated phone that runs in the user's process.

* `PhoneDevice` (`device`) - the device: actions in, screens and elements out, state saved and loaded at once
* `new_phone` (`factory`) - a phone with content from a seed

State and behaviour, all of it pure functions over immutable records:

* `records`, `state` - the phone as one immutable tree
* `app`, `apps` - how apps are written, and the six that come along
* `system`, `gestures` - what taps, typing, swipes and time do

What is seen:

* `ui`, `surfaces`, `views` - pages as lists of cells: the apps' and the system's own
* `layout` - cells placed on the screen, the element tree, the hit test
* `widgets`, `theme`, `raster`, `text`, `fonts` - how each kind of cell is painted
* `tiles`, `compositor`, `screen_keys` - painted cells kept and put on the screen
* `gallery` - all pages of all apps as pictures: `python -m gui_gym.devices.phone.gallery OUT`

Importing the package loads none of it; `PhoneDevice` and `new_phone` are loaded when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gui_gym.devices.phone.device import PhoneDevice
    from gui_gym.devices.phone.factory import new_phone

__all__ = ["PhoneDevice", "new_phone"]


def __getattr__(name: str) -> Any:
    if name == "PhoneDevice":
        from gui_gym.devices.phone.device import PhoneDevice

        return PhoneDevice
    if name == "new_phone":
        from gui_gym.devices.phone.factory import new_phone

        return new_phone
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
