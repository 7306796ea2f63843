"""Gemini's computer use, second generation: short names of functions, each with an intent.

* `Gemini35` - Gemini 3.5 Flash

    {"name": "click", "args": {"intent": "Open the alarm tab.", "x": 371, "y": 470}}

Choices of this dialect, which the field does not agree on:

* Coordinates run from 0 to 999 on a grid of 1000: they are divided by 1000. A value above 1000 is an `out_of_range`
  error.
* `intent` is the plan of the step.
* `type` presses Enter only when `press_enter` is true. Line breaks are text. Typing at a point has no words.
* `scroll` is in pixels of the screenshot (300 when they are missing). Phones have no scroll, but `drag_and_drop`.
* A `wait` or `long_press` without its seconds leaves them to the device; documented are one and two.
* On phones, `press_key` of "home", "back" and "recents" are the buttons of the system; elsewhere "home" is a key.
* A function of another platform is read as a repair and never written.
* `triple_click`, `go_forward` and `list_apps` are `unknown_action` errors: no action does that. So is `take_screenshot`
  alone, as every step shows the screen; beside other calls it does nothing.
* `safety_decision`, `answer` and `terminate` are as in `gui_gym.codecs.gemini`.

Source: ai.google.dev/gemini-api/docs/computer-use.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView
from gui_gym.codecs.coordinates import PER_1000
from gui_gym.codecs.dialect import NoWords
from gui_gym.codecs.function_dialect import WAYS, Call, FunctionDialect, Numbers, Reader, keyed, plain, pointed, worded
from gui_gym.codecs.numerals import whole
from gui_gym.codecs.reading import Arguments, Reading
from gui_gym.codecs.wheel import PIXEL_CELL, scroll_pixels

_DEFAULT_PIXELS = 300
_PROFILE = Profile(
    "gemini-3.5",
    "Gemini 3.5 Flash",
    PER_1000,
    ("web", "desktop", "mobile"),
    amount_cell=PIXEL_CELL,
    scroll="where the view moves, in pixels of the screenshot",
    enter="press_enter, false by default",
    source="ai.google.dev/gemini-api/docs/computer-use",
)
_POINTED = {
    (ActionType.CLICK, "left"): "click",
    (ActionType.DOUBLE_CLICK, "left"): "double_click",
    (ActionType.CLICK, "middle"): "middle_click",
    (ActionType.RIGHT_CLICK, "left"): "right_click",
    (ActionType.MOVE, "left"): "move",
}
_BUTTONS = {ActionType.HOME: "home", ActionType.RECENTS: "recents"}
_BUTTON_KINDS = {"back": ActionType.BACK, **{name: kind for kind, name in _BUTTONS.items()}}
_HELD = {ActionType.PRESS: ("mouse_down", "key_down"), ActionType.RELEASE: ("mouse_up", "key_up")}


def _type(args: Arguments, reading: Reading) -> Action:
    text, submit = reading.text(args, ("text",)), reading.flag(args, ("press_enter",), False)
    return Action(ActionType.TYPE, text=text, submit=submit)


def _scroll(args: Arguments, reading: Reading) -> Action:
    point, direction = reading.xy(args), reading.choice(args, ("direction",), WAYS)
    pixels = reading.number(args, ("magnitude_in_pixels",), _DEFAULT_PIXELS)
    amount = pixels / reading.screen.original[0 if direction in ("left", "right") else 1]
    return Action(ActionType.SCROLL, point=point, direction=direction, amount=amount)


def _drag(args: Arguments, reading: Reading) -> Action:
    start, end = reading.xy(args, ("start_x",), ("start_y",)), reading.xy(args, ("end_x",), ("end_y",))
    return Action(ActionType.DRAG, point=start, end=end)


def _long_press(args: Arguments, reading: Reading) -> Action:
    return Action(ActionType.LONG_PRESS, point=reading.xy(args), duration=reading.seconds(args, ("seconds",)))


def _wait(args: Arguments, reading: Reading) -> Action:
    return Action(ActionType.WAIT, duration=reading.seconds(args, ("seconds",)))


def _held(kind: ActionType) -> Mapping[str, Reader]:
    mouse, key = _HELD[kind]
    return {mouse: pointed(kind), key: keyed(kind, "key")}


_COMMON = {
    "click": "(intent, x, y)",
    "type": "(intent, press_enter, text): type where the cursor is; press_enter is false by default",
    "drag_and_drop": "(intent, start_x, start_y, end_x, end_y)",
    "press_key": "(intent, key)",
    "wait": "(intent, seconds)",
}
_DESKTOP = {
    **_COMMON,
    **dict.fromkeys(("double_click", "middle_click", "right_click", "move"), "(intent, x, y)"),
    **dict.fromkeys(("mouse_down", "mouse_up"), "(intent, x, y): hold the button or let it go"),
    **dict.fromkeys(("key_down", "key_up"), "(intent, key): hold a key or let it go"),
    "hotkey": '(intent, keys): press keys together, such as ["ctrl", "c"]',
    "scroll": "(intent, x, y, direction, magnitude_in_pixels): move the view up, down, left or right",
}


class Gemini35(FunctionDialect):
    """Computer use of Gemini 3.5 to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = Gemini35(), ScreenView((1440, 900))
    >>> print(codec.render(Action("click", point=(0.5, 0.25)), screen, plan="Open the tab."))
    {"name": "click", "args": {"intent": "Open the tab.", "x": 500, "y": 250}}
    """

    profiles = (_PROFILE,)
    readers: ClassVar = {
        **{name: pointed(kind, button) for (kind, button), name in _POINTED.items()},
        **_held(ActionType.PRESS),
        **_held(ActionType.RELEASE),
        **{"type": _type, "scroll": _scroll, "drag_and_drop": _drag, "long_press": _long_press, "wait": _wait},
        **{"press_key": keyed(ActionType.KEY, "key"), "hotkey": keyed(ActionType.KEY, "keys")},
        **{"navigate": worded(ActionType.OPEN_URL, "url"), "open_app": worded(ActionType.OPEN_APP, "app_name")},
        "go_back": plain(ActionType.BACK),
    }
    looks = ("take_screenshot",)
    refused = ("triple_click", "go_forward", "list_apps")
    signatures: ClassVar = {
        "web": {**_DESKTOP, "navigate": "(intent, url)", "go_back": "(intent)"},
        "desktop": _DESKTOP,
        "mobile": {
            **_COMMON,
            "press_key": "(intent, key): also home and recents, the buttons of the system",
            "long_press": "(intent, x, y, seconds)",
            "open_app": "(intent, app_name)",
            "go_back": "(intent)",
        },
    }

    def _read_call(self, name: str, args: Arguments, reading: Reading) -> Action:
        if isinstance(args.get("intent"), str):
            reading.plan = "\n".join(part for part in (reading.plan, args["intent"].strip()) if part)
        key = args.get("key")
        if name == "press_key" and self.platform == "mobile" and isinstance(key, str) and key.lower() in _BUTTON_KINDS:
            return Action(_BUTTON_KINDS[key.lower()])
        return super()._read_call(name, args, reading)

    def _call(self, action: Action, screen: ScreenView, plan: str) -> Mapping[str, Any]:
        call = super()._call(action, screen, plan)
        return {"name": call["name"], "args": {**({"intent": plan} if plan else {}), **call["args"]}}

    def _function(self, action: Action, xy: Numbers, screen: ScreenView) -> Call:
        kind = action.type
        seconds = {"seconds": whole(action.duration)} if action.duration else {}
        if (kind, action.button) in _POINTED:
            return _POINTED[kind, action.button], xy(action.point)
        if kind in _HELD:
            mouse, key = _HELD[kind]
            return (key, {"key": action.keys[0]}) if action.keys else (mouse, xy(action.point))
        if kind is ActionType.TYPE:
            return "type", {"press_enter": action.submit, "text": action.text}
        if kind is ActionType.SCROLL:
            pixels = max(map(abs, scroll_pixels(action, screen.original)))
            return "scroll", {**xy(action.point), "direction": action.direction, "magnitude_in_pixels": pixels}
        if kind is ActionType.DRAG:
            return "drag_and_drop", {**xy(action.point, "start_x", "start_y"), **xy(action.end, "end_x", "end_y")}
        if kind is ActionType.KEY and len(action.keys) > 1:
            return "hotkey", {"keys": list(action.keys)}
        if kind is ActionType.KEY:
            return "press_key", {"key": action.keys[0]}
        if kind in _BUTTONS and self.platform == "mobile":
            return "press_key", {"key": _BUTTONS[kind]}
        if kind is ActionType.LONG_PRESS:
            return "long_press", {**xy(action.point), **seconds}
        if kind is ActionType.WAIT:
            return "wait", seconds
        if kind is ActionType.OPEN_URL:
            return "navigate", {"url": action.text}
        if kind is ActionType.OPEN_APP:
            return "open_app", {"app_name": action.text}
        if kind is ActionType.BACK:
            return "go_back", {}
        raise NoWords("there is no such function")
