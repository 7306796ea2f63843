"""Gemini's computer use, first generation: functions whose names end in `_at`.

* `Gemini` - Gemini 2.5 Computer Use and Gemini 3 Flash; the second generation is `gui_gym.codecs.gemini35`

    {"name": "type_text_at", "args": {"x": 371, "y": 470, "press_enter": true, "text": "tea"}}

Choices of this dialect, which the field does not agree on:

* Coordinates run from 0 to 999 on a grid of 1000: they are divided by 1000. A value above 1000 is an `out_of_range`
  error.
* `type_text_at` presses Enter unless `press_enter` is false, as documented; clients differ. Line breaks are text.
  `clear_before_typing`, true by default, is not kept: whether the field is cleared first is the device's business. It
  is written as false. Typing without a point has no words.
* `scroll_at` moves the view by `magnitude` thousandths of the screen (800 when it is missing), `scroll_document` by an
  amount that it leaves open.
* Phones have the functions of the documented Android example: `open_app`, `long_press_at` and `go_home`, and none of a
  browser. A function of the other platform is read as a repair and never written.
* `open_web_browser`, `search` and `go_forward` are `unknown_action` errors: no action does that.
* `safety_decision` is the client's concern; the action is read all the same.
* The model ends a task by a text without a call. That may as well be a question: it is a `no_action` error, and
  `answer` and `terminate` have no words.

Source: ai.google.dev/gemini-api/docs/computer-use; github.com/google-gemini/computer-use-preview.
"""

from __future__ import annotations

from typing import ClassVar

from gui_gym.actions import Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView
from gui_gym.codecs.coordinates import PER_1000
from gui_gym.codecs.function_dialect import WAYS, Call, FunctionDialect, Numbers, keyed, plain, pointed, worded
from gui_gym.codecs.reading import Arguments, BadCall, Reading

_MOST, _DEFAULT = 1000, 800
_PROFILE = Profile(
    "gemini",
    "Gemini 2.5 Computer Use, Gemini 3 Flash",
    PER_1000,
    ("web", "mobile"),
    amount_cell=1 / _MOST,
    scroll="where the view moves, in thousandths of the screen",
    enter="press_enter, true by default",
    source="ai.google.dev/gemini-api/docs/computer-use",
)
_KEYS = {"ctrl": "control", "meta": "command", ";": "semicolon", "=": "equals"}
_POINTED = {ActionType.CLICK: "click_at", ActionType.LONG_PRESS: "long_press_at", ActionType.MOVE: "hover_at"}
_PLAIN = {ActionType.BACK: "go_back", ActionType.HOME: "go_home", ActionType.WAIT: "wait_5_seconds"}


def _type(args: Arguments, reading: Reading) -> Action:
    point, submit = reading.xy(args), reading.flag(args, ("press_enter",), True)
    return Action(ActionType.TYPE, point=point, text=reading.text(args, ("text",)), submit=submit)


def _scroll_document(args: Arguments, reading: Reading) -> Action:
    return Action(ActionType.SCROLL, direction=reading.choice(args, ("direction",), WAYS))


def _scroll(args: Arguments, reading: Reading) -> Action:
    point, direction = reading.xy(args), reading.choice(args, ("direction",), WAYS)
    magnitude = reading.number(args, ("magnitude",), _DEFAULT)
    if not 0 <= magnitude <= _MOST:
        raise BadCall("out_of_range", f"magnitude must lie in 0..{_MOST}, not {magnitude:g}")
    return Action(ActionType.SCROLL, point=point, direction=direction, amount=magnitude / _MOST)


def _drag(args: Arguments, reading: Reading) -> Action:
    return Action(ActionType.DRAG, point=reading.xy(args), end=reading.xy(args, ("destination_x",), ("destination_y",)))


def _wait(args: Arguments, reading: Reading) -> Action:
    return Action(ActionType.WAIT, duration=5.0)


_COMMON = {
    "click_at": "(x, y)",
    "type_text_at": "(x, y, press_enter, clear_before_typing, text): click and type; both flags are true by default",
    "scroll_at": "(x, y, direction, magnitude): move the view up, down, left or right by thousandths of the screen",
    "go_back": "()",
    "wait_5_seconds": "()",
}


class Gemini(FunctionDialect):
    """Computer use of Gemini 2.5 to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = Gemini(), ScreenView((1440, 900))
    >>> print(codec.render(Action("click", point=(0.5, 0.25)), screen, thought="The tab."))
    The tab.
    {"name": "click_at", "args": {"x": 500, "y": 250}}
    """

    profiles = (_PROFILE,)
    readers: ClassVar = {
        **{name: pointed(kind) for kind, name in _POINTED.items()},
        **{"type_text_at": _type, "key_combination": keyed(ActionType.KEY, "keys"), "drag_and_drop": _drag},
        **{"scroll_document": _scroll_document, "scroll_at": _scroll, "wait_5_seconds": _wait},
        **{"navigate": worded(ActionType.OPEN_URL, "url"), "open_app": worded(ActionType.OPEN_APP, "app_name")},
        **{"go_back": plain(ActionType.BACK), "go_home": plain(ActionType.HOME)},
    }
    refused = ("open_web_browser", "search", "go_forward")
    signatures: ClassVar = {
        "web": {
            **_COMMON,
            "hover_at": "(x, y)",
            "key_combination": "(keys): a key or a chord, such as enter or control+c",
            "scroll_document": "(direction): move the view of the whole page",
            "drag_and_drop": "(x, y, destination_x, destination_y)",
            "navigate": "(url)",
        },
        "mobile": {**_COMMON, "long_press_at": "(x, y)", "open_app": "(app_name)", "go_home": "()"},
    }

    def _function(self, action: Action, xy: Numbers, screen: ScreenView) -> Call:
        kind = action.type
        if kind in _POINTED:
            return _POINTED[kind], xy(action.point)
        if kind is ActionType.TYPE:
            flags = {"press_enter": action.submit, "clear_before_typing": False}
            return "type_text_at", {**xy(action.point), **flags, "text": action.text}
        if kind is ActionType.SCROLL and action.point is None:
            return "scroll_document", {"direction": action.direction}
        if kind is ActionType.SCROLL:
            magnitude = min(round(action.amount * _MOST), _MOST - 1)
            return "scroll_at", {**xy(action.point), "direction": action.direction, "magnitude": magnitude}
        if kind is ActionType.DRAG:
            return "drag_and_drop", {**xy(action.point), **xy(action.end, "destination_x", "destination_y")}
        if kind is ActionType.KEY:
            return "key_combination", {"keys": "+".join(_KEYS.get(key, key) for key in action.keys)}
        if kind is ActionType.OPEN_URL:
            return "navigate", {"url": action.text}
        if kind is ActionType.OPEN_APP:
            return "open_app", {"app_name": action.text}
        return _PLAIN.get(kind, ""), {}
