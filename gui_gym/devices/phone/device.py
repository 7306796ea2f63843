"""The simulated phone as a device.

* `PhoneDevice` - runs in this process: deterministic, forkable, drawn only when it is looked at

What the actions mean here:

* click, double_click (two taps), long_press, swipe, scroll, drag: touches, see `gestures`
* type: text at the end of the focused field, after a tap at `point` if there is one; `submit` presses Enter. A field
  of one line takes a space for a line break. What exceeds 2000 characters is dropped, and `Outcome.invalid` says so
* key: "enter", "backspace", "space" and single characters go to the focused field ("shift" makes a capital), "escape"
  is back, "home" is home
* back, home, recents, open_app (by label or name, in any case), wait (`duration` seconds, at least 1)

Every action takes 2 seconds of the phone's own clock, save waiting. A toast is gone with the next action.
"""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

import numpy as np

from gui_gym.actions import Action, ActionType
from gui_gym.devices.base import ForkableDevice, Outcome
from gui_gym.devices.base import Screen as Pixels
from gui_gym.devices.phone.factory import AppLike, installed
from gui_gym.devices.phone.gestures import Gestures, quiet
from gui_gym.devices.phone.layout import Layout
from gui_gym.devices.phone.scene import check_size
from gui_gym.devices.phone.screen_keys import screen_digest
from gui_gym.devices.phone.state import DRAWER, HOME, RECENTS, Phone
from gui_gym.devices.phone.system import MAX_TEXT, System
from gui_gym.devices.phone.views import Views
from gui_gym.elements import ElementTree

SECONDS = 2
"""What an action takes on the phone's clock."""

_KEYS = {"enter": "enter", "backspace": "backspace", "space": " "}
_SYSTEM_KEYS = {"escape": ("system.back",), "home": ("system.home",)}

Done = tuple[Phone, str | None]
"""The phone after an action, and why the action was invalid."""


class PhoneDevice(ForkableDevice):
    """A simulated phone.

    Args:
        size: `(width, height)` in pixels, portrait, 216x384 to 1440x3200; what is shown depends on the aspect only.
        apps: names of registered apps, or apps of your own; None for all that are registered.
        fonts: font files for scripts that the bundled fonts lack, for all phones of the process.

    Raises:
        ValueError: `size` or `apps` is not possible.
        FileNotFoundError: one of `fonts` is missing.

    >>> from gui_gym.devices.phone import new_phone
    >>> phone = PhoneDevice()
    >>> phone.reset(new_phone(0))
    >>> _ = phone.perform(Action("open_app", text="Settings"))
    >>> phone.state().ui.front
    'settings'
    """

    platform: ClassVar[str] = "mobile"
    action_types: ClassVar[tuple[ActionType, ...]] = (
        ActionType.CLICK,
        ActionType.DOUBLE_CLICK,
        ActionType.LONG_PRESS,
        ActionType.SWIPE,
        ActionType.SCROLL,
        ActionType.DRAG,
        ActionType.TYPE,
        ActionType.KEY,
        ActionType.BACK,
        ActionType.HOME,
        ActionType.RECENTS,
        ActionType.OPEN_APP,
        ActionType.WAIT,
    )

    def __init__(
        self,
        size: Sequence[int] = (360, 640),
        apps: Iterable[AppLike] | None = None,
        fonts: Iterable[str | os.PathLike[str]] | None = None,
    ):
        self.size = check_size(size)
        paths = None if fonts is None else tuple(str(os.fspath(font)) for font in fonts)
        self._given = (apps if apps is None or isinstance(apps, str) else tuple(apps), paths)
        if paths:
            from gui_gym.devices.phone.tiles import use_fonts

            use_fonts(paths)
        self.apps = installed(self._given[0])
        views = Views(self.apps)
        self.layout = Layout(self.size, self.apps, views)
        self._system = System(self.apps, views)
        self._gestures = Gestures(self.layout, self._system)
        self._compositor: Any = None
        self._attached: Pixels | None = None
        self._phone: Phone | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.size, *self._given, self._phone)

    # the state ----------------------------------------------------------------------------------------------------
    def reset(self, setup: Any) -> None:
        """Take a phone.

        Args:
            setup: a `Phone`, for example of `new_phone`.

        Raises:
            TypeError: `setup` is no `Phone`.
            ValueError: it has an app in front that this device does not have.
        """
        if not isinstance(setup, Phone):
            kind = type(setup).__name__
            raise TypeError(f"setup must be a Phone, such as gui_gym.devices.phone.new_phone makes, not {kind}")
        front = setup.ui.front
        if front not in (HOME, DRAWER, RECENTS) and not (front in self.apps and front in setup.data):
            raise ValueError(f"setup.ui.front must be an app of the device ({', '.join(self.apps)}), not {front!r}")
        self._phone = setup

    def state(self) -> Phone:
        """The phone.

        Raises:
            RuntimeError: before the first `reset`.
        """
        if self._phone is None:
            raise RuntimeError("the phone has no state yet; call reset(new_phone(seed)) first")
        return self._phone

    def save(self) -> Phone:
        """The phone: it is immutable, so a snapshot costs nothing."""
        return self.state()

    def load(self, snapshot: Phone) -> None:
        """Return to a snapshot."""
        self._phone = snapshot

    def state_key(self) -> bytes:
        """16 bytes, equal for equal phones in every process; the time of day and the toast do not count."""
        return self.state().situation()

    def screen_key(self) -> bytes:
        """16 bytes, equal exactly when the pixels are equal; draws the screen when such a one was not seen lately."""
        return screen_digest(self.size, self.layout.scene(self.state()).screen, self._draw)

    # looking ------------------------------------------------------------------------------------------------------
    def screenshot(self, out: Pixels | None = None) -> Pixels:
        """The screen, uint8 `(height, width, 3)`, RGB; a fresh array, or `out` filled.

        Raises:
            ValueError: `out` has another shape or type.
        """
        frame = self._draw()
        if out is None:
            return frame.copy()
        if out is not self._attached:
            _check(out, self.size)
            np.copyto(out, frame)
        return out

    def attach(self, out: Pixels | None) -> None:
        """Draw into `out` from now on, so that `screenshot(out)` copies nothing; None ends it.

        Raises:
            ValueError: `out` has another shape or type.
        """
        if out is not None:
            _check(out, self.size)
        self._attached = out
        self._compositor = None

    def _draw(self) -> Pixels:
        if self._compositor is None:
            from gui_gym.devices.phone.compositor import Compositor

            self._compositor = Compositor(self.size, self._attached)
        frame: Pixels = self._compositor.draw(self.layout.scene(self.state()).screen)
        return frame

    def elements(self) -> ElementTree:
        """What is visible, by role and text; with a dialog, menu or shade open only that."""
        return self.layout.elements(self.state())

    def close(self) -> None:
        """Let the frame go."""
        self._compositor = self._attached = None

    # acting -------------------------------------------------------------------------------------------------------
    def perform(self, action: Action) -> Outcome:
        """Do one action; an invalid one only takes time."""
        before = self.state()
        log: list[Any] = []
        do = _ACTIONS.get(action.type)
        if do is None:
            taken = ", ".join(t.value for t in self.action_types)
            done: Done = (quiet(before), f"the phone takes no {action.type.value}; it takes {taken}")
        else:
            done = do(self, before, action, log)
        seconds = max(1, math.ceil(action.duration)) if action.type is ActionType.WAIT else SECONDS
        phone = self._system.pass_time(done[0], min(seconds, 3600), log)
        self._phone = self._gestures.settle(phone, before)
        return Outcome(done[1], True, tuple(log))

    def _click(self, phone: Phone, action: Action, log: list[Any]) -> Done:
        assert action.point is not None
        return self._gestures.tap(phone, action.point, log), None

    def _double_click(self, phone: Phone, action: Action, log: list[Any]) -> Done:
        assert action.point is not None
        once = self._gestures.settle(self._gestures.tap(phone, action.point, log), phone)
        return self._gestures.tap(once, action.point, log), None

    def _long_press(self, phone: Phone, action: Action, log: list[Any]) -> Done:
        assert action.point is not None
        return self._gestures.long_press(phone, action.point, log), None

    def _scroll(self, phone: Phone, action: Action, log: list[Any]) -> Done:
        assert action.direction is not None
        return self._gestures.scroll(phone, action.direction, action.amount, action.point), None

    def _swipe(self, phone: Phone, action: Action, log: list[Any]) -> Done:
        if action.point is not None and action.end is not None:
            return self._drag(phone, action, log)
        assert action.direction is not None
        return self._gestures.swipe(phone, action.direction, action.amount, action.point, log), None

    def _drag(self, phone: Phone, action: Action, log: list[Any]) -> Done:
        assert action.point is not None and action.end is not None
        return self._gestures.drag(phone, action.point, action.end, log), None

    def _type(self, phone: Phone, action: Action, log: list[Any]) -> Done:
        start, touched = phone, len(log)
        if action.point is not None:
            phone = self._gestures.settle(self._gestures.tap(phone, action.point, log), phone)
        phone = quiet(phone)
        if not _can_type(phone):
            del log[touched:]
            where = " after a tap at point" if action.point is not None else "; tap one first"
            return quiet(start), f"no text field has the focus{where}"
        phone, lost = self._system.insert(phone, action.text or "")
        phone = self._gestures.reveal(phone)
        if action.submit:
            phone = self._system.enter(phone, log)
        if lost:
            return phone, f"the field is full: it takes {MAX_TEXT} characters, the last {lost} were dropped"
        return phone, None

    def _key(self, phone: Phone, action: Action, log: list[Any]) -> Done:
        phone = quiet(phone)
        held = {key for key in (*action.keys, *action.modifiers) if key in ("shift", "ctrl", "alt", "meta")}
        keys = [key for key in action.keys if key not in held]
        name = "+".join((*sorted(held), *keys))
        if len(keys) != 1 or held - {"shift"}:
            return phone, f"keys must be one key (or shift and one), not {name}"
        key = keys[0]
        if key in _SYSTEM_KEYS:
            return self._system.dispatch(phone, _SYSTEM_KEYS[key], log), None
        if key not in _KEYS and len(key) > 1:
            takes = ", ".join((*_KEYS, *_SYSTEM_KEYS))
            return phone, f"keys must be a character or one of {takes}; the phone has no key {key!r}"
        if not _can_type(phone):
            return phone, "no text field has the focus; tap one first"
        text = _KEYS.get(key, key.upper() if held else key)
        return self._gestures.reveal(self._system.dispatch(phone, ("system.key", text), log)), None

    def _open_app(self, phone: Phone, action: Action, log: list[Any]) -> Done:
        phone = quiet(phone)
        wanted = (action.text or "").strip().casefold()
        names = {app.label.casefold(): name for name, app in self.apps.items() if name in phone.data}
        names.update({name.casefold(): name for name in self.apps if name in phone.data})
        if wanted in names:
            return self._system.dispatch(phone, ("system.open", names[wanted]), log), None
        close = difflib.get_close_matches(wanted, names, 1)
        hint = f"; did you mean {self.apps[names[close[0]]].label!r}?" if close else ""
        labels = ", ".join(self.apps[name].label for name in self.apps if name in phone.data)
        return phone, f"there is no app {action.text!r}; there are {labels}{hint}"

    def _system_event(self, phone: Phone, action: Action, log: list[Any]) -> Done:
        return self._system.dispatch(quiet(phone), (f"system.{action.type.value}",), log), None

    def _wait(self, phone: Phone, action: Action, log: list[Any]) -> Done:
        return quiet(phone), None


_ACTIONS: dict[ActionType, Callable[[PhoneDevice, Phone, Action, list[Any]], Done]] = {
    ActionType.CLICK: PhoneDevice._click,
    ActionType.DOUBLE_CLICK: PhoneDevice._double_click,
    ActionType.LONG_PRESS: PhoneDevice._long_press,
    ActionType.SWIPE: PhoneDevice._swipe,
    ActionType.SCROLL: PhoneDevice._scroll,
    ActionType.DRAG: PhoneDevice._drag,
    ActionType.TYPE: PhoneDevice._type,
    ActionType.KEY: PhoneDevice._key,
    ActionType.BACK: PhoneDevice._system_event,
    ActionType.HOME: PhoneDevice._system_event,
    ActionType.RECENTS: PhoneDevice._system_event,
    ActionType.OPEN_APP: PhoneDevice._open_app,
    ActionType.WAIT: PhoneDevice._wait,
}


def _can_type(phone: Phone) -> bool:
    """Whether the keyboard is on the screen and can be reached."""
    ui = phone.ui
    return ui.focus is not None and not ui.shade and ui.menu is None and ui.dialog is None


def _check(out: Any, size: tuple[int, int]) -> None:
    shape = (size[1], size[0], 3)
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != np.uint8 or not out.flags.writeable:
        got = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else repr(type(out).__name__)
        raise ValueError(f"out must be a writeable uint8 array of shape {shape}, not {got}")


def _restore(size: Any, apps: Any, fonts: Any, phone: Phone | None) -> PhoneDevice:
    device = PhoneDevice(size, apps, fonts)
    if phone is not None:
        device.reset(phone)
    return device
