"""The `mobile_use` dialect of Qwen3-VL: tool calls with coordinates relative to the screen.

* `QwenMobileCodec` - parse, render, system prompt

    Thought: The alarm tab is open.
    <tool_call>
    {"name": "mobile_use", "arguments": {"action": "click", "coordinate": [497, 883]}}
    </tool_call>

Choices of this dialect, which the field does not agree on:

* Coordinates run from 0 to 1000 and are divided by 1000. Rendering never writes more than 999, so every written point
  lies on the screen; a read 1000 is kept as the fraction 1.0 and lands on the last pixel when it is executed. A value
  outside 0..1000 is an `out_of_range` error, since it is likelier to be in other units than a little off.
* Four numbers where a point belongs are a box: its centre is the point, and `Action.box` keeps it.
* A line break at the very end of typed text means Enter (`submit`), one inside it is text.
* `mobile_use` has no scroll. A `scroll` action is written as the swipe of a finger in the opposite direction; a swipe
  that is read stays a `swipe`. A `drag` is written as a swipe too.
* Several calls are played in order; one unreadable call makes the whole text an error.
* Calls inside `<think>...</think>` are reasoning and never played.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

from gui_gym.actions import DIRECTIONS, KEYS, Action, ActionType
from gui_gym.codecs.arguments import Arguments, BadCall, read_choice, read_point, read_seconds, read_text
from gui_gym.codecs.base import Parsed, ParseError, ScreenSize
from gui_gym.codecs.lenient_json import Unreadable, read
from gui_gym.codecs.tool_calls import CLOSE, OPEN, find_calls
from gui_gym.geometry import Point

_UNSAFE = re.compile(r"<(?=[|/]|tool_call|think)")  # would become a special token or a tag when tokenised or searched
_STARTS = ("coordinate", "start_coordinate", "point", "start")
_ENDS = ("coordinate2", "end_coordinate", "end")
_ALIASES = {
    **{"tap": "click", "left_click": "click", "long_click": "long_press", "longpress": "long_press"},
    **{"input": "type", "input_text": "type", "open_app": "open", "double_tap": "double_click"},
}
_BUTTONS = {
    **{"back": Action(ActionType.BACK), "home": Action(ActionType.HOME)},
    **{name: Action(ActionType.RECENTS) for name in ("menu", "recents", "recent", "app_switch")},
    "enter": Action(ActionType.KEY, keys=("enter",)),
}
_BUTTON_OF = {ActionType.BACK: "Back", ActionType.HOME: "Home", ActionType.RECENTS: "Menu"}
_STATUSES = {
    **{"success": "success", "complete": "success", "completed": "success"},
    **{"failure": "failure", "fail": "failure", "failed": "failure", "infeasible": "infeasible"},
}
_KEY_NAMES = {
    **{"volume_up": "volumeup", "volume_down": "volumedown", "move_home": "home", "move_end": "end"},
    **{"del": "backspace", "page_up": "pageup", "page_down": "pagedown", "esc": "escape"},
}
_NAME_OF_KEY = {"volumeup": "volume_up", "volumedown": "volume_down", "home": "move_home", "end": "move_end"}
_WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}


class QwenMobileCodec:
    """Qwen3-VL `mobile_use` tool calls to and from actions. See the module's docstring for the dialect's choices.

    Args:
        grid: rendered coordinates are multiples of this, 1 to 100; small models learn a coarse grid faster.
        strict: reject texts that need a repair instead of repairing them.

    Raises:
        ValueError: `grid` is out of range.

    >>> codec, screen = QwenMobileCodec(), ScreenSize((1080, 2400))
    >>> codec.parse(codec.render(Action("click", point=(0.5, 0.25)), screen), screen).actions
    (Action(click, point=(0.5, 0.25)),)
    """

    name = "qwen3vl"
    tool = "mobile_use"

    def __init__(self, grid: int = 1, strict: bool = False):
        if not 1 <= grid <= 100:
            raise ValueError(f"grid must lie in 1..100, not {grid!r}")
        self.grid = grid
        self.strict = strict

    def parse(self, text: str, screen: ScreenSize) -> Parsed:
        """See `Codec.parse`."""
        found = find_calls(text)
        if found.error is not None:
            error = ParseError(found.error.kind, str(found.error), (found.error.position, len(text)))
            return Parsed(thought=found.thought, error=error)
        repairs = list(found.repairs)
        actions = []
        for call in found.calls:
            try:
                actions.append(self._action(call.value, repairs))
            except BadCall as bad:
                return Parsed(thought=found.thought, error=ParseError(bad.kind, str(bad), call.span))
        if repairs and self.strict:
            span = found.calls[0].span[0], found.calls[-1].span[1]
            return Parsed(thought=found.thought, error=ParseError("bad_syntax", f"needs repair: {repairs[0]}", span))
        return Parsed(tuple(actions), found.thought, None, bool(repairs))

    def _action(self, call: Any, repairs: list[str]) -> Action:
        args = self._arguments(call, repairs)
        raw = args.get("action")
        if not isinstance(raw, str) or not raw.strip():
            raise BadCall("missing_argument", "the call has no action")
        name = raw.strip().lower()
        if name in _ALIASES:
            repairs.append(f"action {name!r}")
            name = _ALIASES[name]
        if name not in _READERS:
            raise BadCall("unknown_action", f"the dialect has no action {raw[:40]!r}")
        return _READERS[name](args, repairs)

    def _arguments(self, call: Any, repairs: list[str]) -> Arguments:
        if not isinstance(call, dict):
            raise BadCall("bad_syntax", "the call is not an object")
        if "arguments" not in call:
            if "action" not in call:
                raise BadCall("missing_argument", "the call has no arguments")
            repairs.append("arguments without a call around them")
            return call
        name = call.get("name", self.tool)
        if name != self.tool:
            raise BadCall("unknown_tool", f"the dialect has no tool {str(name)[:40]!r}")
        args = call["arguments"]
        if isinstance(args, str):
            repairs.append("arguments encoded twice")
            args = args.strip()
            try:
                args = read(args, 0)[0] if args else None
            except Unreadable as error:
                raise BadCall("bad_syntax", f"arguments: {error}") from error
        if not isinstance(args, dict):
            raise BadCall("bad_syntax", "arguments is not an object")
        return args

    def render(self, action: Action, screen: ScreenSize, thought: str = "") -> str:
        """See `Codec.render`.

        Raises:
            ValueError: `mobile_use` has no words for the action, or the thought holds a tag of the dialect.
        """
        if OPEN in thought or "<think" in thought or "</think" in thought:
            raise ValueError("thought must not hold <tool_call> or <think> tags")
        call = json.dumps({"name": self.tool, "arguments": self._words(action)}, ensure_ascii=False)
        call = _UNSAFE.sub(lambda match: "\\u003c", call)
        head = f"Thought: {thought.strip()}\n" if thought.strip() else ""
        return f"{head}{OPEN}\n{call}\n{CLOSE}"

    def _words(self, action: Action) -> dict[str, Any]:
        kind = action.type
        plain = action.button == "left" and not action.modifiers
        if kind in (ActionType.CLICK, ActionType.LONG_PRESS) and action.point is not None and plain:
            return {"action": kind.value, "coordinate": self._numbers(action.point)} | _time(action.duration)
        if kind in (ActionType.SWIPE, ActionType.DRAG, ActionType.SCROLL):
            start, end = self._finger(action)
            return {"action": "swipe", "coordinate": self._numbers(start), "coordinate2": self._numbers(end)}
        if kind is ActionType.TYPE:
            where = {"coordinate": self._numbers(action.point)} if action.point is not None else {}
            return {"action": "type", **where, "text": (action.text or "") + ("\n" if action.submit else "")}
        if kind in (ActionType.ANSWER, ActionType.OPEN_APP):
            return {"action": "answer" if kind is ActionType.ANSWER else "open", "text": action.text}
        if kind in _BUTTON_OF:
            return {"action": "system_button", "button": _BUTTON_OF[kind]}
        if kind is ActionType.KEY and action.keys == ("enter",) and plain:
            return {"action": "system_button", "button": "Enter"}
        if kind is ActionType.KEY and len(action.keys) == 1 and plain:
            return {"action": "key", "text": _NAME_OF_KEY.get(action.keys[0], action.keys[0])}
        if kind is ActionType.WAIT:
            return {"action": "wait"} | _time(action.duration)
        if kind is ActionType.TERMINATE:
            return {"action": "terminate", "status": action.status}
        raise ValueError(f"mobile_use has no words for {action!r}")

    def _numbers(self, point: Point) -> list[int]:
        """The point on the dialect's grid, never past 999."""
        most = 999 // self.grid
        return [max(0, min(math.floor(v * 1000 / self.grid + 0.5), most)) * self.grid for v in point]

    @staticmethod
    def _finger(action: Action) -> tuple[Point, Point]:
        """Where the finger starts and ends. Without an end it moves `amount` screenfuls around the point."""
        if action.end is not None and action.point is not None:
            return action.point, action.end
        direction = action.direction or "up"
        if action.type is ActionType.SCROLL:
            direction = _OPPOSITE[direction]
        dx, dy = _WAYS[direction]
        x, y = action.point or (0.5, 0.5)
        half = min(action.amount, 0.9) / 2
        # shifted along its way so that both ends stay on the screen
        x = min(max(x, 0.05 + half), 0.95 - half) if dx else x
        y = min(max(y, 0.05 + half), 0.95 - half) if dy else y
        return (x - dx * half, y - dy * half), (x + dx * half, y + dy * half)

    def tools(self) -> list[dict[str, Any]]:
        """The JSON schema of `mobile_use`, for chat templates that take `tools`."""
        point = {"type": "array", "items": {"type": "integer"}}
        actions = ["click", "long_press", "swipe", "type", "answer", "system_button", "open", "wait", "terminate"]
        properties = {
            "action": {
                "type": "string",
                "enum": actions,
                "description": "click: tap a point. long_press: hold a point. swipe: move the finger from coordinate "
                "to coordinate2. type: enter text into the focused field; a final line break presses Enter. answer: "
                "give the answer that was asked for. system_button: press a button of the system. open: open an app "
                "by name. wait: let time pass. terminate: end the task.",
            },
            "coordinate": point | {"description": "[x, y]. Needed by click, long_press and swipe."},
            "coordinate2": point | {"description": "[x, y], where a swipe ends."},
            "text": {"type": "string", "description": "Needed by type, answer and open."},
            "time": {"type": "number", "description": "Seconds, for long_press and wait."},
            "button": {"type": "string", "enum": ["Back", "Home", "Menu", "Enter"]},
            "status": {"type": "string", "enum": ["success", "failure", "infeasible"]},
        }
        about = (
            "Operate a phone by touch. The screen is 999x999: x runs from 0 at the left to 999 at the right, "
            "y from 0 at the top to 999 at the bottom. Aim at the centre of what you touch."
        )
        schema = {"type": "object", "properties": properties, "required": ["action"]}
        return [{"type": "function", "function": {"name": self.tool, "description": about, "parameters": schema}}]

    def system_prompt(self, platform: str = "mobile", short: bool = False) -> str:
        """See `Codec.system_prompt`.

        Raises:
            ValueError: the platform is not "mobile".
        """
        if platform != "mobile":
            raise ValueError(f"codec {self.name!r} speaks about platform 'mobile', not {platform!r}")
        if short:
            return "Operate the phone. Answer with one mobile_use call."
        tools = "\n".join(json.dumps(tool, ensure_ascii=False) for tool in self.tools())
        return (
            "# Tools\n\nYou may call one or more functions to assist with the user query.\n\n"
            "You are provided with function signatures within <tools></tools> XML tags:\n"
            f"<tools>\n{tools}\n</tools>\n\n"
            "For each function call, return a json object with function name and arguments within "
            '<tool_call></tool_call> XML tags:\n<tool_call>\n{"name": <function-name>, "arguments": '
            "<args-json-object>}\n</tool_call>\n\n# Response format\n\nEvery step: one line `Thought: ...` that says "
            "what comes next, then exactly one <tool_call> block. When the goal is reached, call terminate."
        )


def _click(args: Arguments, repairs: list[str]) -> Action:
    point, box = read_point(args, _STARTS, repairs)
    return Action(ActionType.CLICK, point=point, box=box)


def _double_click(args: Arguments, repairs: list[str]) -> Action:
    point, box = read_point(args, _STARTS, repairs)
    return Action(ActionType.DOUBLE_CLICK, point=point, box=box)


def _long_press(args: Arguments, repairs: list[str]) -> Action:
    point, box = read_point(args, _STARTS, repairs)
    return Action(ActionType.LONG_PRESS, point=point, box=box, duration=read_seconds(args, "time", repairs))


def _swipe(args: Arguments, repairs: list[str]) -> Action:
    if "direction" in args and not any(args.get(k) for k in _ENDS):
        repairs.append("swipe by direction")
        direction = read_choice(args, "direction", {d: d for d in DIRECTIONS})
        return Action(ActionType.SWIPE, point=_optional_point(args, repairs), direction=direction)
    start, _ = read_point(args, _STARTS, repairs)
    return Action(ActionType.SWIPE, point=start, end=read_point(args, _ENDS, repairs)[0])


def _drag(args: Arguments, repairs: list[str]) -> Action:
    repairs.append("drag is not in the dialect")
    start, _ = read_point(args, _STARTS, repairs)
    return Action(ActionType.DRAG, point=start, end=read_point(args, _ENDS, repairs)[0])


def _scroll(args: Arguments, repairs: list[str]) -> Action:
    repairs.append("scroll is not in the dialect")
    direction = read_choice(args, "direction", {d: d for d in DIRECTIONS})
    return Action(ActionType.SCROLL, point=_optional_point(args, repairs), direction=direction)


def _type(args: Arguments, repairs: list[str]) -> Action:
    text = read_text(args, "text", repairs)
    submit = text.endswith("\n")
    point = _optional_point(args, repairs)
    return Action(ActionType.TYPE, point=point, text=text[:-1] if submit else text, submit=submit)


def _answer(args: Arguments, repairs: list[str]) -> Action:
    return Action(ActionType.ANSWER, text=read_text(args, "text", repairs))


def _open(args: Arguments, repairs: list[str]) -> Action:
    return Action(ActionType.OPEN_APP, text=read_text(args, "text", repairs))


def _system_button(args: Arguments, repairs: list[str]) -> Action:
    return read_choice(args, "button", _BUTTONS)


def _key(args: Arguments, repairs: list[str]) -> Action:
    name = read_text(args, "text", repairs).strip().lower().removeprefix("keycode_")
    if name in ("back", "home", "recents", "app_switch"):
        return _BUTTONS[name]
    key = _KEY_NAMES.get(name, name)
    if key not in KEYS:
        raise BadCall("bad_argument", f"no key is called {name[:40]!r}")
    return Action(ActionType.KEY, keys=(key,))


def _wait(args: Arguments, repairs: list[str]) -> Action:
    return Action(ActionType.WAIT, duration=read_seconds(args, "time", repairs))


def _terminate(args: Arguments, repairs: list[str]) -> Action:
    return Action(ActionType.TERMINATE, status=read_choice(args, "status", _STATUSES))


def _optional_point(args: Arguments, repairs: list[str]) -> Point | None:
    return read_point(args, _STARTS, repairs)[0] if any(args.get(k) for k in _STARTS) else None


_READERS: dict[str, Callable[[Arguments, list[str]], Action]] = {
    **{"click": _click, "double_click": _double_click, "long_press": _long_press, "swipe": _swipe, "drag": _drag},
    **{"scroll": _scroll, "type": _type, "answer": _answer, "open": _open, "system_button": _system_button},
    **{"key": _key, "wait": _wait, "terminate": _terminate},
}


def _time(duration: float) -> dict[str, Any]:
    if not duration:
        return {}
    return {"time": int(duration) if duration == int(duration) else duration}
