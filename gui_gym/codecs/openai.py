"""OpenAI's computer use tool.

* `OpenAi` - computer-use-preview and later models with the tool `computer`

    {"type": "computer_call", "action": {"type": "click", "button": "left", "x": 410, "y": 88}}

Choices of this dialect, which the field does not agree on:

* Coordinates are pixels of the image that the model saw, `ScreenView.model_input`.
* Read are `computer_call` items with an `action` or a list of `actions`, bare actions, and whole outputs. Reasoning
  and messages before a call are the thought.
* A message without a call is an answer, which ends the episode unless the environment says otherwise. It may be a
  question as well: the API tells neither from the other. A refusal ends as infeasible and keeps its reason as text.
  There is no other end. An item whose status is "incomplete" is a `truncated` error.
* `scroll` is in pixels; `scroll_y` above 0 moves the view down. A scroll along both axes is two, the horizontal first.
* `click` with the button "back" is `back`, "wheel" is the middle button, "forward" is an `unknown_action` error.
* `keys` of a mouse action are held: `Action.modifiers`. `keypress` presses its keys together.
* A `drag` keeps the first and the last point of its path; one with more points is a repair.
* A line break at the very end of typed text presses Enter (`submit`), one inside is text.
* Pending safety checks are the client's concern; the action is read all the same.
* A `screenshot` alone is an `unknown_action` error, as every step shows the screen; beside other actions it does
  nothing. `wait` leaves its time to the device.

Source: developers.openai.com, "Computer use"; types of github.com/openai/openai-python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gui_gym.actions import DIRECTIONS, Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView
from gui_gym.codecs.coordinates import INPUT_PIXELS
from gui_gym.codecs.dialect import NoWords
from gui_gym.codecs.messages import MessageDialect, arguments
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.wheel import PIXEL_CELL, pixel_scrolls, scroll_pixels
from gui_gym.geometry import Point

_PROFILE = Profile(
    "openai",
    "computer-use-preview and later",
    INPUT_PIXELS,
    ("web", "desktop"),
    amount_cell=PIXEL_CELL,
    scroll="where the view moves, in pixels; down and right are positive",
    enter="a line break at the very end of typed text",
    source='developers.openai.com, "Computer use"',
)
_NAMES = ("click", "double_click", "scroll", "type", "wait", "keypress", "drag", "move", "screenshot")
_CALLS = (*_NAMES, "computer_call", "function_call", "refusal")
_BUTTONS = {
    "left": (ActionType.CLICK, "left"),
    "right": (ActionType.RIGHT_CLICK, "left"),
    "wheel": (ActionType.CLICK, "middle"),
}
_BUTTON_NAMES = {meant: name for name, meant in _BUTTONS.items()}
_KEYS = {"escape": "ESC", "meta": "SUPER", **{way: f"ARROW{way.upper()}" for way in DIRECTIONS}}
_MIDDLE = (0.5, 0.5)


class OpenAi(MessageDialect):
    """Computer use of OpenAI's models to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = OpenAi(), ScreenView((1024, 768))
    >>> print(codec.render(Action("scroll", point=(0.5, 0.5), direction="down"), screen))
    {"type": "computer_call", "action": {"type": "scroll", "x": 512, "y": 384, "scroll_x": 0, "scroll_y": 384}}
    """

    profiles = (_PROFILE,)
    spoken = ("output_text",)

    # reading ------------------------------------------------------------------------------------------------------
    def _is_call(self, value: Mapping[str, Any]) -> bool:
        return value.get("type") in _CALLS or value.get("status") == "incomplete"

    def _ending(self, said: str) -> Action | None:
        return Action(ActionType.ANSWER, text=said) if said else None

    def _play(self, call: Mapping[str, Any], reading: Reading) -> Iterable[Action]:
        if call.get("status") == "incomplete":
            raise BadCall("truncated", "the message is incomplete")
        kind = call["type"]
        if kind == "function_call":
            raise BadCall("unknown_tool", f"the dialect has no tool {str(call.get('name'))[:40]!r}")
        if kind == "refusal":
            return (Action(ActionType.TERMINATE, status="infeasible", text=reading.text(call, ("refusal",)) or None),)
        if kind != "computer_call":
            return self._actions(call, reading)
        several = call.get("actions") or [call.get("action")]
        if not isinstance(several, list):
            raise BadCall("bad_syntax", "actions is not a list")
        return [action for each in several for action in self._actions(arguments(each, "action", reading), reading)]

    def _actions(self, args: Arguments, reading: Reading) -> list[Action]:
        name = reading.text(args, ("type",))
        if name == "click":
            return [self._click(args, reading)]
        if name in ("double_click", "move"):
            kind = ActionType.MOVE if name == "move" else ActionType.DOUBLE_CLICK
            return [Action(kind, point=reading.xy(args), modifiers=_held(args, reading))]
        if name == "drag":
            start, end = _path(args, reading)
            return [Action(ActionType.DRAG, point=start, end=end, modifiers=_held(args, reading))]
        if name == "scroll":
            size = self.profile.coordinates.extent(reading.screen)
            across, down = reading.number(args, ("scroll_x",)), reading.number(args, ("scroll_y",))
            return pixel_scrolls(across, down, reading.xy(args), size, _held(args, reading))
        if name == "type":
            text = reading.text(args, ("text",))
            submit = text.endswith("\n")
            return [Action(ActionType.TYPE, text=text[:-1] if submit else text, submit=submit)]
        if name == "keypress":
            if isinstance(args.get("keys"), str):
                reading.repair("keys is a string")
            return [Action(ActionType.KEY, keys=reading.keys(args, ("keys",)))]
        if name == "wait":
            return [Action(ActionType.WAIT)]
        if name == "screenshot":
            return []
        raise BadCall("unknown_action", f"the dialect has no action {name[:40]!r}")

    def _click(self, args: Arguments, reading: Reading) -> Action:
        if not reading.has(args, ("button",)):
            reading.repair("a click without a button")
        button = reading.text(args, ("button",)) if reading.has(args, ("button",)) else "left"
        point = reading.xy(args)
        if button == "back":
            return Action(ActionType.BACK)
        if button == "forward":
            raise BadCall("unknown_action", "there is no action that goes forward")
        if button not in _BUTTONS:
            raise BadCall("bad_argument", f"button must be one of {', '.join(_BUTTONS)}, not {button[:40]!r}")
        kind, button = _BUTTONS[button]
        return Action(kind, point=point, button=button, modifiers=_held(args, reading))

    # writing ------------------------------------------------------------------------------------------------------
    def _call(self, action: Action, screen: ScreenView, plan: str) -> Mapping[str, Any]:
        if action.type is ActionType.ANSWER:
            return _message("output_text", "text", action.text)
        if action.type is ActionType.TERMINATE and action.status == "infeasible":
            return _message("refusal", "refusal", action.text)
        return {"type": "computer_call", "action": self._action(action, screen)}

    def _action(self, action: Action, screen: ScreenView) -> dict[str, Any]:
        def xy(point: Point | None) -> dict[str, float]:
            if point is None:
                raise NoWords("a point is missing")
            return dict(zip("xy", self.profile.coordinates.write(point, screen), strict=True))

        kind = action.type
        held = {"keys": _names(action.modifiers)} if action.modifiers else {}
        if (kind, action.button) in _BUTTON_NAMES:
            return {"type": "click", "button": _BUTTON_NAMES[kind, action.button], **xy(action.point), **held}
        if kind is ActionType.BACK:
            return {"type": "click", "button": "back", **xy(_MIDDLE)}
        if kind in (ActionType.DOUBLE_CLICK, ActionType.MOVE):
            return {"type": kind.value, **xy(action.point), **held}
        if kind is ActionType.DRAG:
            return {"type": "drag", "path": [xy(action.point), xy(action.end)], **held}
        if kind is ActionType.SCROLL:
            across, down = scroll_pixels(action, self.profile.coordinates.extent(screen))
            return {"type": "scroll", **xy(action.point), "scroll_x": across, "scroll_y": down, **held}
        if kind is ActionType.TYPE:
            return {"type": "type", "text": (action.text or "") + "\n" * action.submit}
        if kind is ActionType.KEY:
            return {"type": "keypress", "keys": _names(action.keys)}
        if kind is ActionType.WAIT:
            return {"type": "wait"}
        raise NoWords("there is no such call")

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        size = "" if screen is None else " of {:g}x{:g} pixels".format(*self.profile.coordinates.extent(screen))
        return _PROMPT.format(platform="browser" if platform == "web" else "computer", size=size)


def _message(kind: str, name: str, text: str | None) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [{"type": kind, name: text or ""}]}


def _held(args: Arguments, reading: Reading) -> tuple[str, ...]:
    """The keys that are held during an action."""
    return reading.keys(args, ("keys",)) if reading.has(args, ("keys",)) else ()


def _path(args: Arguments, reading: Reading) -> tuple[Point, Point]:
    """The first and the last point of a drag."""
    path = reading.find(args, ("path",))
    if not isinstance(path, list) or len(path) < 2:
        raise BadCall("bad_coordinate", "path must be a list of at least two points")
    if len(path) > 2:
        reading.repair("a drag along more than two points")
    if not all(isinstance(point, dict) for point in path):
        reading.repair("form of path")
    start, end = (reading.xy(p) if isinstance(p, dict) else reading.place(p, "path")[0] for p in (path[0], path[-1]))
    return start, end


def _names(keys: Iterable[str]) -> list[str]:
    return [_KEYS.get(key, key.upper()) for key in keys]


_PROMPT = """You use a {platform} through its screen, mouse and keyboard. The screenshot{size} shows what it looks \
like now. Coordinates are whole pixels of the screenshot, x from its left and y from its top edge; aim at the centre \
of what you mean.

Say in a sentence what comes next. Then write one call as a JSON object on one line:
{{"type": "computer_call", "action": {{"type": ...}}}}

What the action may be:
{{"type": "click", "button": "left", "x": 0, "y": 0}} (button: left, right, wheel or back; "keys": ["SHIFT"] are held)
{{"type": "double_click", "x": 0, "y": 0}}
{{"type": "move", "x": 0, "y": 0}}
{{"type": "drag", "path": [{{"x": 0, "y": 0}}, {{"x": 0, "y": 0}}]}}
{{"type": "scroll", "x": 0, "y": 0, "scroll_x": 0, "scroll_y": pixels}} (above 0 is down and right)
{{"type": "type", "text": "what to type; a line break at its end presses Enter"}}
{{"type": "keypress", "keys": ["CTRL", "S"]}}
{{"type": "wait"}}

When the task is done, give the answer instead of a call:
{{"type": "message", "role": "assistant", "content": [{{"type": "output_text", "text": "the answer"}}]}}
If it cannot be done:
{{"type": "message", "role": "assistant", "content": [{{"type": "refusal", "refusal": "the reason"}}]}}"""
