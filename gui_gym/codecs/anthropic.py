"""Anthropic's computer use tool.

* `Anthropic` - Claude with `computer_20241022` to `computer_20251124` and the toolset of 2026

    The menu bar is at the top.
    {"type": "tool_use", "name": "computer", "input": {"action": "left_click", "coordinate": [611, 344]}}

Choices of this dialect, which the field does not agree on:

* Coordinates are pixels of the image that the model saw: `ScreenView.model_input` is what the API made of the
  screenshot after its own shrinking, and the display size of the tool is to be declared as just that.
* Read are `tool_use` blocks, bare inputs (`{"action": ...}`) and the blocks of the toolset, whose name is the action.
* `text` of a click, drag or scroll are keys that are held: `Action.modifiers`. A click without a coordinate is an
  error: where the pointer is, is not known here; that includes the clicks and drags of 2024, which had only one.
* `key` takes a chord with plus signs; several with blanks between them, or `repeat`, are pressed one after the other.
  `hold_key` is a press, a wait and a release.
* A click of the wheel scrolls a tenth of a screen.
* A line break at the very end of typed text presses Enter (`submit`), one inside is text.
* `triple_click`, `zoom` and `cursor_position` are `unknown_action` errors. So is a `screenshot` alone, as every step
  shows the screen; beside other calls it does nothing.
* The model ends a task by a text without a call. That may as well be a question or a cut-off thought: it is a
  `no_action` error, and `answer` and `terminate` have no words.

Source: platform.claude.com/docs, "Computer use tool"; types of github.com/anthropics/anthropic-sdk-python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gui_gym.actions import DIRECTIONS, Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView
from gui_gym.codecs.coordinates import INPUT_PIXELS
from gui_gym.codecs.dialect import NoWords
from gui_gym.codecs.keys import read_keys
from gui_gym.codecs.messages import MessageDialect, arguments
from gui_gym.codecs.numerals import whole
from gui_gym.codecs.reading import Arguments, BadCall, Reading
from gui_gym.codecs.wheel import CLICKS, wheel_clicks

_PROFILE = Profile(
    "anthropic",
    "Claude with the computer use tool",
    INPUT_PIXELS,
    ("desktop", "web"),
    amount_cell=1 / CLICKS,
    scroll="where the view moves, in clicks of the wheel",
    enter="a line break at the very end of typed text",
    source='platform.claude.com/docs, "Computer use tool"',
)
_CLICKS = {
    "left_click": (ActionType.CLICK, "left"),
    "right_click": (ActionType.RIGHT_CLICK, "left"),
    "middle_click": (ActionType.CLICK, "middle"),
    "double_click": (ActionType.DOUBLE_CLICK, "left"),
}
_CLICK_NAMES = {meant: name for name, meant in _CLICKS.items()}
_BUTTONS = {"left_mouse_down": ActionType.PRESS, "left_mouse_up": ActionType.RELEASE}
_BUTTON_NAMES = {kind: name for name, kind in _BUTTONS.items()}
_REFUSED = {
    "triple_click": "triple_click is no action: double-click or drag to select",
    "zoom": "zoom is no action: the screen is shown whole",
    "cursor_position": "cursor_position is no action: the pointer's place is not told",
}
_PARTS = ("key", "hold_key", "type", "mouse_move", "left_click_drag", "scroll", "wait", "screenshot")
_NAMES = {*_CLICKS, *_BUTTONS, *_REFUSED, *_PARTS}
_MOST_REPEATS = 100
_KEYSYMS = {
    **{"enter": "Return", "escape": "Escape", "backspace": "BackSpace", "tab": "Tab", "delete": "Delete"},
    **{"insert": "Insert", "home": "Home", "end": "End", "pageup": "Page_Up", "pagedown": "Page_Down", "meta": "super"},
    **{way: way.capitalize() for way in DIRECTIONS},
    **{"capslock": "Caps_Lock", "printscreen": "Print", "menu": "Menu", **{f"f{n}": f"F{n}" for n in range(1, 13)}},
    **{"-": "minus", "=": "equal", "[": "bracketleft", "]": "bracketright", "\\": "backslash", ";": "semicolon"},
    **{"'": "apostrophe", ",": "comma", ".": "period", "/": "slash", "`": "grave"},
    **{"volumeup": "XF86AudioRaiseVolume", "volumedown": "XF86AudioLowerVolume", "power": "XF86PowerOff"},
}


class Anthropic(MessageDialect):
    """Computer use of Claude to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = Anthropic(), ScreenView((2048, 1536), (1024, 768))
    >>> print(codec.render(Action("click", point=(0.5, 0.25)), screen))
    {"type": "tool_use", "name": "computer", "input": {"action": "left_click", "coordinate": [512, 192]}}
    """

    profiles = (_PROFILE,)
    spoken = ("text",)

    # reading ------------------------------------------------------------------------------------------------------
    def _is_call(self, value: Mapping[str, Any]) -> bool:
        return value.get("type") == "tool_use" or isinstance(value.get("action"), str)

    def _play(self, call: Mapping[str, Any], reading: Reading) -> Iterable[Action]:
        if call.get("type") != "tool_use":
            return self._actions(call["action"], call, reading)
        tool, args = str(call.get("name")), arguments(call.get("input"), "input", reading)
        if call.get("toolset_name") == "computer" or tool in _NAMES:
            return self._actions(tool, args, reading)
        if tool != "computer":
            raise BadCall("unknown_tool", f"the dialect has no tool {tool[:40]!r}")
        return self._actions(reading.text(args, ("action",)), args, reading)

    def _actions(self, name: str, args: Arguments, reading: Reading) -> list[Action]:
        if name in _CLICKS:
            (kind, button), (point, box) = _CLICKS[name], reading.point(args, ("coordinate",))
            return [Action(kind, point=point, box=box, button=button, modifiers=_held(args, reading))]
        if name in _BUTTONS:
            return [Action(_BUTTONS[name])]
        if name == "mouse_move":
            return [Action(ActionType.MOVE, point=reading.point(args, ("coordinate",))[0])]
        if name == "left_click_drag":
            start, end = reading.point(args, ("start_coordinate",))[0], reading.point(args, ("coordinate",))[0]
            return [Action(ActionType.DRAG, point=start, end=end, modifiers=_held(args, reading))]
        if name == "scroll":
            where = reading.optional_point(args, ("coordinate",))
            direction = reading.choice(args, ("scroll_direction",), {way: way for way in DIRECTIONS})
            amount, held = reading.number(args, ("scroll_amount",)) / CLICKS, _held(args, reading)
            return [Action(ActionType.SCROLL, point=where, direction=direction, amount=amount, modifiers=held)]
        if name == "type":
            text = reading.text(args, ("text",))
            submit = text.endswith("\n")
            return [Action(ActionType.TYPE, text=text[:-1] if submit else text, submit=submit)]
        if name == "key":
            return _pressed(args, reading)
        if name == "hold_key":
            keys, duration = reading.keys(args, ("text",)), reading.number(args, ("duration",))
            wait = Action(ActionType.WAIT, duration=duration)
            return [Action(ActionType.PRESS, keys=keys), wait, Action(ActionType.RELEASE, keys=keys)]
        if name == "wait":
            return [Action(ActionType.WAIT, duration=reading.number(args, ("duration",)))]
        if name == "screenshot":
            return []
        raise BadCall("unknown_action", _REFUSED.get(name, f"the dialect has no action {name[:40]!r}"))

    # writing ------------------------------------------------------------------------------------------------------
    def _call(self, action: Action, screen: ScreenView, plan: str) -> Mapping[str, Any]:
        return {"type": "tool_use", "name": "computer", "input": self._input(action, screen)}

    def _input(self, action: Action, screen: ScreenView) -> dict[str, Any]:
        def coordinate(name: str, point: tuple[float, float] | None) -> dict[str, Any]:
            return {} if point is None else {name: list(self.profile.coordinates.write(point, screen))}

        kind, where = action.type, coordinate("coordinate", action.point)
        held = {"text": _chord(action.modifiers)} if action.modifiers else {}
        if (kind, action.button) in _CLICK_NAMES:
            return {"action": _CLICK_NAMES[kind, action.button], **where, **held}
        if kind in _BUTTON_NAMES and not action.keys:
            return {"action": _BUTTON_NAMES[kind]}
        if kind is ActionType.MOVE:
            return {"action": "mouse_move", **where}
        if kind is ActionType.DRAG:
            start, end = coordinate("start_coordinate", action.point), coordinate("coordinate", action.end)
            return {"action": "left_click_drag", **start, **end, **held}
        if kind is ActionType.SCROLL:
            clicks = {"scroll_direction": action.direction, "scroll_amount": wheel_clicks(action.amount)}
            return {"action": "scroll", **where, **clicks, **held}
        if kind is ActionType.TYPE:
            return {"action": "type", "text": (action.text or "") + "\n" * action.submit}
        if kind is ActionType.KEY:
            return {"action": "key", "text": _chord(action.keys)}
        if kind is ActionType.WAIT:
            return {"action": "wait", "duration": whole(action.duration)}
        raise NoWords("there is no such call")

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        size = "" if screen is None else " of {:g}x{:g} pixels".format(*self.profile.coordinates.extent(screen))
        return _PROMPT.format(platform="browser" if platform == "web" else "computer", size=size)


def _held(args: Arguments, reading: Reading) -> tuple[str, ...]:
    """The keys that are held during an action."""
    return reading.keys(args, ("text", "key")) if reading.has(args, ("text", "key")) else ()


def _pressed(args: Arguments, reading: Reading) -> list[Action]:
    """Chords that are pressed one after the other."""
    text, repeat = reading.text(args, ("text",)), reading.number(args, ("repeat",), 1.0)
    if not (repeat.is_integer() and 1 <= repeat <= _MOST_REPEATS):
        raise BadCall("bad_argument", f"repeat must be a whole number from 1 to {_MOST_REPEATS}, not {repeat:g}")
    joined = "+".join(part.strip() for part in text.split("+"))
    if joined != text.strip():
        reading.repair("blanks in a chord")
    chords = joined.split()[: _MOST_REPEATS + 1]
    if not chords:
        raise BadCall("missing_argument", "the action needs text")
    if len(chords) * repeat > _MOST_REPEATS:
        raise BadCall("bad_argument", f"more than {_MOST_REPEATS} chords")
    return [Action(ActionType.KEY, keys=read_keys(chord)) for chord in chords] * int(repeat)


def _chord(keys: Iterable[str]) -> str:
    return "+".join(_KEYSYMS.get(key, key) for key in keys)


_PROMPT = """You use a {platform} through its screen, mouse and keyboard. The screenshot{size} shows what it looks \
like now. Coordinates are pixels of the screenshot: [x, y] from its top left corner; aim at the centre of what you mean.

Say in a sentence what comes next. Then call the tool once, as one JSON object on one line:
{{"type": "tool_use", "name": "computer", "input": {{"action": ...}}}}

What the input may be:
{{"action": "left_click", "coordinate": [x, y]}} (also right_click, middle_click, double_click; "text" names keys to \
hold, such as "shift")
{{"action": "mouse_move", "coordinate": [x, y]}}
{{"action": "left_click_drag", "start_coordinate": [x, y], "coordinate": [x, y]}}
{{"action": "left_mouse_down"}}, {{"action": "left_mouse_up"}}
{{"action": "scroll", "coordinate": [x, y], "scroll_direction": "up, down, left or right", "scroll_amount": clicks}}
{{"action": "type", "text": "what to type; a line break at its end presses Enter"}}
{{"action": "key", "text": "a key or a chord, such as Return, Page_Down or ctrl+s"}}
{{"action": "hold_key", "text": "shift", "duration": seconds}}
{{"action": "wait", "duration": seconds}}"""
