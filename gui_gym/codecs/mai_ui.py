"""MAI-UI, also the agent of MobileWorld: `<thinking>` and a call of its own `mobile_use`.

* `MaiUi` - MAI-UI 2B, 8B, 32B, 235B-A22B

    <thinking>
    The list goes on below.
    </thinking>
    <tool_call>
    {"name": "mobile_use", "arguments": {"action": "swipe", "direction": "up", "coordinate": [500, 600]}}
    </tool_call>

Choices of this dialect, which the field does not agree on:

* Coordinates run from 0 to 999 and are divided by 999. Nothing in the reasoning is ever played.
* `swipe` has a direction, that of the finger, and maybe a place; `drag` has both ends. A swipe between two points is a
  repair. Swipes and scrolls by an amount have no words.
* `ask_user` and `INFO` ask the user and are read as infeasible; `AWAKE` is `open`. Calls of other tools are
  `unknown_tool` errors.
* A line break at the very end of typed text means Enter (`submit`), one inside it is text.
* `wait` and `long_press` leave their time to the device; a `time` is read, but not written.

Source: prompts and parser of github.com/Tongyi-MAI/MAI-UI and github.com/Tongyi-MAI/MobileWorld (arXiv 2512.22047).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gui_gym.actions import DIRECTIONS, Action, ActionType
from gui_gym.codecs.base import Profile, ScreenView
from gui_gym.codecs.coordinates import PER_999
from gui_gym.codecs.dialect import NoWords
from gui_gym.codecs.mobile_use import ENDS, STARTS, MobileUse
from gui_gym.codecs.reading import Arguments, Reading
from gui_gym.codecs.tool_dialect import Numbers, Tool, ToolDialect

_STARTS = ("start_coordinate", "coordinate", "start")
_ENDS = ("end_coordinate", "coordinate2", "end")
_BUTTONS = {ActionType.BACK: "back", ActionType.HOME: "home", ActionType.RECENTS: "menu"}
_ACTIONS = [
    "click",
    "double_click",
    "long_press",
    "type",
    "swipe",
    "open",
    "drag",
    "system_button",
    "wait",
    "terminate",
]


class MaiUse(MobileUse):
    """MAI-UI's form of `mobile_use`."""

    def read(self, action: str, args: Arguments, reading: Reading) -> Action | None:
        """See `Tool.read`."""
        if action in ("ask_user", "info"):
            return Action(ActionType.TERMINATE, status="infeasible")
        if action == "drag":
            start = reading.point(args, _STARTS)[0]
            return Action(ActionType.DRAG, point=start, end=reading.point(args, _ENDS)[0])
        if action == "swipe" and reading.has(args, ENDS):
            reading.repair("swipe between two points")
        elif action == "swipe":
            direction = reading.choice(args, ("direction",), {d: d for d in DIRECTIONS})
            return Action(ActionType.SWIPE, point=reading.optional_point(args, STARTS), direction=direction)
        return super().read("open" if action == "awake" else action, args, reading)

    def write(self, action: Action, numbers: Numbers) -> dict[str, Any]:
        """See `Tool.write`."""
        kind = action.type
        if kind in (ActionType.CLICK, ActionType.DOUBLE_CLICK, ActionType.LONG_PRESS) and action.point is not None:
            return {"action": kind.value, "coordinate": numbers(action.point)}
        if kind is ActionType.SWIPE and action.direction is not None:
            where = {"coordinate": numbers(action.point)} if action.point is not None else {}
            return {"action": "swipe", "direction": action.direction, **where}
        if kind is ActionType.DRAG and action.point is not None and action.end is not None:
            ends = {"start_coordinate": numbers(action.point), "end_coordinate": numbers(action.end)}
            return {"action": "drag", **ends}
        if kind is ActionType.TYPE:
            return {"action": "type", "text": (action.text or "") + ("\n" if action.submit else "")}
        if kind in (ActionType.ANSWER, ActionType.OPEN_APP):
            return {"action": "answer" if kind is ActionType.ANSWER else "open", "text": action.text}
        if kind in _BUTTONS:
            return {"action": "system_button", "button": _BUTTONS[kind]}
        if kind is ActionType.KEY and action.keys == ("enter",):
            return {"action": "system_button", "button": "enter"}
        if kind is ActionType.WAIT:
            return {"action": "wait"}
        if kind is ActionType.TERMINATE:
            return {"action": "terminate", "status": "fail" if action.status == "failure" else action.status}
        raise NoWords(f"mobile_use of MAI-UI has no {kind.value}")

    def schema(self, width: int, height: int) -> dict[str, Any]:
        """See `Tool.schema`."""
        points = ("coordinate", "start_coordinate", "end_coordinate")
        properties: dict[str, Any] = {
            "action": {"type": "string", "enum": [*_ACTIONS, "answer"]},
            **{name: {"type": "array", "items": {"type": "integer"}} for name in points},
            "direction": {"type": "string", "enum": list(DIRECTIONS)},
            "text": {"type": "string"},
            "button": {"type": "string", "enum": [*_BUTTONS.values(), "enter"]},
            "status": {"type": "string", "enum": ["success", "fail", "infeasible"]},
        }
        about = f"Operate a phone by touch. x and y run from 0 to {width}. A swipe says where the finger moves."
        parameters = {"type": "object", "properties": properties, "required": ["action"]}
        return {"name": self.name, "description": about, "parameters": parameters}


class MaiUi(ToolDialect):
    """MAI-UI texts to and from actions. See the module's docstring for the dialect's choices.

    >>> print(MaiUi().render(Action("swipe", direction="up"), ScreenView((1080, 2400)), thought="Further down."))
    <thinking>
    Further down.
    </thinking>
    <tool_call>
    {"name": "mobile_use", "arguments": {"action": "swipe", "direction": "up"}}
    </tool_call>
    """

    profiles = (
        Profile(
            "mai-ui",
            "MAI-UI 2B, 8B, 32B, 235B-A22B",
            PER_999,
            ("mobile",),
            scroll="none; a swipe says where the finger moves",
            enter="a line break at the very end of typed text",
            source="github.com/Tongyi-MAI/MAI-UI; arXiv 2512.22047",
        ),
    )
    tools: ClassVar[Mapping[str, Tool]] = {"mobile": MaiUse()}
    thinking = True

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        return _PROMPT


_PROMPT = """You operate a phone. You see the task, what you did so far, and a screenshot. Decide on the next action.

## Output Format
Reason inside <thinking></thinking>, then write one JSON object inside <tool_call></tool_call>:
<thinking>
...
</thinking>
<tool_call>
{"name": "mobile_use", "arguments": <args-json-object>}
</tool_call>

## Action Space
Coordinates run from 0 to 999, from the left and from the top.
{"action": "click", "coordinate": [x, y]}
{"action": "double_click", "coordinate": [x, y]}
{"action": "long_press", "coordinate": [x, y]}
{"action": "type", "text": ""} # into the focused field; a final \\n presses Enter
{"action": "swipe", "direction": "up or down or left or right", "coordinate": [x, y]} # where the finger moves; \
"coordinate" is optional and says on what
{"action": "open", "text": "app_name"}
{"action": "drag", "start_coordinate": [x1, y1], "end_coordinate": [x2, y2]}
{"action": "system_button", "button": "button_name"} # back, home, menu, enter
{"action": "wait"}
{"action": "terminate", "status": "success or fail or infeasible"}
{"action": "answer", "text": "xxx"} # what was asked for

## Note
Make a small plan and name the target of the next action in <thinking></thinking>."""
